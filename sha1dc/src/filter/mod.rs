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

// The folder has more tables than these: each architecture compiles those that its forms need. The
// tests run them all.
mod tables {
    #[allow(dead_code, reason = "where no instruction set is known there are no lanes")]
    pub(crate) mod blocks;
    pub(crate) mod scalar;
}

#[allow(dead_code, reason = "where no instruction set is known there are no vectors")]
pub(crate) mod vector;

pub(crate) use tables::{blocks, scalar};
