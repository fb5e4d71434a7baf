//! Which kernel hashes many messages.

use core::fmt;
use core::str::FromStr;

use crate::batch::scheduler::Job;
use crate::hardware::HardwareLanes;

/// The kernel that hashes many messages side by side, such as `avx512x16`: a vector, and how many
/// messages it holds.
///
/// [`digest_many`](crate::digest_many) and [`digest_each`](crate::digest_each) choose the best that the
/// processor has; nobody needs to name one but to test or to measure. As with [`Backend`](crate::Backend),
/// whoever holds one can run it. Where vectors do not help there is `single` alone, which hashes one
/// message after the other.
///
/// ```
/// use sha1dc::{Builder, Lanes};
///
/// for lanes in Lanes::available() {
///     Builder::new().lanes(lanes).digest_each([&b"abc"[..]; 20], |_, result| {
///         let digest = result.unwrap().to_string();
///         assert_eq!(digest, "a9993e364706816aba3e25717850c26c9cd0d89d", "{lanes}");
///     });
/// }
/// assert_eq!("single".parse::<Lanes>().unwrap().count(), 1);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Lanes(Kind);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Hardware(HardwareLanes),
    Single,
}

impl Lanes {
    /// The kernels that this processor can run, best first. `single` always is one, and what comes
    /// after it is slower than one message after the other.
    pub fn available() -> impl Iterator<Item = Self> + Clone {
        let hardware = (0..HardwareLanes::COUNT).filter_map(HardwareLanes::nth);
        let fast = hardware.clone().filter(|hardware| hardware.pays());
        let slow = hardware.filter(|hardware| !hardware.pays());
        let hardware = |all| Self(Kind::Hardware(all));
        fast.map(hardware).chain([Self(Kind::Single)]).chain(slow.map(hardware))
    }

    /// From how many messages on it is used.
    #[cfg(feature = "alloc")]
    pub(crate) fn worth(self) -> usize {
        match self.0 {
            Kind::Hardware(hardware) => hardware.worth_few(),
            Kind::Single => usize::MAX,
        }
    }

    /// Hashes messages.
    pub(crate) fn run<'a, J: Job<'a>>(
        self,
        job: &mut J,
        messages: &mut dyn Iterator<Item = J::Message>,
    ) {
        match self.0 {
            Kind::Hardware(hardware) => hardware.run(job, messages),
            Kind::Single => job.all_singly(messages),
        }
    }

    /// The kernel that is used if none is named.
    #[inline]
    pub fn detect() -> Self {
        Self::available().next().unwrap_or(Self(Kind::Single))
    }

    /// How many messages it hashes side by side.
    pub const fn count(self) -> usize {
        match self.0 {
            Kind::Hardware(hardware) => hardware.count(),
            Kind::Single => 1,
        }
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self.0 {
            Kind::Hardware(hardware) => hardware.name(),
            Kind::Single => "single",
        }
    }
}

impl Default for Lanes {
    fn default() -> Self {
        Self::detect()
    }
}

impl fmt::Display for Lanes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Debug for Lanes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Lanes({})", self.name())
    }
}

impl FromStr for Lanes {
    type Err = ParseLanesError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::available().find(|lanes| lanes.name() == name).ok_or(ParseLanesError(()))
    }
}

/// The text names no kernel that this processor can run.
///
/// ```
/// let error = "avx9x99".parse::<sha1dc::Lanes>().unwrap_err();
/// assert!(error.to_string().contains("single"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseLanesError(());

impl fmt::Display for ParseLanesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no kernel of that name runs on this processor; these do:")?;
        Lanes::available().try_for_each(|lanes| write!(f, " {lanes}"))
    }
}

impl core::error::Error for ParseLanesError {}
