//! The digest type.

use core::fmt;
use core::str::FromStr;

use crate::rounds::State;

/// A SHA-1 digest: 20 bytes, printed as 40 hexadecimal digits.
///
/// ```
/// let digest = sha1dc::digest(b"abc")?;
/// assert_eq!(digest.to_string(), "a9993e364706816aba3e25717850c26c9cd0d89d");
/// assert_eq!(digest.as_bytes()[..4], [0xa9, 0x99, 0x3e, 0x36]);
/// assert_eq!("A9993E364706816ABA3E25717850C26C9CD0D89D".parse(), Ok(digest));
/// # Ok::<(), sha1dc::Collision>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 20]);

impl Digest {
    /// The digest's bytes.
    pub const fn as_bytes(&self) -> &[u8; 20] {
        &self.0
    }

    /// The digest's bytes, by value.
    pub const fn to_bytes(self) -> [u8; 20] {
        self.0
    }

    /// The digest that a last chaining value stands for.
    pub(crate) fn from_chaining(chaining: State) -> Self {
        let mut bytes = [0; 20];
        for (bytes, word) in bytes.chunks_exact_mut(4).zip(chaining) {
            bytes.copy_from_slice(&word.to_be_bytes());
        }
        Self(bytes)
    }
}

impl From<[u8; 20]> for Digest {
    fn from(bytes: [u8; 20]) -> Self {
        Self(bytes)
    }
}

impl From<Digest> for [u8; 20] {
    fn from(digest: Digest) -> Self {
        digest.0
    }
}

impl AsRef<[u8]> for Digest {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl PartialEq<[u8; 20]> for Digest {
    fn eq(&self, other: &[u8; 20]) -> bool {
        self.0 == *other
    }
}

impl PartialEq<[u8]> for Digest {
    fn eq(&self, other: &[u8]) -> bool {
        self.0 == *other
    }
}

impl fmt::LowerHex for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::UpperHex for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02X}"))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::LowerHex::fmt(self, f)
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

impl FromStr for Digest {
    type Err = ParseDigestError;

    /// Reads 40 hexadecimal digits, in either case.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut bytes = [0; 20];
        let mut digits = 0;
        for (position, found) in text.chars().enumerate() {
            let digit = found.to_digit(16).ok_or(ParseDigestError::Digit { found, position })?;
            if let Some(byte) = bytes.get_mut(position / 2) {
                *byte = *byte << 4 | digit as u8;
            }
            digits += 1;
        }
        if digits == 40 { Ok(Self(bytes)) } else { Err(ParseDigestError::Length { digits }) }
    }
}

/// Why a text is no [`Digest`].
///
/// ```
/// use sha1dc::{Digest, ParseDigestError};
///
/// let error = "a9993e36".parse::<Digest>().unwrap_err();
/// assert_eq!(error, ParseDigestError::Length { digits: 8 });
/// assert_eq!(error.to_string(), "a SHA-1 digest has 40 hexadecimal digits, not 8");
///
/// let error = "a9993e3x".parse::<Digest>().unwrap_err();
/// assert_eq!(error.to_string(), "character 8 is 'x': expected a hexadecimal digit");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseDigestError {
    /// It has another number of digits than 40.
    Length {
        /// How many it has.
        digits: usize,
    },
    /// One of its characters is no hexadecimal digit.
    Digit {
        /// The character.
        found: char,
        /// How many characters stand before it.
        position: usize,
    },
}

impl fmt::Display for ParseDigestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { digits } => {
                write!(f, "a SHA-1 digest has 40 hexadecimal digits, not {digits}")
            }
            Self::Digit { found, position } => {
                write!(f, "character {} is {found:?}: expected a hexadecimal digit", position + 1)
            }
        }
    }
}

impl core::error::Error for ParseDigestError {}
