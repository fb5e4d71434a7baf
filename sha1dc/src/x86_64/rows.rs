//! Rows on x86-64: four lanes with SSSE3, eight with AVX2, sixteen with AVX-512.
//!
//! Four words of each block are loaded at a time and then turned, from a block a row to a block a
//! column, within each 128 bits of a vector, which shuffles do not leave: the first vector holds the
//! blocks 0, 4, 8 and 12, the second 1, 5, 9 and 13, and so on, so that the lanes end up in order.

#![allow(unsafe_code)]

use core::arch::asm;
use core::arch::x86_64::*;
use core::mem::transmute;

use super::cpu;
use crate::batch::row::{Columns, Left, Rows, Words, collide, row};
use crate::filter::vector::Blocks;
use crate::schedule::Block;

/// Four words of a block.
#[inline(always)]
fn four<const QUARTER: usize>(block: &Block) -> __m128i {
    let (quarters, _) = block.as_chunks::<16>();
    // SAFETY: any bytes are a vector of as many.
    unsafe { transmute::<[u8; 16], __m128i>(quarters[QUARTER]) }
}

/// For a shuffle of bytes: the last byte of each word first.
#[inline]
#[target_feature(enable = "sse2")]
fn swap() -> __m128i {
    _mm_set_epi64x(0x0c0d_0e0f_0809_0a0b, 0x0405_0607_0001_0203)
}

/// A vector from the instructions that it is made of. `$gather` loads four words of each fourth block
/// from the first on, and `$swap` are indices for all of them.
macro_rules! words {
    ($(#[$doc:meta])* $words:ident, $lanes:literal, $register:ty, $class:ident $feature:literal;
     $splat:ident $add:ident $sub:ident $and:ident $shuffle:ident
     $low32:ident $high32:ident $low64:ident $high64:ident;
     $swap:expr; |$blocks:ident, $first:ident| $gather:expr; $($logic:item)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        struct $words($register);

        impl Words<$lanes> for $words {
            #[inline(always)]
            fn splat(word: u32) -> Self {
                // SAFETY: the instructions of a vector are there wherever one is made.
                Self(unsafe { $splat(word.cast_signed()) })
            }

            #[inline(always)]
            fn load(words: &[u32; $lanes]) -> Self {
                // SAFETY: any words are a vector of as many.
                Self(unsafe { transmute::<[u32; $lanes], $register>(*words) })
            }

            #[inline(always)]
            fn store(self, words: &mut [u32; $lanes]) {
                // SAFETY: a vector is as many words.
                *words = unsafe { transmute::<$register, [u32; $lanes]>(self.0) };
            }

            #[inline(always)]
            fn quarter<const QUARTER: usize>($blocks: &[&Block; $lanes]) -> [Self; 4] {
                macro_rules! blocks_from {
                    ($n:literal) => {{
                        const $first: usize = $n;
                        $shuffle($gather, $swap)
                    }};
                }
                // SAFETY: the instructions of a vector are there wherever one is made.
                unsafe {
                    let (a, b) = (blocks_from!(0), blocks_from!(1));
                    let (c, d) = (blocks_from!(2), blocks_from!(3));
                    let (early, late) = ($low32(a, b), $low32(c, d));
                    let (early_high, late_high) = ($high32(a, b), $high32(c, d));
                    [
                        Self($low64(early, late)),
                        Self($high64(early, late)),
                        Self($low64(early_high, late_high)),
                        Self($high64(early_high, late_high)),
                    ]
                }
            }

            #[inline(always)]
            fn pin(self, other: Self) -> [Self; 2] {
                #[inline]
                #[target_feature(enable = $feature)]
                fn pin(mut vectors: [$register; 2]) -> [$register; 2] {
                    let [first, second] = &mut vectors;
                    // SAFETY: there is no instruction in it.
                    unsafe {
                        asm!(
                            "/* {} {} */",
                            inout($class) *first,
                            inout($class) *second,
                            options(nomem, nostack, preserves_flags)
                        );
                    }
                    vectors
                }
                // SAFETY: the instructions of a vector are there wherever one is made.
                unsafe { pin([self.0, other.0]) }.map(Self)
            }

            #[inline(always)]
            fn add(self, other: Self) -> Self {
                // SAFETY: the instructions of a vector are there wherever one is made.
                Self(unsafe { $add(self.0, other.0) })
            }

            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                // SAFETY: the instructions of a vector are there wherever one is made.
                Self(unsafe { $sub(self.0, other.0) })
            }

            #[inline(always)]
            fn and(self, other: Self) -> Self {
                // SAFETY: the instructions of a vector are there wherever one is made.
                Self(unsafe { $and(self.0, other.0) })
            }

            $($logic)*
        }
    };
}

words! {
    /// Four lanes.
    Ssse3Words, 4, __m128i, xmm_reg "sse2";
    _mm_set1_epi32 _mm_add_epi32 _mm_sub_epi32 _mm_and_si128 _mm_shuffle_epi8
    _mm_unpacklo_epi32 _mm_unpackhi_epi32 _mm_unpacklo_epi64 _mm_unpackhi_epi64;
    swap(); |blocks, FIRST| four::<QUARTER>(blocks[FIRST]);

    #[inline(always)]
    fn nonzero(self) -> u32 {
        // SAFETY: the instructions of a vector are there wherever one is made.
        let zero = unsafe {
            _mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(self.0, _mm_setzero_si128())))
        };
        !zero.cast_unsigned() & 0xf
    }
}

words! {
    /// Eight lanes.
    Avx2Words, 8, __m256i, ymm_reg "avx2";
    _mm256_set1_epi32 _mm256_add_epi32 _mm256_sub_epi32 _mm256_and_si256 _mm256_shuffle_epi8
    _mm256_unpacklo_epi32 _mm256_unpackhi_epi32 _mm256_unpacklo_epi64 _mm256_unpackhi_epi64;
    _mm256_broadcastsi128_si256(swap());
    |blocks, FIRST| _mm256_inserti128_si256::<1>(
        _mm256_castsi128_si256(four::<QUARTER>(blocks[FIRST])),
        four::<QUARTER>(blocks[FIRST + 4]),
    );

    #[inline(always)]
    fn nonzero(self) -> u32 {
        // SAFETY: the instructions of a vector are there wherever one is made.
        let zero = unsafe {
            let zero = _mm256_cmpeq_epi32(self.0, _mm256_setzero_si256());
            _mm256_movemask_ps(_mm256_castsi256_ps(zero))
        };
        !zero.cast_unsigned() & 0xff
    }
}

words! {
    /// Sixteen lanes.
    Avx512Words, 16, __m512i, zmm_reg "avx512f";
    _mm512_set1_epi32 _mm512_add_epi32 _mm512_sub_epi32 _mm512_and_si512 _mm512_shuffle_epi8
    _mm512_unpacklo_epi32 _mm512_unpackhi_epi32 _mm512_unpacklo_epi64 _mm512_unpackhi_epi64;
    _mm512_broadcast_i32x4(swap());
    |blocks, FIRST| {
        let one = _mm512_castsi128_si512(four::<QUARTER>(blocks[FIRST]));
        let two = _mm512_inserti32x4::<1>(one, four::<QUARTER>(blocks[FIRST + 4]));
        let three = _mm512_inserti32x4::<2>(two, four::<QUARTER>(blocks[FIRST + 8]));
        _mm512_inserti32x4::<3>(three, four::<QUARTER>(blocks[FIRST + 12]))
    };

    #[inline(always)]
    fn nonzero(self) -> u32 {
        // SAFETY: the instructions of a vector are there wherever one is made.
        u32::from(unsafe { _mm512_test_epi32_mask(self.0, self.0) })
    }

    #[inline(always)]
    fn xor3(self, second: Self, third: Self) -> Self {
        // SAFETY: the instructions of a vector are there wherever one is made.
        Self(unsafe { _mm512_ternarylogic_epi32::<0x96>(self.0, second.0, third.0) })
    }

    #[inline(always)]
    fn choose(self, yes: Self, no: Self) -> Self {
        // SAFETY: the instructions of a vector are there wherever one is made.
        Self(unsafe { _mm512_ternarylogic_epi32::<0xca>(self.0, yes.0, no.0) })
    }

    #[inline(always)]
    fn majority(self, second: Self, third: Self) -> Self {
        // SAFETY: the instructions of a vector are there wherever one is made.
        Self(unsafe { _mm512_ternarylogic_epi32::<0xe8>(self.0, second.0, third.0) })
    }
}

/// What the filter asks of a vector, where there are neither masks nor rotations.
macro_rules! blocks {
    ($words:ident; $xor:ident $or:ident $left:ident $right:ident $equal:ident) => {
        impl Blocks for $words {
            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                // SAFETY: the instructions of a vector are there wherever one is made.
                Self(unsafe { $xor(self.0, other.0) })
            }

            #[inline(always)]
            fn rotate_left<const N: u32>(self) -> Self {
                let by = N.cast_signed();
                // SAFETY: the instructions of a vector are there wherever one is made.
                Self(unsafe {
                    let left = $left(self.0, _mm_cvtsi32_si128(by));
                    $or(left, $right(self.0, _mm_cvtsi32_si128(32 - by)))
                })
            }

            #[inline(always)]
            fn clear<const BIT: u32, const VALUE: bool>(
                self,
                difference: Self,
                vectors: u32,
            ) -> Self {
                let (bit, vectors) = (Self::splat(1 << BIT), Self::splat(vectors));
                let other = if VALUE { Self::splat(0) } else { bit };
                // SAFETY: the instructions of a vector are there wherever one is made.
                Self(unsafe {
                    let fails = $equal(difference.and(bit).0, other.0);
                    $or(self.0, Self(fails).and(vectors).0)
                })
            }
        }
    };
}

blocks!(Ssse3Words; _mm_xor_si128 _mm_or_si128 _mm_sll_epi32 _mm_srl_epi32 _mm_cmpeq_epi32);
blocks!(Avx2Words; _mm256_xor_si256 _mm256_or_si256 _mm256_sll_epi32 _mm256_srl_epi32 _mm256_cmpeq_epi32);

impl Blocks for Avx512Words {
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: the instructions of a vector are there wherever one is made.
        Self(unsafe { _mm512_xor_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn rotate_left<const N: u32>(self) -> Self {
        // SAFETY: the instructions of a vector are there wherever one is made.
        Self(unsafe { _mm512_rolv_epi32(self.0, _mm512_set1_epi32(N.cast_signed())) })
    }

    #[inline(always)]
    fn clear<const BIT: u32, const VALUE: bool>(self, difference: Self, vectors: u32) -> Self {
        let (bit, vectors) = (Self::splat(1 << BIT), Self::splat(vectors));
        // SAFETY: the instructions of a vector are there wherever one is made.
        Self(unsafe {
            let fails = if VALUE {
                _mm512_testn_epi32_mask(difference.0, bit.0)
            } else {
                _mm512_test_epi32_mask(difference.0, bit.0)
            };
            _mm512_mask_or_epi32(self.0, fails, self.0, vectors.0)
        })
    }
}

/// Rows of a vector, compiled with its features, and the token that it needs.
macro_rules! rows {
    ($(#[$doc:meta])* $rows:ident($token:ty), $words:ident, $lanes:literal, $features:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub(crate) struct $rows($token);

        impl $rows {
            pub(crate) fn detect() -> Option<Self> {
                <$token>::detect().map(Self)
            }
        }

        impl Rows<$lanes> for $rows {
            #[inline]
            fn row(
                self,
                before: &Columns<$lanes>,
                blocks: &[&Block; $lanes],
                left: &mut Left<$lanes>,
            ) -> u32 {
                #[target_feature(enable = $features)]
                fn with_features(
                    before: &Columns<$lanes>,
                    blocks: &[&Block; $lanes],
                    left: &mut Left<$lanes>,
                ) -> u32 {
                    row::<$words, $lanes>(before, blocks, left)
                }
                // SAFETY: the token says that the processor has these features.
                unsafe { with_features(before, blocks, left) }
            }

            #[inline]
            fn collide(
                self,
                partners: &[&Block; $lanes],
                step_60: &Columns<$lanes>,
                after: &Columns<$lanes>,
            ) -> u32 {
                #[target_feature(enable = $features)]
                fn with_features(
                    partners: &[&Block; $lanes],
                    step_60: &Columns<$lanes>,
                    after: &Columns<$lanes>,
                ) -> u32 {
                    collide::<$words, $lanes>(partners, step_60, after)
                }
                // SAFETY: the token says that the processor has these features.
                unsafe { with_features(partners, step_60, after) }
            }
        }
    };
}

rows! {
    /// Four lanes with SSSE3.
    Ssse3Rows(cpu::Ssse3), Ssse3Words, 4, "ssse3"
}

rows! {
    /// Eight lanes with AVX2.
    Avx2Rows(cpu::Avx2), Avx2Words, 8, "avx2"
}

rows! {
    /// Sixteen lanes with AVX-512.
    Avx512Rows(cpu::Avx512Bw), Avx512Words, 16, "avx512f,avx512bw"
}
