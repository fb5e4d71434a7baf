//! Which compression and which filter run.

use core::fmt;
use core::str::FromStr;

#[cfg(target_arch = "x86_64")]
use crate::compress::{sha_ni::ShaNi, vectored::Vectored};
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
    ShaNiAvx512Prefix(ShaNi, ShaAvx512Prefix),
    #[cfg(target_arch = "x86_64")]
    ShaNiAvx2(ShaNi, ShaAvx2),
    #[cfg(target_arch = "x86_64")]
    ShaNiAvx2Prefix(ShaNi, ShaAvx2Prefix),
    #[cfg(target_arch = "x86_64")]
    ShaNiSse2(ShaNi, ShaSse2),
    #[cfg(target_arch = "x86_64")]
    ShaNiSse2Prefix(ShaNi, ShaSse2Prefix),
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
    fn sha_ni_avx512(prefix: bool) -> Option<Self> {
        let sha = ShaNi::new(cpu::ShaNi::detect()?);
        let form = ShaAvx512::new(Avx512::new(cpu::Avx512::detect()?));
        Some(if prefix {
            Self::ShaNiAvx512Prefix(sha, ShaAvx512Prefix::new(form))
        } else {
            Self::ShaNiAvx512(sha, form)
        })
    }

    fn sha_ni_avx2(prefix: bool) -> Option<Self> {
        let sha = ShaNi::new(cpu::ShaNi::detect()?);
        let form = ShaAvx2::new(Avx2::new(cpu::Avx2::detect()?));
        Some(if prefix {
            Self::ShaNiAvx2Prefix(sha, ShaAvx2Prefix::new(form))
        } else {
            Self::ShaNiAvx2(sha, form)
        })
    }

    fn sha_ni_sse2(prefix: bool) -> Option<Self> {
        let sha = ShaNi::new(cpu::ShaNi::detect()?);
        let form = ShaSse2::new(Sse2::new());
        Some(if prefix {
            Self::ShaNiSse2Prefix(sha, ShaSse2Prefix::new(form))
        } else {
            Self::ShaNiSse2(sha, form)
        })
    }

    fn avx2_avx512() -> Option<Self> {
        let avx2 = Vectored::with_avx2(cpu::Avx2::detect()?);
        Some(Self::Avx2Avx512(avx2, Avx512::new(cpu::Avx512::detect()?)))
    }

    fn avx2_avx2() -> Option<Self> {
        let token = cpu::Avx2::detect()?;
        Some(Self::Avx2Avx2(Vectored::with_avx2(token), Avx2::new(token)))
    }

    fn ssse3_sse2() -> Option<Self> {
        Some(Self::Ssse3Sse2(Vectored::with_ssse3(cpu::Ssse3::detect()?), Sse2::new()))
    }

    fn portable_avx2() -> Option<Self> {
        Some(Self::PortableAvx2(Avx2::new(cpu::Avx2::detect()?)))
    }
}

impl Backend {
    /// The backends that this processor can run, best first. `portable+scalar` always is one.
    #[inline]
    pub fn available() -> impl Iterator<Item = Self> + Clone {
        // One by one: whoever wants the best should not pay for the others.
        #[cfg(target_arch = "x86_64")]
        let vectors = {
            let wants_prefix = cpu::is_intel();
            (0..11).filter_map(move |n| match n {
                0 => Kind::sha_ni_avx512(wants_prefix),
                1 => Kind::sha_ni_avx512(!wants_prefix),
                2 => Kind::sha_ni_avx2(wants_prefix),
                3 => Kind::sha_ni_avx2(!wants_prefix),
                4 => Kind::sha_ni_sse2(wants_prefix),
                5 => Kind::sha_ni_sse2(!wants_prefix),
                6 => Kind::avx2_avx512(),
                7 => Kind::avx2_avx2(),
                8 => Kind::ssse3_sse2(),
                9 => Kind::portable_avx2(),
                _ => Some(Kind::PortableSse2(Sse2::new())),
            })
        };
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
            Kind::ShaNiAvx512Prefix(_, prefix) => prefix.mask(w),
            #[cfg(target_arch = "x86_64")]
            Kind::ShaNiAvx2(_, avx2) => avx2.mask(w),
            #[cfg(target_arch = "x86_64")]
            Kind::ShaNiAvx2Prefix(_, prefix) => prefix.mask(w),
            #[cfg(target_arch = "x86_64")]
            Kind::ShaNiSse2(_, sse2) => sse2.mask(w),
            #[cfg(target_arch = "x86_64")]
            Kind::ShaNiSse2Prefix(_, prefix) => prefix.mask(w),
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
            Kind::ShaNiAvx512Prefix(..) => "shani+avx512-prefix",
            #[cfg(target_arch = "x86_64")]
            Kind::ShaNiAvx2(..) => "shani+avx2",
            #[cfg(target_arch = "x86_64")]
            Kind::ShaNiAvx2Prefix(..) => "shani+avx2-prefix",
            #[cfg(target_arch = "x86_64")]
            Kind::ShaNiSse2(..) => "shani+sse2",
            #[cfg(target_arch = "x86_64")]
            Kind::ShaNiSse2Prefix(..) => "shani+sse2-prefix",
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
