//! The block loop: compression, filter, recompression.
//!
//! For each block: compress it, run the filter over its expanded message, and recompress for every
//! vector that the filter left. One block in 21 has any, and only a real attack passes
//! recompression, so everything behind the filter is out of line and cold.

use crate::attack::Attack;
use crate::backend::{Backend, Kind};
use crate::compress::portable;
use crate::dv::DisturbanceVector;
use crate::filter;
use crate::recompress;
use crate::rounds::{Checkpoints, INITIAL, State};
use crate::schedule::{Block, Schedule};

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
    pub(crate) fn compress(&mut self, blocks: &[Block], offset: u64) {
        match self.settings.backend.kind() {
            #[cfg(target_arch = "x86_64")]
            Kind::PortableAvx2(token) => {
                self.portable(blocks, offset, |w| filter::check_avx2(token, w));
            }
            #[cfg(target_arch = "x86_64")]
            Kind::PortableSse2 => self.portable(blocks, offset, filter::check_sse2),
            Kind::PortableScalar => self.portable(blocks, offset, filter::scalar::check),
        }
    }

    /// The loop with plain compression and any filter.
    fn portable(&mut self, blocks: &[Block], offset: u64, check: impl Fn(&Schedule) -> u32) {
        let mut w = [0; 80];
        let mut offset = offset;
        for block in blocks {
            let before = self.chaining;
            let (after, states) = portable::compress(before, block, &mut w);
            self.chaining = after;
            let candidates = self.candidates(&check, &w);
            if candidates != 0 {
                self.examine(candidates, before, &w, &states, offset);
            }
            offset = offset.wrapping_add(64);
        }
    }

    /// The vectors to recompress for: those that a filter leaves, or without a filter all.
    #[inline(always)]
    fn candidates(&self, check: impl FnOnce(&Schedule) -> u32, w: &Schedule) -> u32 {
        if self.settings.filter { check(w) } else { !0 }
    }

    /// Records an attack, if it is the first or the first that is one of full SHA-1.
    fn record(&mut self, attack: Attack) {
        if self.attack.is_none_or(|first| first.reduced_rounds && !attack.reduced_rounds) {
            self.attack = Some(attack);
        }
    }

    /// Recompresses the candidates of a block, `self.chaining` being the value after it, and
    /// records an attack if one of them is real.
    #[cold]
    #[inline(never)]
    fn examine(
        &mut self,
        mut candidates: u32,
        before: State,
        w: &Schedule,
        states: &Checkpoints,
        offset: u64,
    ) {
        let after = self.chaining;
        while candidates != 0 {
            let index = candidates.trailing_zeros() as usize;
            candidates &= candidates - 1;
            let partner = recompress::partner(w, states, index);
            let full = partner.after == after;
            let reduced = self.settings.reduced_rounds && partner.before == before;
            if !full && !reduced {
                continue;
            }
            self.record(Attack {
                offset,
                disturbance_vector: DisturbanceVector::ALL[index],
                reduced_rounds: !full,
                partner_block: partner.block,
                partner_chaining_value: partner.before,
            });
            if self.settings.mitigate {
                for _ in 0..2 {
                    self.chaining = portable::compress_expanded(self.chaining, w);
                }
            }
            return;
        }
    }
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
        assert_eq!(kernel(true).candidates(|_| 5, &[0; 80]), 5);
        assert_eq!(kernel(false).candidates(|_| 5, &[0; 80]), !0);
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
