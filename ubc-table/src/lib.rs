//! The filter table: how bitconditions are written down.
//!
//! A filter table lists *bitconditions*, each an equation between two bits of the expanded message
//! that is true of every collision attack which follows certain *disturbance vectors*. This crate
//! holds the types of such a table and the one grammar for it, so that the solver that writes
//! tables and the macro that turns them into code cannot drift apart. It is a crate of its own
//! because a proc-macro crate can share nothing but its macros.
//!
//! ```text
//! form: scalar;
//! words: ascending;
//! step: 8;
//!
//! W[35][1] ^ W[36][6] == 1 : I(46,2), I(49,2);
//! W[44][29] ^ W[45][29] == 0 : I(48,0), I(51,0), II(45,0);
//! exit;
//! W[37][4] ^ W[38][4] == 1 : I(51,0);
//! ```
//!
//! The names of vectors and bits are those of M. Stevens and D. Shumow, *Speeding up detection of
//! SHA-1 collision attacks using unavoidable attack conditions*, USENIX Security 2017. Nothing here
//! says whether a table is right: the solver's checker does.

mod condition;
mod dv;
mod table;

pub use condition::{Bit, BitOutOfRange, Condition, NotAPair};
pub use dv::{DisturbanceVector, DvType, UnknownName, UnknownVector};
pub use table::{Clear, Form, Group, Row, Table, Turn, Words};
