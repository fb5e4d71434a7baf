//! Lockstep for many messages in streams: the loop of one message, with a block each of several between the
//! same rounds.
//!
//! Four rounds of one block leave room for four of others where there are instructions for them.
//! What is left of a run stays where it is: the last block of each stream is filtered beside the next
//! one's rounds, even if that is of another message, and blocks wait for recompression until a queue is
//! full.

use crate::batch::scheduler::{self, Job, Lockstep};
use crate::pipeline::pair::Pair;
use crate::pipeline::queue::{NO_SLOTS, Queue, Slots};
use crate::rounds::State;
use crate::schedule::{Block, Blocks};

/// Hashes messages in two streams.
pub(crate) fn run_two<'a, J: Job<'a>>(
    pair: impl Pair,
    worth: usize,
    job: &mut J,
    messages: &mut dyn Iterator<Item = J::Message>,
) {
    let mut slots = [NO_SLOTS; 2];
    scheduler::run(|| Streams::new(pair, &mut slots), worth, job, messages, J::all_singly);
}

/// N streams of a pair of a compression and a form of the filter.
struct Streams<'s, P, const N: usize> {
    pair: P,
    chaining: [State; N],
    queues: [Queue<'s>; N],
}

impl<'s, P: Pair, const N: usize> Streams<'s, P, N> {
    fn new(pair: P, slots: &'s mut [Slots; N]) -> Self {
        Self { pair, chaining: [[0; 5]; N], queues: slots.each_mut().map(Queue::new) }
    }
}

impl<P: Pair, const N: usize> Lockstep<N> for Streams<'_, P, N> {
    fn set_chaining(&mut self, lane: usize, chaining: State) {
        self.chaining[lane] = chaining;
    }

    fn chaining(&self, lane: usize) -> State {
        self.chaining[lane]
    }

    fn advance(
        &mut self,
        blocks: &[&[Block]; N],
        count: usize,
        owners: &[usize; N],
        found: &mut impl FnMut(usize),
    ) {
        let mut done = 0;
        while done < count {
            let rest = blocks.map(|blocks| Blocks { first: &blocks[done..count], then: &[] });
            let Self { pair, chaining, queues } = self;
            done += pair.run(chaining, rest, (*owners, 0), 0, queues);
            if queues.iter().any(Queue::is_full) {
                self.settle(found);
            }
        }
    }

    fn settle(&mut self, found: &mut impl FnMut(usize)) {
        self.pair.refine(0, &mut self.queues);
        if self.pair.any_collides(&self.queues) {
            blame(self.pair, &self.queues, found);
        }
        self.queues.iter_mut().for_each(|queue| queue.truncate(0));
    }
}

/// Whose they are, if some of the blocks that wait are halves of a collision.
#[cold]
fn blame<const N: usize>(pair: impl Pair, queues: &[Queue; N], found: &mut impl FnMut(usize)) {
    for slot in queues.iter().flat_map(Queue::waiting) {
        if pair.collides(slot) {
            found(slot.number);
        }
    }
}
