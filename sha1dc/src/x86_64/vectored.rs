//! The compression with the schedule in vectors and the rounds in general registers, for x86-64
//! without SHA instructions.
//!
//! Four words of the schedule take a dozen vector instructions, and the vector units have nothing
//! else to do; so the schedule runs sixteen words ahead of the rounds, and hides under them, as the
//! filter of the block before does.
//!
//! The code is the same for SSSE3 and for AVX2; what differs is what it is compiled with: AVX saves
//! the copies, BMI2 rotates without touching the flags or its operand.

#![allow(unsafe_code)]

use core::arch::asm;
use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::cpu;
use super::expansion::{expand, rotate};
use crate::dv::DIFFERENCES;
use crate::pipeline::compression::{Beside, Candidate, Compression, STREAMS};
use crate::pipeline::slot::{Order, Slot};
use crate::recompress;
use crate::rounds::{K, State, feed_forward, step};
use crate::schedule::{Block, Schedule};

/// The compression; whoever has one holds a token of at least SSSE3.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Vectored<Token>(Token);

impl Vectored<cpu::Ssse3> {
    pub(crate) fn detect() -> Option<Self> {
        cpu::Ssse3::detect().map(Self)
    }
}

impl Vectored<cpu::Avx2> {
    pub(crate) fn detect() -> Option<Self> {
        cpu::Avx2::detect().map(Self)
    }
}

/// Keeps the compiler from moving rounds past this place, and makes it forget what `keyed` points
/// to: it would take the words out of the vectors, which costs more than reading them.
#[inline(always)]
fn pin([mut a, mut b, mut c, mut d, mut e]: State, keyed: *mut __m128i) -> State {
    // SAFETY: there is no instruction in it.
    unsafe {
        asm!(
            "/* {0:e} {1:e} {2:e} {3:e} {4:e} {5} */",
            inout(reg) a, inout(reg) b, inout(reg) c, inout(reg) d, inout(reg) e, in(reg) keyed,
            options(nostack, preserves_flags)
        );
    }
    [a, b, c, d, e]
}

/// The constant K of four steps.
const fn k<const GROUP: usize>() -> i32 {
    K[GROUP / 5].cast_signed()
}

impl<Token: Copy> Vectored<Token> {
    /// [`compress`](Compression::compress) for one stream.
    #[inline(always)]
    fn compress_one(
        self,
        chaining: State,
        block: &Block,
        slot: &mut MaybeUninit<Slot>,
        beside: &mut impl Beside,
    ) -> State {
        let slot = slot.as_mut_ptr();
        let mut keyed = MaybeUninit::<[__m128i; 20]>::uninit();
        // SAFETY: the token says that the processor has these instructions; each load is inside of
        // the block or of what was stored, and each store inside of `keyed` or of a field of the
        // slot, at multiples of 16 as its type and `Slot` assert.
        unsafe {
            let swap = _mm_set_epi64x(0x0c0d_0e0f_0809_0a0b, 0x0405_0607_0001_0203);
            let words = block.as_ptr().cast::<__m128i>();
            let w = (&raw mut (*slot).words).cast::<__m128i>();
            let near = (&raw mut (*slot).near).cast::<[u32; 4]>();
            let keyed = keyed.as_mut_ptr().cast::<__m128i>();
            // The eight newest groups, the newest last.
            let mut m = [_mm_setzero_si128(); 8];

            macro_rules! group {
                ($g:expr) => {
                    let next = if $g < 4 {
                        _mm_shuffle_epi8(_mm_loadu_si128(words.add($g)), swap)
                    } else if $g < 8 {
                        let sum = _mm_xor_si128(
                            _mm_xor_si128(m[4], _mm_alignr_epi8::<8>(m[5], m[4])),
                            _mm_xor_si128(m[6], _mm_srli_si128::<4>(m[7])),
                        );
                        // The last word depends on the first, which is only now there.
                        let first = rotate::<2, 30>(_mm_slli_si128::<12>(sum));
                        _mm_xor_si128(rotate::<1, 31>(sum), first)
                    } else {
                        expand(Self::ORDER, &m)
                    };
                    m = [m[1], m[2], m[3], m[4], m[5], m[6], m[7], next];
                    _mm_store_si128(w.add($g), m[7]);
                    let k = _mm_set1_epi32(k::<{ $g }>());
                    _mm_store_si128(keyed.add($g), _mm_add_epi32(m[7], k));
                };
            }
            macro_rules! rounds {
                ($state:ident; $($g:literal)+) => {$(
                    if $g == 14 || $g == 15 {
                        let [a, b, c, d, _] = $state;
                        near.add($g - 14).write([a, b, c, d]);
                    }
                    if $g + 4 < 20 {
                        group!($g + 4);
                    }
                    let four = keyed.add($g).cast::<u32>();
                    $state = step(4 * $g, $state, four.read());
                    $state = step(4 * $g + 1, $state, four.add(1).read());
                    $state = step(4 * $g + 2, $state, four.add(2).read());
                    $state = step(4 * $g + 3, $state, four.add(3).read());
                    beside.step::<$g>();
                    $state = pin($state, keyed);
                )+};
            }
            group!(0);
            group!(1);
            group!(2);
            group!(3);
            let mut state = chaining;
            rounds!(state; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19);

            let after = feed_forward(chaining, state);
            let [a, b, c, d, e] = after;
            (&raw mut (*slot).after).write([a, b, c, d]);
            (&raw mut (*slot).after_e).write([e, 0, 0, 0]);
            after
        }
    }
}

// SAFETY: the groups store the schedule and two states, and the end the chaining value.
unsafe impl<Token: Copy> Compression for Vectored<Token> {
    type Chaining = State;
    const ORDER: Order = Order::Ascending;

    #[inline(always)]
    fn load(self, chaining: State) -> State {
        chaining
    }

    #[inline(always)]
    fn store(self, chaining: State) -> State {
        chaining
    }

    #[inline(always)]
    fn compress<const N: usize>(
        self,
        chaining: &mut [State; N],
        blocks: [&Block; N],
        slots: [&mut MaybeUninit<Slot>; N],
        beside: &mut [impl Beside; N],
    ) {
        // One after the other: there are not registers enough for the states of two.
        for (n, slot) in slots.into_iter().enumerate() {
            chaining[n] = self.compress_one(chaining[n], blocks[n], slot, &mut beside[n]);
        }
    }

    #[inline(always)]
    fn collide(self, candidates: [Candidate<'_>; STREAMS]) -> bool {
        any_collides(&candidates.map(|(slot, index)| Suspect {
            w: &slot.words,
            difference: &DIFFERENCES[index],
            step_60: slot.step_60(Self::ORDER),
            after: slot.chaining(Self::ORDER),
        }))
    }
}

/// A block that may be half of a collision, if both messages share the state before step 60.
#[derive(Clone, Copy)]
struct Suspect<'a> {
    w: &'a Schedule,
    difference: &'static Schedule,
    /// The state before step 60, and the chaining value after the block.
    step_60: State,
    after: State,
}

/// Whether any of these is real. Each step waits for the one before, so several blocks side by side
/// take hardly longer than one.
#[inline(always)]
fn any_collides<const N: usize>(suspects: &[Suspect<'_>; N]) -> bool {
    let (first, last) =
        recompress::both_ways::<60, N>(suspects.map(|suspect| suspect.step_60), |n, t| {
            suspects[n].w[t] ^ suspects[n].difference[t]
        });
    (0..N).any(|n| feed_forward(first[n], last[n]) == suspects[n].after)
}
