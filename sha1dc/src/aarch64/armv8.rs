//! The compression with the SHA instructions of ARMv8.
//!
//! `sha1c`, `sha1p` and `sha1m` make four rounds each, one for each function; twenty of them depend on
//! each other, 4 cycles each on most cores (Arm's optimisation guides for Neoverse N1, V1 and
//! N2 say so), and everything else has to hide under them. Unlike on x86-64 the constants are not
//! part of the instructions, and word e is carried apart.
//!
//! Recompression runs all 80 steps forwards: what the partner's rounds from the shared state end in,
//! taken from the chaining value after the block, leaves the only chaining value that the partner can
//! have started from; and its rounds from there end in the shared state exactly if it collides.
//!
//! What this costs on a processor was not measured: it was written under an emulator.

#![allow(unsafe_code)]

use core::arch::aarch64::*;
use core::arch::asm;
use core::mem::MaybeUninit;

use super::cpu;
use crate::dv::DIFFERENCES;
use crate::pipeline::compression::{Beside, Candidate, Compression, STREAMS};
use crate::pipeline::slot::{Order, Slot};
use crate::rounds::{K, State};
use crate::schedule::Block;

/// The compression; whoever has one holds the token.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Armv8(cpu::Sha2);

/// A chaining value: a to d in a vector, and e.
#[derive(Clone, Copy)]
pub(crate) struct Chaining {
    abcd: uint32x4_t,
    e: u32,
}

impl Armv8 {
    pub(super) fn detect() -> Option<Self> {
        cpu::Sha2::detect().map(Self)
    }
}

/// Keeps the compiler from moving rounds and schedule past this place: left alone it gathers all
/// rounds in one run and everything else in another.
#[inline]
#[target_feature(enable = "neon")]
fn pin(abcd: &mut uint32x4_t, newest: &mut uint32x4_t) {
    // SAFETY: there is no instruction in it.
    unsafe {
        asm!(
            "/* {0:v} {1:v} */",
            inout(vreg) * abcd,
            inout(vreg) * newest,
            options(nomem, nostack, preserves_flags)
        );
    }
}

/// Four rounds of group GROUP of twenty.
#[inline]
#[target_feature(enable = "neon,sha2")]
fn rounds<const GROUP: usize>(abcd: uint32x4_t, e: u32, words: uint32x4_t) -> uint32x4_t {
    let keyed = vaddq_u32(words, vdupq_n_u32(K[GROUP / 5]));
    match GROUP / 5 {
        0 => vsha1cq_u32(abcd, e, keyed),
        2 => vsha1mq_u32(abcd, e, keyed),
        _ => vsha1pq_u32(abcd, e, keyed),
    }
}

/// What word a becomes as word e, four steps later.
#[inline]
#[target_feature(enable = "neon,sha2")]
fn e_of(abcd: uint32x4_t) -> u32 {
    vsha1h_u32(vgetq_lane_u32::<0>(abcd))
}

/// Four words of a schedule from the sixteen before them, the oldest first.
#[inline]
#[target_feature(enable = "neon,sha2")]
fn expand(m: [uint32x4_t; 4]) -> uint32x4_t {
    vsha1su1q_u32(vsha1su0q_u32(m[0], m[1], m[2]), m[3])
}

/// Four words.
#[inline]
#[target_feature(enable = "neon")]
fn load(words: &[u32; 4]) -> uint32x4_t {
    // SAFETY: there are four.
    unsafe { vld1q_u32(words.as_ptr()) }
}

// SAFETY: the groups store the schedule and two states, and the end the chaining value.
unsafe impl Compression for Armv8 {
    type Chaining = Chaining;
    const ORDER: Order = Order::Ascending;

    #[inline(always)]
    fn load(self, [a, b, c, d, e]: State) -> Chaining {
        // SAFETY: NEON is part of the target.
        Chaining { abcd: unsafe { load(&[a, b, c, d]) }, e }
    }

    #[inline(always)]
    fn store(self, Chaining { abcd, e }: Chaining) -> State {
        let mut state = [0, 0, 0, 0, e];
        // SAFETY: NEON is part of the target, and there is room for four words.
        unsafe { vst1q_u32(state.as_mut_ptr(), abcd) };
        state
    }

    #[inline(always)]
    fn compress<const N: usize>(
        self,
        chaining: &mut [Chaining; N],
        blocks: [&Block; N],
        slots: [&mut MaybeUninit<Slot>; N],
        beside: &mut [impl Beside; N],
    ) {
        // SAFETY: the token says that the processor has these instructions; each load is inside of
        // the block, and each store inside of one field of the slot.
        unsafe {
            let slots = slots.map(MaybeUninit::as_mut_ptr);
            let zero = vdupq_n_u32(0);
            let (mut abcd, mut e) = ([zero; N], [0; N]);
            for n in 0..N {
                Chaining { abcd: abcd[n], e: e[n] } = chaining[n];
            }
            // The four newest groups of the schedules, the newest last.
            let mut m = [[zero; 4]; N];

            macro_rules! group {
                ($($g:literal)+) => {$(
                    for n in 0..N {
                        let m = &mut m[n];
                        let next = if $g < 4 {
                            let bytes = vld1q_u8(blocks[n].as_ptr().add(16 * $g));
                            vreinterpretq_u32_u8(vrev32q_u8(bytes))
                        } else {
                            expand(*m)
                        };
                        *m = [m[1], m[2], m[3], next];
                        if $g == 14 || $g == 15 {
                            let near = (&raw mut (*slots[n]).near).cast::<u32>();
                            vst1q_u32(near.add(4 * ($g - 14)), abcd[n]);
                        }
                        let next_e = e_of(abcd[n]);
                        abcd[n] = rounds::<$g>(abcd[n], e[n], next);
                        e[n] = next_e;
                        vst1q_u32((&raw mut (*slots[n]).words).cast::<u32>().add(4 * $g), next);
                        beside[n].step::<$g>();
                        pin(&mut abcd[n], &mut m[3]);
                    }
                )+};
            }
            group!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19);

            for n in 0..N {
                let Chaining { abcd: first, e: first_e } = chaining[n];
                let (abcd, e) = (vaddq_u32(abcd[n], first), e[n].wrapping_add(first_e));
                vst1q_u32((&raw mut (*slots[n]).after).cast(), abcd);
                (&raw mut (*slots[n]).after_e).write([e, 0, 0, 0]);
                chaining[n] = Chaining { abcd, e };
            }
        }
    }

    #[inline(always)]
    fn collide(self, candidates: [Candidate<'_>; STREAMS]) -> bool {
        // SAFETY: the token says that the processor has these instructions.
        unsafe { collide(candidates) }
    }
}

/// Whether any of these is real, if the two messages of each share the state before step 60.
#[inline]
#[target_feature(enable = "neon,sha2")]
fn collide(candidates: [Candidate<'_>; STREAMS]) -> bool {
    let mut abcd = candidates.map(|(slot, _)| load(&slot.near[1]));
    let mut e = candidates.map(|(slot, _)| e_of(load(&slot.near[0])));
    let (shared, shared_e) = (abcd, e);
    macro_rules! groups {
        ($($g:literal)+) => {$(
            for n in 0..STREAMS {
                let next_e = e_of(abcd[n]);
                abcd[n] = rounds::<$g>(abcd[n], e[n], word(candidates[n], $g));
                e[n] = next_e;
            }
        )+};
    }
    groups!(15 16 17 18 19);
    for n in 0..STREAMS {
        let (slot, _) = candidates[n];
        // The chaining value that the partner must have started from.
        abcd[n] = vsubq_u32(load(&slot.after), abcd[n]);
        e[n] = slot.after_e[0].wrapping_sub(e[n]);
    }
    groups!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14);
    (0..STREAMS).any(|n| {
        let apart = vmaxvq_u32(veorq_u32(abcd[n], shared[n]));
        apart | (e[n] ^ shared_e[n]) == 0
    })
}

/// A group of the partner's schedule.
#[inline]
#[target_feature(enable = "neon")]
fn word((slot, index): Candidate<'_>, group: usize) -> uint32x4_t {
    let (ours, _) = slot.words.as_chunks();
    let (difference, _) = DIFFERENCES[index].as_chunks();
    veorq_u32(load(&ours[group]), load(&difference[group]))
}
