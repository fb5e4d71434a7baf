//! Bits of the expanded message, and equations between two of them.

use std::error::Error;
use std::fmt;

/// One bit of the expanded message: `W[word][bit]`, bit 0 being the least significant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bit {
    word: u8,
    bit: u8,
}

impl Bit {
    /// Bit `bit` of word `word`.
    ///
    /// # Errors
    ///
    /// If there is no such word (0 to 79) or bit (0 to 31).
    pub fn new(word: u32, bit: u32) -> Result<Self, BitOutOfRange> {
        match (u8::try_from(word), u8::try_from(bit)) {
            (Ok(word @ 0..80), Ok(bit @ 0..32)) => Ok(Self { word, bit }),
            (Ok(0..80), _) => Err(BitOutOfRange::Bit(bit)),
            _ => Err(BitOutOfRange::Word(word)),
        }
    }

    /// The word, 0 to 79.
    pub fn word(self) -> usize {
        self.word.into()
    }

    /// The bit within the word, 0 to 31.
    pub fn bit(self) -> u32 {
        self.bit.into()
    }

    /// Its value in an expanded message.
    pub fn of(self, w: &[u32; 80]) -> bool {
        w[self.word()] >> self.bit & 1 == 1
    }
}

impl fmt::Display for Bit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "W[{}][{}]", self.word, self.bit)
    }
}

/// A [`Bit`] that no expanded message has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BitOutOfRange {
    /// The word is over 79.
    Word(u32),
    /// The bit is over 31.
    Bit(u32),
}

impl fmt::Display for BitOutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(word) => {
                write!(f, "word {word} is outside the expanded message: expected 0 to 79")
            }
            Self::Bit(bit) => write!(f, "bit {bit} is outside a word: expected 0 to 31"),
        }
    }
}

impl Error for BitOutOfRange {}

/// A bitcondition: two bits of the expanded message and what they XOR to.
///
/// The two bits are kept in order, so that equal conditions are equal values.
///
/// ```
/// use ubc_table::{Bit, Condition};
///
/// let (a, b) = (Bit::new(36, 6)?, Bit::new(35, 1)?);
/// let condition = Condition::new(a, b, true)?;
/// assert_eq!(condition.to_string(), "W[35][1] ^ W[36][6] == 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Condition {
    first: Bit,
    second: Bit,
    value: bool,
}

impl Condition {
    /// The condition that the two bits XOR to `value`, in either order of the bits.
    ///
    /// # Errors
    ///
    /// If both are the same bit.
    pub fn new(a: Bit, b: Bit, value: bool) -> Result<Self, NotAPair> {
        if a == b {
            return Err(NotAPair(a));
        }
        Ok(Self { first: a.min(b), second: a.max(b), value })
    }

    /// The bit that stands first in the expanded message.
    pub fn first(self) -> Bit {
        self.first
    }

    /// The other bit.
    pub fn second(self) -> Bit {
        self.second
    }

    /// What they XOR to.
    pub fn value(self) -> bool {
        self.value
    }

    /// The condition on the same bits that holds exactly where this one does not.
    pub fn opposite(self) -> Self {
        Self { value: !self.value, ..self }
    }

    /// Whether it is true of an expanded message.
    pub fn holds(self, w: &[u32; 80]) -> bool {
        self.first.of(w) ^ self.second.of(w) == self.value
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ^ {} == {}", self.first, self.second, u8::from(self.value))
    }
}

/// A condition of one bit with itself, which says nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAPair(Bit);

impl fmt::Display for NotAPair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} stands on both sides: expected two different bits", self.0)
    }
}

impl Error for NotAPair {}
