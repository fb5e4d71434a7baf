//! Whole-product tests: `sha1dc` against implementations that share no code with it.

mod api;
mod attack;
mod collisions;
mod consumers;
mod digests;
mod filter;
mod vectors;
