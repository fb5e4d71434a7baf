//! What an AArch64 processor can do, as tokens.

use crate::pipeline::token::token;

token! {
    /// The processor has the instructions for SHA-1, which come with those for SHA-256.
    Sha2, hwcap_sha2, "sha2"
}

token! {
    /// The processor has the instructions for SHA-3, one of which XORs three vectors, and those for
    /// SHA-1, which the compiler takes for a part of them.
    Sha3, hwcap_sha3, "sha2", "sha3"
}
