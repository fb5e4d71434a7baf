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
pub(crate) mod streams;
pub(crate) mod token;

use core::array::{from_mut, from_ref};
use core::mem::MaybeUninit;

use crate::kernel::{Examined, Kernel};
use crate::recompress::{self, EQUAL_AT_60};
use crate::rounds::State;
use crate::schedule::{Block, Blocks, Schedule};
use compression::{Beside, Candidate, Compression, STREAMS};
use form::Form;
use pair::Pair;
use queue::{NO_SLOTS, Queue, Unfiltered, Waiting};
use slot::{Order, Slot};

impl Kernel {
    /// The loop where the filter runs beside the rounds.
    pub(crate) fn pipelined<P: Pair>(&mut self, pair: P, blocks: Blocks<'_>, offset: u64) {
        let mut done = 0;
        while done < blocks.len() {
            let mut slots = NO_SLOTS;
            let mut queue = Queue::new(&mut slots);
            let unasked = self.unasked();
            let chaining = from_mut(&mut self.chaining);
            let queues = from_mut(&mut queue);
            let count = pair.run(chaining, [blocks.skip(done)], ([0], 1), unasked, queues);
            let start = offset.wrapping_add(64 * done as u64);
            done += count;
            pair.refine(unasked, queues);
            if queue.is_empty() {
                continue;
            }
            if self.settings.reduced_rounds || pair.any_collides(from_ref(&queue)) {
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
#[derive(Clone, Copy)]
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

/// A stream while the loop runs.
struct Stream<'q> {
    slots: *mut MaybeUninit<Slot>,
    waiting: Waiting<'q>,
    unfiltered: Unfiltered,
}

impl Stream<'_> {
    /// The slot of the block that is to be filtered.
    ///
    /// # Safety
    ///
    /// It was written whole, and nothing writes to it meanwhile.
    #[inline(always)]
    unsafe fn words<'a>(&self) -> &'a Schedule {
        // SAFETY: the caller says so.
        unsafe { &(*self.slots.add(self.unfiltered.slot).cast::<Slot>()).words }
    }

    /// The block in the slot that was free is the next to be filtered; `candidates` are those of the
    /// one before.
    ///
    /// # Safety
    ///
    /// The slots of both were written, but for the number of the new one.
    #[inline(always)]
    unsafe fn advance(&mut self, number: usize, candidates: u32) {
        let Unfiltered { slot, free } = self.unfiltered;
        // SAFETY: the caller says so.
        unsafe {
            (&raw mut (*self.slots.add(free).cast::<Slot>()).number).write(number);
            let next = push(self.slots, &mut self.waiting, slot, candidates);
            self.unfiltered = Unfiltered { slot: free, free: next };
        }
    }
}

/// A block of each stream, if all have so many.
#[inline(always)]
fn nth<'a, const N: usize>(blocks: &[Blocks<'a>; N], at: usize) -> Option<[&'a Block; N]> {
    let mut all = [&[0; 64]; N];
    for n in 0..N {
        all[n] = blocks[n].get(at)?;
    }
    Some(all)
}

/// Compresses blocks of each stream until one has no more or a queue is full; returns how many of
/// each, the last of which has the chaining value that is left. Whatever was flagged is in the
/// queue of its stream, but for the last block: that is filtered beside the next, when this is called
/// again, or by [`refine`]. So there is such a block in every queue or in none. `numbers` are those
/// of the first blocks, and grow by `stride` with each; `unasked` are vectors that are candidates
/// whatever the filter says.
#[inline(always)]
pub(crate) fn run<C: Compression, F: Form, const N: usize>(
    compression: C,
    form: F,
    chaining: &mut [State; N],
    blocks: [Blocks<'_>; N],
    (numbers, stride): ([usize; N], usize),
    unasked: u32,
    queues: &mut [Queue; N],
) -> usize {
    const { assert!(F::STEPS <= STEPS, "the filter has more steps than a compression") };
    debug_assert!(
        queues.iter().all(|queue| queue.has_unfiltered() || queue.is_empty()),
        "waiting slots would be overwritten"
    );
    let Some(first) = nth(&blocks, 0) else { return 0 };
    let mut at = [compression.load(chaining[0]); N];
    for n in 1..N {
        at[n] = compression.load(chaining[n]);
    }
    let begun = queues.iter().all(Queue::has_unfiltered);
    let mut streams = queues.each_mut().map(|queue| {
        let (slots, waiting, unfiltered) = queue.parts();
        Stream { slots, waiting, unfiltered }
    });
    let mut done = 0;
    if !begun {
        // The first blocks have nothing to filter beside them.
        let here = streams.each_ref().map(|stream| {
            // SAFETY: this is a slot, and nothing refers to it.
            unsafe { &mut *stream.slots.add(stream.unfiltered.slot) }
        });
        compression.compress(&mut at, first, here, &mut [const { Alone }; N]);
        for n in 0..N {
            let slot = streams[n].slots.wrapping_add(streams[n].unfiltered.slot).cast::<Slot>();
            // SAFETY: this is the same slot, and the number a plain number in it.
            unsafe { (&raw mut (*slot).number).write(numbers[n]) };
        }
        done = 1;
    }
    loop {
        let mut full = false;
        for stream in &streams {
            full |= stream.waiting.is_full();
        }
        let (false, Some(blocks)) = (full, nth(&blocks, done)) else { break };
        // SAFETY: the slot of the block before was written whole, and another is free.
        let w = unsafe { streams[0].words() };
        let mut filtering = [Filtering { form, w, cleared: form.none() }; N];
        for n in 1..N {
            // SAFETY: as above.
            filtering[n].w = unsafe { streams[n].words() };
        }
        let here = streams.each_ref().map(|stream| {
            // SAFETY: nothing refers to this slot: it is no slot that waits, and not the one of the
            // block before.
            unsafe { &mut *stream.slots.add(stream.unfiltered.free) }
        });
        compression.compress(&mut at, blocks, here, &mut filtering);
        for n in 0..N {
            let candidates = form.possible(filtering[n].cleared) | unasked;
            // SAFETY: both were compressed.
            unsafe { streams[n].advance(numbers[n] + stride * done, candidates) };
        }
        done += 1;
    }
    let ends = streams.map(|stream| (stream.waiting.len(), stream.unfiltered));
    for n in 0..N {
        chaining[n] = compression.store(at[n]);
        // SAFETY: so many were pushed, and the slot of the last block was written whole.
        unsafe { queues[n].set(ends[n].0, ends[n].1) };
    }
    done
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
    let first = if F::IS_COMPLETE { queue.len() } else { 0 };
    queue.add_unfiltered();
    let mut kept = first;
    for place in first..queue.len() {
        let candidates = form.check(queue.words(place)) | unasked;
        queue.decide(place, kept, candidates);
        kept += usize::from(candidates != 0);
    }
    queue.truncate(kept);
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
            let mut slots = NO_SLOTS;
            let mut queue = Queue::new(&mut slots);
            let mut chaining = start;
            // Cut anywhere, the two parts are one run.
            let (first, then) = blocks.split_at(length / 3);
            let blocks_in_parts = [Blocks { first, then }];
            let queues = from_mut(&mut queue);
            let count = pair.run(from_mut(&mut chaining), blocks_in_parts, ([0], 1), 0, queues);
            let waited = queues[0].waiting().count();
            pair.refine(0, queues);
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
            assert!(count == length || waited == WAITING);
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
                let mut slots = NO_SLOTS;
                let mut queue = Queue::new(&mut slots);
                let (slots, mut waiting, _) = queue.parts();
                let candidates: [u32; WAITING + 1] =
                    core::array::from_fn(|_| 1 << index | 1 << (word() % 32));
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
                    unsafe { (*slots.add(n)).write(slot) };
                }
                // The last is the one that the loop left unfiltered.
                let last = length - 1;
                for (n, candidates) in candidates[..last].iter().enumerate() {
                    // SAFETY: this slot was written.
                    unsafe { push(slots, &mut waiting, n, *candidates) };
                }
                // SAFETY: all slots up to the last were written, and those before it pushed.
                unsafe { queue.set(last, Unfiltered { slot: last, free: length }) };
                queue.add_unfiltered();
                queue.decide(last, last, candidates[last]);
                assert!(!pair.any_collides(from_ref(&queue)));
                for place in 0..length {
                    let (slots, ..) = queue.parts();
                    // SAFETY: this slot was written.
                    let slot = unsafe { (*slots.add(place)).assume_init_mut() };
                    let ordinary = *slot;
                    let w = slot.w(P::ORDER);
                    let partner = recompress::partner(&w, &slot.checkpoints(&w, P::ORDER), index);
                    let [a, b, c, d, e] = partner.after;
                    slot.after = P::ORDER.arranged([a, b, c, d]);
                    slot.after_e = P::ORDER.arranged([e, 0, 0, 0]);
                    let vector = DisturbanceVector::ALL[index];
                    assert!(pair.any_collides(from_ref(&queue)), "{vector} at {place} of {length}");
                    // SAFETY: as above.
                    unsafe { (*queue.parts().0.add(place)).write(ordinary) };
                }
            }
        }
    }
}
