//! What a processor can do, as tokens: whoever holds one has had it checked, and there is no other
//! way to one. Code that needs a feature takes the token, so it cannot be reached without.
//!
//! The processor is asked once; later calls remember.

/// A token of the features that `cpufeatures` calls `$features`.
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

pub(crate) use token;
