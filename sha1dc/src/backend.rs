//! Which compression and which filter run.

use core::fmt;
use core::str::FromStr;

#[cfg(target_arch = "x86_64")]
use crate::compress::sha_ni::{Sha1Rnds4, ShaNi};
#[cfg(target_arch = "x86_64")]
use crate::compress::vectored::Vectored;
#[cfg(target_arch = "x86_64")]
use crate::cpu;
use crate::filter;
#[cfg(target_arch = "x86_64")]
use crate::filter::x86::{
    Avx2, Avx512, ShaAvx2, ShaAvx2Prefix, ShaAvx512, ShaAvx512Prefix, ShaSse2, ShaSse2Prefix, Sse2,
};

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
    #[cfg(target_arch = "x86_64")]
    ShaNiAvx512(ShaNi, ShaAvx512),
    #[cfg(target_arch = "x86_64")]
    Sha1Rnds4Avx512(Sha1Rnds4, ShaAvx512Prefix),
    #[cfg(target_arch = "x86_64")]
    ShaNiAvx2(ShaNi, ShaAvx2),
    #[cfg(target_arch = "x86_64")]
    Sha1Rnds4Avx2(Sha1Rnds4, ShaAvx2Prefix),
    #[cfg(target_arch = "x86_64")]
    ShaNiSse2(ShaNi, ShaSse2),
    #[cfg(target_arch = "x86_64")]
    Sha1Rnds4Sse2(Sha1Rnds4, ShaSse2Prefix),
    #[cfg(target_arch = "x86_64")]
    Avx2Avx512(Vectored<cpu::Avx2>, Avx512),
    #[cfg(target_arch = "x86_64")]
    Avx2Avx2(Vectored<cpu::Avx2>, Avx2),
    #[cfg(target_arch = "x86_64")]
    Ssse3Sse2(Vectored<cpu::Ssse3>, Sse2),
    #[cfg(target_arch = "x86_64")]
    PortableAvx2(Avx2),
    #[cfg(target_arch = "x86_64")]
    PortableSse2(Sse2),
    PortableScalar,
}

#[cfg(target_arch = "x86_64")]
impl Kind {
    /// How many there may be that need something of the processor.
    const COUNT: usize = 11;

    /// The n-th, best first, if the processor has what it needs.
    #[inline]
    fn nth(n: usize) -> Option<Self> {
        // Of each pair with SHA instructions one comes first.
        let alone = n.is_multiple_of(2) == cpu::is_intel();
        Some(match n {
            0 | 1 if alone => {
                Self::Sha1Rnds4Avx512(Sha1Rnds4::detect()?, ShaAvx512Prefix::detect()?)
            }
            0 | 1 => Self::ShaNiAvx512(ShaNi::detect()?, ShaAvx512::detect()?),
            2 | 3 if alone => Self::Sha1Rnds4Avx2(Sha1Rnds4::detect()?, ShaAvx2Prefix::detect()?),
            2 | 3 => Self::ShaNiAvx2(ShaNi::detect()?, ShaAvx2::detect()?),
            4 | 5 if alone => Self::Sha1Rnds4Sse2(Sha1Rnds4::detect()?, ShaSse2Prefix::detect()?),
            4 | 5 => Self::ShaNiSse2(ShaNi::detect()?, ShaSse2::detect()?),
            6 => Self::Avx2Avx512(Vectored::<cpu::Avx2>::detect()?, Avx512::detect()?),
            7 => Self::Avx2Avx2(Vectored::<cpu::Avx2>::detect()?, Avx2::detect()?),
            8 => Self::Ssse3Sse2(Vectored::<cpu::Ssse3>::detect()?, Sse2::detect()?),
            9 => Self::PortableAvx2(Avx2::detect()?),
            _ => Self::PortableSse2(Sse2::detect()?),
        })
    }
}

impl Backend {
    /// The backends that this processor can run, best first. `portable+scalar` always is one.
    #[inline]
    pub fn available() -> impl Iterator<Item = Self> + Clone {
        // One by one: whoever wants the best should not pay for the others.
        #[cfg(target_arch = "x86_64")]
        let vectors = (0..Kind::COUNT).filter_map(Kind::nth);
        #[cfg(not(target_arch = "x86_64"))]
        let vectors = core::iter::empty();
        vectors.chain([Kind::PortableScalar]).map(Self)
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
            #[cfg(target_arch = "x86_64")]
            Kind::ShaNiAvx512(_, avx512) => avx512.mask(w),
            #[cfg(target_arch = "x86_64")]
            Kind::Sha1Rnds4Avx512(_, prefix) => prefix.mask(w),
            #[cfg(target_arch = "x86_64")]
            Kind::ShaNiAvx2(_, avx2) => avx2.mask(w),
            #[cfg(target_arch = "x86_64")]
            Kind::Sha1Rnds4Avx2(_, prefix) => prefix.mask(w),
            #[cfg(target_arch = "x86_64")]
            Kind::ShaNiSse2(_, sse2) => sse2.mask(w),
            #[cfg(target_arch = "x86_64")]
            Kind::Sha1Rnds4Sse2(_, prefix) => prefix.mask(w),
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2Avx512(_, avx512) => avx512.mask(w),
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2Avx2(_, avx2) | Kind::PortableAvx2(avx2) => avx2.mask(w),
            #[cfg(target_arch = "x86_64")]
            Kind::Ssse3Sse2(_, sse2) | Kind::PortableSse2(sse2) => sse2.mask(w),
            Kind::PortableScalar => filter::scalar::check(w),
        }
    }

    pub(crate) const fn kind(self) -> Kind {
        self.0
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Kind::ShaNiAvx512(..) => "shani+avx512",
            #[cfg(target_arch = "x86_64")]
            Kind::Sha1Rnds4Avx512(..) => "sha1rnds4+avx512",
            #[cfg(target_arch = "x86_64")]
            Kind::ShaNiAvx2(..) => "shani+avx2",
            #[cfg(target_arch = "x86_64")]
            Kind::Sha1Rnds4Avx2(..) => "sha1rnds4+avx2",
            #[cfg(target_arch = "x86_64")]
            Kind::ShaNiSse2(..) => "shani+sse2",
            #[cfg(target_arch = "x86_64")]
            Kind::Sha1Rnds4Sse2(..) => "sha1rnds4+sse2",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2Avx512(..) => "avx2+avx512",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2Avx2(..) => "avx2+avx2",
            #[cfg(target_arch = "x86_64")]
            Kind::Ssse3Sse2(..) => "ssse3+sse2",
            #[cfg(target_arch = "x86_64")]
            Kind::PortableAvx2(_) => "portable+avx2",
            #[cfg(target_arch = "x86_64")]
            Kind::PortableSse2(_) => "portable+sse2",
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
