//! The block loop where the filter hides under the rounds.
//!
//! The rounds of a block are one chain, each waiting for the one before, and leave most of the
//! processor idle; the filter is many short chains. So the filter of each block, or as much of it as
//! there is room for, runs between the rounds of the next, a step behind each four of them. Blocks
//! with candidates wait in a [`Queue`] without a branch, and are recompressed together when it is full
//! or the blocks end.
//!
//! The loop is written once; each pair of a compression and a form of the filter is compiled with
//! its own features by whoever calls it.

#![allow(unsafe_code)]

pub(crate) mod compression;
pub(crate) mod form;
pub(crate) mod pair;
pub(crate) mod queue;
pub(crate) mod slot;
pub(crate) mod token;

use core::mem::MaybeUninit;

use crate::kernel::{Examined, Kernel};
use crate::recompress::{self, EQUAL_AT_60};
use crate::rounds::State;
use crate::schedule::{Block, Blocks, Schedule};
use compression::{Beside, Candidate, Compression, STREAMS};
use form::Form;
use pair::Pair;
use queue::{Queue, Waiting};
use slot::{Order, Slot};

impl Kernel {
    /// The loop where the filter runs beside the rounds.
    pub(crate) fn pipelined<P: Pair>(&mut self, pair: P, blocks: Blocks<'_>, offset: u64) {
        let mut done = 0;
        while done < blocks.len() {
            let mut queue = Queue::new();
            let unasked = self.unasked();
            let count = pair.run(&mut self.chaining, blocks.skip(done), unasked, &mut queue);
            let start = offset.wrapping_add(64 * done as u64);
            done += count;
            pair.refine(unasked, &mut queue);
            if queue.is_empty() {
                continue;
            }
            if self.settings.reduced_rounds || pair.any_collides(&queue) {
                // What was compressed since a block that changed the chaining value is void.
                if let Some(last) = self.examine_all(&queue, P::ORDER, start) {
                    done = done - count + last + 1;
                }
            }
        }
    }

    /// Examines blocks that wait, the first of the run standing `offset` bytes into the message.
    /// Ends at a block that changes the chaining value, and returns its number in the run.
    #[cold]
    #[inline(never)]
    fn examine_all(&mut self, queue: &Queue, order: Order, offset: u64) -> Option<usize> {
        queue.waiting().find_map(|slot| {
            let w = slot.w(order);
            let examined = Examined {
                w: &w,
                states: slot.checkpoints(&w, order),
                after: slot.chaining(order),
                offset: offset.wrapping_add(64 * slot.number as u64),
            };
            self.examine(slot.candidates, &examined).then_some(slot.number)
        })
    }
}

impl<'a> Blocks<'a> {
    #[inline(always)]
    pub(crate) fn get(self, n: usize) -> Option<&'a Block> {
        self.first.get(n).or_else(|| self.then.get(n.wrapping_sub(self.first.len())))
    }

    /// Those from the n-th on.
    #[inline(always)]
    pub(crate) fn skip(self, n: usize) -> Self {
        let first = n.min(self.first.len());
        let then = (n - first).min(self.then.len());
        Self { first: &self.first[first..], then: &self.then[then..] }
    }
}

/// How many steps a compression has for the filter.
const STEPS: usize = 20;

/// A filter on its way through the steps.
struct Filtering<'a, F: Form> {
    form: F,
    w: &'a Schedule,
    cleared: F::Cleared,
}

impl<F: Form> Beside for Filtering<'_, F> {
    #[inline(always)]
    fn step<const N: usize>(&mut self) {
        self.cleared = self.form.pin(self.form.step::<N>(self.w, self.cleared));
    }
}

/// Nothing to do between rounds.
struct Alone;

impl Beside for Alone {
    #[inline(always)]
    fn step<const N: usize>(&mut self) {}
}

/// Compresses blocks until they end or the queue is full; returns how many, the last of which has
/// the chaining value that is left. Whatever was flagged is in the queue, and the last block, which
/// [`refine`] has to filter; it has to be empty at first. `unasked` are vectors that are candidates
/// whatever the filter says.
#[inline(always)]
pub(crate) fn run<C: Compression, F: Form>(
    compression: C,
    form: F,
    chaining: &mut State,
    blocks: Blocks<'_>,
    unasked: u32,
    queue: &mut Queue,
) -> usize {
    const { assert!(F::STEPS <= STEPS, "the filter has more steps than a compression") };
    debug_assert!(queue.is_empty(), "waiting slots would be overwritten");
    let Some(first) = blocks.get(0) else { return 0 };
    let (slots, mut waiting) = queue.parts();
    // SAFETY: there are slots, and nothing refers to any yet.
    let here = unsafe { &mut *slots };
    let mut at = compression.load(*chaining);
    // The first block has nothing to filter beside it.
    at = compression.compress(at, first, here, &mut Alone);
    let mut last = here.as_mut_ptr();
    let (mut previous, mut slot) = (0, 1);
    let mut number = 1;
    // SAFETY: this is a slot, and `number` a plain number in it.
    unsafe { (&raw mut (*last).number).write(0) };
    while let (false, Some(block)) = (waiting.is_full(), blocks.get(number)) {
        // SAFETY: the slot of the block before was written whole, and this one is another.
        let w = unsafe { &(*last).words };
        let mut filtering = Filtering { form, w, cleared: form.none() };
        // SAFETY: nothing refers to this slot: it is no slot that waits, and not the one of the
        // block before.
        let here = unsafe { &mut *slots.add(slot) };
        at = compression.compress(at, block, here, &mut filtering);
        let here = here.as_mut_ptr();
        let candidates = form.possible(filtering.cleared) | unasked;
        // SAFETY: this is a slot, and `number` a plain number in it; the slot of the block before
        // was written whole.
        let free = unsafe {
            (&raw mut (*here).number).write(number);
            push(slots, &mut waiting, previous, candidates)
        };
        (last, previous, slot) = (here, slot, free);
        number += 1;
    }
    *chaining = compression.store(at);
    // SAFETY: the slot of the last block was written whole.
    unsafe { push(slots, &mut waiting, previous, !0) };
    let len = waiting.len();
    // SAFETY: so many were pushed.
    unsafe { queue.set_len(len) };
    number
}

/// Lets a slot wait if its block has candidates. Returns which slot to write next.
///
/// # Safety
///
/// There is such a slot, and if there are candidates, all else in it was written.
#[inline(always)]
unsafe fn push(
    slots: *mut MaybeUninit<Slot>,
    waiting: &mut Waiting<'_>,
    slot: usize,
    candidates: u32,
) -> usize {
    // SAFETY: the caller says so.
    unsafe {
        let this = slots.add(slot).cast::<Slot>();
        (&raw mut (*this).candidates).write(candidates);
        waiting.push(slot, candidates)
    }
}

/// Runs the whole filter over the last block, beside which nothing ran; and over all that wait, where
/// only a part of it ran beside the rounds. Apart from [`run`], for it may use wider vectors than SHA
/// instructions bear.
#[inline(always)]
pub(crate) fn refine<F: Form>(form: F, unasked: u32, queue: &mut Queue) {
    let first = if F::IS_COMPLETE { queue.len().saturating_sub(1) } else { 0 };
    let mut kept = first;
    for place in first..queue.len() {
        let candidates = form.check(queue.words(place)) | unasked;
        queue.decide(place, kept, candidates);
        kept += usize::from(candidates != 0);
    }
    // SAFETY: these are left.
    unsafe { queue.set_len(kept) };
}

/// Whether any block that waits is half of a collision.
#[inline(always)]
pub(crate) fn any_collides<'a, C: Compression>(
    compression: C,
    waiting: impl Iterator<Item = &'a Slot>,
) -> bool {
    let mut gathered: [Option<Candidate<'_>>; STREAMS] = [None; STREAMS];
    let mut len = 0;
    let mut found = false;
    let collide = |gathered: [Option<Candidate<'_>>; STREAMS]| {
        // A place that stayed empty repeats the first.
        let first = gathered[0];
        first.is_some_and(|first| {
            compression.collide(gathered.map(|candidate| candidate.unwrap_or(first)))
        })
    };
    for slot in waiting {
        let mut near = slot.candidates & EQUAL_AT_60;
        while near != 0 {
            gathered[len] = Some((slot, near.trailing_zeros() as usize));
            near &= near - 1;
            len += 1;
            if len == STREAMS {
                found |= collide(gathered);
                (gathered, len) = ([None; STREAMS], 0);
            }
        }
        let mut far = slot.candidates & !EQUAL_AT_60;
        while far != 0 {
            let index = far.trailing_zeros() as usize;
            far &= far - 1;
            let w = slot.w(C::ORDER);
            let partner = recompress::partner(&w, &slot.checkpoints(&w, C::ORDER), index);
            found |= partner.after == slot.chaining(C::ORDER);
        }
    }
    found | collide(gathered)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::dv::DisturbanceVector;
    use crate::filter::scalar;
    use crate::portable;
    use queue::WAITING;

    /// Words without a pattern.
    fn words(seed: &mut u32) -> impl FnMut() -> u32 {
        || {
            *seed = seed.wrapping_mul(0x0019_660d).wrapping_add(0x3c6e_f35f);
            *seed ^ *seed >> 15
        }
    }

    /// Tests a pair, if this processor can run it.
    pub(crate) fn test_pair<C: Copy, F: Copy>(compression: Option<C>, form: Option<F>)
    where
        (C, F): Pair,
    {
        if let Some(pair) = compression.zip(form) {
            flagged_blocks_wait(pair);
            a_collision_is_found_at_any_place(pair);
        }
    }

    /// The queue holds just the blocks that the filter leaves, in their order, whatever the length
    /// of the run, and everything that recompression needs of them.
    fn flagged_blocks_wait<P: Pair>(pair: P) {
        let mut seed = 1;
        let mut word = words(&mut seed);
        let (mut flagged, mut full) = (0, 0);
        for length in 0..400 {
            let blocks: std::vec::Vec<[u8; 64]> =
                (0..length).map(|_| core::array::from_fn(|_| word() as u8)).collect();
            let start: State = core::array::from_fn(|_| word());
            let (mut expected, mut after) = (std::vec::Vec::new(), start);
            let mut queue = Queue::new();
            let mut chaining = start;
            // Cut anywhere, the two parts are one run.
            let (first, then) = blocks.split_at(length / 3);
            let count = pair.run(&mut chaining, Blocks { first, then }, 0, &mut queue);
            let waited = queue.waiting().count();
            pair.refine(0, &mut queue);
            for (number, block) in blocks[..count].iter().enumerate() {
                let mut w = [0; 80];
                let (next, states) = portable::compress(after, block, &mut w);
                after = next;
                let candidates = scalar::check(&w);
                if candidates != 0 {
                    expected.push((number, candidates, w, states, after));
                }
            }
            assert_eq!(chaining, after);
            let waiting = queue.waiting().map(|slot| {
                let w = slot.w(P::ORDER);
                (
                    slot.number,
                    slot.candidates,
                    w,
                    slot.checkpoints(&w, P::ORDER),
                    slot.chaining(P::ORDER),
                )
            });
            assert!(waiting.eq(expected.iter().copied()), "{length} blocks");
            // It stops early only for being full.
            assert!(count == length || (WAITING..=WAITING + 1).contains(&waited));
            full += usize::from(count < length);
            flagged += expected.len();
        }
        assert!(flagged > 1000 && full > 100, "{flagged} flagged, {full} times full");
    }

    /// A queue in which the block at any place is half of a collision with any vector: the chaining
    /// value after it is made to be the one that the partner ends at.
    fn a_collision_is_found_at_any_place<P: Pair>(pair: P) {
        let mut seed = 2;
        let mut word = words(&mut seed);
        for length in 1..=WAITING + 1 {
            for index in 0..32 {
                let mut queue = Queue::new();
                let (slots, mut waiting) = queue.parts();
                for n in 0..length {
                    let slot = Slot {
                        words: core::array::from_fn(|_| word()),
                        near: core::array::from_fn(|_| core::array::from_fn(|_| word())),
                        after: core::array::from_fn(|_| word()),
                        after_e: P::ORDER.arranged([word(), 0, 0, 0]),
                        candidates: 0,
                        number: n,
                    };
                    // SAFETY: there are more slots than can wait, and this one is written whole.
                    unsafe {
                        (*slots.add(n)).write(slot);
                        push(slots, &mut waiting, n, 1 << index | 1 << (word() % 32));
                    }
                }
                let len = waiting.len();
                // SAFETY: so many were pushed.
                unsafe { queue.set_len(len) };
                assert!(!pair.any_collides(&queue));
                for place in 0..length {
                    let (slots, _) = queue.parts();
                    // SAFETY: this slot was written.
                    let slot = unsafe { (*slots.add(place)).assume_init_mut() };
                    let ordinary = *slot;
                    let w = slot.w(P::ORDER);
                    let partner = recompress::partner(&w, &slot.checkpoints(&w, P::ORDER), index);
                    let [a, b, c, d, e] = partner.after;
                    slot.after = P::ORDER.arranged([a, b, c, d]);
                    slot.after_e = P::ORDER.arranged([e, 0, 0, 0]);
                    let vector = DisturbanceVector::ALL[index];
                    assert!(pair.any_collides(&queue), "{vector} at {place} of {length}");
                    // SAFETY: as above.
                    unsafe { (*queue.parts().0.add(place)).write(ordinary) };
                }
            }
        }
    }
}
