//! Which compression and which filter run.

use core::fmt;
use core::str::FromStr;

use crate::filter;
use crate::hardware::Hardware;

/// A compression and a filter form, paired and named, such as `portable+scalar`.
///
/// The hashers choose the best that the processor has; nobody needs to name one but to test or to
/// measure. Whoever holds a `Backend` can run it: the only ways to one are to ask which are
/// [available](Self::available), to let it be [detected](Self::detect), and to parse its name,
/// which fails for one that this processor cannot run.
///
/// ```
/// use sha1dc::{Backend, Builder};
///
/// for backend in Backend::available() {
///     let mut hasher = Builder::new().backend(backend).build();
///     hasher.update(b"abc");
///     let digest = hasher.finalize()?.to_string();
///     assert_eq!(digest, "a9993e364706816aba3e25717850c26c9cd0d89d", "{backend}");
/// }
/// assert!(Backend::available().any(|backend| backend == Backend::detect()));
/// assert_eq!("portable+scalar".parse::<Backend>().unwrap().to_string(), "portable+scalar");
/// # Ok::<(), sha1dc::Collision>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Backend(Kind);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// One that needs something of the processor.
    Hardware(Hardware),
    PortableScalar,
}

impl Backend {
    /// The backends that this processor can run, best first. `portable+scalar` always is one.
    #[inline]
    pub fn available() -> impl Iterator<Item = Self> + Clone {
        // One by one: whoever wants the best should not pay for the others.
        let hardware = (0..Hardware::COUNT).filter_map(Hardware::nth).map(Kind::Hardware);
        hardware.chain([Kind::PortableScalar]).map(Self)
    }

    /// The backend that the hashers use.
    #[inline]
    pub fn detect() -> Self {
        Self::available().next().unwrap_or(Self(Kind::PortableScalar))
    }

    /// Runs this backend's filter over an expanded message: bit n of the result is set if the n-th
    /// vector of [`DisturbanceVector::ALL`](crate::DisturbanceVector::ALL) is still possible.
    ///
    /// The hashers do this for every block. Here it is for research and for tests: any 80 words
    /// will do, expanded from a block or not.
    ///
    /// ```
    /// use sha1dc::{Backend, DisturbanceVector};
    ///
    /// // The second block of the SHAttered attack meets the conditions of II(52,0) alone.
    /// # let message = include_bytes!("../../testdata/shattered-1.bin");
    /// let block = &message[256..];
    /// let mut w = [0; 80];
    /// for t in 0..16 {
    ///     w[t] = u32::from_be_bytes(block[4 * t..][..4].try_into().unwrap());
    /// }
    /// for t in 16..80 {
    ///     w[t] = u32::rotate_left(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
    /// }
    /// let mask = Backend::detect().filter(&w);
    /// let possible = DisturbanceVector::ALL[mask.trailing_zeros() as usize];
    /// assert_eq!((mask.count_ones(), possible.to_string().as_str()), (1, "II(52,0)"));
    /// ```
    pub fn filter(self, w: &[u32; 80]) -> u32 {
        match self.0 {
            Kind::Hardware(hardware) => hardware.filter(w),
            Kind::PortableScalar => filter::scalar::check(w),
        }
    }

    pub(crate) const fn kind(self) -> Kind {
        self.0
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self.0 {
            Kind::Hardware(hardware) => hardware.name(),
            Kind::PortableScalar => "portable+scalar",
        }
    }
}

impl Default for Backend {
    fn default() -> Self {
        Self::detect()
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Debug for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Backend({})", self.name())
    }
}

impl FromStr for Backend {
    type Err = ParseBackendError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::available().find(|backend| backend.name() == name).ok_or(ParseBackendError(()))
    }
}

/// The text names no backend that this processor can run.
///
/// ```
/// let error = "portable+cubic".parse::<sha1dc::Backend>().unwrap_err();
/// assert!(error.to_string().contains("portable+scalar"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseBackendError(());

impl fmt::Display for ParseBackendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no backend of that name runs on this processor; these do:")?;
        Backend::available().try_for_each(|backend| write!(f, " {backend}"))
    }
}

impl core::error::Error for ParseBackendError {}
