//! The schedule in vectors of four words, on x86-64.
//!
//! From word 32 on a step of the expansion can be taken twice, which leaves no word depending on the
//! three before it: `W[t] = (W[t-6] ^ W[t-16] ^ W[t-28] ^ W[t-32]) <<< 2`. (The idea is
//! D. Gaudet's and M. Locktyukhin's, *Improving the performance of the Secure Hash Algorithm*, Intel,
//! 2010.) Before that the last of four words depends on the first, and is mended.

#![allow(unsafe_code)]

use core::arch::x86_64::*;

use crate::pipeline::slot::Order;

/// Four words rotated left by N; M is 32 less N.
#[inline(always)]
fn rotate<const N: i32, const M: i32>(words: __m128i) -> __m128i {
    // SAFETY: SSE2 is part of x86-64.
    unsafe { _mm_or_si128(_mm_slli_epi32::<N>(words), _mm_srli_epi32::<M>(words)) }
}

/// The last two words of a group and the first two of the next.
///
/// # Safety
///
/// The processor has SSSE3.
#[inline(always)]
unsafe fn across(order: Order, group: __m128i, next: __m128i) -> __m128i {
    // SAFETY: the caller says that the processor has SSSE3.
    unsafe {
        match order {
            Order::Ascending => _mm_alignr_epi8::<8>(next, group),
            Order::Descending => _mm_alignr_epi8::<8>(group, next),
        }
    }
}

/// Group `g` of a schedule, 4 or more, from the eight before it, the oldest first. Below 8 the first
/// four may be anything.
///
/// # Safety
///
/// The processor has SSSE3.
#[inline(always)]
pub(super) unsafe fn expand(order: Order, g: usize, m: &[__m128i; 8]) -> __m128i {
    // SAFETY: the caller says that the processor has SSSE3.
    unsafe {
        if g >= 8 {
            let old = _mm_xor_si128(_mm_xor_si128(m[0], m[1]), m[4]);
            return rotate::<2, 30>(_mm_xor_si128(old, across(order, m[6], m[7])));
        }
        let old = _mm_xor_si128(_mm_xor_si128(m[4], across(order, m[4], m[5])), m[6]);
        // The last of the four words has the first of them in it, once more rotated.
        match order {
            Order::Ascending => {
                let sum = _mm_xor_si128(old, _mm_srli_si128::<4>(m[7]));
                let first = _mm_slli_si128::<12>(sum);
                _mm_xor_si128(rotate::<1, 31>(sum), rotate::<2, 30>(first))
            }
            Order::Descending => {
                let sum = _mm_xor_si128(old, _mm_slli_si128::<4>(m[7]));
                let first = _mm_srli_si128::<12>(sum);
                _mm_xor_si128(rotate::<1, 31>(sum), rotate::<2, 30>(first))
            }
        }
    }
}
