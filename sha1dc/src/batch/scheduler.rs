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

use crate::kernel::{Kernel, Settings};
use crate::padding::Made;
use crate::rounds::State;
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

/// What the messages are for.
pub(crate) trait Job<'a> {
    /// A message.
    type Message;

    /// How it is to be hashed.
    fn settings(&self, message: &Self::Message) -> Settings;

    /// Where it starts, and what of it is to be compressed.
    fn start(&self, message: &Self::Message) -> Start<'a>;

    /// It ends in this chaining value, and holds no attack.
    fn finish(&mut self, message: Self::Message, chaining: State);

    /// It is to be hashed from its start, by itself.
    fn singly(&mut self, message: Self::Message);

    /// So are these.
    fn all_singly(&mut self, messages: &mut dyn Iterator<Item = Self::Message>) {
        messages.for_each(|message| self.singly(message));
    }
}

/// Where a message starts.
pub(crate) struct Start<'a> {
    pub(crate) chaining: State,
    /// The blocks that lie in one piece.
    pub(crate) whole: &'a [Block],
    /// Those that had to be put together.
    pub(crate) made: Made,
    /// Whether these come before the others.
    pub(crate) made_first: bool,
}

/// A message under way.
struct UnderWay<M> {
    message: M,
    /// Its last chaining value, once it has ended.
    end: Option<State>,
    /// Whether a block of it is half of a collision.
    attacked: bool,
}

/// What a lane works on.
struct Lane<'a> {
    /// Which of the messages under way, or none.
    message: Option<usize>,
    /// The blocks of it that lie in one piece and were not compressed yet.
    whole: &'a [Block],
    made: Made,
    made_first: bool,
    /// How many of those that had to be put together were compressed.
    done: usize,
}

impl Lane<'_> {
    const IDLE: Self =
        Self { message: None, whole: &[], made: Made::NONE, made_first: false, done: 0 };

    /// What is left.
    #[inline]
    fn rest(&self) -> Blocks<'_> {
        let made = &self.made.blocks()[self.done..];
        let (first, then) = if self.made_first { (made, self.whole) } else { (self.whole, made) };
        Blocks { first, then }
    }

    /// The next blocks that lie in one piece; none if the message has ended.
    #[inline]
    fn next(&self) -> &[Block] {
        let Blocks { first, then } = self.rest();
        if first.is_empty() { then } else { first }
    }

    /// So many of them were compressed.
    #[inline]
    fn advance(&mut self, count: usize) {
        let made_left = self.done < self.made.blocks().len();
        if self.whole.is_empty() || self.made_first && made_left {
            self.done += count;
        } else {
            self.whole = &self.whole[count..];
        }
    }
}

/// The state of a batch.
struct Scheduler<'a, 'l, M, L, const LANES: usize> {
    messages: [[Option<UnderWay<M>>; MESSAGES]; LANES],
    /// A bit for each of the messages' places, set if it is free.
    free: u128,
    lanes: [Lane<'a>; LANES],
    /// A bit for each lane, set if it is busy.
    busy: u32,
    lockstep: &'l mut L,
}

/// Hashes all messages. Where fewer than `worth` lanes would be busy, lockstep does not pay:
/// `few` hashes messages that are fewer from the start, and those that are left in the end are hashed
/// one by one.
pub(crate) fn run<'a, J: Job<'a>, L: Lockstep<LANES>, const LANES: usize>(
    lockstep: impl FnOnce() -> L,
    worth: usize,
    job: &mut J,
    messages: &mut dyn Iterator<Item = J::Message>,
    few: impl FnOnce(&mut J, &mut dyn Iterator<Item = J::Message>),
) {
    let worth = worth.clamp(1, LANES);
    // A few messages are not worth the scheduler either.
    let mut first = [const { None }; LANES];
    let mut count = 0;
    for (place, message) in first[..worth].iter_mut().zip(&mut *messages) {
        *place = Some(message);
        count += 1;
    }
    let mut first = first.into_iter().flatten();
    if count < worth {
        return few(job, &mut first);
    }
    let mut lockstep = lockstep();
    let mut scheduler = Scheduler::new(&mut lockstep);
    for message in &mut first {
        scheduler.take_up(message, job);
    }
    scheduler.run(worth as u32, messages, job);
}

impl<'a, 'l, M, L: Lockstep<LANES>, const LANES: usize> Scheduler<'a, 'l, M, L, LANES> {
    fn new(lockstep: &'l mut L) -> Self {
        const { assert!(LANES <= 16, "each message has a bit") };
        Self {
            messages: [const { [const { None }; MESSAGES] }; LANES],
            free: u128::MAX >> (128 - MESSAGES * LANES),
            lanes: [const { Lane::IDLE }; LANES],
            busy: 0,
            lockstep,
        }
    }

    /// Puts a message into a lane that is free.
    fn take_up(&mut self, message: M, job: &impl Job<'a, Message = M>) {
        debug_assert!(self.free != 0, "a message is taken up where a place is free");
        let lane = self.busy.trailing_ones() as usize;
        let place = self.free.trailing_zeros() as usize;
        self.free &= self.free - 1;
        let Start { chaining, whole, made, made_first } = job.start(&message);
        self.lanes[lane] = Lane { message: Some(place), whole, made, made_first, done: 0 };
        self.busy |= 1 << lane;
        self.lockstep.set_chaining(lane, chaining);
        self.messages.as_flattened_mut()[place] =
            Some(UnderWay { message, end: None, attacked: false });
    }

    fn run(
        &mut self,
        worth: u32,
        messages: &mut dyn Iterator<Item = M>,
        job: &mut impl Job<'a, Message = M>,
    ) {
        let mut more = true;
        loop {
            while more && self.busy.count_ones() < LANES as u32 {
                if self.free == 0 {
                    self.settle(job);
                }
                let Some(message) = messages.next() else {
                    more = false;
                    break;
                };
                self.take_up(message, job);
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
                if let Some(under_way) = &mut self.messages.as_flattened_mut()[place] {
                    under_way.end = Some(self.lockstep.chaining(n));
                }
                lane.message = None;
                self.busy &= !(1 << n);
            }
        }
    }

    /// Hashes what is left of the message in a lane, if there is any.
    fn finish_singly(&mut self, n: usize, job: &impl Job<'a, Message = M>) {
        let lane = &mut self.lanes[n];
        let Some(place) = lane.message.take() else { return };
        self.busy &= !(1 << n);
        if let Some(under_way) = &mut self.messages.as_flattened_mut()[place] {
            let mut kernel = Kernel::new(job.settings(&under_way.message));
            kernel.chaining = self.lockstep.chaining(n);
            // Where an attack stands in the message does not matter: it will be hashed again.
            kernel.compress(lane.rest(), 0);
            under_way.end = Some(kernel.chaining);
            under_way.attacked |= kernel.attack.is_some();
        }
    }

    /// Decides about whatever waits for it, and reports the messages that have ended.
    fn settle(&mut self, job: &mut impl Job<'a, Message = M>) {
        let messages = self.messages.as_flattened_mut();
        self.lockstep.settle(&mut |owner| attacked(messages, owner));
        for (place, under_way) in messages.iter_mut().enumerate() {
            let ended = |under_way: &mut UnderWay<M>| under_way.end.is_some();
            let Some(UnderWay { message, end: Some(end), attacked }) = under_way.take_if(ended)
            else {
                continue;
            };
            if attacked {
                job.singly(message);
            } else {
                job.finish(message, end);
            }
            self.free |= 1 << place;
        }
    }
}

/// A message turned out to hold an attack, if it is anybody's.
#[cold]
fn attacked<M>(messages: &mut [Option<UnderWay<M>>], owner: usize) {
    if let Some(Some(under_way)) = messages.get_mut(owner) {
        under_way.attacked = true;
    }
}

#[cfg(test)]
mod tests {
    use core::cell::Cell;
    use std::vec::Vec;

    use super::*;
    use crate::backend::Backend;
    use crate::batch::digests::Digests;
    use crate::batch::updates::Updates;
    use crate::digest::Digest;
    use crate::hasher::Inner;
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

    fn settings() -> Settings {
        Settings {
            backend: Backend::detect(),
            mitigate: false,
            reduced_rounds: false,
            filter: true,
        }
    }

    /// Hashes messages in so many lanes; returns how many of their blocks were compressed in lanes.
    fn hash<const LANES: usize>(messages: &[Vec<u8>], worth: usize) -> usize {
        let settings = settings();
        let (more, blocks) = (Cell::new(true), Cell::new(0));
        let mut reported = std::vec![false; messages.len()];
        let mut rest = messages.iter();
        let mut next = core::iter::from_fn(|| {
            let message = rest.next();
            more.set(rest.len() > 0);
            message.map(Vec::as_slice)
        });
        let mut next = next.by_ref().enumerate();
        let report = |index: usize, outcome: Result<Digest, _>| {
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
        let mut job = Digests { settings, report };
        run(model, worth, &mut job, &mut next, Digests::all_singly);
        assert!(reported.iter().all(|reported| *reported), "all are reported");
        blocks.get()
    }

    /// Appends messages to hashers in so many lanes, piece by piece.
    fn append<const LANES: usize>(messages: &[Vec<u8>], worth: usize) {
        let mut hashers = std::vec![Inner::new(settings()); messages.len()];
        let mut rest: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
        let mut length = 0;
        while rest.iter().any(|rest| !rest.is_empty()) {
            let updates = hashers.iter_mut().zip(&mut rest).map(|(hasher, rest)| {
                length = (length * 5 + 67) % 200;
                (hasher, rest.split_off(..length.min(rest.len())).unwrap_or_default())
            });
            let mut updates = updates.filter_map(|(hasher, data)| {
                let fills = hasher.fills_a_block(data);
                if !fills {
                    hasher.update(data);
                }
                fills.then_some((hasher, data))
            });
            let (more, blocks) = (Cell::new(false), Cell::new(0));
            let model = || Model::<LANES> {
                chaining: [[0; 5]; LANES],
                attacked: Vec::new(),
                more: &more,
                blocks: &blocks,
            };
            run(model, worth, &mut Updates, &mut updates, Updates::all_singly);
        }
        for (hasher, message) in hashers.into_iter().zip(messages) {
            let expected = Inner::digest(settings(), message, |_, _| "an attack");
            assert_eq!(hasher.finalize(|_, _| "an attack"), expected);
        }
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
                    append::<LANES>(&messages, worth);
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
