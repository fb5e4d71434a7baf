//! Whole messages, one digest each.

#[cfg(feature = "alloc")]
use alloc::{vec, vec::Vec};

use crate::attack::Attack;
use crate::batch::scheduler::{Job, Start};
use crate::builder::Builder;
use crate::digest::Digest;
use crate::error::{Collision, Mitigated};
use crate::hasher::Inner;
use crate::kernel::Settings;
use crate::padding::Made;
use crate::rounds::{INITIAL, State};

/// A digest, or a digest with the attack that was found.
type Outcome = Result<Digest, (Digest, Attack)>;

/// Messages to be hashed, and who wants to know.
pub(crate) struct Digests<R> {
    pub(crate) settings: Settings,
    pub(crate) report: R,
}

impl<'a, R: FnMut(usize, Outcome)> Job<'a> for Digests<R> {
    /// Which it is, and its bytes.
    type Message = (usize, &'a [u8]);

    fn settings(&self, _: &Self::Message) -> Settings {
        self.settings
    }

    fn start(&self, (_, bytes): &Self::Message) -> Start<'a> {
        let (whole, rest) = bytes.as_chunks();
        let made = Made::end(rest, bytes.len() as u64);
        Start { chaining: INITIAL, whole, made, made_first: false }
    }

    fn finish(&mut self, (index, _): Self::Message, chaining: State) {
        (self.report)(index, Ok(Digest::from_chaining(chaining)));
    }

    fn singly(&mut self, (index, bytes): Self::Message) {
        let outcome = Inner::digest(self.settings, bytes, |digest, attack| (digest, attack));
        (self.report)(index, outcome);
    }
}

/// Hashes many messages, and reports each result as soon as it is known, in any order: `report` is
/// called once a message, with its number in `messages` and what [`digest`](crate::digest()) would return.
///
/// Where the processor has wide vectors this is much faster than one message after the other, from
/// two to eight messages on, depending on the processor. Some hundred messages are under way at a time; that is all that is kept
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
/// two to eight messages on, depending on the processor, of any lengths.
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
        let mut job = Digests { settings: self.settings(mitigate), report: &mut report };
        let mut messages = messages.into_iter().enumerate().fuse();
        let Some(first) = messages.next() else { return };
        let Some(second) = messages.next() else {
            // What follows would take as long as a block.
            return job.singly(first);
        };
        let mut messages = [first, second].into_iter().chain(messages);
        if job.settings.are_usual() {
            self.lanes_or_best().run(&mut job, &mut messages);
        } else {
            job.all_singly(&mut messages);
        }
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
