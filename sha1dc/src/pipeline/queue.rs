//! Blocks that wait for recompression.
//!
//! About one block in 21 has a candidate. A branch on that would be mispredicted each time, so there
//! is none: every block leaves what recompression needs in a slot, and the slot of a block without a
//! candidate is the next to be overwritten, while that of another stays and a fresh one is taken.
//! Which of the two is arithmetic. When the queue is full the loop ends, which is rare enough to be
//! predicted.

#![allow(unsafe_code)]

use core::hint::select_unpredictable;
use core::mem::MaybeUninit;

use crate::pipeline::slot::Slot;
use crate::schedule::Schedule;

/// How many blocks can wait before the loop has to end. More would make recompression no cheaper,
/// and fewer would end the loop more often.
pub(crate) const WAITING: usize = 8;

/// Slots of blocks that wait, of the block that is being filtered, and of the one that is being
/// compressed.
pub(crate) type Slots = [MaybeUninit<Slot>; WAITING + 2];

/// None of them written.
pub(crate) const NO_SLOTS: Slots = [MaybeUninit::uninit(); WAITING + 2];

/// Which of the slots wait. They lie elsewhere: they are large, and would be copied with it.
pub(crate) struct Queue<'s> {
    slots: &'s mut Slots,
    /// Those that wait, in the order of their blocks. One more can come when the queue is full: the
    /// block that is being filtered when the loop ends.
    waiting: [usize; WAITING + 1],
    len: usize,
    unfiltered: Option<Unfiltered>,
}

/// Between two runs of the loop.
#[derive(Clone, Copy)]
pub(crate) struct Unfiltered {
    /// The slot of the block that is filtered next: the last that was compressed.
    pub(crate) slot: usize,
    /// The slot that is written next.
    pub(crate) free: usize,
}

impl<'s> Queue<'s> {
    #[inline(always)]
    pub(crate) fn new(slots: &'s mut Slots) -> Self {
        Self { slots, waiting: [0; WAITING + 1], len: 0, unfiltered: None }
    }

    /// Where the slots lie, which wait, and which is to be filtered next, or to be written if there
    /// is none.
    #[inline(always)]
    pub(crate) fn parts(&mut self) -> (*mut MaybeUninit<Slot>, Waiting<'_>, Unfiltered) {
        let unfiltered = self.unfiltered.unwrap_or(Unfiltered { slot: 0, free: 1 });
        let waiting = Waiting { slots: &mut self.waiting, len: self.len };
        (self.slots.as_mut_ptr(), waiting, unfiltered)
    }

    /// Says how many wait, and which is to be filtered next.
    ///
    /// # Safety
    ///
    /// So many were pushed, and that one was written, whole but for its candidates.
    #[inline(always)]
    pub(crate) unsafe fn set(&mut self, len: usize, unfiltered: Unfiltered) {
        (self.len, self.unfiltered) = (len, Some(unfiltered));
    }

    /// Whether the loop has to end.
    pub(crate) fn is_full(&self) -> bool {
        self.len >= WAITING
    }

    /// Whether there is a block that was not filtered.
    #[inline(always)]
    pub(crate) fn has_unfiltered(&self) -> bool {
        self.unfiltered.is_some()
    }

    /// Lets the block wait that was not filtered.
    #[inline(always)]
    pub(crate) fn add_unfiltered(&mut self) {
        if let (Some(last), Some(place)) = (self.unfiltered.take(), self.waiting.get_mut(self.len))
        {
            // All else in it was written.
            let slot = self.slots[last.slot].as_mut_ptr();
            // SAFETY: this is a plain number in a slot.
            unsafe { (&raw mut (*slot).candidates).write(0) };
            *place = last.slot;
            self.len += 1;
        }
    }

    /// Keeps only so many of those that wait.
    #[inline(always)]
    pub(crate) fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// How many slots wait.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The expanded message of a slot that waits.
    #[inline(always)]
    pub(crate) fn words(&self, place: usize) -> &Schedule {
        // SAFETY: whoever lets a slot wait has written it, whole.
        unsafe { &self.slots[self.waiting[..self.len][place]].assume_init_ref().words }
    }

    /// Decides anew what the candidates of the slot at `from` are, and moves it to `to`.
    #[inline(always)]
    pub(crate) fn decide(&mut self, from: usize, to: usize, candidates: u32) {
        let slot = self.waiting[..self.len][from];
        self.waiting[to] = slot;
        // SAFETY: as above.
        unsafe { self.slots[slot].assume_init_mut() }.candidates = candidates;
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The slots that wait, in the order of their blocks.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = &Slot> + Clone {
        let waiting = &self.waiting[..self.len];
        // SAFETY: whoever lets a slot wait has written it, whole.
        waiting.iter().map(|n| unsafe { self.slots[*n].assume_init_ref() })
    }
}

/// Which slots wait, while the loop runs: apart from the slots, so that how many there are can stay
/// in a register.
pub(crate) struct Waiting<'a> {
    slots: &'a mut [usize; WAITING + 1],
    len: usize,
}

impl Waiting<'_> {
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Whether the loop has to end.
    #[inline(always)]
    pub(crate) fn is_full(&self) -> bool {
        self.len >= WAITING
    }

    /// Lets a slot wait if its block has candidates. Returns which slot to write next.
    ///
    /// # Safety
    ///
    /// If there are candidates, the slot was written, whole.
    #[inline(always)]
    pub(crate) unsafe fn push(&mut self, slot: usize, candidates: u32) -> usize {
        if let Some(place) = self.slots.get_mut(self.len) {
            *place = slot;
        }
        let fresh = self.len + 2;
        let waits = candidates != 0;
        self.len += usize::from(waits);
        select_unpredictable(waits, fresh, slot)
    }
}
