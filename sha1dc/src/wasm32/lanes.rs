//! The vectors of the window form on WebAssembly.

use core::arch::wasm32::*;

use crate::filter::vector::Vector;

/// Four lanes.
#[derive(Clone, Copy)]
pub(super) struct Simd128Lanes(pub(super) v128);

impl Vector<4> for Simd128Lanes {
    #[inline(always)]
    fn load(words: &[u32; 4]) -> Self {
        let [a, b, c, d] = *words;
        Self(u32x4(a, b, c, d))
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(v128_xor(self.0, other.0))
    }

    #[inline(always)]
    fn shift_left<const N: u32>(self) -> Self {
        Self(u32x4_shl(self.0, N))
    }

    #[inline(always)]
    fn shift_right<const N: u32>(self) -> Self {
        Self(u32x4_shr(self.0, N))
    }

    #[inline(always)]
    fn rotate_left<const N: u32>(self) -> Self {
        Self(v128_or(self.shift_left::<N>().0, u32x4_shr(self.0, 32 - N)))
    }

    #[inline(always)]
    fn clear(
        self,
        difference: Self,
        bits: &[u32; 4],
        values: &[u32; 4],
        vectors: &[u32; 4],
    ) -> Self {
        let some = v128_and(difference.0, Self::load(bits).0);
        let holds = u32x4_eq(some, Self::load(values).0);
        Self(v128_or(self.0, v128_andnot(Self::load(vectors).0, holds)))
    }

    #[inline(always)]
    fn or_lanes(self) -> u32 {
        u32x4_extract_lane::<0>(self.0)
            | u32x4_extract_lane::<1>(self.0)
            | u32x4_extract_lane::<2>(self.0)
            | u32x4_extract_lane::<3>(self.0)
    }
}
