//! The settings of a hasher.

use crate::backend::Backend;
use crate::batch::Lanes;
use crate::hasher::{Hasher, Inner};
use crate::kernel::Settings;
use crate::mitigate;

/// Builds hashers with other settings than the usual ones.
///
/// [`Hasher::new`] and [`mitigate::Hasher::new`] are right for nearly everyone. The settings here
/// serve tests, benchmarks and research.
///
/// ```
/// use sha1dc::Builder;
///
/// // Slow: every block is recompressed for all 32 disturbance vectors.
/// let mut hasher = Builder::new().filter(false).build();
/// hasher.update(b"abc");
/// assert_eq!(hasher.finalize(), sha1dc::digest(b"abc"));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Builder {
    backend: Option<Backend>,
    lanes: Option<Lanes>,
    reduced_round_collisions: bool,
    no_filter: bool,
}

impl Builder {
    /// The usual settings.
    pub const fn new() -> Self {
        Self { backend: None, lanes: None, reduced_round_collisions: false, no_filter: false }
    }

    /// Runs this backend instead of the one that [`Backend::detect`] finds.
    #[must_use]
    pub const fn backend(self, backend: Backend) -> Self {
        Self { backend: Some(backend), ..self }
    }

    /// Hashes many messages with this kernel instead of the one that [`Lanes::detect`] finds. Messages
    /// that are left over when the others have ended are hashed one by one, by the
    /// [backend](Self::backend).
    #[must_use]
    pub const fn lanes(self, lanes: Lanes) -> Self {
        Self { lanes: Some(lanes), ..self }
    }

    /// Whether a pair of blocks that start from one chaining value counts as an attack even if
    /// they end apart. Off by default.
    ///
    /// Such a pair collides for SHA-1 of fewer steps, which makes it a cheap test of a detector
    /// and no threat. With this on, [`Attack::is_reduced_round`](crate::Attack::is_reduced_round)
    /// tells which kind was found.
    ///
    /// ```
    /// # let message = include_bytes!("../../testdata/reduced-round-1.bin");
    /// use sha1dc::Builder;
    ///
    /// assert!(sha1dc::digest(message).is_ok());
    /// let mut hasher = Builder::new().reduced_round_collisions(true).build();
    /// hasher.update(message);
    /// assert!(hasher.attack().unwrap().is_reduced_round());
    /// ```
    #[must_use]
    pub const fn reduced_round_collisions(self, count: bool) -> Self {
        Self { reduced_round_collisions: count, ..self }
    }

    /// Whether the filter runs before recompression. On by default.
    ///
    /// Without it every block is recompressed 32 times, which is some twenty times slower. It would
    /// find more only if an attack could follow a disturbance vector against the conditions that
    /// are called unavoidable.
    #[must_use]
    pub const fn filter(self, run: bool) -> Self {
        Self { no_filter: !run, ..self }
    }

    /// A hasher with these settings that reports attacks and leaves the digest alone.
    #[inline]
    pub fn build(self) -> Hasher {
        Hasher(Inner::new(self.settings(false)))
    }

    /// A hasher with these settings that gives each message of an attack a digest of its own.
    ///
    /// ```
    /// let mut hasher = sha1dc::Builder::new().build_mitigating();
    /// hasher.update(b"abc");
    /// assert_eq!(hasher.finalize(), sha1dc::mitigate::digest(b"abc"));
    /// ```
    #[inline]
    pub fn build_mitigating(self) -> mitigate::Hasher {
        mitigate::Hasher(Inner::new(self.settings(true)))
    }

    pub(crate) fn lanes_or_best(self) -> Lanes {
        self.lanes.unwrap_or_else(Lanes::detect)
    }

    #[inline]
    pub(crate) fn settings(self, mitigate: bool) -> Settings {
        Settings {
            backend: self.backend.unwrap_or_else(Backend::detect),
            mitigate,
            reduced_rounds: self.reduced_round_collisions,
            filter: !self.no_filter,
        }
    }
}
