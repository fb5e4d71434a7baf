//! The solver: from bitconditions to filter tables.
//!
//! # What it does
//!
//! In every collision attack that follows a disturbance vector, some pairs of bits of the expanded
//! message have a known XOR. These *bitconditions* stand in `data/bitconditions.txt`. Within one
//! vector they tie bits into groups, and any spanning tree of a group says the same as all its
//! pairs; so there is a choice, and conditions of several vectors can coincide. This crate makes
//! the choice for each form of the filter ([`minimum`]), puts the conditions in the order in which
//! they are worth checking ([`order`]), writes the tables of `sha1dc` ([`generate`]), and checks any
//! table against the bitconditions without a solver ([`check`]).
//!
//! # Why it looks so
//!
//! Whoever builds `sha1dc` needs neither this crate nor z3: the tables are committed. Whoever doubts
//! a table needs this crate without z3: reading and checking are in the library whatever its
//! features, choosing needs feature `z3`, on by default.
//!
//! # What is not promised
//!
//! The bitconditions themselves are taken from the paper that the data file names.

pub mod bitconditions;
pub mod bound;
pub mod check;
#[cfg(feature = "z3")]
pub mod derive;
pub mod differential;
pub mod dv;
#[cfg(feature = "z3")]
pub mod generate;
#[cfg(feature = "z3")]
pub mod minimum;
pub mod model;
#[cfg(feature = "z3")]
pub mod nonlinear;
pub mod order;
pub mod prefix;
pub mod prices;
mod random;
#[cfg(feature = "z3")]
pub mod report;
pub mod tables;
pub mod work;
