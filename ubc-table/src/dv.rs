//! The names of the 32 disturbance vectors.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// The two shapes of disturbance vector that Manuel's classification distinguishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DvType {
    /// Type I: one disturbance ends fifteen quiet steps.
    I,
    /// Type II: the same, with two more disturbances near the start of those steps.
    II,
}

impl fmt::Display for DvType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::I => "I",
            Self::II => "II",
        })
    }
}

/// One of the 32 disturbance vectors that the detection knows, by name: I(k,b) or II(k,b).
///
/// The order is the one in which the reference implementation numbers them in its masks: by type,
/// then k, then b.
///
/// ```
/// use ubc_table::{DisturbanceVector, DvType};
///
/// let dv = DisturbanceVector::new(DvType::II, 46, 2)?;
/// assert_eq!(dv.to_string(), "II(46,2)");
/// assert_eq!(DisturbanceVector::ALL[dv.index()], dv);
/// # Ok::<(), ubc_table::UnknownVector>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DisturbanceVector {
    dv_type: DvType,
    k: u8,
    b: u8,
}

const fn dv(dv_type: DvType, k: u8, b: u8) -> DisturbanceVector {
    DisturbanceVector { dv_type, k, b }
}

impl DisturbanceVector {
    /// All of them. The place of a vector in this list is its bit in a filter's mask.
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

    /// The vector of this type, k and b.
    ///
    /// # Errors
    ///
    /// If it is none of the 32.
    pub fn new(dv_type: DvType, k: u32, b: u32) -> Result<Self, UnknownVector> {
        let wanted = |dv: &Self| (dv.dv_type, dv.k.into(), dv.b.into()) == (dv_type, k, b);
        Self::ALL.into_iter().find(wanted).ok_or(UnknownVector { dv_type, k, b })
    }

    /// Its type.
    pub fn dv_type(self) -> DvType {
        self.dv_type
    }

    /// The step at which its fifteen quiet steps begin.
    pub fn k(self) -> u8 {
        self.k
    }

    /// The bit position of its disturbances.
    pub fn b(self) -> u8 {
        self.b
    }

    /// Its bit in a filter's mask, 0 to 31.
    ///
    /// # Panics
    ///
    /// Never: every value of this type is in the list.
    pub fn index(self) -> usize {
        Self::ALL.iter().position(|dv| *dv == self).expect("a vector is one of the 32")
    }
}

impl fmt::Display for DisturbanceVector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({},{})", self.dv_type, self.k, self.b)
    }
}

impl FromStr for DisturbanceVector {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let known = Self::ALL.into_iter().find(|dv| dv.to_string() == name);
        known.ok_or_else(|| UnknownName(name.to_owned()))
    }
}

/// A text that is the name of none of the 32 vectors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName(String);

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} names no disturbance vector: expected", self.0)?;
        list(f)
    }
}

impl Error for UnknownName {}

/// Lists the names of all vectors.
fn list(f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (i, dv) in DisturbanceVector::ALL.iter().enumerate() {
        write!(f, "{} {dv}", if i == 0 { " one of" } else { "," })?;
    }
    Ok(())
}

/// A well-formed name of a vector that is none of the 32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownVector {
    dv_type: DvType,
    k: u32,
    b: u32,
}

impl fmt::Display for UnknownVector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { dv_type, k, b } = self;
        write!(f, "unknown disturbance vector {dv_type}({k},{b}): expected")?;
        list(f)
    }
}

impl Error for UnknownVector {}
