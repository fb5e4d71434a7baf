//! Which message is in which lane.
//!
//! Messages are taken up in the order in which they come, each into the next lane that is free, and
//! stay there until they end; so lanes are busy as long as there are messages. All lanes advance
//! in lockstep, without a question asked until the first message has no block left. When the
//! messages run out and so few lanes are busy that this no longer pays, the rest is hashed one by
//! one.
//!
//! What compresses and filters is behind [`Lockstep`]: the scheduler knows no vectors, and is tested
//! with scalar code in their place.
//!
//! A message that has ended is reported when recompression has settled what the filter left of it,
//! which happens for many messages at once. A message that turns out to hold an attack is hashed
//! again, by itself: that tells what was found, whatever the settings, and happens on no honest day.

use crate::batch::Job;
use crate::digest::Digest;
use crate::kernel::Kernel;
use crate::padding::Last;
use crate::rounds::{INITIAL, State};
use crate::schedule::{Block, Blocks};

/// How many messages can be under way for each lane, those that have ended and are not yet settled among
/// them. With fewer, recompression would run on rows that are not full if messages are short.
const MESSAGES: usize = 8;

/// What compresses and filters a block of each lane at a time.
pub(crate) trait Lockstep<const LANES: usize> {
    /// Puts a chaining value into a lane.
    fn set_chaining(&mut self, lane: usize, chaining: State);

    /// The chaining value of a lane.
    fn chaining(&self, lane: usize) -> State;

    /// Compresses `count` blocks in each lane, for whichever message its owner is. Calls `found` with the
    /// owner of any block that was told to be half of a collision, now or later: at the latest
    /// when all are [settled](Self::settle).
    fn advance(
        &mut self,
        blocks: &[&[Block]; LANES],
        count: usize,
        owners: &[usize; LANES],
        found: &mut impl FnMut(usize),
    );

    /// Decides about all blocks that could still be half of a collision.
    fn settle(&mut self, found: &mut impl FnMut(usize));
}

/// Who owns what an idle lane compresses.
pub(crate) const NOBODY: usize = usize::MAX;

/// A message under way.
#[derive(Clone, Copy)]
struct Message<'a> {
    /// Which it is.
    index: usize,
    bytes: &'a [u8],
    /// Its plain digest, once it has ended.
    digest: Option<Digest>,
    /// Whether a block of it is half of a collision.
    attacked: bool,
}

/// What a lane works on.
struct Lane<'a> {
    /// Which of the messages under way, or none.
    message: Option<usize>,
    /// The blocks of it that lie in one piece and were not compressed yet.
    whole: &'a [Block],
    last: Last,
    /// How many blocks of the last were compressed.
    done: usize,
}

impl Lane<'_> {
    const IDLE: Self = Self { message: None, whole: &[], last: Last::EMPTY, done: 0 };

    /// The next blocks that lie in one piece; none if the message has ended.
    #[inline]
    fn next(&self) -> &[Block] {
        if self.whole.is_empty() { &self.last.blocks()[self.done..] } else { self.whole }
    }

    /// So many of them were compressed.
    #[inline]
    fn advance(&mut self, count: usize) {
        if self.whole.is_empty() {
            self.done += count;
        } else {
            self.whole = &self.whole[count..];
        }
    }
}

/// The state of a batch.
struct Scheduler<'a, 'l, L, const LANES: usize> {
    messages: [[Message<'a>; MESSAGES]; LANES],
    /// A bit for each of the messages' places, set if it is free.
    free: u128,
    lanes: [Lane<'a>; LANES],
    /// A bit for each lane, set if it is busy.
    busy: u32,
    lockstep: &'l mut L,
}

/// Hashes all messages of a job. Where fewer than `worth` lanes would be busy, lockstep does not pay:
/// `few` hashes messages that are fewer from the start, and those that are left in the end are hashed
/// one by one.
pub(crate) fn run<'j, 'a, L: Lockstep<LANES>, const LANES: usize>(
    lockstep: impl FnOnce() -> L,
    worth: usize,
    job: &mut Job<'j, 'a>,
    few: impl FnOnce(&mut Job<'j, 'a>, &[&'a [u8]]),
) {
    let worth = worth.clamp(1, LANES);
    // A few messages are not worth the scheduler either.
    let mut first = [&[][..]; LANES];
    let mut count = 0;
    for (place, bytes) in first[..worth].iter_mut().zip(&mut *job.messages) {
        *place = bytes;
        count += 1;
    }
    if count < worth {
        return few(job, &first[..count]);
    }
    let mut lockstep = lockstep();
    let mut scheduler = Scheduler::new(&mut lockstep);
    for (index, bytes) in first[..count].iter().enumerate() {
        scheduler.take_up(index, bytes);
    }
    scheduler.run(worth as u32, count, job);
}

impl Job<'_, '_> {
    /// Hashes the first few messages one by one.
    pub(crate) fn few(&mut self, messages: &[&[u8]]) {
        for (index, bytes) in messages.iter().enumerate() {
            self.singly(index, bytes);
        }
    }
}

impl<'a, 'l, L: Lockstep<LANES>, const LANES: usize> Scheduler<'a, 'l, L, LANES> {
    fn new(lockstep: &'l mut L) -> Self {
        const { assert!(LANES <= 16, "each message has a bit") };
        let message = Message { index: 0, bytes: &[], digest: None, attacked: false };
        Self {
            messages: [[message; MESSAGES]; LANES],
            free: u128::MAX >> (128 - MESSAGES * LANES),
            lanes: [const { Lane::IDLE }; LANES],
            busy: 0,
            lockstep,
        }
    }

    /// Puts a message into a lane that is free.
    fn take_up(&mut self, index: usize, bytes: &'a [u8]) {
        debug_assert!(self.free != 0, "a message is taken up where a place is free");
        let lane = self.busy.trailing_ones() as usize;
        let place = self.free.trailing_zeros() as usize;
        self.free &= self.free - 1;
        self.messages.as_flattened_mut()[place] =
            Message { index, bytes, digest: None, attacked: false };
        let (whole, rest) = bytes.as_chunks();
        let last = Last::new(rest, bytes.len() as u64);
        self.lanes[lane] = Lane { message: Some(place), whole, last, done: 0 };
        self.busy |= 1 << lane;
        self.lockstep.set_chaining(lane, INITIAL);
    }

    fn run(&mut self, worth: u32, mut count: usize, job: &mut Job<'_, 'a>) {
        let mut more = true;
        loop {
            while more && self.busy.count_ones() < LANES as u32 {
                if self.free == 0 {
                    self.settle(job);
                }
                let Some(bytes) = job.messages.next() else {
                    more = false;
                    break;
                };
                self.take_up(count, bytes);
                count += 1;
            }
            if self.busy.count_ones() < worth {
                break;
            }
            self.advance();
            self.put_down();
        }
        for lane in 0..LANES {
            self.finish_singly(lane, job);
        }
        self.settle(job);
    }

    /// Compresses blocks until the first lane has to look for its next.
    fn advance(&mut self) {
        let Self { messages, lanes, lockstep, .. } = self;
        let messages = messages.as_flattened_mut();
        let mut blocks: [&[Block]; LANES] = [&[]; LANES];
        let mut owners = [NOBODY; LANES];
        let mut shortest: &[Block] = &[];
        for (n, lane) in lanes.iter().enumerate() {
            let Some(place) = lane.message else { continue };
            (blocks[n], owners[n]) = (lane.next(), place);
            if shortest.is_empty() || blocks[n].len() < shortest.len() {
                shortest = blocks[n];
            }
        }
        // A lane that is idle compresses what another does; nobody looks at what it makes of it.
        for blocks in blocks.iter_mut().filter(|blocks| blocks.is_empty()) {
            *blocks = shortest;
        }
        let count = shortest.len();
        lockstep.advance(&blocks, count, &owners, &mut |owner| attacked(messages, owner));
        for lane in lanes.iter_mut().filter(|lane| lane.message.is_some()) {
            lane.advance(count);
        }
    }

    /// Takes messages that have ended out of their lanes.
    fn put_down(&mut self) {
        for (n, lane) in self.lanes.iter_mut().enumerate() {
            let Some(place) = lane.message else { continue };
            if lane.next().is_empty() {
                let digest = Digest::from_chaining(self.lockstep.chaining(n));
                self.messages.as_flattened_mut()[place].digest = Some(digest);
                lane.message = None;
                self.busy &= !(1 << n);
            }
        }
    }

    /// Hashes what is left of the message in a lane, if there is any.
    fn finish_singly(&mut self, n: usize, job: &Job<'_, 'a>) {
        let lane = &mut self.lanes[n];
        let Some(place) = lane.message.take() else { return };
        self.busy &= !(1 << n);
        let mut kernel = Kernel::new(job.settings);
        kernel.chaining = self.lockstep.chaining(n);
        // Where an attack stands in the message does not matter: it will be hashed again.
        kernel.compress(Blocks { first: lane.whole, then: &lane.last.blocks()[lane.done..] }, 0);
        let message = &mut self.messages.as_flattened_mut()[place];
        message.digest = Some(Digest::from_chaining(kernel.chaining));
        message.attacked |= kernel.attack.is_some();
    }

    /// Decides about whatever waits for it, and reports the messages that have ended.
    fn settle(&mut self, job: &mut Job<'_, 'a>) {
        let messages = self.messages.as_flattened_mut();
        self.lockstep.settle(&mut |owner| attacked(messages, owner));
        for (place, message) in messages.iter_mut().enumerate() {
            let Some(digest) = message.digest.take() else { continue };
            if message.attacked {
                job.singly(message.index, message.bytes);
            } else {
                (job.report)(message.index, Ok(digest));
            }
            self.free |= 1 << place;
        }
    }
}

/// A message turned out to hold an attack, if it is anybody's.
#[cold]
fn attacked(messages: &mut [Message<'_>], owner: usize) {
    if let Some(message) = messages.get_mut(owner) {
        message.attacked = true;
    }
}

#[cfg(test)]
mod tests {
    use core::cell::Cell;
    use std::vec::Vec;

    use super::*;
    use crate::backend::Backend;
    use crate::hasher::Inner;
    use crate::kernel::Settings;
    use crate::portable;

    /// A block that begins so counts as an attack.
    const ATTACK: u8 = 0xff;

    /// Lockstep in plain code. What follows an attack it makes wrong on purpose, so that nobody can
    /// report it, and it tells of the attack as late as it may.
    struct Model<'c, const LANES: usize> {
        chaining: [State; LANES],
        attacked: Vec<usize>,
        /// Whether there are messages that wait for a lane.
        more: &'c Cell<bool>,
        /// Blocks that were compressed for somebody.
        blocks: &'c Cell<usize>,
    }

    impl<const LANES: usize> Lockstep<LANES> for Model<'_, LANES> {
        fn set_chaining(&mut self, lane: usize, chaining: State) {
            self.chaining[lane] = chaining;
        }

        fn chaining(&self, lane: usize) -> State {
            self.chaining[lane]
        }

        fn advance(
            &mut self,
            blocks: &[&[Block]; LANES],
            count: usize,
            owners: &[usize; LANES],
            _: &mut impl FnMut(usize),
        ) {
            assert!(count > 0, "it advances");
            let busy: Vec<_> = owners.iter().copied().filter(|owner| *owner != NOBODY).collect();
            assert!(busy.len() == LANES || !self.more.get(), "a lane is idle while messages wait");
            assert!((1..busy.len()).all(|n| !busy[n..].contains(&busy[n - 1])), "{owners:?}");
            for (n, blocks) in blocks.iter().enumerate() {
                for block in &blocks[..count] {
                    self.chaining[n] = portable::compress(self.chaining[n], block, &mut [0; 80]).0;
                    if block[0] == ATTACK && owners[n] != NOBODY {
                        self.attacked.push(owners[n]);
                        self.chaining[n][0] ^= 1;
                    }
                }
            }
            self.blocks.set(self.blocks.get() + count * busy.len());
        }

        fn settle(&mut self, found: &mut impl FnMut(usize)) {
            self.attacked.drain(..).for_each(found);
        }
    }

    /// Hashes messages in so many lanes; returns how many of their blocks were compressed in lanes.
    fn hash<const LANES: usize>(messages: &[Vec<u8>], worth: usize) -> usize {
        let settings = Settings {
            backend: Backend::detect(),
            mitigate: false,
            reduced_rounds: false,
            filter: true,
        };
        let (more, blocks) = (Cell::new(true), Cell::new(0));
        let mut reported = std::vec![false; messages.len()];
        let mut rest = messages.iter();
        let mut next = core::iter::from_fn(|| {
            let message = rest.next();
            more.set(rest.len() > 0);
            message.map(Vec::as_slice)
        });
        let mut report = |index: usize, outcome: Result<Digest, _>| {
            assert!(!core::mem::replace(&mut reported[index], true), "{index} is reported twice");
            let expected = Inner::digest(settings, &messages[index], |_, _| "an attack");
            assert_eq!(outcome.map_err(|_| "an attack"), expected, "message {index}");
        };
        let model = || Model::<LANES> {
            chaining: [[0; 5]; LANES],
            attacked: Vec::new(),
            more: &more,
            blocks: &blocks,
        };
        let mut job = Job { settings, messages: &mut next, report: &mut report };
        run(model, worth, &mut job, Job::few);
        assert!(reported.iter().all(|reported| *reported), "all are reported");
        blocks.get()
    }

    /// Messages of random lengths, one in five with an attack somewhere.
    fn messages(count: usize, longest: usize, seed: u32) -> Vec<Vec<u8>> {
        let mut state = seed;
        let mut random = || {
            state = state.wrapping_mul(0x0019_660d).wrapping_add(0x3c6e_f35f);
            state >> 8
        };
        let message = |_| {
            let length = random() as usize % (longest + 1);
            let mut message: Vec<u8> = (0..length).map(|_| random() as u8 & 0x7f).collect();
            if let (0, Some(block)) = (random() % 5, (random() as usize).checked_rem(length / 64)) {
                message[64 * block] = ATTACK;
            }
            message
        };
        (0..count).map(message).collect()
    }

    fn any_lengths<const LANES: usize>() {
        for (seed, count) in [0, 1, LANES - 1, LANES, LANES + 1, 31, 300].into_iter().enumerate() {
            for longest in [0, 63, 64, 130, 1000] {
                let messages = messages(count, longest, seed as u32);
                for worth in [1, 2, LANES] {
                    hash::<LANES>(&messages, worth);
                }
            }
        }
    }

    #[test]
    fn every_message_is_hashed_once() {
        any_lengths::<1>();
        any_lengths::<2>();
        any_lengths::<3>();
        any_lengths::<8>();
        any_lengths::<16>();
    }

    /// With a lane of its own each message is compressed in lanes, to its last block; fewer messages than
    /// are worth it are not.
    #[test]
    fn few_lanes_are_left_for_what_is_faster() {
        let messages: Vec<_> = (0..40).map(|n| std::vec![1; 64 * (n % 7)]).collect();
        let blocks = messages.iter().map(|message| message.len() / 64 + 1).sum();
        assert_eq!(hash::<4>(&messages, 1), blocks);
        let some = hash::<4>(&messages, 4);
        assert!(some < blocks && some > blocks * 3 / 4, "{some} of {blocks}");
        assert_eq!(hash::<4>(&messages[..3], 4), 0);
        assert_eq!(hash::<4>(&messages[..4], 4), 4, "until the first, of one block, ends");
    }
}
