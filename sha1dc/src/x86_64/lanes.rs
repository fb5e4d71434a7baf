//! The vectors of the window forms on x86-64.
//!
//! A window costs an XOR, perhaps a shift, an AND, a compare, an AND NOT and an OR, all but the shift
//! with one operand from memory; with AVX-512 three operands make one instruction of any two logical
//! operations. The methods are inlined into whoever runs a form and compiled with its features: there
//! is no closure in them, which the compiler might compile apart, without.
//!
//! Words are loaded by transmuting them: a pointer would bring checks with it where debug assertions are
//! on, some hundred of them a block loop, with which the compiler takes minutes.
//!
//! Nobody but a form has vectors made, and a form holds a token of what its vectors need.

#![allow(unsafe_code)]

use core::arch::asm;
use core::arch::x86_64::*;
use core::mem::transmute;

use crate::filter::vector::Vector;
use crate::schedule::Schedule;

/// A vector with the last word in the first lane.
#[derive(Clone, Copy)]
pub(crate) struct Descending<V>(pub(super) V);

/// Words that can be turned round. Of a constant that is done when compiling; with a loop over the words
/// it would be as well, but the compiler would take a minute for it.
pub(crate) trait Turn {
    /// The last word first.
    fn turned(&self) -> Self;
}

impl Turn for [u32; 4] {
    #[inline(always)]
    fn turned(&self) -> Self {
        let [a, b, c, d] = *self;
        [d, c, b, a]
    }
}

impl Turn for [u32; 8] {
    #[inline(always)]
    fn turned(&self) -> Self {
        let [a, b, c, d, e, f, g, h] = *self;
        [h, g, f, e, d, c, b, a]
    }
}

impl<const LANES: usize, V: Vector<LANES>> Vector<LANES> for Descending<V>
where
    [u32; LANES]: Turn,
{
    #[inline(always)]
    fn load(words: &[u32; LANES]) -> Self {
        Self(V::load(&words.turned()))
    }

    #[inline(always)]
    fn words<const AT: usize>(w: &Schedule) -> Self {
        const { assert!(AT + LANES <= 80, "the window leaves the schedule") };
        let (_, from) = w.split_at(80 - LANES - AT);
        Self(from.first_chunk().map_or_else(|| V::load(&[0; LANES]), V::load))
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(self.0.xor(other.0))
    }

    #[inline(always)]
    fn shift_left<const N: u32>(self) -> Self {
        Self(self.0.shift_left::<N>())
    }

    #[inline(always)]
    fn shift_right<const N: u32>(self) -> Self {
        Self(self.0.shift_right::<N>())
    }

    #[inline(always)]
    fn rotate_left<const N: u32>(self) -> Self {
        Self(self.0.rotate_left::<N>())
    }

    #[inline(always)]
    fn clear(
        self,
        difference: Self,
        bits: &[u32; LANES],
        values: &[u32; LANES],
        vectors: &[u32; LANES],
    ) -> Self {
        Self(self.0.clear(difference.0, &bits.turned(), &values.turned(), &vectors.turned()))
    }

    #[inline(always)]
    fn or_lanes(self) -> u32 {
        self.0.or_lanes()
    }
}

/// Four lanes.
#[derive(Clone, Copy)]
pub(crate) struct Sse2Lanes(pub(super) __m128i);

/// Four lanes, with the instructions that AVX-512 has for them.
#[derive(Clone, Copy)]
pub(crate) struct TernaryLanes(pub(super) __m128i);

/// Eight lanes.
#[derive(Clone, Copy)]
pub(crate) struct Avx2Lanes(pub(super) __m256i);

/// Sixteen lanes.
#[derive(Clone, Copy)]
pub(crate) struct Avx512Lanes(pub(super) __m512i);

/// A vector from the instructions that it is made of: those two differ in nothing else.
macro_rules! vector {
    ($vector:ident, $lanes:literal, $register:ty; $xor:ident, $left:ident,
     $right:ident, $and:ident, $equal:ident, $andnot:ident, $or:ident, $halve:expr) => {
        impl Vector<$lanes> for $vector {
            #[inline(always)]
            fn load(words: &[u32; $lanes]) -> Self {
                // SAFETY: any words are a vector of as many.
                Self(unsafe { transmute::<[u32; $lanes], $register>(*words) })
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
            fn rotate_left<const N: u32>(self) -> Self {
                // No table of so many lanes rotates, which takes three instructions here.
                // SAFETY: the instructions of a vector are there wherever one is made.
                Self(unsafe {
                    let by = _mm_cvtsi32_si128((32 - N).cast_signed());
                    $or(self.shift_left::<N>().0, $right(self.0, by))
                })
            }

            #[inline(always)]
            fn clear(
                self,
                difference: Self,
                bits: &[u32; $lanes],
                values: &[u32; $lanes],
                vectors: &[u32; $lanes],
            ) -> Self {
                // SAFETY: the instructions of a vector are there wherever one is made.
                Self(unsafe {
                    let some = $and(difference.0, Self::load(bits).0);
                    let holds = $equal(some, Self::load(values).0);
                    $or(self.0, $andnot(holds, Self::load(vectors).0))
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

vector!(Sse2Lanes, 4, __m128i; _mm_xor_si128, _mm_sll_epi32, _mm_srl_epi32,
    _mm_and_si128, _mm_cmpeq_epi32, _mm_andnot_si128, _mm_or_si128, |four| four);

vector!(Avx2Lanes, 8, __m256i; _mm256_xor_si256, _mm256_sll_epi32,
    _mm256_srl_epi32, _mm256_and_si256, _mm256_cmpeq_epi32, _mm256_andnot_si256, _mm256_or_si256,
    |eight| _mm_or_si128(_mm256_castsi256_si128(eight), _mm256_extracti128_si256::<1>(eight)));

impl TernaryLanes {
    /// Whether lanes are equal, as AVX tells it: all ones. The compiler would compare into a mask
    /// register, which an Intel processor does where it does the SHA instructions.
    #[inline(always)]
    fn equal(self, other: Self) -> Self {
        #[inline]
        #[target_feature(enable = "avx")]
        fn equal(a: __m128i, b: __m128i) -> __m128i {
            let mut equal = a;
            // SAFETY: the instruction touches these registers alone.
            unsafe {
                asm!(
                    "vpcmpeqd {0}, {0}, {1}",
                    inout(xmm_reg) equal,
                    in(xmm_reg) b,
                    options(pure, nomem, nostack, preserves_flags)
                );
            }
            equal
        }
        // SAFETY: the instructions of a vector are there wherever one is made.
        Self(unsafe { equal(self.0, other.0) })
    }
}

impl Vector<4> for TernaryLanes {
    #[inline(always)]
    fn load(words: &[u32; 4]) -> Self {
        Self(Sse2Lanes::load(words).0)
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(Sse2Lanes(self.0).xor(Sse2Lanes(other.0)).0)
    }

    #[inline(always)]
    fn shift_left<const N: u32>(self) -> Self {
        Self(Sse2Lanes(self.0).shift_left::<N>().0)
    }

    #[inline(always)]
    fn shift_right<const N: u32>(self) -> Self {
        Self(Sse2Lanes(self.0).shift_right::<N>().0)
    }

    #[inline(always)]
    fn rotate_left<const N: u32>(self) -> Self {
        // SAFETY: the instructions of a vector are there wherever one is made.
        Self(unsafe { _mm_rolv_epi32(self.0, _mm_set1_epi32(N.cast_signed())) })
    }

    #[inline(always)]
    fn clear(
        self,
        difference: Self,
        bits: &[u32; 4],
        values: &[u32; 4],
        vectors: &[u32; 4],
    ) -> Self {
        let bits = Self::load(bits).0;
        // SAFETY: the instructions of a vector are there wherever one is made.
        Self(unsafe {
            let holds = Self(_mm_and_si128(difference.0, bits)).equal(Self::load(values)).0;
            _mm_or_si128(self.0, _mm_andnot_si128(holds, Self::load(vectors).0))
        })
    }

    #[inline(always)]
    fn or_lanes(self) -> u32 {
        Sse2Lanes(self.0).or_lanes()
    }
}

impl Vector<16> for Avx512Lanes {
    #[inline(always)]
    fn load(words: &[u32; 16]) -> Self {
        // SAFETY: any words are a vector of as many.
        Self(unsafe { transmute::<[u32; 16], __m512i>(*words) })
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: the instructions of a vector are there wherever one is made.
        Self(unsafe { _mm512_xor_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn shift_left<const N: u32>(self) -> Self {
        // SAFETY: the instructions of a vector are there wherever one is made.
        Self(unsafe { _mm512_slli_epi32::<N>(self.0) })
    }

    #[inline(always)]
    fn shift_right<const N: u32>(self) -> Self {
        // SAFETY: the instructions of a vector are there wherever one is made.
        Self(unsafe { _mm512_srli_epi32::<N>(self.0) })
    }

    #[inline(always)]
    fn rotate_left<const N: u32>(self) -> Self {
        // SAFETY: the instructions of a vector are there wherever one is made.
        Self(unsafe { _mm512_rolv_epi32(self.0, _mm512_set1_epi32(N.cast_signed())) })
    }

    #[inline(always)]
    fn clear(
        self,
        difference: Self,
        bits: &[u32; 16],
        values: &[u32; 16],
        vectors: &[u32; 16],
    ) -> Self {
        // SAFETY: the instructions of a vector are there wherever one is made.
        Self(unsafe {
            let against = _mm512_xor_si512(difference.0, Self::load(values).0);
            let fails = _mm512_test_epi32_mask(against, Self::load(bits).0);
            _mm512_mask_or_epi32(self.0, fails, self.0, Self::load(vectors).0)
        })
    }

    #[inline(always)]
    fn or_lanes(self) -> u32 {
        // SAFETY: the instructions of a vector are there wherever one is made.
        unsafe {
            let low = _mm512_castsi512_si256(self.0);
            Avx2Lanes(_mm256_or_si256(low, _mm512_extracti64x4_epi64::<1>(self.0))).or_lanes()
        }
    }
}

/// The OR of four lanes.
#[inline]
#[target_feature(enable = "sse2")]
fn or_of_four(four: __m128i) -> u32 {
    let two = _mm_or_si128(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
    let one = _mm_or_si128(two, _mm_shuffle_epi32::<0b10_11_00_01>(two));
    _mm_cvtsi128_si32(one).cast_unsigned()
}
