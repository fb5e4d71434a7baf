//! The later part of a schedule in vectors of four words.
//!
//! From word 32 on a step of the expansion can be taken twice, which leaves no word depending on the
//! three before it: `W[t] = (W[t-6] ^ W[t-16] ^ W[t-28] ^ W[t-32]) <<< 2`. (The idea is
//! D. Gaudet's and M. Locktyukhin's, *Improving the performance of the Secure Hash Algorithm*, Intel,
//! 2010.)

#![allow(unsafe_code)]

use core::arch::x86_64::*;

use crate::pipeline::slot::Order;

/// Four words rotated left by N; M is 32 less N.
#[inline(always)]
pub(super) fn rotate<const N: i32, const M: i32>(words: __m128i) -> __m128i {
    // SAFETY: SSE2 is part of the targets that this is compiled for.
    unsafe { _mm_or_si128(_mm_slli_epi32::<N>(words), _mm_srli_epi32::<M>(words)) }
}

/// The next four words of a schedule, from the 32 before them, the oldest first.
///
/// # Safety
///
/// The processor has SSSE3.
#[inline(always)]
pub(super) unsafe fn expand(order: Order, m: &[__m128i; 8]) -> __m128i {
    // SAFETY: the caller says that the processor has SSSE3.
    unsafe {
        // The words six places back are the last two of a group and the first two of the next.
        let six_back = match order {
            Order::Ascending => _mm_alignr_epi8::<8>(m[7], m[6]),
            Order::Descending => _mm_alignr_epi8::<8>(m[6], m[7]),
        };
        let sum = _mm_xor_si128(_mm_xor_si128(m[0], m[1]), _mm_xor_si128(m[4], six_back));
        rotate::<2, 30>(sum)
    }
}
