//! Whole-product tests: `sha1dc` against implementations that share no code with it.

mod api;
mod attack;
mod batch;
mod collisions;
// Those that start other programs.
#[cfg(not(target_family = "wasm"))]
mod consumers;
mod digests;
mod filter;
#[cfg(not(target_family = "wasm"))]
mod gates;
#[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), target_os = "linux"))]
#[cfg(all(target_endian = "little", not(sha1dc_portable)))]
mod order;
#[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), target_os = "linux"))]
#[cfg(all(target_endian = "little", not(sha1dc_portable)))]
mod processors;
mod vectors;
