//! Messages that come in pieces, each with a hasher.

use crate::batch::scheduler::{Job, Start};
use crate::builder::Builder;
use crate::hasher::{Hasher, Inner};
use crate::kernel::Settings;
use crate::mitigate;
use crate::rounds::State;

/// Updates of hashers. A hasher stays as it was until its piece is done with.
pub(crate) struct Updates;

impl<'a> Job<'a> for Updates {
    type Message = (&'a mut Inner, &'a [u8]);

    fn settings(&self, (hasher, _): &Self::Message) -> Settings {
        hasher.settings()
    }

    fn start(&self, (hasher, data): &Self::Message) -> Start<'a> {
        hasher.start(data)
    }

    fn finish(&mut self, (hasher, data): Self::Message, chaining: State) {
        hasher.appended(data, chaining);
    }

    fn singly(&mut self, (hasher, data): Self::Message) {
        hasher.update(data);
    }
}

/// Appends to many messages: as [`Hasher::update`] would to each.
///
/// Where the processor has wide vectors this is much faster than one message after the other, if
/// there are some dozen of them and they grow by a few hundred bytes or more each. For messages that
/// lie in memory as a whole [`digest_each`](crate::digest_each) is simpler, and as fast.
///
/// ```
/// use sha1dc::Hasher;
///
/// // Many sources, read in turn.
/// let sources: Vec<Vec<u8>> = (0..20).map(|n| vec![n; 1000 * usize::from(n)]).collect();
/// let mut hashers = vec![Hasher::new(); sources.len()];
/// for turn in 0..20 {
///     let parts = sources.iter().map(|source| source.chunks(1000).nth(turn).unwrap_or_default());
///     sha1dc::update_each(hashers.iter_mut().zip(parts));
/// }
/// for (hasher, source) in hashers.into_iter().zip(&sources) {
///     assert_eq!(hasher.finalize(), sha1dc::digest(source));
/// }
/// ```
pub fn update_each<'a>(updates: impl IntoIterator<Item = (&'a mut Hasher, &'a [u8])>) {
    Builder::new().update_each(updates);
}

impl Builder {
    /// [`update_each`](crate::update_each) with these [lanes](Self::lanes). All else is up to the hashers.
    pub fn update_each<'a>(self, updates: impl IntoIterator<Item = (&'a mut Hasher, &'a [u8])>) {
        self.update(updates.into_iter().map(|(hasher, data)| (&mut hasher.0, data)));
    }

    /// [`mitigate::update_each`](crate::mitigate::update_each) with these [lanes](Self::lanes). All else
    /// is up to the hashers.
    pub fn update_each_mitigating<'a>(
        self,
        updates: impl IntoIterator<Item = (&'a mut mitigate::Hasher, &'a [u8])>,
    ) {
        self.update(updates.into_iter().map(|(hasher, data)| (&mut hasher.0, data)));
    }

    fn update<'a>(self, updates: impl Iterator<Item = (&'a mut Inner, &'a [u8])>) {
        let mut updates = updates.filter_map(|(hasher, data)| {
            if hasher.settings().are_usual() && hasher.fills_a_block(data) {
                return Some((hasher, data));
            }
            hasher.update(data);
            None
        });
        self.lanes_or_best().run(&mut Updates, &mut updates);
    }
}
