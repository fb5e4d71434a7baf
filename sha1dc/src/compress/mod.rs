//! The compression function, one file an instruction set.
//!
//! Each compresses one block and leaves behind what detection wants beyond plain SHA-1, and nothing
//! more: the expanded message for the filter, and the states near the steps where recompression
//! starts.

pub(crate) mod portable;
#[cfg(target_arch = "x86_64")]
pub(crate) mod sha_ni;
#[cfg(target_arch = "x86_64")]
pub(crate) mod vectored;
#[cfg(target_arch = "x86_64")]
mod vectors;

#[cfg(target_arch = "x86_64")]
use core::mem::MaybeUninit;

#[cfg(target_arch = "x86_64")]
use crate::rounds::State;
#[cfg(target_arch = "x86_64")]
use crate::schedule::Block;
#[cfg(target_arch = "x86_64")]
use crate::slot::{Order, Slot};

/// A compression that lets something else run between its rounds.
///
/// # Safety
///
/// [`compress`](Self::compress) writes all of the slot but what its documentation leaves out.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
pub(crate) unsafe trait Compression: Copy {
    /// The chaining value, as it is carried from block to block.
    type Chaining: Copy;

    /// How it leaves the expanded message.
    const ORDER: Order;

    /// Takes up a chaining value.
    fn load(self, chaining: State) -> Self::Chaining;

    /// Puts a chaining value down.
    fn store(self, chaining: Self::Chaining) -> State;

    /// Compresses a block, with a step of `beside` behind each four rounds; writes all of the slot
    /// but the number of the block and the candidates.
    fn compress(
        self,
        chaining: Self::Chaining,
        block: &Block,
        slot: &mut MaybeUninit<Slot>,
        beside: &mut impl Beside,
    ) -> Self::Chaining;

    /// Whether any of these candidates is real, if the two messages of each share the state before
    /// step 60.
    fn collide(self, candidates: [Candidate<'_>; STREAMS]) -> bool;
}

/// A block, and the number of the vector that it may follow.
#[cfg(target_arch = "x86_64")]
pub(crate) type Candidate<'a> = (&'a Slot, usize);

/// How many candidates are recompressed at once: `sha1rnds4` takes 6 cycles, and one can begin every
/// 2 cycles.
#[cfg(target_arch = "x86_64")]
pub(crate) const STREAMS: usize = 3;

/// What runs between the rounds of a compression.
#[cfg(target_arch = "x86_64")]
pub(crate) trait Beside {
    /// Runs step N of 20, and keeps the compiler from moving it elsewhere.
    fn step<const N: usize>(&mut self);
}
