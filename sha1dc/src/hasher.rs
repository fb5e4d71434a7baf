//! The hashers: bytes in, blocks to the kernel, a digest or an attack out.

use core::fmt;
use core::slice::from_ref;

use crate::attack::Attack;
use crate::batch::scheduler::Start;
use crate::builder::Builder;
use crate::digest::Digest;
use crate::error::Collision;
use crate::kernel::{Kernel, Settings};
use crate::padding::Made;
use crate::rounds::State;
use crate::schedule::{Block, Blocks};

/// What both hashers are: the kernel, and the block that is not yet full.
#[derive(Clone)]
pub(crate) struct Inner {
    kernel: Kernel,
    /// Bytes so far. SHA-1 counts bits modulo 2^64, so this may wrap.
    len: u64,
    /// The last `len % 64` bytes; what follows them is of no meaning.
    buffer: Block,
}

impl Inner {
    #[inline]
    pub(crate) const fn new(settings: Settings) -> Self {
        Self { kernel: Kernel::new(settings), len: 0, buffer: [0; 64] }
    }

    /// How many bytes wait in the buffer.
    const fn buffered(&self) -> usize {
        (self.len % 64) as usize
    }

    pub(crate) fn update(&mut self, data: &[u8]) {
        let buffered = self.buffered();
        let start = self.len.wrapping_sub(buffered as u64);
        self.len = self.len.wrapping_add(data.len() as u64);

        let mut data = data;
        let mut full: &[Block] = &[];
        if buffered > 0 {
            let missing = 64 - buffered;
            let Some((head, rest)) = data.split_at_checked(missing) else {
                self.buffer[buffered..][..data.len()].copy_from_slice(data);
                return;
            };
            self.buffer[buffered..].copy_from_slice(head);
            full = from_ref(&self.buffer);
            data = rest;
        }
        let (blocks, rest) = data.as_chunks();
        let blocks = Blocks { first: full, then: blocks };
        if blocks.len() > 0 {
            self.kernel.compress(blocks, start);
        }
        self.buffer[..rest.len()].copy_from_slice(rest);
    }

    pub(crate) const fn settings(&self) -> Settings {
        self.kernel.settings
    }

    /// Whether there are blocks to compress when this is appended.
    pub(crate) const fn fills_a_block(&self, data: &[u8]) -> bool {
        self.buffered() + data.len() >= 64
    }

    /// What there is to compress when this is appended, if it fills a block.
    pub(crate) fn start<'d>(&self, data: &'d [u8]) -> Start<'d> {
        let buffered = &self.buffer[..self.buffered()];
        let missing = buffered.len().wrapping_neg() % 64;
        let (head, data) = data.split_at(missing);
        let made = if head.is_empty() { Made::NONE } else { Made::block(buffered, head) };
        Start { chaining: self.kernel.chaining, whole: data.as_chunks().0, made, made_first: true }
    }

    /// This was appended, and its blocks were compressed up to this chaining value.
    pub(crate) fn appended(&mut self, data: &[u8], chaining: State) {
        self.kernel.chaining = chaining;
        self.len = self.len.wrapping_add(data.len() as u64);
        let buffered = self.buffered();
        self.buffer[..buffered].copy_from_slice(&data[data.len() - buffered..]);
    }

    /// Pads the message and ends it. Leaves the hasher in no usable state: drop it or reset it.
    #[inline]
    fn outcome<E>(&mut self, error: fn(Digest, Attack) -> E) -> Result<Digest, E> {
        let buffered = self.buffered();
        let offset = self.len.wrapping_sub(buffered as u64);
        let last = Made::end(&self.buffer[..buffered], self.len);
        self.kernel.compress(Blocks { first: &[], then: last.blocks() }, offset);
        self.kernel.outcome(error)
    }

    /// Hashes a whole message: nothing waits in a buffer, and all blocks are one run.
    #[inline]
    pub(crate) fn digest<E>(
        settings: Settings,
        message: &[u8],
        error: fn(Digest, Attack) -> E,
    ) -> Result<Digest, E> {
        let mut kernel = Kernel::new(settings);
        let (blocks, rest) = message.as_chunks();
        let last = Made::end(rest, message.len() as u64);
        kernel.compress(Blocks { first: blocks, then: last.blocks() }, 0);
        kernel.outcome(error)
    }

    pub(crate) fn reset(&mut self) {
        *self = Self::new(self.kernel.settings);
    }

    pub(crate) const fn attack(&self) -> Option<&Attack> {
        self.kernel.attack.as_ref()
    }

    #[inline]
    pub(crate) fn finalize<E>(mut self, error: fn(Digest, Attack) -> E) -> Result<Digest, E> {
        self.outcome(error)
    }

    pub(crate) fn finalize_reset<E>(
        &mut self,
        error: fn(Digest, Attack) -> E,
    ) -> Result<Digest, E> {
        let outcome = self.outcome(error);
        self.reset();
        outcome
    }
}

/// What both hashers do alike; `$path` is where the reader's example finds the type.
macro_rules! hasher {
    ($error:ident, $path:literal, $build:ident) => {
        impl Hasher {
            /// Makes a hasher with the usual settings: what [`Builder::new`] builds.
            #[inline]
            pub fn new() -> Self {
                Builder::new().$build()
            }

            /// Appends to the message. Any number of bytes at a time, cut anywhere, gives the same
            /// digest and verdict.
            ///
            #[doc = concat!("```\nuse ", $path, ";\n")]
            /// let mut hasher = Hasher::new();
            /// hasher.update(b"a");
            /// hasher.update(b"bc");
            /// let digest = hasher.finalize().unwrap();
            /// assert_eq!(digest.to_string(), "a9993e364706816aba3e25717850c26c9cd0d89d");
            /// ```
            pub fn update(&mut self, data: &[u8]) {
                self.0.update(data);
            }

            /// Ends the message.
            ///
            #[doc = concat!("```\nuse ", $path, ";\n")]
            /// let digest = Hasher::new().finalize().unwrap();
            /// assert_eq!(digest.to_string(), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
            /// ```
            ///
            /// # Errors
            ///
            /// If a collision attack was detected in it.
            #[inline]
            pub fn finalize(self) -> Result<Digest, $error> {
                self.0.finalize(|digest, attack| $error { digest, attack })
            }

            /// Ends the message and begins a new one, with the same settings.
            ///
            #[doc = concat!("```\nuse ", $path, ";\n")]
            /// let mut hasher = Hasher::new();
            /// for message in ["abc", "def"] {
            ///     hasher.update(message.as_bytes());
            ///     println!("{}", hasher.finalize_reset().unwrap());
            /// }
            /// ```
            ///
            /// # Errors
            ///
            /// If a collision attack was detected in the message. The new message is not touched
            /// by it.
            pub fn finalize_reset(&mut self) -> Result<Digest, $error> {
                self.0.finalize_reset(|digest, attack| $error { digest, attack })
            }

            /// Forgets the message and begins a new one, with the same settings.
            ///
            #[doc = concat!("```\nuse ", $path, ";\n")]
            /// let mut hasher = Hasher::new();
            /// hasher.update(b"never mind");
            /// hasher.reset();
            /// assert_eq!(hasher.finalize(), Hasher::new().finalize());
            /// ```
            pub fn reset(&mut self) {
                self.0.reset();
            }

            /// Whether a collision attack was detected so far, in the whole blocks of 64 bytes that
            /// the updates have filled.
            ///
            #[doc = concat!("```\nuse ", $path, ";\n")]
            /// # let message = include_bytes!("../../testdata/shattered-1.bin");
            /// let mut hasher = Hasher::new();
            /// hasher.update(&message[..319]);
            /// assert!(!hasher.collision_detected());
            /// hasher.update(&message[319..]);
            /// assert!(hasher.collision_detected());
            /// ```
            pub const fn collision_detected(&self) -> bool {
                self.attack().is_some()
            }

            /// The first attack that was detected so far.
            ///
            #[doc = concat!("```\nuse ", $path, ";\n")]
            /// # let message = include_bytes!("../../testdata/shattered-1.bin");
            /// let mut hasher = Hasher::new();
            /// hasher.update(message);
            /// assert_eq!(hasher.attack().unwrap().offset(), 256);
            /// ```
            pub const fn attack(&self) -> Option<&Attack> {
                self.0.attack()
            }
        }

        impl Default for Hasher {
            fn default() -> Self {
                Self::new()
            }
        }

        impl fmt::Debug for Hasher {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct("Hasher").field("attack", &self.attack()).finish_non_exhaustive()
            }
        }

        /// Writing appends to the message and never fails.
        ///
        #[doc = concat!("```\nuse ", $path, ";\n")]
        /// let mut hasher = Hasher::new();
        /// std::io::copy(&mut &b"abc"[..], &mut hasher)?;
        /// let digest = hasher.finalize().unwrap();
        /// assert_eq!(digest.to_string(), "a9993e364706816aba3e25717850c26c9cd0d89d");
        /// # Ok::<(), std::io::Error>(())
        /// ```
        #[cfg(feature = "std")]
        impl std::io::Write for Hasher {
            fn write(&mut self, data: &[u8]) -> std::io::Result<usize> {
                self.update(data);
                Ok(data.len())
            }

            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }
    };
}

pub(crate) use hasher;

/// Computes plain SHA-1 and reports collision attacks: the hasher to use where digests are shared
/// with others, as git's object names are.
///
/// ```
/// let mut hasher = sha1dc::Hasher::new();
/// hasher.update(b"blob 6\0");
/// hasher.update(b"hello\n");
/// match hasher.finalize() {
///     Ok(digest) => assert_eq!(digest.to_string(), "ce013625030ba8dba906f756967f9e9ca394464a"),
///     Err(collision) => eprintln!("refused: {collision}"),
/// }
/// ```
#[derive(Clone)]
pub struct Hasher(pub(crate) Inner);

hasher!(Collision, "sha1dc::Hasher", build);

/// Hashes a whole message: [`Hasher`] in one call.
///
/// ```
/// let digest = sha1dc::digest(b"hello world")?;
/// assert_eq!(digest.to_string(), "2aae6c35c94fcfb415dbe95f408b9ce91ee846ed");
/// # Ok::<(), sha1dc::Collision>(())
/// ```
///
/// # Errors
///
/// If a collision attack is detected in it.
pub fn digest(message: &[u8]) -> Result<Digest, Collision> {
    Inner::digest(Builder::new().settings(false), message, |digest, attack| Collision {
        digest,
        attack,
    })
}
