//! The block loop for x86-64: each compression with each form of the filter, compiled with the
//! features of both.

#![allow(unsafe_code)]

use crate::compress::Compression;
use crate::compress::sha_ni::{Sha1Rnds4, ShaNi};
use crate::compress::vectored::Vectored;
use crate::cpu;
use crate::filter::x86::{
    Avx2, Avx512, ShaAvx2, ShaAvx2Prefix, ShaAvx512, ShaAvx512Prefix, ShaSse2, ShaSse2Prefix, Sse2,
};
use crate::kernel::pipeline;
use crate::kernel::queue::Queue;
use crate::rounds::State;
use crate::schedule::Blocks;
use crate::slot::Order;

/// A compression and a form that were compiled together.
pub(crate) trait Pair: Copy {
    /// [`Compression::ORDER`].
    const ORDER: Order;

    /// [`pipeline::run`] for both.
    fn run(
        self,
        chaining: &mut State,
        blocks: Blocks<'_>,
        unasked: u32,
        queue: &mut Queue,
    ) -> usize;

    /// [`pipeline::refine`] for the form.
    fn refine(self, unasked: u32, queue: &mut Queue);

    /// [`pipeline::any_collides`] for the compression.
    fn any_collides(self, queue: &Queue) -> bool;
}

/// Recompression with SHA instructions is compiled without AVX: with it, the compiler would copy in
/// wide vectors, for which SHA instructions pay.
macro_rules! pair {
    ($compression:ty, $form:ty, $both:literal, $alone:literal) => {
        impl Pair for ($compression, $form) {
            const ORDER: Order = <$compression>::ORDER;

            #[inline]
            fn run(
                self,
                chaining: &mut State,
                blocks: Blocks<'_>,
                unasked: u32,
                queue: &mut Queue,
            ) -> usize {
                #[target_feature(enable = $both)]
                fn run(
                    (compression, form): ($compression, $form),
                    chaining: &mut State,
                    blocks: Blocks<'_>,
                    unasked: u32,
                    queue: &mut Queue,
                ) -> usize {
                    pipeline::run(compression, form, chaining, blocks, unasked, queue)
                }
                // SAFETY: the compression and the form hold tokens for these features.
                unsafe { run(self, chaining, blocks, unasked, queue) }
            }

            #[inline]
            fn refine(self, unasked: u32, queue: &mut Queue) {
                #[target_feature(enable = $both)]
                fn refine(form: $form, unasked: u32, queue: &mut Queue) {
                    pipeline::refine(form, unasked, queue);
                }
                // SAFETY: the compression and the form hold tokens for these features.
                unsafe { refine(self.1, unasked, queue) }
            }

            #[inline]
            fn any_collides(self, queue: &Queue) -> bool {
                #[target_feature(enable = $alone)]
                fn any_collides(compression: $compression, queue: &Queue) -> bool {
                    pipeline::any_collides(compression, queue.waiting())
                }
                // SAFETY: the compression holds a token for these features.
                unsafe { any_collides(self.0, queue) }
            }
        }
    };
}

pair!(ShaNi, ShaSse2, "sha,ssse3,sse4.1", "sha,ssse3,sse4.1");
pair!(ShaNi, ShaAvx2, "sha,avx2", "sha,ssse3,sse4.1");
pair!(ShaNi, ShaAvx512, "sha,avx2,avx512f,avx512vl", "sha,ssse3,sse4.1");
pair!(Sha1Rnds4, ShaSse2Prefix, "sha,ssse3,sse4.1", "sha,ssse3,sse4.1");
pair!(Sha1Rnds4, ShaAvx2Prefix, "sha,avx2", "sha,ssse3,sse4.1");
pair!(Sha1Rnds4, ShaAvx512Prefix, "sha,avx2,avx512f,avx512vl", "sha,ssse3,sse4.1");
pair!(Vectored<cpu::Ssse3>, Sse2, "ssse3", "ssse3");
pair!(Vectored<cpu::Avx2>, Avx2, "avx2,bmi1,bmi2", "avx2,bmi1,bmi2");
pair!(Vectored<cpu::Avx2>, Avx512, "avx2,bmi1,bmi2,avx512f,avx512vl", "avx2,bmi1,bmi2");
