//! What the pipeline asks of a compression.

use core::mem::MaybeUninit;

use crate::pipeline::slot::{Order, Slot};
use crate::rounds::State;
use crate::schedule::Block;

/// A compression that lets something else run between its rounds, and leaves behind what detection
/// wants beyond plain SHA-1 and nothing more: the expanded message for the filter, and the states
/// near the steps where recompression starts. It takes a block each of N streams, of one or of several
/// messages.
///
/// # Safety
///
/// [`compress`](Self::compress) writes all of each slot but what its documentation leaves out.
#[allow(unsafe_code)]
pub(crate) unsafe trait Compression: Copy {
    /// The chaining value, as it is carried from block to block.
    type Chaining: Copy;

    /// How it leaves words and states.
    const ORDER: Order;

    /// Takes up a chaining value.
    fn load(self, chaining: State) -> Self::Chaining;

    /// Puts a chaining value down.
    fn store(self, chaining: Self::Chaining) -> State;

    /// Compresses a block of each stream, with a step of what runs beside it behind each four rounds;
    /// writes all of its slot but the number of the block and the candidates.
    fn compress<const N: usize>(
        self,
        chaining: &mut [Self::Chaining; N],
        blocks: [&Block; N],
        slots: [&mut MaybeUninit<Slot>; N],
        beside: &mut [impl Beside; N],
    );

    /// Whether any of these candidates is real, if the two messages of each share the state before
    /// step 60.
    fn collide(self, candidates: [Candidate<'_>; STREAMS]) -> bool;
}

/// A block, and the number of the vector that it may follow.
pub(crate) type Candidate<'a> = (&'a Slot, usize);

/// How many candidates are recompressed at once: four rounds take 4 to 6 cycles where there are
/// instructions for them, and others can begin meanwhile.
pub(crate) const STREAMS: usize = 3;

/// What runs between the rounds of a compression.
pub(crate) trait Beside {
    /// Runs step N of 20, and keeps the compiler from moving it elsewhere.
    fn step<const N: usize>(&mut self);
}
