//! The filter: which disturbance vectors a block can still belong to.
//!
//! In every attack that follows a vector, certain pairs of bits of the expanded message have a
//! known XOR. The filter checks all these bitconditions and returns a mask, bit n of which is set
//! if the block meets all conditions of the n-th vector. About one block in 21 keeps any.
//!
//! The conditions stand in `tables`, one file a form, written by the solver of this project
//! (`ubc-solver`) and made into code by `ubc_macros::filter!`. A filter that cleared a vector wrongly
//! would hide attacks, one that kept too many would only be slow; so the tables are checked against
//! the bitconditions of every vector without the solver, and the whole filter against the
//! conditions evaluated one by one.

// The folder has more tables than are compiled here: those of many blocks at once wait for the
// kernels that will run them. The tests run them all.
mod tables {
    pub(crate) mod scalar;
    #[cfg(target_arch = "x86_64")]
    pub(crate) mod x16;
    #[cfg(target_arch = "x86_64")]
    pub(crate) mod x4;
    #[cfg(target_arch = "x86_64")]
    pub(crate) mod x4_prefix;
    #[cfg(target_arch = "x86_64")]
    pub(crate) mod x8;
    #[cfg(target_arch = "x86_64")]
    pub(crate) mod x8_prefix;
}
#[cfg(target_arch = "x86_64")]
mod lanes;
#[cfg(target_arch = "x86_64")]
mod vector;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86;

#[cfg(target_arch = "x86_64")]
use crate::schedule::Schedule;

pub(crate) use tables::scalar;

/// A form of the filter that can run step by step.
#[cfg(target_arch = "x86_64")]
pub(crate) trait Form: Copy {
    /// Vectors that were ruled out so far, in whatever shape the form keeps them.
    type Cleared: Copy;

    /// How many steps there are; beyond them there is nothing to do.
    const STEPS: usize;

    /// Whether these are the whole filter. If not, what they leave is only possible so far, and
    /// [`check`](Self::check) has to decide.
    const IS_COMPLETE: bool;

    /// None yet.
    fn none(self) -> Self::Cleared;

    /// Runs step N.
    fn step<const N: usize>(self, w: &Schedule, cleared: Self::Cleared) -> Self::Cleared;

    /// Keeps the compiler from moving steps past this place.
    fn pin(self, cleared: Self::Cleared) -> Self::Cleared;

    /// The vectors that are still possible.
    fn possible(self, cleared: Self::Cleared) -> u32;

    /// Runs all of the filter, where nothing runs beside it: then it pays to stop early.
    fn check(self, w: &Schedule) -> u32;
}
