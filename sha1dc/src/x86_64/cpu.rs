//! What an x86-64 processor can do, as tokens. Where the operating system has to keep the registers of
//! a feature, that it does is part of the answer.

#![allow(unsafe_code)]

use core::arch::x86_64::__cpuid;
use core::sync::atomic::{AtomicU8, Ordering};

use crate::pipeline::token::token;

/// Whether Intel made the processor. There the SHA instructions for the schedule are slow, those for
/// the rounds fast, and both keep busy what the filter needs; so from word 32 on the schedule is made
/// without, and a prefix of the filter is faster than all of it: on a Xeon of 2023 (Sapphire Rapids) 29 ns a block
/// instead of 38 with AVX-512, and 36 instead of 44 with SSE2. On a Zen 4 the schedule and the whole
/// filter are free.
pub(crate) fn is_intel() -> bool {
    // 0 before the processor was asked, which takes microseconds on a virtual machine.
    static MAKER: AtomicU8 = AtomicU8::new(0);
    // In an enclave the instruction faults, and an interpreter has none.
    if cfg!(any(miri, target_env = "sgx")) {
        return false;
    }
    match MAKER.load(Ordering::Relaxed) {
        0 => {
            // SAFETY: every x86-64 has the instruction, outside of an enclave. (Newer versions of Rust know that.)
            #[allow(unused_unsafe)]
            let answer = unsafe { __cpuid(0) };
            let name = [answer.ebx, answer.edx, answer.ecx].map(u32::to_le_bytes);
            let is_intel = name.as_flattened() == b"GenuineIntel";
            MAKER.store(1 + u8::from(is_intel), Ordering::Relaxed);
            is_intel
        }
        maker => maker == 2,
    }
}

token! {
    /// The processor has the SHA instructions, and SSSE3 and SSE4.1 that go with them.
    ShaNi, cpuid_sha, "sha", "ssse3", "sse4.1"
}

token! {
    /// The processor has SSSE3.
    Ssse3, cpuid_ssse3, "ssse3"
}

token! {
    /// The processor has AVX2, and BMI1 and BMI2 that came with it.
    Avx2, cpuid_avx2, "avx2", "bmi1", "bmi2"
}

token! {
    /// The processor has AVX-512 with vectors of all lengths, and AVX2.
    Avx512, cpuid_avx512, "avx2", "avx512f", "avx512vl"
}

token! {
    /// The processor has AVX-512 with shuffles of bytes, and AVX2.
    Avx512Bw, cpuid_avx512bw, "avx2", "avx512f", "avx512bw"
}
