//! Recompression: the exact test of a candidate.
//!
//! This is Algorithm 1 of Stevens and Shumow (USENIX Security 2017). If a block follows a
//! disturbance vector, its *partner*, the block of the other message, has the expanded message
//! W ^ dm, and at one known step both compressions pass through the same state. So the partner's
//! compression can be run from that state, backwards to the chaining value that it starts from and
//! forwards to the one that it ends at. The block is half of a collision if both end alike.
//!
//! The filter has thrown out all but about one block in 21 by then, so the steps stay a rolled loop
//! over ranges of one round function each.

use core::ops::Range;

use crate::dv::{DIFFERENCES, DV_0, DisturbanceVector};
use crate::rounds::{Checkpoints, K, State, feed_forward, step, unstep};
use crate::schedule::{Block, Schedule, block_of};

/// The vectors for which the states are equal before step 60 too, which is nearly all of the
/// candidates: the five words of the vector before that step are zero.
pub(crate) const EQUAL_AT_60: u32 = {
    let mut mask = 0;
    let mut i = 0;
    while i < 32 {
        let words = DisturbanceVector::ALL[i].words();
        let t = 60 + DV_0;
        if words[t - 1] | words[t - 2] | words[t - 3] | words[t - 4] | words[t - 5] == 0 {
            mask |= 1 << i;
        }
        i += 1;
    }
    mask
};

/// The states where recompression starts, from the one before step 60; `w` is the expanded message.
pub(crate) fn checkpoints(step_60: State, w: &Schedule) -> Checkpoints {
    let keyed = |t: usize| w[t].wrapping_add(K[t / 20]);
    Checkpoints {
        step_58: [59, 58].into_iter().fold(step_60, |s, t| unstep(t, s, keyed(t))),
        step_65: (60..65).fold(step_60, |s, t| step(t, s, keyed(t))),
    }
}

/// The other half of a supposed collision.
pub(crate) struct Partner {
    /// Its block.
    pub(crate) block: Block,
    /// The chaining value before that block.
    pub(crate) before: State,
    /// The chaining value after it.
    pub(crate) after: State,
}

/// The partner of a block, given its expanded message and its states, if it follows vector number
/// `index`.
pub(crate) fn partner(w: &Schedule, states: &Checkpoints, index: usize) -> Partner {
    let difference = &DIFFERENCES[index];
    let w: Schedule = core::array::from_fn(|t| w[t] ^ difference[t]);
    let ([before], [last]) = match DisturbanceVector::ALL[index].equal_state() {
        58 => both_ways::<58, 1>([states.step_58], |_, t| w[t]),
        _ => both_ways::<65, 1>([states.step_65], |_, t| w[t]),
    };
    Partner { block: block_of(&w), before, after: feed_forward(before, last) }
}

/// The chaining value that a block starts from, given its expanded message and its states.
pub(crate) fn start(w: &Schedule, states: &Checkpoints) -> State {
    let ([start], _) = both_ways::<58, 1>([states.step_58], |_, t| w[t]);
    start
}

/// The states before step 0 and after step 79 of N compressions, which pass through `states` before
/// step START; `word(n, t)` is `W[t]` of the n-th.
#[inline(always)]
pub(crate) fn both_ways<const START: usize, const N: usize>(
    states: [State; N],
    word: impl Fn(usize, usize) -> u32,
) -> ([State; N], [State; N]) {
    let (mut first, mut last) = (states, states);
    let keyed = |n: usize, t: usize| word(n, t).wrapping_add(K[t / 20]);
    // A loop a round function: with one loop the compiler would choose the function in each step.
    let mut back = |steps: Range<usize>| {
        for t in steps.rev() {
            first.iter_mut().enumerate().for_each(|(n, s)| *s = unstep(t, *s, keyed(n, t)));
        }
    };
    back(START.min(60)..START);
    back(40..START.min(60));
    back(20..40);
    back(0..20);
    let mut on = |steps: Range<usize>| {
        for t in steps {
            last.iter_mut().enumerate().for_each(|(n, s)| *s = step(t, *s, keyed(n, t)));
        }
    };
    on(START..START.max(60));
    on(START.max(60)..80);
    (first, last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::portable;

    /// Compressing the partner block from where recompression says that it starts must end where
    /// recompression says that it ends: the compression shares no loop with the recompression.
    #[test]
    fn the_partner_compresses_as_told() {
        let block: Block = core::array::from_fn(|i| (i as u8).wrapping_mul(151) ^ 0x5a);
        let chaining = [1, 2, 3, 4, 5];
        let mut w = [0; 80];
        let (_, states) = portable::compress(chaining, &block, &mut w);
        for (index, difference) in DIFFERENCES.iter().enumerate() {
            let partner = partner(&w, &states, index);
            let mut partner_w = [0; 80];
            let (after, partner_states) =
                portable::compress(partner.before, &partner.block, &mut partner_w);
            let dv = DisturbanceVector::ALL[index];
            assert_eq!(after, partner.after, "{dv}");
            match dv.equal_state() {
                58 => assert_eq!(partner_states.step_58, states.step_58, "{dv}"),
                _ => assert_eq!(partner_states.step_65, states.step_65, "{dv}"),
            }
            let differences: Schedule = core::array::from_fn(|t| partner_w[t] ^ w[t]);
            assert_eq!(differences, *difference);
        }
    }
}
