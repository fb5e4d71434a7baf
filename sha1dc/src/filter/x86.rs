//! The window forms on x86-64: four lanes with SSE2, which every such processor has, and eight with
//! AVX2, behind its token.
//!
//! A window costs an XOR, perhaps a shift, an AND, a compare, an AND NOT and an OR, all but the shift
//! with one operand from memory. The methods are inlined into [`check_avx2`] and so compiled with
//! its features; loads go through arrays, which the compiler turns into one instruction each.

#![allow(unsafe_code)]

use core::arch::x86_64::*;

use crate::cpu::Avx2;
use crate::filter::tables::{x4, x8};
use crate::filter::vector::Vector;
use crate::schedule::Schedule;

/// Runs the filter in four lanes.
#[inline]
pub(crate) fn check_sse2(w: &Schedule) -> u32 {
    x4::check::<Sse2Lanes>(w)
}

/// Runs the filter in eight lanes.
#[inline]
pub(crate) fn check_avx2(_: Avx2, w: &Schedule) -> u32 {
    #[target_feature(enable = "avx2")]
    fn check(w: &Schedule) -> u32 {
        x8::check::<Avx2Lanes>(w)
    }
    // SAFETY: the token says that the processor has AVX2.
    unsafe { check(w) }
}

/// Four lanes. SSE2 is part of x86-64.
#[derive(Clone, Copy)]
struct Sse2Lanes(__m128i);

/// Eight lanes. Private, and only [`check_avx2`] has any made, behind the token.
#[derive(Clone, Copy)]
struct Avx2Lanes(__m256i);

/// A vector from the instructions that it is made of: those two differ in nothing else.
macro_rules! vector {
    ($vector:ident, $lanes:literal; $set:ident($($lane:ident)+), $xor:ident, $left:ident,
     $right:ident, $and:ident, $equal:ident, $andnot:ident, $or:ident, $halve:expr) => {
        impl Vector<$lanes> for $vector {
            #[inline(always)]
            fn load(words: [u32; $lanes]) -> Self {
                let [$($lane),+] = words.map(u32::cast_signed);
                // SAFETY: the instructions of a vector are there wherever one is made.
                Self(unsafe { $set($($lane),+) })
            }

            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                // SAFETY: the instructions of a vector are there wherever one is made.
                Self(unsafe { $xor(self.0, other.0) })
            }

            #[inline(always)]
            fn shift_left<const N: u32>(self) -> Self {
                // SAFETY: the instructions of a vector are there wherever one is made.
                Self(unsafe { $left(self.0, _mm_cvtsi32_si128(N.cast_signed())) })
            }

            #[inline(always)]
            fn shift_right<const N: u32>(self) -> Self {
                // SAFETY: the instructions of a vector are there wherever one is made.
                Self(unsafe { $right(self.0, _mm_cvtsi32_si128(N.cast_signed())) })
            }

            #[inline(always)]
            fn clear(
                self,
                difference: Self,
                bits: &[u32; $lanes],
                values: &[u32; $lanes],
                vectors: &[u32; $lanes],
            ) -> Self {
                let [bits, values, vectors] = [bits, values, vectors].map(|c| Self::load(*c).0);
                // SAFETY: the instructions of a vector are there wherever one is made.
                Self(unsafe {
                    let holds = $equal($and(difference.0, bits), values);
                    $or(self.0, $andnot(holds, vectors))
                })
            }

            #[inline(always)]
            fn or_lanes(self) -> u32 {
                // SAFETY: the instructions of a vector are there wherever one is made.
                unsafe { or_of_four($halve(self.0)) }
            }
        }
    };
}

vector!(Sse2Lanes, 4; _mm_setr_epi32(a b c d), _mm_xor_si128, _mm_sll_epi32, _mm_srl_epi32,
    _mm_and_si128, _mm_cmpeq_epi32, _mm_andnot_si128, _mm_or_si128, |four| four);

vector!(Avx2Lanes, 8; _mm256_setr_epi32(a b c d e f g h), _mm256_xor_si256, _mm256_sll_epi32,
    _mm256_srl_epi32, _mm256_and_si256, _mm256_cmpeq_epi32, _mm256_andnot_si256, _mm256_or_si256,
    |eight| _mm_or_si128(_mm256_castsi256_si128(eight), _mm256_extracti128_si256::<1>(eight)));

/// The OR of four lanes.
#[inline]
#[target_feature(enable = "sse2")]
fn or_of_four(four: __m128i) -> u32 {
    let two = _mm_or_si128(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
    let one = _mm_or_si128(two, _mm_shuffle_epi32::<0b10_11_00_01>(two));
    _mm_cvtsi128_si32(one).cast_unsigned()
}
