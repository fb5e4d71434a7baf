//! SHA-1 that detects collision attacks.
//!
//! SHA-1 is broken: two messages with one digest can be made on purpose. `sha1dc` computes SHA-1
//! and decides for every block of 64 bytes whether it is one half of such an attack, by the method
//! of M. Stevens and D. Shumow (*Speeding up detection of SHA-1 collision attacks using unavoidable
//! attack conditions*, USENIX Security 2017). It detects every attack that follows one of
//! [32 disturbance vectors](DisturbanceVector), which are all that are known to be practical, and
//! raises a false alarm on a message that nobody tampered with once in 2^90 or so.
//!
//! ```
//! # let message = include_bytes!("../../testdata/shattered-1.bin");
//! assert_eq!(sha1dc::digest(b"abc").unwrap().to_string(), "a9993e364706816aba3e25717850c26c9cd0d89d");
//!
//! let collision = sha1dc::digest(message).unwrap_err();
//! println!("refused {}: {collision}", collision.digest());
//! ```
//!
//! - [`digest()`] and [`Hasher`] give the digest of plain SHA-1 and an error where an attack was
//!   detected. This is what git does.
//! - [`digest_many`] and [`digest_each`] hash many messages at once, on some processors twice as fast;
//!   [`update_each`] does if they come in pieces.
//! - [`mitigate`] gives each message of an attack a digest of its own instead.
//! - [`Attack`] says what was found, so that anyone can verify it.
//!
//! # Features
//!
//! `std`, on by default, implements [`std::io::Write`](https://doc.rust-lang.org/std/io/trait.Write.html)
//! for the hashers, and implies `alloc`, which brings [`digest_many`]. Without both the crate needs nothing
//! but `core`: no allocator, no operating system.
//!
//! # Platforms
//!
//! On x86-64 with SSE2 the [`Backend`] is chosen at run time, also without an operating system. On
//! little-endian AArch64 with NEON the SHA instructions are found at run time on Linux, Android and
//! Apple's systems (there `cpufeatures` brings `libc` with it), and elsewhere only if the compiler was
//! told of them. WebAssembly has vectors if it was compiled with `simd128`. Everywhere else, and where
//! `--cfg sha1dc_portable` is given to the compiler (by `RUSTFLAGS`, for Miri, Cranelift or the
//! careful), the crate is plain Rust without any intrinsic.
//!
//! # Unsafe code
//!
//! Only where processors differ, each place with the fact that makes it sound; in the plain crate
//! nowhere. Who holds a token of the modules `cpu` has had the processor checked, and every backend
//! holds those that it needs.
//!
//! | file | for |
//! |---|---|
//! | `x86_64/cpu` | asking who made the processor |
//! | `x86_64/sha_ni`, `x86_64/vectored`, `aarch64/armv8` | instructions, and stores into a slot |
//! | `x86_64/expansion`, `x86_64/lanes`, `x86_64/rows`, `aarch64/lanes`, `aarch64/rows` | instructions |
//! | `x86_64/forms`, `aarch64/forms`, `pipeline/form`, `pipeline/pair` | calls of what was compiled with features |
//! | `pipeline/compression` | the promise of a compression to write its slot |
//! | `pipeline/queue`, `pipeline` | slots, which are written before they are read |
//!
//! # What is not promised
//!
//! Detection is exact for attacks that follow one of the 32 vectors as every published attack does,
//! with the differences that the vector prescribes from step 35 on. An attack along another vector
//! would pass unseen, as it would by the reference implementation. SHA-1 has other weaknesses that
//! no detection mends; new designs should use another hash.

#![no_std]
#![deny(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(any(feature = "std", test))]
extern crate std;

mod attack;
mod backend;
mod batch;
mod blocks;
mod builder;
mod digest;
mod dv;
mod error;
mod filter;
mod hasher;
mod kernel;
pub mod mitigate;
mod padding;
mod portable;
mod recompress;
mod rounds;
mod schedule;

// What a processor has beyond plain Rust is decided here and nowhere else: a folder an architecture,
// and the loop that they share.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(sha1dc_portable)))]
#[path = "x86_64/mod.rs"]
mod hardware;

#[cfg(all(
    target_arch = "aarch64",
    target_endian = "little",
    target_feature = "neon",
    not(sha1dc_portable)
))]
#[path = "aarch64/mod.rs"]
mod hardware;

#[cfg(all(target_arch = "wasm32", target_feature = "simd128", not(sha1dc_portable)))]
#[path = "wasm32/mod.rs"]
mod hardware;

#[cfg(any(
    sha1dc_portable,
    not(any(
        all(target_arch = "x86_64", target_feature = "sse2"),
        all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"),
        all(target_arch = "wasm32", target_feature = "simd128"),
    ))
))]
#[path = "none.rs"]
mod hardware;

#[cfg(all(
    not(sha1dc_portable),
    any(
        all(target_arch = "x86_64", target_feature = "sse2"),
        all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"),
    )
))]
mod pipeline;

pub use attack::Attack;
pub use backend::{Backend, ParseBackendError};
#[cfg(feature = "alloc")]
pub use batch::digest_many;
pub use batch::{Lanes, ParseLanesError, digest_each, update_each};
pub use builder::Builder;
pub use digest::{Digest, ParseDigestError};
pub use dv::{DisturbanceVector, DvType, ParseDisturbanceVectorError};
pub use error::Collision;
pub use hasher::{Hasher, digest};
