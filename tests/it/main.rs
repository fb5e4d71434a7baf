//! Whole-product tests: `sha1dc` against implementations that share no code with it.

mod api;
mod attack;
mod collisions;
mod consumers;
mod digests;
mod filter;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod order;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod processors;
mod vectors;
