//! What the pipeline asks of a form of the filter, and how a form is made from tables.

use crate::schedule::Schedule;

/// A form of the filter that can run step by step.
pub(crate) trait Form: Copy {
    /// Vectors that were ruled out so far, in whatever shape the form keeps them.
    type Cleared: Copy;

    /// How many steps there are; beyond them there is nothing to do.
    const STEPS: usize;

    /// Whether these are the whole filter. If not, what they leave is only possible so far, and
    /// [`check`](Self::check) has to decide.
    const IS_COMPLETE: bool;

    /// None yet.
    fn none(self) -> Self::Cleared;

    /// Runs step N.
    fn step<const N: usize>(self, w: &Schedule, cleared: Self::Cleared) -> Self::Cleared;

    /// Keeps the compiler from moving steps past this place.
    fn pin(self, cleared: Self::Cleared) -> Self::Cleared;

    /// The vectors that are still possible.
    fn possible(self, cleared: Self::Cleared) -> u32;

    /// Runs all of the filter, where nothing runs beside it: then it pays to stop early.
    fn check(self, w: &Schedule) -> u32;
}

/// Behind which group of four rounds the filter begins. At first the schedule of the block before is
/// on its way to the cache, and a load across two stores has to wait for both; and when the block
/// ends, its mask had better be known. (36 ns a block instead of 37 on an Intel Xeon of 2023, with
/// 12 steps.)
pub(crate) const fn first(steps: usize) -> usize {
    18_usize.saturating_sub(steps)
}

/// A step of a table, if there is one of this number.
macro_rules! nth_step {
    ($table:ident, $lanes:ty, $n:expr, $w:ident, $cleared:ident; $($step:literal)+) => {
        match $n {
            $($step if $step < Self::STEPS => $table::step::<$step, $lanes>($w, $cleared),)+
            _ => $cleared,
        }
    };
}

/// How a form runs step by step: through the vector that it is given, which is in a register of
/// `$class`; `$comment` names it for the assembler.
macro_rules! steps {
    ($form:ident, $table:ident, $lanes:ty, $cleared:ident => $register:expr, $class:ident $comment:literal,
     $features:literal, $wrap:expr; $alone:ident, $alone_lanes:ty) => {
        impl $crate::pipeline::form::Form for $form {
            type Cleared = $lanes;
            const STEPS: usize = $table::PREFIX;
            const IS_COMPLETE: bool = $table::PREFIX == $table::STEPS;

            #[inline(always)]
            fn none(self) -> $lanes {
                <$lanes>::load(&[0; _])
            }

            #[inline(always)]
            fn step<const N: usize>(self, w: &$crate::schedule::Schedule, cleared: $lanes) -> $lanes {
                $crate::pipeline::form::nth_step!($table, $lanes, const { N.wrapping_sub($crate::pipeline::form::first(Self::STEPS)) }, w, cleared;
                    0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19)
            }

            #[inline(always)]
            fn pin(self, cleared: $lanes) -> $lanes {
                #[inline]
                #[target_feature(enable = $features)]
                fn pin($cleared: $lanes) -> $lanes {
                    let mut vector = $register;
                    // SAFETY: there is no instruction in it.
                    unsafe {
                        core::arch::asm!(
                            $comment,
                            inout($class) vector,
                            options(nomem, nostack, preserves_flags)
                        );
                    }
                    $wrap(vector)
                }
                // SAFETY: these features are part of the target, or the form holds a token for them.
                unsafe { pin(cleared) }
            }

            #[inline(always)]
            fn possible(self, cleared: $lanes) -> u32 {
                !cleared.or_lanes()
            }

            #[inline(always)]
            fn check(self, w: &$crate::schedule::Schedule) -> u32 {
                $alone::check::<$alone_lanes>(w)
            }
        }
    };
}

pub(crate) use {nth_step, steps};
