//! What WebAssembly with vectors has: a form of the filter with four lanes, beside plain compression.
//!
//! There are no instructions for SHA-1, and none that ask what there is: a module that uses vectors does not
//! load where there are none, so it is compiled with them or without. Compiled with `simd128`, this is
//! there; the instructions are safe to use.

mod lanes;
mod rows;

#[path = "../filter/tables/x4.rs"]
mod x4;

use crate::batch::scheduler::{self, Job};
use crate::batch::suspects::InRows;
use crate::kernel::Kernel;
use crate::schedule::{Blocks, Schedule};
use lanes::Simd128Lanes;
use rows::Simd128Rows;

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

/// A kernel for many messages.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum HardwareLanes {
    Simd128(Simd128Rows),
}

impl HardwareLanes {
    /// How many there may be.
    pub(crate) const COUNT: usize = 1;

    /// The only one.
    pub(crate) fn nth(_: usize) -> Option<Self> {
        Some(Self::Simd128(Simd128Rows))
    }

    /// How many messages it hashes side by side.
    pub(crate) const fn count(self) -> usize {
        match self {
            Self::Simd128(_) => 4,
        }
    }

    /// Its name.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Simd128(_) => "simd128x4",
        }
    }

    /// Whether it is faster than one message after the other if all lanes are busy.
    pub(crate) fn pays(self) -> bool {
        true
    }

    /// From how many busy lanes on it is.
    pub(crate) fn worth(self) -> usize {
        3
    }

    /// From how many messages on anything is faster than one message after the other.
    #[cfg(feature = "alloc")]
    pub(crate) fn worth_few(self) -> usize {
        self.worth()
    }

    /// Hashes many messages.
    pub(crate) fn run<'a, J: Job<'a>>(
        self,
        job: &mut J,
        messages: &mut dyn Iterator<Item = J::Message>,
    ) {
        let Self::Simd128(rows) = self;
        scheduler::run(|| InRows::new(rows), self.worth(), job, messages, J::all_singly);
    }
}
