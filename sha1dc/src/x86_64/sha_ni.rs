//! The compression with the SHA instructions of x86-64.
//!
//! `sha1rnds4` makes four rounds and takes 6 cycles on a Zen 4, and twenty of them depend on each
//! other: 120 cycles a block, which everything else has to hide under. The instructions keep the
//! first of four words in the highest lane, and that is how the schedule is stored, last word first:
//! turning each group round would cost 3 ns a block on an Intel Xeon of 2023 (Sapphire Rapids).
//!
//! # The schedule
//!
//! Two instructions are there for the schedule, and a Zen 4 makes two of each in a cycle. On that
//! Xeon, at 3.7 GHz, `sha1msg2` is a program of its own inside of the processor, during which nothing
//! else begins: it takes 4 cycles, and sixteen of them make plain SHA-1 take 112 cycles a block
//! where the rounds, 4 cycles each, take 80. With the schedule made in vectors a block takes 91, and
//! the time that is left is the filter's. Up to word 32, where a word depends on the third before it,
//! vectors need a dozen instructions for four words, and there `sha1msg2` is no slower.
//!
//! # Recompression
//!
//! The textbook way steps backwards from the state that both messages share, to the chaining value
//! that the partner starts from; for that there is no instruction. But a collision ends both messages
//! in one chaining value, and what the partner's rounds from the shared state onwards end in can be
//! taken from that: what is left is the only chaining value that the partner can have started from.
//! Its rounds from there up to the shared state end in that state exactly if the partner collides.
//! So all 80 steps run forwards, and several candidates at once.

#![allow(unsafe_code)]

use core::arch::asm;
use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::cpu;
use super::expansion::expand;
use crate::dv::DIFFERENCES;
use crate::pipeline::compression::{Beside, Candidate, Compression, STREAMS};
use crate::pipeline::slot::{Order, Slot};
use crate::rounds::State;
use crate::schedule::Block;

/// The compression; whoever has one holds the token. `SCHEDULE` says whether SHA instructions make
/// all of the schedule.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Sha<const SCHEDULE: bool>(cpu::ShaNi);

/// SHA instructions for rounds and schedule.
pub(crate) type ShaNi = Sha<true>;

/// SHA instructions for the rounds, vectors for the schedule from word 32 on.
pub(crate) type Sha1Rnds4 = Sha<false>;

/// A chaining value in two vectors: a to d, and e in the highest lane above zeros.
#[derive(Clone, Copy)]
pub(crate) struct Chaining {
    abcd: __m128i,
    e: __m128i,
}

impl<const SCHEDULE: bool> Sha<SCHEDULE> {
    pub(crate) fn detect() -> Option<Self> {
        cpu::ShaNi::detect().map(Self)
    }
}

/// Keeps the compiler from moving rounds and schedule past this place: left alone it gathers all
/// rounds in one run and everything else in another, and then the processor runs out of registers to
/// run ahead with (137 to 200 cycles a block instead of 121).
#[inline(always)]
fn pin(abcd: &mut __m128i, newest: &mut __m128i) {
    // SAFETY: there is no instruction in it.
    unsafe {
        asm!(
            "/* {0} {1} */",
            inout(xmm_reg) * abcd,
            inout(xmm_reg) * newest,
            options(nomem, nostack, preserves_flags)
        );
    }
}

// SAFETY: the rounds store the schedule and two states, and the end the chaining value.
unsafe impl<const SCHEDULE: bool> Compression for Sha<SCHEDULE> {
    type Chaining = Chaining;
    const ORDER: Order = Order::Descending;

    #[inline(always)]
    fn load(self, [a, b, c, d, e]: State) -> Chaining {
        let [a, b, c, d, e] = [a, b, c, d, e].map(u32::cast_signed);
        // SAFETY: the token says that the processor has SSE2.
        let (mut abcd, mut e) = unsafe { (_mm_set_epi32(a, b, c, d), _mm_set_epi32(e, 0, 0, 0)) };
        pin(&mut abcd, &mut e);
        Chaining { abcd, e }
    }

    #[inline(always)]
    fn store(self, Chaining { abcd, e }: Chaining) -> State {
        let mut state = [0; 5];
        // SAFETY: the token says that the processor has SSE4.1; there is room for four words.
        unsafe {
            let turned = _mm_shuffle_epi32::<0b00_01_10_11>(abcd);
            _mm_storeu_si128(state.as_mut_ptr().cast(), turned);
            state[4] = _mm_extract_epi32::<3>(e).cast_unsigned();
        }
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
        // the block, and each store inside of one field of the slot, whose
        // addresses are multiples of 16 as `Slot` asserts.
        unsafe {
            let turn = _mm_set_epi64x(0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f);
            let slots = slots.map(MaybeUninit::as_mut_ptr);
            let zero = _mm_setzero_si128();
            let (mut abcd, mut before) = ([zero; N], [zero; N]);
            for n in 0..N {
                abcd[n] = chaining[n].abcd;
            }
            // The eight newest groups of the schedules, the newest last.
            let mut m = [[zero; 8]; N];

            macro_rules! group {
                ($($g:literal)+) => {$(
                    for n in 0..N {
                        let m = &mut m[n];
                        let next = if $g < 4 {
                            let words = blocks[n].as_ptr().cast::<__m128i>();
                            _mm_shuffle_epi8(_mm_loadu_si128(words.add($g)), turn)
                        } else if SCHEDULE || $g < 8 {
                            let sum = _mm_xor_si128(_mm_sha1msg1_epu32(m[4], m[5]), m[6]);
                            _mm_sha1msg2_epu32(sum, m[7])
                        } else {
                            expand(Self::ORDER, m)
                        };
                        *m = [m[1], m[2], m[3], m[4], m[5], m[6], m[7], next];
                        let keyed = if $g == 0 {
                            _mm_add_epi32(chaining[n].e, next)
                        } else {
                            _mm_sha1nexte_epu32(before[n], next)
                        };
                        if $g == 14 || $g == 15 {
                            let near = (&raw mut (*slots[n]).near).cast::<__m128i>();
                            _mm_store_si128(near.add($g - 14), abcd[n]);
                        }
                        before[n] = abcd[n];
                        abcd[n] = _mm_sha1rnds4_epu32::<{ $g / 5 }>(abcd[n], keyed);
                        let w = (&raw mut (*slots[n]).words).cast::<__m128i>();
                        _mm_store_si128(w.add(19 - $g), next);
                        beside[n].step::<$g>();
                        pin(&mut abcd[n], &mut m[7]);
                    }
                )+};
            }
            group!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19);

            for n in 0..N {
                let Chaining { abcd: first, e } = chaining[n];
                let (mut abcd, mut e) =
                    (_mm_add_epi32(abcd[n], first), _mm_sha1nexte_epu32(before[n], e));
                // The compiler would carry those of two streams in the halves of one wide vector.
                pin(&mut abcd, &mut e);
                _mm_store_si128((&raw mut (*slots[n]).after).cast(), abcd);
                _mm_store_si128((&raw mut (*slots[n]).after_e).cast(), e);
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
#[target_feature(enable = "sha,ssse3,sse4.1")]
fn collide(candidates: [Candidate<'_>; STREAMS]) -> bool {
    const SHARED: usize = 60 / 4;
    let zero = _mm_setzero_si128();
    let (mut abcd, mut before) = ([zero; STREAMS], [zero; STREAMS]);
    for n in 0..STREAMS {
        (before[n], abcd[n]) = (load(&candidates[n].0.near[0]), load(&candidates[n].0.near[1]));
    }
    macro_rules! groups {
        ($groups:expr, $function:literal) => {
            for group in $groups {
                for n in 0..STREAMS {
                    let keyed = _mm_sha1nexte_epu32(before[n], word(candidates[n], group));
                    before[n] = abcd[n];
                    abcd[n] = _mm_sha1rnds4_epu32::<$function>(abcd[n], keyed);
                }
            }
        };
    }
    groups!(SHARED..20, 3);
    for n in 0..STREAMS {
        let (slot, _) = candidates[n];
        // The chaining value that the partner must have started from.
        let e = _mm_sub_epi32(load(&slot.after_e), _mm_sha1nexte_epu32(before[n], zero));
        let start = _mm_sub_epi32(load(&slot.after), abcd[n]);
        before[n] = start;
        abcd[n] = _mm_sha1rnds4_epu32::<0>(start, _mm_add_epi32(e, word(candidates[n], 0)));
    }
    groups!(1..5, 0);
    groups!(5..10, 1);
    groups!(10..SHARED, 2);
    let mut found = false;
    for n in 0..STREAMS {
        let (slot, _) = candidates[n];
        // Of the state before step 60 e is the a of step 56, rotated.
        let apart = _mm_or_si128(
            _mm_xor_si128(abcd[n], load(&slot.near[1])),
            _mm_srli_si128::<12>(_mm_xor_si128(before[n], load(&slot.near[0]))),
        );
        found |= _mm_testz_si128(apart, apart) == 1;
    }
    found
}

/// Four words, the first in the lowest lane.
#[inline]
#[target_feature(enable = "sse2")]
fn load(words: &[u32; 4]) -> __m128i {
    // SAFETY: there are four.
    unsafe { _mm_loadu_si128(words.as_ptr().cast()) }
}

/// A group of the partner's schedule, the first word in the highest lane.
#[inline]
#[target_feature(enable = "sse2")]
fn word((slot, index): Candidate<'_>, group: usize) -> __m128i {
    let (ours, _) = slot.words.as_chunks();
    let (difference, _) = DIFFERENCES[index].as_chunks();
    let difference = _mm_shuffle_epi32::<0b00_01_10_11>(load(&difference[group]));
    _mm_xor_si128(load(&ours[19 - group]), difference)
}
