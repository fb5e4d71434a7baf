//! What this processor can do, as tokens: whoever holds one has had it checked, and there is no
//! other way to one. Code that needs a feature takes the token, so it cannot be reached without.
//!
//! The processor is asked once; later calls remember. Where the operating system has to keep the
//! registers of a feature, that it does is part of the answer.

/// Tokens from features: `$features` are what `cpufeatures` calls them.
macro_rules! token {
    ($(#[$doc:meta])* $token:ident, $module:ident, $($features:tt),+) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(crate) struct $token(());

        cpufeatures::new!($module, $($features),+);

        impl $token {
            /// A token, if the processor has all of it.
            pub(crate) fn detect() -> Option<Self> {
                $module::get().then_some(Self(()))
            }
        }
    };
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
