//! What a compression leaves of a block for the filter and for recompression.

use core::mem::offset_of;

use crate::recompress;
use crate::rounds::{Checkpoints, State};
use crate::schedule::Schedule;

/// In which order words lie in memory: those of a schedule, and those of a state.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// The first word lies first; of a state that is a.
    Ascending,
    /// The last word lies first; of a state that is e.
    Descending,
}

impl Order {
    /// Puts words, the first given first, into this order; or back.
    pub(crate) fn arranged<const N: usize>(self, mut words: [u32; N]) -> [u32; N] {
        if self == Self::Descending {
            words.reverse();
        }
        words
    }
}

/// What a compression leaves of its block, in the order of the compression.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Slot {
    /// The expanded message.
    pub(crate) words: Schedule,
    /// Words a to d of the states before steps 56 and 60.
    pub(crate) near: [[u32; 4]; 2],
    /// Words a to d of the chaining value after the block.
    pub(crate) after: [u32; 4],
    /// Its word e, in the place that a has in the other fields; the rest are zeros.
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
    pub(crate) fn chaining(&self, order: Order) -> State {
        let [a, b, c, d] = order.arranged(self.after);
        let [e, ..] = order.arranged(self.after_e);
        [a, b, c, d, e]
    }

    /// The state before step 60: four words that were kept, and the first of those four steps
    /// earlier, which has become the last.
    pub(crate) fn step_60(&self, order: Order) -> State {
        let [[e, ..], [a, b, c, d]] = self.near.map(|words| order.arranged(words));
        [a, b, c, d, e.rotate_left(30)]
    }

    /// The expanded message, if it lies in this order.
    pub(crate) fn w(&self, order: Order) -> Schedule {
        order.arranged(self.words)
    }

    /// The states where recompression starts; `w` is the expanded message.
    pub(crate) fn checkpoints(&self, w: &Schedule, order: Order) -> Checkpoints {
        recompress::checkpoints(self.step_60(order), w)
    }
}
