//! Many messages at once.
//!
//! One message is a chain of blocks, each waiting for the one before; many messages are many chains,
//! and fill a processor that one leaves mostly idle. [`row`] compresses and filters a block of each of as
//! many messages as a vector has lanes, [`scheduler`] keeps the lanes busy whatever the lengths,
//! and [`suspects`] gathers what the filter
//! leaves. What the messages are for, digests of whole ones or updates of hashers, only a [`Job`](scheduler::Job)
//! knows.

#[allow(dead_code, reason = "where no kernel is known there are no rows")]
pub(crate) mod row;
#[allow(dead_code, reason = "where no kernel is known there is nothing to schedule")]
pub(crate) mod scheduler;
#[allow(dead_code, reason = "where no kernel is known there are no rows")]
pub(crate) mod suspects;

mod digests;
mod lanes;
mod updates;

pub use digests::digest_each;
#[cfg(feature = "alloc")]
pub use digests::digest_many;
pub use lanes::{Lanes, ParseLanesError};
pub use updates::update_each;
