//! What this processor can do, as tokens: whoever holds one has had it checked, and there is no
//! other way to one. Code that needs a feature takes the token, so it cannot be reached without.
//!
//! The processor is asked once; later calls remember.

/// A token for what `cpufeatures` calls `$features`.
macro_rules! token {
    ($(#[$doc:meta])* $token:ident, $module:ident, $($features:tt),+) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(super) struct $token(());

        cpufeatures::new!($module, $($features),+);

        impl $token {
            /// A token, if the processor has it.
            pub(super) fn detect() -> Option<Self> {
                $module::get().then_some(Self(()))
            }
        }
    };
}

token! {
    /// The processor has the instructions for SHA-1, which come with those for SHA-256.
    Sha2, hwcap_sha2, "sha2"
}

token! {
    /// The processor has the instructions for SHA-3, one of which XORs three vectors, and those for
    /// SHA-1, which the compiler takes for a part of them.
    Sha3, hwcap_sha3, "sha2", "sha3"
}
