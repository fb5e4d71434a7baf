//! A compression with a form of the filter, compiled with the features of both.

use crate::pipeline::queue::Queue;
use crate::pipeline::slot::{Order, Slot};
use crate::rounds::State;
use crate::schedule::Blocks;

/// A compression and a form that were compiled together.
pub(crate) trait Pair: Copy {
    /// [`Compression::ORDER`].
    const ORDER: Order;

    /// [`run`](super::run) for both.
    fn run<const N: usize>(
        self,
        chaining: &mut [State; N],
        blocks: [Blocks<'_>; N],
        numbers: ([usize; N], usize),
        unasked: u32,
        queues: &mut [Queue; N],
    ) -> usize;

    /// [`refine`](super::refine) for the form.
    fn refine<const N: usize>(self, unasked: u32, queues: &mut [Queue; N]);

    /// [`any_collides`](super::any_collides) for the compression.
    fn any_collides<const N: usize>(self, queues: &[Queue; N]) -> bool;

    /// Whether this block is half of a collision.
    fn collides(self, slot: &Slot) -> bool;
}

/// Makes a pair: `$both` are the features of both, `$alone` those that the compression is compiled with
/// where there is no filter.
macro_rules! pair {
    ($compression:ty, $form:ty, $both:literal, $alone:literal) => {
        impl $crate::pipeline::pair::Pair for ($compression, $form) {
            const ORDER: $crate::pipeline::slot::Order =
                <$compression as $crate::pipeline::compression::Compression>::ORDER;

            #[inline]
            fn run<const N: usize>(
                self,
                chaining: &mut [$crate::rounds::State; N],
                blocks: [$crate::schedule::Blocks<'_>; N],
                numbers: ([usize; N], usize),
                unasked: u32,
                queues: &mut [$crate::pipeline::queue::Queue; N],
            ) -> usize {
                #[target_feature(enable = $both)]
                fn run<const N: usize>(
                    (compression, form): ($compression, $form),
                    chaining: &mut [$crate::rounds::State; N],
                    blocks: [$crate::schedule::Blocks<'_>; N],
                    numbers: ([usize; N], usize),
                    unasked: u32,
                    queues: &mut [$crate::pipeline::queue::Queue; N],
                ) -> usize {
                    $crate::pipeline::run(
                        compression,
                        form,
                        chaining,
                        blocks,
                        numbers,
                        unasked,
                        queues,
                    )
                }
                // SAFETY: these features are part of the target, or the two hold tokens for them.
                unsafe { run(self, chaining, blocks, numbers, unasked, queues) }
            }

            #[inline]
            fn refine<const N: usize>(
                self,
                unasked: u32,
                queues: &mut [$crate::pipeline::queue::Queue; N],
            ) {
                #[target_feature(enable = $both)]
                fn refine(
                    form: $form,
                    unasked: u32,
                    queues: &mut [$crate::pipeline::queue::Queue],
                ) {
                    for queue in queues {
                        $crate::pipeline::refine(form, unasked, queue);
                    }
                }
                // SAFETY: these features are part of the target, or the two hold tokens for them.
                unsafe { refine(self.1, unasked, queues) }
            }

            #[inline]
            fn any_collides<const N: usize>(
                self,
                queues: &[$crate::pipeline::queue::Queue; N],
            ) -> bool {
                #[target_feature(enable = $alone)]
                fn any_collides(
                    compression: $compression,
                    queues: &[$crate::pipeline::queue::Queue],
                ) -> bool {
                    let waiting = queues.iter().flat_map($crate::pipeline::queue::Queue::waiting);
                    $crate::pipeline::any_collides(compression, waiting)
                }
                // SAFETY: these features are part of the target, or the compression holds a token.
                unsafe { any_collides(self.0, queues) }
            }

            fn collides(self, slot: &$crate::pipeline::slot::Slot) -> bool {
                #[target_feature(enable = $alone)]
                fn collides(
                    compression: $compression,
                    slot: &$crate::pipeline::slot::Slot,
                ) -> bool {
                    $crate::pipeline::any_collides(compression, core::iter::once(slot))
                }
                // SAFETY: these features are part of the target, or the compression holds a token.
                unsafe { collides(self.0, slot) }
            }
        }
    };
}

pub(crate) use pair;
