//! A compression with a form of the filter, compiled with the features of both.

use crate::pipeline::queue::Queue;
use crate::pipeline::slot::Order;
use crate::rounds::State;
use crate::schedule::Blocks;

/// A compression and a form that were compiled together.
pub(crate) trait Pair: Copy {
    /// [`Compression::ORDER`].
    const ORDER: Order;

    /// [`run`](super::run) for both.
    fn run(
        self,
        chaining: &mut State,
        blocks: Blocks<'_>,
        unasked: u32,
        queue: &mut Queue,
    ) -> usize;

    /// [`refine`](super::refine) for the form.
    fn refine(self, unasked: u32, queue: &mut Queue);

    /// [`any_collides`](super::any_collides) for the compression.
    fn any_collides(self, queue: &Queue) -> bool;
}

/// Makes a pair: `$both` are the features of both, `$alone` those that the compression is compiled with
/// where there is no filter.
macro_rules! pair {
    ($compression:ty, $form:ty, $both:literal, $alone:literal) => {
        impl $crate::pipeline::pair::Pair for ($compression, $form) {
            const ORDER: $crate::pipeline::slot::Order =
                <$compression as $crate::pipeline::compression::Compression>::ORDER;

            #[inline]
            fn run(
                self,
                chaining: &mut $crate::rounds::State,
                blocks: $crate::schedule::Blocks<'_>,
                unasked: u32,
                queue: &mut $crate::pipeline::queue::Queue,
            ) -> usize {
                #[target_feature(enable = $both)]
                fn run(
                    (compression, form): ($compression, $form),
                    chaining: &mut $crate::rounds::State,
                    blocks: $crate::schedule::Blocks<'_>,
                    unasked: u32,
                    queue: &mut $crate::pipeline::queue::Queue,
                ) -> usize {
                    $crate::pipeline::run(compression, form, chaining, blocks, unasked, queue)
                }
                // SAFETY: these features are part of the target, or the two hold tokens for them.
                unsafe { run(self, chaining, blocks, unasked, queue) }
            }

            #[inline]
            fn refine(self, unasked: u32, queue: &mut $crate::pipeline::queue::Queue) {
                #[target_feature(enable = $both)]
                fn refine(form: $form, unasked: u32, queue: &mut $crate::pipeline::queue::Queue) {
                    $crate::pipeline::refine(form, unasked, queue);
                }
                // SAFETY: these features are part of the target, or the two hold tokens for them.
                unsafe { refine(self.1, unasked, queue) }
            }

            #[inline]
            fn any_collides(self, queue: &$crate::pipeline::queue::Queue) -> bool {
                #[target_feature(enable = $alone)]
                fn any_collides(
                    compression: $compression,
                    queue: &$crate::pipeline::queue::Queue,
                ) -> bool {
                    $crate::pipeline::any_collides(compression, queue.waiting())
                }
                // SAFETY: these features are part of the target, or the compression holds a token.
                unsafe { any_collides(self.0, queue) }
            }
        }
    };
}

pub(crate) use pair;
