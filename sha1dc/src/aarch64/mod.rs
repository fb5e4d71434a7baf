//! What AArch64 has: a compression with SHA instructions, forms of the filter with NEON, which every
//! such processor has, and the pairs of both.
//!
//! Cores differ in how many vectors they work on at a time. By the models of LLVM (22, `llvm-mca`) the
//! whole filter vanishes under the rounds where that is four (Neoverse V1 and V2, Cortex-X4, Apple
//! M1); where it is two (Neoverse N1 and N2, Cortex-A76) it does not, and a prefix of the filter is
//! faster. No program can ask which; but all of the first have the instructions for SHA-3, and of the
//! second the older ones have not, so that decides. Neoverse N2 has them and gets the slower of the
//! two: 170 cycles a block instead of some 137. Nothing of this was measured on a processor.
//!
//! Words lie in memory as they lie in registers, which is so where the first byte is the lowest: on
//! a big-endian processor none of this is compiled.

#![allow(unsafe_code)]

mod armv8;
mod cpu;
mod forms;
mod lanes;
mod rows;

use crate::batch::scheduler::{self, Job};
use crate::batch::suspects::InRows;
use crate::kernel::Kernel;
use crate::pipeline::pair::pair;
use crate::pipeline::streams;
use crate::schedule::{Blocks, Schedule};
use armv8::Armv8;
use forms::{Neon, NeonPrefix, Sha3};
use rows::NeonRows;

/// A compression and a form of the filter that this processor can run.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Hardware {
    Armv8Sha3(Armv8, Sha3),
    Armv8NeonPrefix(Armv8, NeonPrefix),
    Armv8Neon(Armv8, Neon),
    PortableNeon(Neon),
}

impl Hardware {
    /// How many there may be that need something of the processor.
    pub(crate) const COUNT: usize = 4;

    /// The n-th, best first, if the processor has what it needs.
    #[inline]
    pub(crate) fn nth(n: usize) -> Option<Self> {
        Some(match n {
            0 => Self::Armv8Sha3(Armv8::detect()?, Sha3::detect()?),
            1 => Self::Armv8NeonPrefix(Armv8::detect()?, NeonPrefix::detect()?),
            2 => Self::Armv8Neon(Armv8::detect()?, Neon::detect()?),
            _ => Self::PortableNeon(Neon::detect()?),
        })
    }

    /// Runs the filter by itself.
    pub(crate) fn filter(self, w: &Schedule) -> u32 {
        match self {
            Self::Armv8Sha3(_, sha3) => sha3.mask(w),
            Self::Armv8NeonPrefix(_, prefix) => prefix.mask(w),
            Self::Armv8Neon(_, neon) | Self::PortableNeon(neon) => neon.mask(w),
        }
    }

    /// Its name.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Armv8Sha3(..) => "armv8+sha3",
            Self::Armv8NeonPrefix(..) => "armv8+neon-prefix",
            Self::Armv8Neon(..) => "armv8+neon",
            Self::PortableNeon(_) => "portable+neon",
        }
    }

    /// Compresses blocks into a kernel.
    #[inline]
    pub(crate) fn compress(self, kernel: &mut Kernel, blocks: Blocks<'_>, offset: u64) {
        match self {
            Self::Armv8Sha3(sha, sha3) => kernel.pipelined((sha, sha3), blocks, offset),
            Self::Armv8NeonPrefix(sha, prefix) => kernel.pipelined((sha, prefix), blocks, offset),
            Self::Armv8Neon(sha, neon) => kernel.pipelined((sha, neon), blocks, offset),
            Self::PortableNeon(neon) => kernel.portable(blocks, offset, |w| neon.mask(w)),
        }
    }
}

/// Kernels for many messages that this processor can run.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum HardwareLanes {
    Armv8Neon(Armv8, NeonPrefix),
    Neon(NeonRows),
}

impl HardwareLanes {
    /// How many there may be.
    pub(crate) const COUNT: usize = 2;

    /// The n-th, best first, if the processor has what it needs.
    pub(crate) fn nth(n: usize) -> Option<Self> {
        Some(match n {
            0 => Self::Armv8Neon(Armv8::detect()?, NeonPrefix::detect()?),
            _ => Self::Neon(NeonRows),
        })
    }

    /// How many messages it hashes side by side.
    pub(crate) const fn count(self) -> usize {
        match self {
            Self::Armv8Neon(..) => 2,
            Self::Neon(_) => 4,
        }
    }

    /// Its name.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Armv8Neon(..) => "armv8+neonx2",
            Self::Neon(_) => "neonx4",
        }
    }

    /// Whether it is faster than one message after the other if all lanes are busy.
    pub(crate) fn pays(self) -> bool {
        match self {
            Self::Armv8Neon(..) => true,
            Self::Neon(_) => Armv8::detect().is_none(),
        }
    }

    /// From how many busy lanes on it is.
    pub(crate) fn worth(self) -> usize {
        match self {
            Self::Armv8Neon(..) => 2,
            Self::Neon(_) => 3,
        }
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
        let worth = self.worth();
        match self {
            Self::Armv8Neon(sha, form) => {
                streams::run_two((sha, form), worth, job, messages);
            }
            Self::Neon(rows) => {
                scheduler::run(|| InRows::new(rows), worth, job, messages, J::all_singly)
            }
        }
    }
}

pair!(Armv8, Sha3, "neon,sha2,sha3", "neon,sha2");
pair!(Armv8, NeonPrefix, "neon,sha2", "neon,sha2");
pair!(Armv8, Neon, "neon,sha2", "neon,sha2");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::tests::test_pair;

    /// Every pair that this processor can run.
    #[test]
    fn every_pair() {
        test_pair(Armv8::detect(), Sha3::detect());
        test_pair(Armv8::detect(), NeonPrefix::detect());
        test_pair(Armv8::detect(), Neon::detect());
    }
}
