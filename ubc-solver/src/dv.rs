//! The message difference of a disturbance vector, from the vector's definition.
//!
//! A vector obeys the message expansion, so sixteen words fix it: of `DV[k..k + 16]` all are zero but
//! `DV[k + 15]`, which has bit b, and for type II `DV[k + 1]` and `DV[k + 3]`, which have bit 31 turned
//! left by b. A bit of the vector starts a local collision, and the message difference of a step is
//! the sum of what the local collisions under way ask for there.
//!
//! Written apart from the same definition in the crate `sha1dc`, against which a test compares it.

use ubc_table::{Bit, DisturbanceVector, DvType};

/// The words of a vector from step -5 on, which is as far back as a message difference reaches.
fn words(dv: DisturbanceVector) -> [u32; 85] {
    let (k, b) = (usize::from(dv.k()) + 5, u32::from(dv.b()));
    let mut words = [0; 85];
    words[k + 15] = 1 << b;
    if dv.dv_type() == DvType::II {
        for disturbed in [k + 1, k + 3] {
            words[disturbed] = 0x8000_0000_u32.rotate_left(b);
        }
    }
    for t in k + 16..85 {
        words[t] = (words[t - 3] ^ words[t - 8] ^ words[t - 14] ^ words[t - 16]).rotate_left(1);
    }
    for t in (0..k).rev() {
        words[t] = words[t + 16].rotate_right(1) ^ words[t + 13] ^ words[t + 8] ^ words[t + 2];
    }
    words
}

/// `dm`: the XOR of the two expanded messages of an attack that follows the vector.
pub fn message_difference(dv: DisturbanceVector) -> [u32; 80] {
    let words = words(dv);
    std::array::from_fn(|t| {
        // Five words of the vector before this step, the newest last, then the step's own.
        let [five, four, three, two, one, now] = std::array::from_fn(|i| words[t + i]);
        now ^ one.rotate_left(5) ^ two ^ (three ^ four ^ five).rotate_left(30)
    })
}

/// The bits in which state word t differs between the two messages of an attack that follows the
/// vector: word t is what step t - 1 computes, and its disturbances are those of that step.
pub fn state_difference(dv: DisturbanceVector, t: usize) -> u32 {
    words(dv)[t + 4]
}

/// Whether a bit differs between the two messages of an attack that follows the vector.
pub fn differs(dv: DisturbanceVector, bit: Bit) -> bool {
    bit.of(&message_difference(dv))
}
