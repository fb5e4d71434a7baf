//! What this processor can do, as tokens: whoever holds one has had it checked, and there is no
//! other way to one. Code that needs a feature takes the token, so it cannot be reached without.

/// The processor has AVX2, and the operating system keeps its registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg(target_arch = "x86_64")]
pub(crate) struct Avx2(());

#[cfg(target_arch = "x86_64")]
cpufeatures::new!(cpuid_avx2, "avx2");

#[cfg(target_arch = "x86_64")]
impl Avx2 {
    /// Asks the processor, once; later calls remember.
    pub(crate) fn detect() -> Option<Self> {
        cpuid_avx2::get().then_some(Self(()))
    }
}
