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
use crate::recompress::{self, Checkpoints};
use crate::rounds::{INITIAL, State};
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
    /// The first attack that was found.
    pub(crate) attack: Option<Attack>,
}

impl Kernel {
    pub(crate) const fn new(settings: Settings) -> Self {
        Self { settings, chaining: INITIAL, attack: None }
    }

    /// Compresses `blocks`, the first of which stands `offset` bytes into the message.
    pub(crate) fn compress(&mut self, blocks: &[Block], offset: u64) {
        match self.settings.backend.kind() {
            Kind::PortableScalar => self.portable_scalar(blocks, offset),
        }
    }

    fn portable_scalar(&mut self, blocks: &[Block], offset: u64) {
        let mut w = [0; 80];
        let mut offset = offset;
        for block in blocks {
            let before = self.chaining;
            let (after, states) = portable::compress(before, block, &mut w);
            self.chaining = after;
            let candidates = if self.settings.filter { filter::scalar::check(&w) } else { !0 };
            if candidates != 0 {
                self.examine(candidates, before, &w, &states, offset);
            }
            offset = offset.wrapping_add(64);
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
            self.attack.get_or_insert(Attack {
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
