//! What WebAssembly with vectors has: a form of the filter with four lanes, beside plain compression.
//!
//! There are no instructions for SHA-1, and none that ask what there is: a module that uses vectors does not
//! load where there are none, so it is compiled with them or without. Compiled with `simd128`, this is
//! there; the instructions are safe to use.

mod lanes;

#[path = "../filter/tables/x4.rs"]
mod x4;

pub(crate) use crate::batch::none::HardwareLanes;
use crate::kernel::Kernel;
use crate::schedule::{Blocks, Schedule};
use lanes::Simd128Lanes;

/// A compression and a form of the filter.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Hardware {
    PortableSimd128,
}

impl Hardware {
    /// How many there may be that need something of the processor.
    pub(crate) const COUNT: usize = 1;

    /// The only one.
    #[inline]
    pub(crate) fn nth(_: usize) -> Option<Self> {
        Some(Self::PortableSimd128)
    }

    /// Runs the filter by itself.
    pub(crate) fn filter(self, w: &Schedule) -> u32 {
        match self {
            Self::PortableSimd128 => x4::check::<Simd128Lanes>(w),
        }
    }

    /// Its name.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::PortableSimd128 => "portable+simd128",
        }
    }

    /// Compresses blocks into a kernel.
    #[inline]
    pub(crate) fn compress(self, kernel: &mut Kernel, blocks: Blocks<'_>, offset: u64) {
        kernel.portable(blocks, offset, |w| self.filter(w));
    }
}
