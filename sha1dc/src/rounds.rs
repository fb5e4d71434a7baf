//! The steps of SHA-1, forwards and backwards.
//!
//! A step makes one new word and moves the others down a place. Written as a function from state
//! to state it moves all five; once a caller is unrolled with `t` a constant, the moves are names
//! that the compiler resolves and only the new word and one rotation are left.
//!
//! Functions and constants are those of FIPS 180-4, sections 4.1.1 and 4.2.1.

/// The working state (a, b, c, d, e), and equally a chaining value.
pub(crate) type State = [u32; 5];

/// The chaining value before the first block (FIPS 180-4, 5.3.1).
pub(crate) const INITIAL: State = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];

/// The states of one compression at the steps where recompression can start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Checkpoints {
    /// Before step 58.
    pub(crate) step_58: State,
    /// Before step 65.
    pub(crate) step_65: State,
}

/// The constant K of each twenty steps.
pub(crate) const K: [u32; 4] = [0x5a82_7999, 0x6ed9_eba1, 0x8f1b_bcdc, 0xca62_c1d6];

/// The function f of step t on b, c, d.
#[inline(always)]
fn function(t: usize, b: u32, c: u32, d: u32) -> u32 {
    match t {
        0..20 => d ^ (b & (c ^ d)),
        20..40 | 60..80 => b ^ c ^ d,
        // The two terms have no bit in common, so a sum is as good as an OR.
        _ => (c & d).wrapping_add(b & (c ^ d)),
    }
}

/// The state before step t + 1, from the one before step t and `W[t]` + K.
#[inline(always)]
pub(crate) fn step(t: usize, [a, b, c, d, e]: State, keyed: u32) -> State {
    let sum =
        e.wrapping_add(keyed).wrapping_add(function(t, b, c, d)).wrapping_add(a.rotate_left(5));
    [sum, a, b.rotate_left(30), c, d]
}

/// The state before step t, from the one before step t + 1 and `W[t]` + K.
#[inline(always)]
pub(crate) fn unstep(t: usize, [sum, a, b, c, d]: State, keyed: u32) -> State {
    let b = b.rotate_right(30);
    let rest = keyed.wrapping_add(function(t, b, c, d)).wrapping_add(a.rotate_left(5));
    [a, b, c, d, sum.wrapping_sub(rest)]
}

/// The chaining value after a block: the one before it plus the state after step 79.
#[inline(always)]
pub(crate) fn feed_forward(chaining: State, state: State) -> State {
    core::array::from_fn(|i| chaining[i].wrapping_add(state[i]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_undone_by_an_unstep() {
        let state = [0x0123_4567, 0x89ab_cdef, 0xfedc_ba98, 0x7654_3210, 0x0f1e_2d3c];
        for t in 0..80 {
            let w = 0x9e37_79b9_u32.wrapping_mul(t as u32 + 1);
            assert_eq!(unstep(t, step(t, state, w), w), state, "step {t}");
        }
    }
}
