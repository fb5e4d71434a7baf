//! Rows of four lanes with NEON, for where there are no instructions for SHA-1.
//!
//! Bits are chosen, shifted in and tested with an instruction each, so that a round takes a dozen for all
//! four blocks.

#![allow(unsafe_code)]

use core::arch::aarch64::*;
use core::mem::transmute;

use super::lanes::NeonLanes;
use crate::batch::row::{Columns, Left, Rows, Words, collide, row};
use crate::filter::vector::{Blocks, Vector};
use crate::schedule::Block;

/// Four words of a block.
#[inline(always)]
fn four<const QUARTER: usize>(block: &Block) -> uint32x4_t {
    let (quarters, _) = block.as_chunks::<16>();
    // SAFETY: any bytes are a vector of as many, and NEON is part of the target.
    unsafe {
        let bytes = transmute::<[u8; 16], uint8x16_t>(quarters[QUARTER]);
        vreinterpretq_u32_u8(vrev32q_u8(bytes))
    }
}

impl Words<4> for NeonLanes {
    #[inline(always)]
    fn splat(word: u32) -> Self {
        // SAFETY: NEON is part of the target.
        Self(unsafe { vdupq_n_u32(word) })
    }

    #[inline(always)]
    fn load(words: &[u32; 4]) -> Self {
        Vector::load(words)
    }

    #[inline(always)]
    fn store(self, words: &mut [u32; 4]) {
        // SAFETY: a vector is as many words.
        *words = unsafe { transmute::<uint32x4_t, [u32; 4]>(self.0) };
    }

    #[inline(always)]
    fn quarter<const QUARTER: usize>(blocks: &[&Block; 4]) -> [Self; 4] {
        let [a, b, c, d] = blocks.map(four::<QUARTER>);
        // SAFETY: NEON is part of the target.
        unsafe {
            let pairs = [(a, b), (c, d)];
            // Words 0 and 2 of each, and words 1 and 3.
            let [early, late] = pairs.map(|(a, b)| vreinterpretq_u64_u32(vtrn1q_u32(a, b)));
            let [odd, odd_late] = pairs.map(|(a, b)| vreinterpretq_u64_u32(vtrn2q_u32(a, b)));
            [
                Self(vreinterpretq_u32_u64(vtrn1q_u64(early, late))),
                Self(vreinterpretq_u32_u64(vtrn1q_u64(odd, odd_late))),
                Self(vreinterpretq_u32_u64(vtrn2q_u64(early, late))),
                Self(vreinterpretq_u32_u64(vtrn2q_u64(odd, odd_late))),
            ]
        }
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: NEON is part of the target.
        Self(unsafe { vaddq_u32(self.0, other.0) })
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: NEON is part of the target.
        Self(unsafe { vsubq_u32(self.0, other.0) })
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: NEON is part of the target.
        Self(unsafe { vandq_u32(self.0, other.0) })
    }

    #[inline(always)]
    fn nonzero(self) -> u32 {
        let bits: Self = Vector::load(&[1, 2, 4, 8]);
        // SAFETY: NEON is part of the target.
        unsafe { vaddvq_u32(self.any(self).and(bits).0) }
    }

    #[inline(always)]
    fn choose(self, yes: Self, no: Self) -> Self {
        // SAFETY: NEON is part of the target.
        Self(unsafe { vbslq_u32(self.0, yes.0, no.0) })
    }
}

impl Blocks for NeonLanes {
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Vector::xor(self, other)
    }

    #[inline(always)]
    fn rotate_left<const N: u32>(self) -> Self {
        Vector::rotate_left::<N>(self)
    }

    #[inline(always)]
    fn clear<const BIT: u32, const VALUE: bool>(self, difference: Self, vectors: u32) -> Self {
        let (set, vectors) = (difference.any(Self::splat(1 << BIT)), Self::splat(vectors));
        // SAFETY: NEON is part of the target.
        Self(unsafe {
            let cleared =
                if VALUE { vbicq_u32(vectors.0, set.0) } else { vandq_u32(vectors.0, set.0) };
            vorrq_u32(self.0, cleared)
        })
    }
}

/// Four lanes. NEON is part of the targets that this is compiled for, and needs no token.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct NeonRows;

impl Rows<4> for NeonRows {
    fn row(self, before: &Columns<4>, blocks: &[&Block; 4], left: &mut Left<4>) -> u32 {
        row::<NeonLanes, 4>(before, blocks, left)
    }

    fn collide(self, partners: &[&Block; 4], step_60: &Columns<4>, after: &Columns<4>) -> u32 {
        collide::<NeonLanes, 4>(partners, step_60, after)
    }
}
