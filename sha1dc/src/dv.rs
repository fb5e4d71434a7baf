//! The 32 disturbance vectors, computed from their definition.
//!
//! A collision attack on SHA-1 strings together local collisions, six steps each; the *disturbance
//! vector* (DV) says at which steps and bits they start. It obeys the message expansion, so sixteen
//! consecutive words fix it, and it fixes the XOR of the two messages of the attack, the *message
//! difference*. The two types are those of S. Manuel, *Classification and generation of disturbance
//! vectors for collision attacks against SHA-1* (Designs, Codes and Cryptography 59, 2011); the
//! choice of these 32 is that of M. Stevens and D. Shumow (USENIX Security 2017).
//!
//! Nothing is copied here but the names: a table of 32 x 80 words would have to be trusted, the two
//! formulas can be read.

use core::fmt;
use core::str::FromStr;

use crate::schedule::Schedule;

/// The shape of a [`DisturbanceVector`], in Manuel's classification.
///
/// Needs no example of its own: it is what [`DisturbanceVector::dv_type`] returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DvType {
    /// One disturbance at step k + 15 ends fifteen steps without any.
    I,
    /// The same, with two more at steps k + 1 and k + 3, at the sign bit (turned by b).
    II,
}

/// One of the 32 classes of attack that detection knows, named I(k,b) or II(k,b).
///
/// ```
/// use sha1dc::DisturbanceVector;
///
/// // The vector that the SHAttered attack follows.
/// let dv: DisturbanceVector = "II(52,0)".parse()?;
/// assert_eq!((dv.k(), dv.b()), (52, 0));
/// assert!(DisturbanceVector::ALL.contains(&dv));
/// # Ok::<(), sha1dc::ParseDisturbanceVectorError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DisturbanceVector {
    dv_type: DvType,
    k: u8,
    b: u8,
}

const fn dv(dv_type: DvType, k: u8, b: u8) -> DisturbanceVector {
    DisturbanceVector { dv_type, k, b }
}

/// The place of `DV[0]` among the words of a vector: the message difference reaches five steps back.
pub(crate) const DV_0: usize = 5;

impl DisturbanceVector {
    /// All 32, in the order of the reference implementation: by type, then k, then b. Bit n of a
    /// filter's mask is the n-th of them.
    pub const ALL: [Self; 32] = {
        use DvType::{I, II};
        [
            dv(I, 43, 0),
            dv(I, 44, 0),
            dv(I, 45, 0),
            dv(I, 46, 0),
            dv(I, 46, 2),
            dv(I, 47, 0),
            dv(I, 47, 2),
            dv(I, 48, 0),
            dv(I, 48, 2),
            dv(I, 49, 0),
            dv(I, 49, 2),
            dv(I, 50, 0),
            dv(I, 50, 2),
            dv(I, 51, 0),
            dv(I, 51, 2),
            dv(I, 52, 0),
            dv(II, 45, 0),
            dv(II, 46, 0),
            dv(II, 46, 2),
            dv(II, 47, 0),
            dv(II, 48, 0),
            dv(II, 49, 0),
            dv(II, 49, 2),
            dv(II, 50, 0),
            dv(II, 50, 2),
            dv(II, 51, 0),
            dv(II, 51, 2),
            dv(II, 52, 0),
            dv(II, 53, 0),
            dv(II, 54, 0),
            dv(II, 55, 0),
            dv(II, 56, 0),
        ]
    };

    /// The type: the I or II of its name.
    pub const fn dv_type(self) -> DvType {
        self.dv_type
    }

    /// The first number of its name: the step at which fifteen steps begin that end, and for type I
    /// also pass, without a disturbance.
    pub const fn k(self) -> u8 {
        self.k
    }

    /// The second number of its name: the bit at which the disturbance at step k + 15 stands.
    pub const fn b(self) -> u8 {
        self.b
    }

    /// The XOR of the two expanded messages of an attack that follows this vector.
    ///
    /// ```
    /// use sha1dc::DisturbanceVector;
    ///
    /// // Like every XOR of expanded messages, it is an expanded message itself.
    /// let dm = DisturbanceVector::ALL[27].message_difference();
    /// for t in 16..80 {
    ///     let sum: u32 = dm[t - 3] ^ dm[t - 8] ^ dm[t - 14] ^ dm[t - 16];
    ///     assert_eq!(dm[t], sum.rotate_left(1));
    /// }
    /// ```
    pub const fn message_difference(self) -> [u32; 80] {
        let dv = self.words();
        let mut dm = [0; 80];
        let mut t = 0;
        while t < 80 {
            let i = t + DV_0;
            // The local collision: a disturbance, and the five corrections of the steps after it.
            dm[t] = dv[i]
                ^ dv[i - 1].rotate_left(5)
                ^ dv[i - 2]
                ^ (dv[i - 3] ^ dv[i - 4] ^ dv[i - 5]).rotate_left(30);
            t += 1;
        }
        dm
    }

    /// The vector itself: `DV[t]` at place t + [`DV_0`].
    pub(crate) const fn words(self) -> [u32; DV_0 + 80] {
        let mut dv = [0_u32; DV_0 + 80];
        let k = self.k as usize + DV_0;
        dv[k + 15] = 1_u32.rotate_left(self.b as u32);
        if matches!(self.dv_type, DvType::II) {
            dv[k + 1] = (1_u32 << 31).rotate_left(self.b as u32);
            dv[k + 3] = dv[k + 1];
        }
        let mut i = k + 16;
        while i < dv.len() {
            dv[i] = (dv[i - 3] ^ dv[i - 8] ^ dv[i - 14] ^ dv[i - 16]).rotate_left(1);
            i += 1;
        }
        let mut i = k;
        while i > 0 {
            i -= 1;
            dv[i] = dv[i + 16].rotate_right(1) ^ dv[i + 13] ^ dv[i + 8] ^ dv[i + 2];
        }
        dv
    }

    /// The step from which recompression starts: before it, the states of both messages are equal.
    ///
    /// A state has no difference where the five words of the vector before it are zero. Steps 58
    /// and 65, the reference's choice, serve all 32, so only two states of a block need keeping.
    pub(crate) const fn equal_state(self) -> usize {
        if self.k < 50 { 58 } else { 65 }
    }
}

/// The message difference of each vector, in the order of [`DisturbanceVector::ALL`].
pub(crate) static DIFFERENCES: [Schedule; 32] = {
    let mut differences = [[0; 80]; 32];
    let mut i = 0;
    while i < 32 {
        differences[i] = DisturbanceVector::ALL[i].message_difference();
        i += 1;
    }
    differences
};

impl fmt::Display for DisturbanceVector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dv_type = match self.dv_type {
            DvType::I => "I",
            DvType::II => "II",
        };
        write!(f, "{dv_type}({},{})", self.k, self.b)
    }
}

impl fmt::Debug for DisturbanceVector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for DisturbanceVector {
    type Err = ParseDisturbanceVectorError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let malformed = ParseDisturbanceVectorError::Malformed;
        let (dv_type, numbers) = name.split_once('(').ok_or(malformed)?;
        let dv_type = match dv_type {
            "I" => DvType::I,
            "II" => DvType::II,
            _ => return Err(malformed),
        };
        let (k, b) =
            numbers.strip_suffix(')').and_then(|kb| kb.split_once(',')).ok_or(malformed)?;
        // A number as it is printed: digits, without a sign or a zero in front.
        let number = |digits: &str| {
            let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
            let padded = digits.is_empty() || (digits.len() > 1 && digits.starts_with('0'));
            if plain && !padded { Ok(digits.parse()) } else { Err(malformed) }
        };
        match (number(k)?, number(b)?) {
            (Ok(k), Ok(b)) if Self::ALL.contains(&dv(dv_type, k, b)) => Ok(dv(dv_type, k, b)),
            _ => Err(ParseDisturbanceVectorError::Unknown),
        }
    }
}

/// Why a text names no [`DisturbanceVector`].
///
/// ```
/// use sha1dc::{DisturbanceVector, ParseDisturbanceVectorError};
///
/// let error = "I(43,1)".parse::<DisturbanceVector>().unwrap_err();
/// assert_eq!(error, ParseDisturbanceVectorError::Unknown);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseDisturbanceVectorError {
    /// It does not have the shape of a name.
    Malformed,
    /// It has the shape of a name, but is none of the 32.
    Unknown,
}

impl fmt::Display for ParseDisturbanceVectorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Malformed => "not a disturbance vector: expected a name such as II(52,0)",
            Self::Unknown => "not one of the 32 disturbance vectors, I(43,0) to II(56,0)",
        })
    }
}

impl core::error::Error for ParseDisturbanceVectorError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_states_are_equal_where_recompression_starts() {
        for dv in DisturbanceVector::ALL {
            let at = dv.equal_state() + DV_0;
            assert_eq!(dv.words()[at - 5..at], [0; 5], "{dv}");
        }
    }

    #[test]
    fn names_round_trip() {
        for dv in DisturbanceVector::ALL {
            // `to_string` needs an allocator; a fixed buffer does.
            let mut name = Name([0; 8], 0);
            fmt::write(&mut name, format_args!("{dv}")).unwrap();
            assert_eq!(core::str::from_utf8(&name.0[..name.1]).unwrap().parse(), Ok(dv));
        }
    }

    struct Name([u8; 8], usize);

    impl fmt::Write for Name {
        fn write_str(&mut self, s: &str) -> fmt::Result {
            self.0[self.1..][..s.len()].copy_from_slice(s.as_bytes());
            self.1 += s.len();
            Ok(())
        }
    }

    #[test]
    fn misspelt_names_are_refused() {
        use ParseDisturbanceVectorError::{Malformed, Unknown};
        for (name, error) in [
            ("", Malformed),
            ("III(43,0)", Malformed),
            ("I(43,0", Malformed),
            ("I(43;0)", Malformed),
            ("I(43,0,0)", Malformed),
            ("II(+52,0)", Malformed),
            ("II(52,00)", Malformed),
            ("II(052,0)", Malformed),
            ("II(52,)", Malformed),
            ("I(999,0)", Unknown),
            ("I(43,99999999999999999999)", Unknown),
            ("I(42,0)", Unknown),
            ("II(47,2)", Unknown),
        ] {
            assert_eq!(name.parse::<DisturbanceVector>(), Err(error), "{name}");
        }
    }
}
