//! Rows of four lanes on WebAssembly.

use core::arch::wasm32::*;

use super::lanes::Simd128Lanes;
use crate::batch::row::{Columns, Left, Rows, Words, collide, row};
use crate::filter::vector::{Blocks, Vector};
use crate::schedule::Block;

/// Four words of a block.
#[inline(always)]
fn four<const QUARTER: usize>(block: &Block) -> v128 {
    let (words, _) = block.as_chunks::<4>();
    let word = |n: usize| u32::from_be_bytes(words[4 * QUARTER + n]);
    u32x4(word(0), word(1), word(2), word(3))
}

impl Words<4> for Simd128Lanes {
    #[inline(always)]
    fn splat(word: u32) -> Self {
        Self(u32x4_splat(word))
    }

    #[inline(always)]
    fn load(words: &[u32; 4]) -> Self {
        Vector::load(words)
    }

    #[inline(always)]
    fn store(self, words: &mut [u32; 4]) {
        let Self(four) = self;
        *words = [
            u32x4_extract_lane::<0>(four),
            u32x4_extract_lane::<1>(four),
            u32x4_extract_lane::<2>(four),
            u32x4_extract_lane::<3>(four),
        ];
    }

    #[inline(always)]
    fn quarter<const QUARTER: usize>(blocks: &[&Block; 4]) -> [Self; 4] {
        let [a, b, c, d] = blocks.map(four::<QUARTER>);
        let (early, late) = (i32x4_shuffle::<0, 4, 1, 5>(a, b), i32x4_shuffle::<0, 4, 1, 5>(c, d));
        let (early_high, late_high) =
            (i32x4_shuffle::<2, 6, 3, 7>(a, b), i32x4_shuffle::<2, 6, 3, 7>(c, d));
        [
            Self(i64x2_shuffle::<0, 2>(early, late)),
            Self(i64x2_shuffle::<1, 3>(early, late)),
            Self(i64x2_shuffle::<0, 2>(early_high, late_high)),
            Self(i64x2_shuffle::<1, 3>(early_high, late_high)),
        ]
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(u32x4_add(self.0, other.0))
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(u32x4_sub(self.0, other.0))
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(v128_and(self.0, other.0))
    }

    #[inline(always)]
    fn nonzero(self) -> u32 {
        u32::from(u32x4_bitmask(u32x4_ne(self.0, u32x4_splat(0))))
    }

    #[inline(always)]
    fn choose(self, yes: Self, no: Self) -> Self {
        Self(v128_bitselect(yes.0, no.0, self.0))
    }
}

impl Blocks for Simd128Lanes {
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
        let bit = Self::splat(1 << BIT);
        let other = if VALUE { Self::splat(0) } else { bit };
        let fails = Self(u32x4_eq(difference.and(bit).0, other.0));
        Self(v128_or(self.0, fails.and(Self::splat(vectors)).0))
    }
}

/// Four lanes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Simd128Rows;

impl Rows<4> for Simd128Rows {
    fn row(self, before: &Columns<4>, blocks: &[&Block; 4], left: &mut Left<4>) -> u32 {
        row::<Simd128Lanes, 4>(before, blocks, left)
    }

    fn collide(self, partners: &[&Block; 4], step_60: &Columns<4>, after: &Columns<4>) -> u32 {
        collide::<Simd128Lanes, 4>(partners, step_60, after)
    }
}
