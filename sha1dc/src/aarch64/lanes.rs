//! The vectors of the window form on AArch64.
//!
//! A window costs two loads, an XOR, perhaps a shift, a test, an AND and an OR, and another XOR where
//! some lanes want their bits to differ: `cmtst` finds lanes in which any of some bits is set, so the
//! AND and the compare that other instruction sets need are one, and a rotation is a shift and a shift
//! that inserts.
//!
//! Words are loaded by transmuting them: a pointer would bring checks with it where debug assertions are
//! on, some hundred of them a block loop, with which the compiler takes minutes.
//!
//! NEON is part of the targets that this is compiled for, so that whoever has a vector may use it.

#![allow(unsafe_code)]

use core::arch::aarch64::*;
use core::arch::asm;
use core::mem::transmute;

use crate::filter::vector::Vector;

/// Four lanes.
#[derive(Clone, Copy)]
pub(crate) struct NeonLanes(pub(super) uint32x4_t);

/// A shift by a number that is known, to the left or, if it is negative, to the right: the compiler
/// makes it one by an immediate.
#[inline(always)]
fn shifted(words: uint32x4_t, by: i32) -> uint32x4_t {
    // SAFETY: NEON is part of the target.
    unsafe { vshlq_u32(words, vdupq_n_s32(by)) }
}

impl NeonLanes {
    /// All ones in every lane that has any of these bits. The compiler would make three instructions
    /// of the one and the AND behind it.
    #[inline(always)]
    pub(super) fn any(self, bits: Self) -> Self {
        let any;
        // SAFETY: the instruction touches these registers alone, and NEON is part of the target.
        unsafe {
            asm!(
                "cmtst {0:v}.4s, {1:v}.4s, {2:v}.4s",
                lateout(vreg) any,
                in(vreg) self.0,
                in(vreg) bits.0,
                options(pure, nomem, nostack, preserves_flags)
            );
        }
        Self(any)
    }
}

impl Vector<4> for NeonLanes {
    #[inline(always)]
    fn load(words: &[u32; 4]) -> Self {
        // SAFETY: any words are a vector of as many.
        Self(unsafe { transmute::<[u32; 4], uint32x4_t>(*words) })
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: NEON is part of the target.
        Self(unsafe { veorq_u32(self.0, other.0) })
    }

    #[inline(always)]
    fn shift_left<const N: u32>(self) -> Self {
        Self(shifted(self.0, N.cast_signed()))
    }

    #[inline(always)]
    fn shift_right<const N: u32>(self) -> Self {
        Self(shifted(self.0, -N.cast_signed()))
    }

    #[inline(always)]
    fn rotate_left<const N: u32>(self) -> Self {
        let (left, right) = (self.shift_left::<N>(), shifted(self.0, N.cast_signed() - 32));
        // SAFETY: NEON is part of the target.
        Self(unsafe { vorrq_u32(left.0, right) })
    }

    #[inline(always)]
    fn clear(
        self,
        difference: Self,
        bits: &[u32; 4],
        values: &[u32; 4],
        vectors: &[u32; 4],
    ) -> Self {
        let fails = difference.xor(Self::load(values)).any(Self::load(bits));
        // SAFETY: NEON is part of the target.
        Self(unsafe { vorrq_u32(self.0, vandq_u32(fails.0, Self::load(vectors).0)) })
    }

    #[inline(always)]
    fn or_lanes(self) -> u32 {
        // SAFETY: NEON is part of the target.
        unsafe {
            let two = vorr_u32(vget_low_u32(self.0), vget_high_u32(self.0));
            vget_lane_u32::<0>(two) | vget_lane_u32::<1>(two)
        }
    }
}
