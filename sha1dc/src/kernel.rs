//! The block loop: compression, filter, recompression.
//!
//! For each block: compress it, run the filter over its expanded message, and recompress for every
//! vector that the filter left. One block in 21 has any, and only a real attack passes
//! recompression, so everything behind recompression is out of line and cold.

use crate::attack::Attack;
use crate::backend::{Backend, Kind};
use crate::digest::Digest;
use crate::dv::DisturbanceVector;
use crate::filter;
use crate::portable;
use crate::recompress;
use crate::rounds::{Checkpoints, INITIAL, State};
use crate::schedule::{Blocks, Schedule};

/// What detection is asked to do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    pub(crate) backend: Backend,
    /// A detected block is compressed twice more, so that the two messages part.
    pub(crate) mitigate: bool,
    /// A pair that starts from one chaining value counts as well, wherever it ends.
    pub(crate) reduced_rounds: bool,
    /// Off: every vector of every block is recompressed.
    pub(crate) filter: bool,
}

impl Settings {
    /// Whether only collisions count, and only those that the filter leaves.
    pub(crate) const fn are_usual(&self) -> bool {
        self.filter && !self.reduced_rounds
    }
}

/// The state of a hash between blocks.
#[derive(Clone)]
pub(crate) struct Kernel {
    pub(crate) settings: Settings,
    pub(crate) chaining: State,
    /// The first attack that was found, one of full SHA-1 if there is any.
    pub(crate) attack: Option<Attack>,
}

impl Kernel {
    #[inline]
    pub(crate) const fn new(settings: Settings) -> Self {
        Self { settings, chaining: INITIAL, attack: None }
    }

    /// Compresses `blocks`, the first of which stands `offset` bytes into the message.
    pub(crate) fn compress(&mut self, blocks: Blocks<'_>, offset: u64) {
        match self.settings.backend.kind() {
            Kind::Hardware(hardware) => hardware.compress(self, blocks, offset),
            Kind::PortableScalar => self.portable(blocks, offset, filter::scalar::check),
        }
    }

    /// The loop with plain compression and any filter.
    pub(crate) fn portable(
        &mut self,
        blocks: Blocks<'_>,
        offset: u64,
        check: impl Fn(&Schedule) -> u32,
    ) {
        let mut w = [0; 80];
        let mut offset = offset;
        for block in blocks.first.iter().chain(blocks.then) {
            let (after, states) = portable::compress(self.chaining, block, &mut w);
            self.chaining = after;
            let candidates = check(&w) | self.unasked();
            if candidates != 0 {
                let examined = Examined { w: &w, states, after, offset };
                self.examine(candidates, &examined);
            }
            offset = offset.wrapping_add(64);
        }
    }

    /// The digest of what was compressed, or the attack in it.
    #[inline]
    pub(crate) fn outcome<E>(&self, error: fn(Digest, Attack) -> E) -> Result<Digest, E> {
        let digest = Digest::from_chaining(self.chaining);
        self.attack.map_or(Ok(digest), |attack| Err(error(digest, attack)))
    }

    /// The vectors that are candidates whatever the filter says.
    pub(crate) fn unasked(&self) -> u32 {
        if self.settings.filter { 0 } else { !0 }
    }

    /// Records an attack, if it is the first or the first that is one of full SHA-1.
    fn record(&mut self, attack: Attack) {
        if self.attack.is_none_or(|first| first.reduced_rounds && !attack.reduced_rounds) {
            self.attack = Some(attack);
        }
    }

    /// Recompresses for the candidates of a block and records an attack if one of them is real.
    /// Whether that changes the chaining value after the block.
    #[cold]
    #[inline(never)]
    pub(crate) fn examine(&mut self, mut candidates: u32, block: &Examined<'_>) -> bool {
        let before =
            self.settings.reduced_rounds.then(|| recompress::start(block.w, &block.states));
        let mut found = false;
        while candidates != 0 {
            let index = candidates.trailing_zeros() as usize;
            candidates &= candidates - 1;
            let partner = recompress::partner(block.w, &block.states, index);
            let full = partner.after == block.after;
            if !full && Some(partner.before) != before {
                continue;
            }
            found = true;
            self.record(Attack {
                offset: block.offset,
                disturbance_vector: DisturbanceVector::ALL[index],
                reduced_rounds: !full,
                partner_block: partner.block,
                partner_chaining_value: partner.before,
            });
            if full {
                break;
            }
        }
        if found && self.settings.mitigate {
            let again = |chaining, _| portable::compress_expanded(chaining, block.w);
            self.chaining = (0..2).fold(block.after, again);
        }
        found && self.settings.mitigate
    }
}

/// A block with candidates.
pub(crate) struct Examined<'a> {
    pub(crate) w: &'a Schedule,
    pub(crate) states: Checkpoints,
    /// The chaining value after it.
    pub(crate) after: State,
    /// Where it stands in the message, in bytes.
    pub(crate) offset: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kernel(filter: bool) -> Kernel {
        let backend = Backend::detect();
        Kernel::new(Settings { backend, mitigate: false, reduced_rounds: false, filter })
    }

    #[test]
    fn without_the_filter_every_vector_is_a_candidate() {
        assert_eq!(kernel(true).unasked(), 0);
        assert_eq!(kernel(false).unasked(), !0);
    }

    #[test]
    fn the_first_attack_stays_but_a_full_one_replaces_a_reduced_one() {
        let attack = |offset, reduced_rounds| Attack {
            offset,
            disturbance_vector: DisturbanceVector::ALL[0],
            reduced_rounds,
            partner_block: [0; 64],
            partner_chaining_value: [0; 5],
        };
        let mut kernel = kernel(true);
        for (found, kept) in [
            (attack(0, true), attack(0, true)),
            (attack(64, true), attack(0, true)),
            (attack(128, false), attack(128, false)),
            (attack(192, false), attack(128, false)),
            (attack(256, true), attack(128, false)),
        ] {
            kernel.record(found);
            assert_eq!(kernel.attack, Some(kept));
        }
    }
}
