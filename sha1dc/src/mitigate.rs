//! Digests that collision attacks cannot make equal.
//!
//! Here a detected attack changes the digest: the block is compressed twice more, so that SHA-1 has
//! 240 steps there, and the two messages of the attack part again. Every other message keeps its
//! plain SHA-1 digest. No other SHA-1 agrees with a mitigated digest but those that mitigate the
//! same way, as the reference implementation's *safe hash* does; so this is for a store, a cache or
//! a pipeline whose names are its own, and [`crate::Hasher`] for everything else.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::fmt;

pub use crate::error::Mitigated;

use crate::attack::Attack;
use crate::builder::Builder;
use crate::digest::Digest;
use crate::hasher::{Inner, hasher};

/// Computes SHA-1 and gives each message of a collision attack a digest of its own.
///
/// ```
/// # let (one, two) = (include_bytes!("../../testdata/shattered-1.bin"), include_bytes!("../../testdata/shattered-2.bin"));
/// use sha1dc::mitigate::Hasher;
///
/// let mut hasher = Hasher::new();
/// hasher.update(one);
/// let one = hasher.finalize_reset().unwrap_err();
/// hasher.update(two);
/// let two = hasher.finalize_reset().unwrap_err();
/// assert_ne!(one.digest(), two.digest());
/// ```
#[derive(Clone)]
pub struct Hasher(pub(crate) Inner);

hasher!(Mitigated, "sha1dc::mitigate::Hasher", build_mitigating);

/// Hashes a whole message: [`Hasher`] in one call.
///
/// ```
/// let digest = sha1dc::mitigate::digest(b"hello world")?;
/// assert_eq!(digest.to_string(), "2aae6c35c94fcfb415dbe95f408b9ce91ee846ed");
/// # Ok::<(), sha1dc::mitigate::Mitigated>(())
/// ```
///
/// # Errors
///
/// If a collision attack is detected in it.
pub fn digest(message: &[u8]) -> Result<Digest, Mitigated> {
    Inner::digest(Builder::new().settings(true), message, |digest, attack| Mitigated {
        digest,
        attack,
    })
}

/// Hashes many messages, and reports each result as soon as it is known, in any order: what
/// [`crate::digest_each`] is for mitigated digests.
///
/// ```
/// sha1dc::mitigate::digest_each([&b"abc"[..], b"def"], |index, result| {
///     println!("{index}: {}", result.unwrap());
/// });
/// ```
pub fn digest_each<'a>(
    messages: impl IntoIterator<Item = &'a [u8]>,
    report: impl FnMut(usize, Result<Digest, Mitigated>),
) {
    Builder::new().digest_each_mitigating(messages, report);
}

/// Hashes many messages: what [`digest`] would return for each, in their order.
///
/// ```
/// let results = sha1dc::mitigate::digest_many(&["abc", "def", "ghi"]);
/// assert_eq!(results[1], sha1dc::mitigate::digest(b"def"));
/// ```
#[cfg(feature = "alloc")]
pub fn digest_many<M: AsRef<[u8]>>(messages: &[M]) -> Vec<Result<Digest, Mitigated>> {
    Builder::new().digest_many_mitigating(messages)
}

/// Appends to many messages: what [`crate::update_each`] is for these hashers.
///
/// ```
/// use sha1dc::mitigate::{self, Hasher};
///
/// let (mut one, mut two) = (Hasher::new(), Hasher::new());
/// mitigate::update_each([(&mut one, &b"abc"[..]), (&mut two, b"def")]);
/// assert_eq!(two.finalize(), mitigate::digest(b"def"));
/// ```
pub fn update_each<'a>(updates: impl IntoIterator<Item = (&'a mut Hasher, &'a [u8])>) {
    Builder::new().update_each_mitigating(updates);
}
