//! The window forms on x86-64: four lanes with SSE2, which every such processor has, eight with
//! AVX2, and sixteen with AVX-512, each behind its token; and four lanes beside SHA instructions.

#![allow(unsafe_code)]

#[path = "../filter/tables/x16.rs"]
mod x16;
#[path = "../filter/tables/x4.rs"]
mod x4;
#[path = "../filter/tables/x4_prefix.rs"]
mod x4_prefix;
#[path = "../filter/tables/x8.rs"]
mod x8;
#[path = "../filter/tables/x8_prefix.rs"]
mod x8_prefix;

use super::cpu;
use super::lanes::{Avx2Lanes, Avx512Lanes, Descending, Sse2Lanes, TernaryLanes};
use crate::filter::vector::Vector;
use crate::pipeline::form::steps;
use crate::schedule::Schedule;

/// How a form runs by itself, over a schedule that `$arranged` makes of one whose first word lies
/// first.
macro_rules! mask {
    ($form:ident, $table:ident, $lanes:ty, $features:literal, $arranged:ident) => {
        impl $form {
            /// Runs the whole filter by itself.
            #[inline]
            pub(crate) fn mask(self, w: &Schedule) -> u32 {
                #[target_feature(enable = $features)]
                fn mask(w: &Schedule) -> u32 {
                    $table::check::<$lanes>(w)
                }
                // SAFETY: these features are part of the target, or the form holds a token for them.
                unsafe { mask(&$arranged(w)) }
            }
        }
    };
}

fn as_it_is(w: &Schedule) -> &Schedule {
    w
}

fn reversed(w: &Schedule) -> Schedule {
    let mut w = *w;
    w.reverse();
    w
}

/// A form: the table, the vector, and the token that the vector needs. Nobody but a form has
/// vectors made.
macro_rules! form {
    ($(#[$doc:meta])* $form:ident($($token:ty)?), $table:ident, $lanes:ident, $features:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub(crate) struct $form($($token)?);

        mask!($form, $table, $lanes, $features, as_it_is);
    };
}

form! {
    /// Four lanes; SSE2 is part of x86-64.
    Sse2(), x4, Sse2Lanes, "sse2"
}

form! {
    /// Eight lanes.
    Avx2(cpu::Avx2), x8, Avx2Lanes, "avx2"
}

form! {
    /// Sixteen lanes.
    Avx512(cpu::Avx512), x16, Avx512Lanes, "avx2,avx512f,avx512vl"
}

steps!(Sse2, x4, Sse2Lanes, cleared => cleared.0, xmm_reg "/* {0} */", "sse2", Sse2Lanes; x4_prefix, Sse2Lanes);
steps!(Avx2, x8, Avx2Lanes, cleared => cleared.0, ymm_reg "/* {0} */", "avx2", Avx2Lanes; x8_prefix, Avx2Lanes);
steps!(Avx512, x16, Avx512Lanes, cleared => cleared.0, zmm_reg "/* {0} */", "avx2,avx512f,avx512vl", Avx512Lanes; x8_prefix, Avx2Lanes);

/// A form that runs beside SHA instructions: four lanes, whatever the processor has, over a schedule
/// whose last word lies first.
///
/// SHA instructions know only the old encoding of SSE, and where the upper half of any register is
/// in use they pay for it: 100 ns each on an Intel Xeon of 2023 (Sapphire Rapids). Vectors of four
/// lanes leave the upper halves clear in any encoding, and AVX and AVX-512 still do more with an
/// instruction.
///
/// Each comes twice: complete, and as a prefix of the windows that tell most, for processors that
/// have no time to spare between SHA instructions.
macro_rules! beside_sha {
    ($(#[$doc:meta])* $form:ident, $prefix:ident, $wide:ident, $lanes:ident, $features:literal;
     $alone:ident, $alone_lanes:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub(crate) struct $form($wide);

        /// Its prefix.
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub(crate) struct $prefix($form);

        impl $form {
            pub(crate) fn detect() -> Option<Self> {
                $wide::detect().map(Self)
            }
        }

        impl $prefix {
            pub(crate) fn detect() -> Option<Self> {
                $form::detect().map(Self)
            }
        }

        mask!($form, x4, Descending<$lanes>, $features, reversed);
        mask!($prefix, $alone, Descending<$alone_lanes>, $features, reversed);

        steps!($form, x4, Descending<$lanes>, cleared => cleared.0.0, xmm_reg "/* {0} */", $features,
            |vector| Descending($lanes(vector)); $alone, Descending<$alone_lanes>);
        steps!($prefix, x4_prefix, Descending<$lanes>, cleared => cleared.0.0, xmm_reg "/* {0} */", $features,
            |vector| Descending($lanes(vector)); $alone, Descending<$alone_lanes>);
    };
}

beside_sha! {
    /// With SSE2.
    ShaSse2, ShaSse2Prefix, Sse2, Sse2Lanes, "sse2"; x4_prefix, Sse2Lanes
}

beside_sha! {
    /// With AVX, whose instructions leave their operands alone and take one from anywhere in memory.
    ShaAvx2, ShaAvx2Prefix, Avx2, Sse2Lanes, "avx2"; x8_prefix, Avx2Lanes
}

beside_sha! {
    /// With AVX-512, where one instruction does any two logical operations.
    ShaAvx512, ShaAvx512Prefix, Avx512, TernaryLanes, "avx2,avx512f,avx512vl"; x8_prefix, Avx2Lanes
}

/// Eight lanes beside SHA instructions, for processors that do not mind wide vectors there; a prefix,
/// for streams that have little time to spare.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ShaWidePrefix(Avx2);

impl ShaWidePrefix {
    pub(crate) fn detect() -> Option<Self> {
        Avx2::detect().map(Self)
    }
}

steps!(ShaWidePrefix, x8_prefix, Descending<Avx2Lanes>, cleared => cleared.0.0, ymm_reg "/* {0} */", "avx2",
    |vector| Descending(Avx2Lanes(vector)); x8_prefix, Descending<Avx2Lanes>);

impl Sse2 {
    pub(crate) const fn detect() -> Option<Self> {
        Some(Self())
    }
}

impl Avx2 {
    pub(crate) fn detect() -> Option<Self> {
        cpu::Avx2::detect().map(Self)
    }
}

impl Avx512 {
    pub(crate) fn detect() -> Option<Self> {
        cpu::Avx512::detect().map(Self)
    }
}
