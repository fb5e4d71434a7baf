//! What a compression leaves of a block for the filter and for recompression.

use core::mem::offset_of;

use crate::rounds::{Checkpoints, K, State, step, unstep};
use crate::schedule::Schedule;

/// In which order a schedule lies in memory.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// The first word lies first.
    Ascending,
    /// The last word lies first.
    Descending,
}

/// What a compression leaves of its block; states in the order in which SHA instructions keep them.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Slot {
    /// The expanded message, in the order of the compression.
    pub(crate) words: Schedule,
    /// Words d, c, b, a of the states before steps 56 and 60.
    pub(crate) near: [[u32; 4]; 2],
    /// Words d, c, b, a of the chaining value after the block.
    pub(crate) after: [u32; 4],
    /// Its word e, behind zeros.
    pub(crate) after_e: [u32; 4],
    /// The vectors that the filter left.
    pub(crate) candidates: u32,
    /// Which block it is, counted from the start of the loop.
    pub(crate) number: usize,
}

/// Whole vectors are stored into these fields, which takes an address that is a multiple of 16.
const _: () = {
    let fields = offset_of!(Slot, words)
        | offset_of!(Slot, near)
        | offset_of!(Slot, after)
        | offset_of!(Slot, after_e);
    assert!(fields % 16 == 0 && align_of::<Slot>() >= 16);
};

impl Slot {
    /// The chaining value after the block.
    pub(crate) fn chaining(&self) -> State {
        let ([d, c, b, a], [_, _, _, e]) = (self.after, self.after_e);
        [a, b, c, d, e]
    }

    /// The state before step 60: four words that were kept, and the first of those four steps
    /// earlier, which has become the last.
    pub(crate) fn step_60(&self) -> State {
        let [[_, _, _, e], [d, c, b, a]] = self.near;
        [a, b, c, d, e.rotate_left(30)]
    }

    /// The expanded message, if it lies in this order.
    pub(crate) fn w(&self, order: Order) -> Schedule {
        let mut w = self.words;
        if order == Order::Descending {
            w.reverse();
        }
        w
    }

    /// The states where recompression starts; `w` is the expanded message.
    pub(crate) fn checkpoints(&self, w: &Schedule) -> Checkpoints {
        let keyed = |t: usize| w[t].wrapping_add(K[t / 20]);
        Checkpoints {
            step_58: [59, 58].into_iter().fold(self.step_60(), |s, t| unstep(t, s, keyed(t))),
            step_65: (60..65).fold(self.step_60(), |s, t| step(t, s, keyed(t))),
        }
    }
}
