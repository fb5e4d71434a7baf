//! The errors that carry an attack.

use core::fmt;

use crate::attack::Attack;
use crate::digest::Digest;

/// An attack was detected, and the digest is the plain one, which two messages share.
///
/// [`Hasher::finalize`](crate::Hasher::finalize) and [`digest`](crate::digest()) return it.
///
/// ```
/// # let message = include_bytes!("../../testdata/shattered-1.bin");
/// let collision = sha1dc::digest(message).unwrap_err();
/// assert_eq!(collision.digest().to_string(), "f92d74e3874587aaf443d1db961d4e26dde13e9c");
/// assert_eq!(
///     collision.to_string(),
///     "SHA-1 collision attack in the block at byte 256, disturbance vector II(52,0); \
///      the digest is the colliding one"
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Collision {
    pub(crate) digest: Digest,
    pub(crate) attack: Attack,
}

/// An attack was detected, and the digest is one that the other message does not share.
///
/// [`mitigate::Hasher::finalize`](crate::mitigate::Hasher::finalize) and
/// [`mitigate::digest`](crate::mitigate::digest) return it.
///
/// ```
/// # let message = include_bytes!("../../testdata/shattered-1.bin");
/// let mitigated = sha1dc::mitigate::digest(message).unwrap_err();
/// assert_eq!(mitigated.digest().to_string(), "7117b3cb9225aaf0d8ef1a40e493957b0bf8693d");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mitigated {
    pub(crate) digest: Digest,
    pub(crate) attack: Attack,
}

impl Collision {
    /// The plain SHA-1 digest: right, but not this message's alone.
    pub const fn digest(&self) -> Digest {
        self.digest
    }

    /// The first attack that was found in the message; [`Attack`] has an example.
    pub const fn attack(&self) -> &Attack {
        &self.attack
    }
}

impl Mitigated {
    /// The mitigated digest. It tells the two messages of the attack apart, and no other SHA-1
    /// agrees with it but those that mitigate in the same way, as the reference does.
    pub const fn digest(&self) -> Digest {
        self.digest
    }

    /// The first attack that was found in the message; [`Attack`] has an example.
    pub const fn attack(&self) -> &Attack {
        &self.attack
    }
}

impl fmt::Display for Collision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; the digest is the colliding one", self.attack)
    }
}

impl fmt::Display for Mitigated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; the digest is a mitigated one", self.attack)
    }
}

impl core::error::Error for Collision {}
impl core::error::Error for Mitigated {}
