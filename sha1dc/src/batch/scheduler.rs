//! Which message is in which lane.
//!
//! Messages are taken up in the order in which they come, each into the next lane that is free, and
//! stay there until they end; so lanes are busy as long as there are messages. Rows run
//! without a question asked until the first message has no block left. When the
//! messages run out and so few lanes are busy that a row no longer pays, the rest is hashed one by
//! one.
//!
//! A message that has ended is reported when recompression has settled what the filter left of it,
//! which happens for many messages at once. A message that turns out to hold an attack is hashed
//! again, by itself: that tells what was found, whatever the settings, and happens on no honest day.

use crate::batch::Job;
use crate::batch::row::{Columns, Left, Rows};
use crate::batch::suspects::{Suspect, Suspects};
use crate::digest::Digest;
use crate::kernel::Kernel;
use crate::padding::Last;
use crate::rounds::INITIAL;
use crate::schedule::{Block, Blocks};

/// How many messages can be under way, those that have ended and are not yet settled among them.
/// With fewer, recompression would run on rows that are not full if messages are short.
const MESSAGES: usize = 128;

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
struct Scheduler<'a, const LANES: usize> {
    messages: [Message<'a>; MESSAGES],
    /// Which of the messages' places are free: the first `free_len`.
    free: [usize; MESSAGES],
    free_len: usize,
    lanes: [Lane<'a>; LANES],
    /// A bit for each lane, set if it is busy.
    busy: u32,
    chaining: Columns<LANES>,
    suspects: Suspects<LANES>,
}

/// Hashes all messages of a job. Where fewer than `worth` lanes would be busy, messages are hashed
/// one by one.
pub(crate) fn run<'a, R: Rows<LANES>, const LANES: usize>(
    rows: R,
    worth: usize,
    job: &mut Job<'_, 'a>,
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
        for (index, bytes) in first[..count].iter().enumerate() {
            job.singly(index, bytes);
        }
        return;
    }
    let mut scheduler = Scheduler::new();
    for (index, bytes) in first[..count].iter().enumerate() {
        scheduler.take_up(index, bytes);
    }
    scheduler.run(rows, worth, count, job);
}

impl<'a, const LANES: usize> Scheduler<'a, LANES> {
    fn new() -> Self {
        const { assert!(MESSAGES > LANES, "there is room for more messages than lanes") };
        Self {
            messages: [Message { index: 0, bytes: &[], digest: None, attacked: false }; MESSAGES],
            free: core::array::from_fn(|n| n),
            free_len: MESSAGES,
            lanes: [const { Lane::IDLE }; LANES],
            busy: 0,
            chaining: Columns::new(),
            suspects: Suspects::new(),
        }
    }

    /// Puts a message into a lane that is free.
    fn take_up(&mut self, index: usize, bytes: &'a [u8]) {
        let lane = self.lanes.iter().position(|lane| lane.message.is_none());
        let (Some(lane), Some(left)) = (lane, self.free_len.checked_sub(1)) else {
            unreachable!("a message is taken up where a lane and a place are free")
        };
        self.free_len = left;
        let place = self.free[left];
        self.messages[place] = Message { index, bytes, digest: None, attacked: false };
        let (whole, rest) = bytes.as_chunks();
        let last = Last::new(rest, bytes.len() as u64);
        self.lanes[lane] = Lane { message: Some(place), whole, last, done: 0 };
        self.busy |= 1 << lane;
        self.chaining.set_lane(lane, INITIAL);
    }

    fn run<R: Rows<LANES>>(&mut self, rows: R, worth: usize, count: usize, job: &mut Job<'_, 'a>) {
        let mut count = count;
        let mut more = true;
        loop {
            while more && self.busy.count_ones() < LANES as u32 {
                if self.free_len == 0 {
                    self.settle(rows, job);
                }
                let Some(bytes) = job.messages.next() else {
                    more = false;
                    break;
                };
                self.take_up(count, bytes);
                count += 1;
            }
            if self.busy.count_ones() < worth as u32 {
                break;
            }
            self.rows(rows);
            self.put_down();
        }
        for lane in 0..LANES {
            self.finish_singly(lane, job);
        }
        self.settle(rows, job);
    }

    /// Runs rows until the first lane has to look for its next block.
    fn rows(&mut self, rows: impl Rows<LANES>) {
        let Self { messages, lanes, busy, chaining, suspects, .. } = self;
        let next = lanes.each_ref().map(Lane::next);
        // A lane that is idle compresses what another does; nobody looks at what it makes of it.
        let shortest =
            next.iter().filter(|blocks| !blocks.is_empty()).min_by_key(|blocks| blocks.len());
        let Some(shortest) = shortest.copied() else { return };
        let count = shortest.len();
        let next = next.map(|blocks| if blocks.is_empty() { shortest } else { blocks });
        let mut left = Left::new();
        let mut found = |owner: usize| messages[owner].attacked = true;
        for n in 0..count {
            let blocks = next.map(|blocks| &blocks[n]);
            let mut flagged = rows.row(chaining, &blocks, &mut left) & *busy;
            while flagged != 0 {
                let lane = flagged.trailing_zeros() as usize;
                flagged &= flagged - 1;
                let Some(owner) = lanes[lane].message else { continue };
                let suspect = Suspect {
                    block: blocks[lane],
                    candidates: left.candidates[lane],
                    step_60: left.step_60.lane(lane),
                    after: chaining.lane(lane),
                    owner,
                };
                suspects.add(rows, &suspect, &mut found);
            }
        }
        for lane in lanes.iter_mut().filter(|lane| lane.message.is_some()) {
            lane.advance(count);
        }
    }

    /// Takes messages that have ended out of their lanes.
    fn put_down(&mut self) {
        for (n, lane) in self.lanes.iter_mut().enumerate() {
            let Some(place) = lane.message else { continue };
            if lane.next().is_empty() {
                self.messages[place].digest = Some(Digest::from_chaining(self.chaining.lane(n)));
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
        kernel.chaining = self.chaining.lane(n);
        // Where an attack stands in the message does not matter: it will be hashed again.
        kernel.compress(Blocks { first: lane.whole, then: &lane.last.blocks()[lane.done..] }, 0);
        let message = &mut self.messages[place];
        message.digest = Some(Digest::from_chaining(kernel.chaining));
        message.attacked |= kernel.attack.is_some();
    }

    /// Recompresses whatever waits for it, and reports the messages that have ended.
    fn settle(&mut self, rows: impl Rows<LANES>, job: &mut Job<'_, 'a>) {
        let messages = &mut self.messages;
        self.suspects.settle(rows, &mut |owner| messages[owner].attacked = true);
        for (place, message) in messages.iter_mut().enumerate() {
            let Some(digest) = message.digest.take() else { continue };
            if message.attacked {
                job.singly(message.index, message.bytes);
            } else {
                (job.report)(message.index, Ok(digest));
            }
            self.free[self.free_len] = place;
            self.free_len += 1;
        }
    }
}
