//! The window forms on AArch64, of four lanes.

#[path = "../filter/tables/x4.rs"]
mod x4;
#[path = "../filter/tables/x4_prefix.rs"]
mod x4_prefix;

use super::cpu;
use super::lanes::NeonLanes;
use crate::filter::vector::Vector;
use crate::pipeline::form::steps;
use crate::schedule::Schedule;

/// A form: what it holds, and the table that it runs. NEON is part of the targets that this is
/// compiled for, and needs no token.
macro_rules! form {
    ($(#[$doc:meta])* $form:ident($held:ty, $detect:expr), $table:ident, $features:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub(crate) struct $form($held);

        impl $form {
            pub(super) fn detect() -> Option<Self> {
                $detect.map(Self)
            }

            /// Runs the whole filter by itself.
            #[allow(unsafe_code)]
            pub(super) fn mask(self, w: &Schedule) -> u32 {
                #[target_feature(enable = $features)]
                fn mask(w: &Schedule) -> u32 {
                    $table::check::<NeonLanes>(w)
                }
                // SAFETY: NEON is part of the target, and the form holds a token for what is more.
                unsafe { mask(w) }
            }
        }

        #[allow(unsafe_code)]
        const _: () = {
            steps!($form, $table, NeonLanes, cleared => cleared.0, vreg "/* {0:v} */", $features,
                NeonLanes; x4_prefix, NeonLanes);
        };
    };
}

form! {
    /// The whole filter.
    Neon((), Some(())), x4, "neon"
}

form! {
    /// Its prefix.
    NeonPrefix((), Some(())), x4_prefix, "neon"
}

form! {
    /// The whole filter, with XORs of three.
    Sha3(cpu::Sha3, cpu::Sha3::detect()), x4, "neon,sha3"
}
