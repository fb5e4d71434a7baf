//! What x86-64 has: compressions, forms of the filter, and each of the one with each of the other,
//! compiled with the features of both.

#![allow(unsafe_code)]

mod cpu;
mod expansion;
mod forms;
mod lanes;
mod rows;
mod sha_ni;
mod vectored;

use crate::batch::scheduler::{self, Job};
use crate::batch::suspects::InRows;
use crate::kernel::Kernel;
use crate::pipeline::pair::pair;
use crate::pipeline::streams;
use crate::schedule::{Blocks, Schedule};
use forms::{
    Avx2, Avx512, ShaAvx2, ShaAvx2Prefix, ShaAvx512, ShaAvx512Prefix, ShaSse2, ShaSse2Prefix,
    ShaWidePrefix, Sse2,
};
use rows::{Avx2Rows, Avx512Rows, Ssse3Rows};
use sha_ni::{Sha1Rnds4, ShaNi};
use vectored::Vectored;

/// A compression and a form of the filter that this processor can run.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Hardware {
    ShaNiAvx512(ShaNi, ShaAvx512),
    Sha1Rnds4Avx512(Sha1Rnds4, ShaAvx512Prefix),
    ShaNiAvx2(ShaNi, ShaAvx2),
    Sha1Rnds4Avx2(Sha1Rnds4, ShaAvx2Prefix),
    ShaNiSse2(ShaNi, ShaSse2),
    Sha1Rnds4Sse2(Sha1Rnds4, ShaSse2Prefix),
    Avx2Avx512(Vectored<cpu::Avx2>, Avx512),
    Avx2Avx2(Vectored<cpu::Avx2>, Avx2),
    Ssse3Sse2(Vectored<cpu::Ssse3>, Sse2),
    PortableAvx2(Avx2),
    PortableSse2(Sse2),
}

impl Hardware {
    /// How many there may be that need something of the processor.
    pub(crate) const COUNT: usize = 11;

    /// The n-th, best first, if the processor has what it needs.
    #[inline]
    pub(crate) fn nth(n: usize) -> Option<Self> {
        // Of each pair with SHA instructions one comes first.
        let alone = n.is_multiple_of(2) == cpu::is_intel();
        Some(match n {
            0 | 1 if alone => {
                Self::Sha1Rnds4Avx512(Sha1Rnds4::detect()?, ShaAvx512Prefix::detect()?)
            }
            0 | 1 => Self::ShaNiAvx512(ShaNi::detect()?, ShaAvx512::detect()?),
            2 | 3 if alone => Self::Sha1Rnds4Avx2(Sha1Rnds4::detect()?, ShaAvx2Prefix::detect()?),
            2 | 3 => Self::ShaNiAvx2(ShaNi::detect()?, ShaAvx2::detect()?),
            4 | 5 if alone => Self::Sha1Rnds4Sse2(Sha1Rnds4::detect()?, ShaSse2Prefix::detect()?),
            4 | 5 => Self::ShaNiSse2(ShaNi::detect()?, ShaSse2::detect()?),
            6 => Self::Avx2Avx512(Vectored::<cpu::Avx2>::detect()?, Avx512::detect()?),
            7 => Self::Avx2Avx2(Vectored::<cpu::Avx2>::detect()?, Avx2::detect()?),
            8 => Self::Ssse3Sse2(Vectored::<cpu::Ssse3>::detect()?, Sse2::detect()?),
            9 => Self::PortableAvx2(Avx2::detect()?),
            _ => Self::PortableSse2(Sse2::detect()?),
        })
    }

    /// Runs the filter by itself.
    pub(crate) fn filter(self, w: &Schedule) -> u32 {
        match self {
            Self::ShaNiAvx512(_, avx512) => avx512.mask(w),
            Self::Sha1Rnds4Avx512(_, prefix) => prefix.mask(w),
            Self::ShaNiAvx2(_, avx2) => avx2.mask(w),
            Self::Sha1Rnds4Avx2(_, prefix) => prefix.mask(w),
            Self::ShaNiSse2(_, sse2) => sse2.mask(w),
            Self::Sha1Rnds4Sse2(_, prefix) => prefix.mask(w),
            Self::Avx2Avx512(_, avx512) => avx512.mask(w),
            Self::Avx2Avx2(_, avx2) | Self::PortableAvx2(avx2) => avx2.mask(w),
            Self::Ssse3Sse2(_, sse2) | Self::PortableSse2(sse2) => sse2.mask(w),
        }
    }

    /// Its name.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::ShaNiAvx512(..) => "shani+avx512",
            Self::Sha1Rnds4Avx512(..) => "sha1rnds4+avx512",
            Self::ShaNiAvx2(..) => "shani+avx2",
            Self::Sha1Rnds4Avx2(..) => "sha1rnds4+avx2",
            Self::ShaNiSse2(..) => "shani+sse2",
            Self::Sha1Rnds4Sse2(..) => "sha1rnds4+sse2",
            Self::Avx2Avx512(..) => "avx2+avx512",
            Self::Avx2Avx2(..) => "avx2+avx2",
            Self::Ssse3Sse2(..) => "ssse3+sse2",
            Self::PortableAvx2(_) => "portable+avx2",
            Self::PortableSse2(_) => "portable+sse2",
        }
    }

    /// Compresses blocks into a kernel.
    #[inline]
    pub(crate) fn compress(self, kernel: &mut Kernel, blocks: Blocks<'_>, offset: u64) {
        match self {
            Self::ShaNiAvx512(sha, avx512) => kernel.pipelined((sha, avx512), blocks, offset),
            Self::ShaNiAvx2(sha, avx2) => kernel.pipelined((sha, avx2), blocks, offset),
            Self::ShaNiSse2(sha, sse2) => kernel.pipelined((sha, sse2), blocks, offset),
            Self::Sha1Rnds4Avx512(sha, prefix) => kernel.pipelined((sha, prefix), blocks, offset),
            Self::Sha1Rnds4Avx2(sha, prefix) => kernel.pipelined((sha, prefix), blocks, offset),
            Self::Sha1Rnds4Sse2(sha, prefix) => kernel.pipelined((sha, prefix), blocks, offset),
            Self::Avx2Avx512(avx2, avx512) => kernel.pipelined((avx2, avx512), blocks, offset),
            Self::Avx2Avx2(avx2, form) => kernel.pipelined((avx2, form), blocks, offset),
            Self::Ssse3Sse2(ssse3, sse2) => kernel.pipelined((ssse3, sse2), blocks, offset),
            Self::PortableAvx2(avx2) => kernel.portable(blocks, offset, |w| avx2.mask(w)),
            Self::PortableSse2(sse2) => kernel.portable(blocks, offset, |w| sse2.mask(w)),
        }
    }
}

/// Kernels for many messages that this processor can run.
///
/// Sixteen lanes are fastest wherever they are. A row takes as long however few of its lanes are busy, so
/// with too few it is slower than one message after the other. On an Intel Xeon of 2023 (2.96 GHz),
/// messages of 16 KiB:
///
/// | kernel | a block, all lanes busy | a row | a block, one message | faster from |
/// |---|---|---|---|---|
/// | `avx512x16` | 17.6 ns | 282 ns | 40.7 ns with SHA instructions, 94 without | 8 lanes, 4 without |
/// | `avx2x8` | 36.9 ns | 295 ns | 49 ns with SHA instructions, 98 without | 7 lanes, 4 without |
/// | `ssse3x4` | 68 ns | 272 ns | 107 ns without SHA instructions | 3 lanes |
///
/// Two streams need a processor on which SHA instructions leave room: by a measurement with a prototype on
/// a Zen 4 they take 67 cycles a block and sixteen lanes took 63, where one message takes 120. On the
/// Xeon, two streams with AVX-512 and vectors of four lanes took 38 ns a block, which their setup ate
/// up again for all messages but long ones; so there are none.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum HardwareLanes {
    Avx512(Avx512Rows),
    ShaNiAvx2(ShaNi, ShaWidePrefix),
    Avx2(Avx2Rows),
    Ssse3(Ssse3Rows),
}

impl HardwareLanes {
    /// How many there may be.
    pub(crate) const COUNT: usize = 4;

    /// The n-th, if the processor has what it needs; of those that pay, best first.
    pub(crate) fn nth(n: usize) -> Option<Self> {
        Some(match n {
            0 => Self::Avx512(Avx512Rows::detect()?),
            1 => Self::ShaNiAvx2(ShaNi::detect()?, ShaWidePrefix::detect()?),
            2 => Self::Avx2(Avx2Rows::detect()?),
            _ => Self::Ssse3(Ssse3Rows::detect()?),
        })
    }

    /// How many messages it hashes side by side.
    pub(crate) const fn count(self) -> usize {
        match self {
            Self::Avx512(_) => 16,
            Self::ShaNiAvx2(..) => 2,
            Self::Avx2(_) => 8,
            Self::Ssse3(_) => 4,
        }
    }

    /// Its name.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Avx512(_) => "avx512x16",
            Self::ShaNiAvx2(..) => "shani+avx2x2",
            Self::Avx2(_) => "avx2x8",
            Self::Ssse3(_) => "ssse3x4",
        }
    }

    /// Whether it is faster than one message after the other if all lanes are busy.
    pub(crate) fn pays(self) -> bool {
        let (sha, is_intel) = (ShaNi::detect().is_some(), cpu::is_intel());
        match self {
            Self::Avx512(_) => true,
            // Beside wide vectors SHA instructions take an Intel processor 9 µs a block.
            Self::ShaNiAvx2(..) => !is_intel,
            Self::Avx2(_) => !sha || is_intel && Avx512Rows::detect().is_none(),
            Self::Ssse3(_) => !sha,
        }
    }

    /// From how many busy lanes on it is: a row takes as long however few are.
    pub(crate) fn worth(self) -> usize {
        match (self, ShaNi::detect()) {
            (Self::Avx512(_), Some(_)) if Self::streams().is_some() => 14,
            (Self::Avx512(_), Some(_)) => 8,
            (Self::Avx2(_), Some(_)) => 7,
            (Self::Avx512(_) | Self::Avx2(_), None) => 4,
            (Self::Ssse3(_), _) => 3,
            (Self::ShaNiAvx2(..), _) => 2,
        }
    }

    /// From how many messages on anything is faster than one message after the other.
    #[cfg(feature = "alloc")]
    pub(crate) fn worth_few(self) -> usize {
        Self::streams().map_or(self.worth(), |streams| streams.worth().min(self.worth()))
    }

    /// What else is for fewer messages, if it pays.
    fn streams() -> Option<Self> {
        Self::nth(1).filter(|streams| streams.pays())
    }

    /// Hashes many messages.
    pub(crate) fn run<'a, J: Job<'a>>(
        self,
        job: &mut J,
        messages: &mut dyn Iterator<Item = J::Message>,
    ) {
        let worth = self.worth();
        match self {
            Self::Avx512(rows) => scheduler::run(|| InRows::new(rows), worth, job, messages, few),
            Self::Avx2(rows) => scheduler::run(|| InRows::new(rows), worth, job, messages, few),
            Self::Ssse3(rows) => scheduler::run(|| InRows::new(rows), worth, job, messages, few),
            Self::ShaNiAvx2(sha, form) => {
                streams::run_two((sha, form), worth, job, messages);
            }
        }
    }
}

/// Hashes messages that are too few for rows.
fn few<'a, J: Job<'a>>(job: &mut J, messages: &mut dyn Iterator<Item = J::Message>) {
    match HardwareLanes::streams() {
        Some(streams) => streams.run(job, messages),
        None => job.all_singly(messages),
    }
}

// Recompression with SHA instructions is compiled without AVX: with it, the compiler would copy in
// wide vectors, for which SHA instructions pay.
pair!(ShaNi, ShaSse2, "sha,ssse3,sse4.1", "sha,ssse3,sse4.1");
pair!(ShaNi, ShaAvx2, "sha,avx2", "sha,ssse3,sse4.1");
pair!(ShaNi, ShaWidePrefix, "sha,avx2", "sha,ssse3,sse4.1");
pair!(ShaNi, ShaAvx512, "sha,avx2,avx512f,avx512vl", "sha,ssse3,sse4.1");
pair!(Sha1Rnds4, ShaSse2Prefix, "sha,ssse3,sse4.1", "sha,ssse3,sse4.1");
pair!(Sha1Rnds4, ShaAvx2Prefix, "sha,avx2", "sha,ssse3,sse4.1");
pair!(Sha1Rnds4, ShaAvx512Prefix, "sha,avx2,avx512f,avx512vl", "sha,ssse3,sse4.1");
pair!(Vectored<cpu::Ssse3>, Sse2, "ssse3", "ssse3");
pair!(Vectored<cpu::Avx2>, Avx2, "avx2,bmi1,bmi2", "avx2,bmi1,bmi2");
pair!(Vectored<cpu::Avx2>, Avx512, "avx2,bmi1,bmi2,avx512f,avx512vl", "avx2,bmi1,bmi2");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::tests::test_pair;

    /// Every pair that this processor can run.
    #[test]
    fn every_pair() {
        test_pair(ShaNi::detect(), ShaSse2::detect());
        test_pair(ShaNi::detect(), ShaAvx2::detect());
        test_pair(ShaNi::detect(), ShaAvx512::detect());
        test_pair(Sha1Rnds4::detect(), ShaSse2Prefix::detect());
        test_pair(Sha1Rnds4::detect(), ShaAvx2Prefix::detect());
        test_pair(Sha1Rnds4::detect(), ShaAvx512Prefix::detect());
        test_pair(Vectored::<cpu::Ssse3>::detect(), Sse2::detect());
        test_pair(Vectored::<cpu::Avx2>::detect(), Avx2::detect());
        test_pair(Vectored::<cpu::Avx2>::detect(), Avx512::detect());
    }
}
