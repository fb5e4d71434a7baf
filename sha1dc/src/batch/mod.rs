//! Many messages at once.
//!
//! One message is a chain of blocks, each waiting for the one before; many messages are many chains,
//! and fill a processor that one leaves mostly idle. [`row`] compresses and filters a block of each of as
//! many messages as a vector has lanes, [`scheduler`] keeps the lanes busy whatever the lengths,
//! and [`suspects`] gathers what the filter leaves.

#[allow(dead_code, reason = "where no kernel is known there are no rows")]
pub(crate) mod row;
#[allow(dead_code, reason = "where no kernel is known there is nothing to schedule")]
pub(crate) mod scheduler;
#[allow(dead_code, reason = "where no kernel is known there are no rows")]
pub(crate) mod suspects;

#[cfg(feature = "alloc")]
use alloc::{vec, vec::Vec};
use core::fmt;
use core::str::FromStr;

use crate::attack::Attack;
use crate::builder::Builder;
use crate::digest::Digest;
use crate::error::{Collision, Mitigated};
use crate::hardware::HardwareLanes;
use crate::hasher::Inner;
use crate::kernel::Settings;

/// A digest, or a digest with the attack that was found.
type Outcome = Result<Digest, (Digest, Attack)>;

/// What is to be hashed, and who wants to know.
pub(crate) struct Job<'j, 'a> {
    pub(crate) settings: Settings,
    pub(crate) messages: &'j mut dyn Iterator<Item = &'a [u8]>,
    pub(crate) report: &'j mut dyn FnMut(usize, Outcome),
}

impl Job<'_, '_> {
    /// Hashes one message by itself, and reports it.
    fn singly(&mut self, index: usize, bytes: &[u8]) {
        let outcome = Inner::digest(self.settings, bytes, |digest, attack| (digest, attack));
        (self.report)(index, outcome);
    }

    pub(crate) fn run(&mut self, lanes: Lanes) {
        // Whoever asks for more than collisions that the filter leaves is in no hurry.
        let usual = self.settings.filter && !self.settings.reduced_rounds;
        match lanes.0 {
            Kind::Hardware(hardware) if usual => hardware.run(self),
            _ => {
                let mut index = 0;
                while let Some(bytes) = self.messages.next() {
                    self.singly(index, bytes);
                    index += 1;
                }
            }
        }
    }
}

/// Hashes many messages, and reports each result as soon as it is known, in any order: `report` is
/// called once a message, with its number in `messages` and what [`digest`](crate::digest()) would return.
///
/// Where the processor has wide vectors this is much faster than one message after the other, from
/// half a dozen messages on. Some hundred messages are under way at a time; that is all that is kept
/// of them, on the stack. Long messages had better come first: then none is left over when
/// the others have ended. [`digest_many`](crate::digest_many) sees to that.
///
/// ```
/// let messages: Vec<Vec<u8>> = (0..1000).map(|n| vec![n as u8; n]).collect();
/// let mut digests = vec![None; 1000];
/// sha1dc::digest_each(messages.iter().map(Vec::as_slice), |index, result| match result {
///     Ok(digest) => digests[index] = Some(digest),
///     Err(collision) => eprintln!("message {index}: refused {}: {collision}", collision.digest()),
/// });
/// assert_eq!(digests[999], sha1dc::digest(&messages[999]).ok());
/// ```
pub fn digest_each<'a>(
    messages: impl IntoIterator<Item = &'a [u8]>,
    report: impl FnMut(usize, Result<Digest, Collision>),
) {
    Builder::new().digest_each(messages, report);
}

/// Hashes many messages: what [`digest`](crate::digest()) would return for each, in their order.
///
/// Where the processor has wide vectors this is much faster than one message after the other, from
/// half a dozen messages on, of any lengths.
///
/// ```
/// let results = sha1dc::digest_many(&["abc", "def", "ghi"]);
/// assert_eq!(results[1], sha1dc::digest(b"def"));
/// ```
#[cfg(feature = "alloc")]
pub fn digest_many<M: AsRef<[u8]>>(messages: &[M]) -> Vec<Result<Digest, Collision>> {
    Builder::new().digest_many(messages)
}

impl Builder {
    /// [`digest_each`](crate::digest_each) with these settings.
    ///
    /// ```
    /// use sha1dc::{Builder, Lanes};
    ///
    /// let single = Builder::new().lanes("single".parse().unwrap());
    /// single.digest_each([&b"abc"[..], b"def"], |index, result| {
    ///     println!("{index}: {}", result.unwrap());
    /// });
    /// ```
    pub fn digest_each<'a>(
        self,
        messages: impl IntoIterator<Item = &'a [u8]>,
        mut report: impl FnMut(usize, Result<Digest, Collision>),
    ) {
        self.each(false, messages, |index, outcome| {
            report(index, outcome.map_err(|(digest, attack)| Collision { digest, attack }));
        });
    }

    /// [`mitigate::digest_each`](crate::mitigate::digest_each) with these settings.
    pub fn digest_each_mitigating<'a>(
        self,
        messages: impl IntoIterator<Item = &'a [u8]>,
        mut report: impl FnMut(usize, Result<Digest, Mitigated>),
    ) {
        self.each(true, messages, |index, outcome| {
            report(index, outcome.map_err(|(digest, attack)| Mitigated { digest, attack }));
        });
    }

    /// [`digest_many`](crate::digest_many) with these settings.
    #[cfg(feature = "alloc")]
    pub fn digest_many<M: AsRef<[u8]>>(self, messages: &[M]) -> Vec<Result<Digest, Collision>> {
        self.many(false, messages, |digest, attack| Collision { digest, attack })
    }

    /// [`mitigate::digest_many`](crate::mitigate::digest_many) with these settings.
    #[cfg(feature = "alloc")]
    pub fn digest_many_mitigating<M: AsRef<[u8]>>(
        self,
        messages: &[M],
    ) -> Vec<Result<Digest, Mitigated>> {
        self.many(true, messages, |digest, attack| Mitigated { digest, attack })
    }

    fn each<'a>(
        self,
        mitigate: bool,
        messages: impl IntoIterator<Item = &'a [u8]>,
        mut report: impl FnMut(usize, Outcome),
    ) {
        let settings = self.settings(mitigate);
        let mut messages = messages.into_iter().fuse();
        let Some(first) = messages.next() else { return };
        let Some(second) = messages.next() else {
            // What follows would take as long as a block.
            return report(0, Inner::digest(settings, first, |digest, attack| (digest, attack)));
        };
        let mut messages = [first, second].into_iter().chain(messages);
        Job { settings, messages: &mut messages, report: &mut report }.run(self.lanes_or_best());
    }

    #[cfg(feature = "alloc")]
    fn many<M: AsRef<[u8]>, E: Clone>(
        self,
        mitigate: bool,
        messages: &[M],
        error: fn(Digest, Attack) -> E,
    ) -> Vec<Result<Digest, E>> {
        if messages.len() < 2 || messages.len() < self.lanes_or_best().worth() {
            let settings = self.settings(mitigate);
            let singly = |message: &M| Inner::digest(settings, message.as_ref(), error);
            return messages.iter().map(singly).collect();
        }
        let order = long_first(messages);
        let ordered = order.iter().map(|n| messages[*n].as_ref());
        // Each is replaced by the result.
        let mut results = vec![Ok(Digest::from([0; 20])); messages.len()];
        self.each(mitigate, ordered, |index, outcome| {
            results[order[index]] = outcome.map_err(|(digest, attack)| error(digest, attack));
        });
        results
    }
}

/// The numbers of the messages, those that are about twice as long or longer first. To sort them
/// in full would take as long as to hash short ones.
#[cfg(feature = "alloc")]
fn long_first<M: AsRef<[u8]>>(messages: &[M]) -> Vec<usize> {
    let class = |message: &M| (message.as_ref().len() / 64).leading_zeros() as usize;
    let mut next = [0; usize::BITS as usize + 1];
    messages.iter().for_each(|message| next[class(message)] += 1);
    // Where the next message of each class goes.
    let mut start = 0;
    for next in &mut next {
        start += core::mem::replace(next, start);
    }
    let mut order = vec![0; messages.len()];
    for (n, message) in messages.iter().enumerate() {
        let next = &mut next[class(message)];
        order[*next] = n;
        *next += 1;
    }
    order
}

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
    fn worth(self) -> usize {
        match self.0 {
            Kind::Hardware(hardware) => hardware.worth_few(),
            Kind::Single => usize::MAX,
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
