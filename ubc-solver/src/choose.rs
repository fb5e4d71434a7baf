//! Which conditions a form checks.
//!
//! Any spanning tree of a tied group says all that the group says. Seen from a cut, a split of the
//! group's bits in two, a set of conditions connects the group exactly if it has one across every
//! cut; and a condition serves every vector that has it. So the fewest conditions are a smallest
//! set that hits all cuts of all groups. Groups are small (at most ten bits), and all cuts are
//! written down up front.

use std::collections::{BTreeMap, BTreeSet};

use ubc_table::{Condition, DisturbanceVector};

use crate::bitconditions::{BitConditions, TiedGroup};
use crate::minimum::minimum;

/// Conditions, each with all vectors that have it.
pub type Chosen = BTreeMap<Condition, Vec<DisturbanceVector>>;

/// Every condition of every vector.
pub fn all(bitconditions: &BitConditions) -> Chosen {
    let mut all = Chosen::new();
    for group in bitconditions.groups() {
        for (_, _, condition) in group.conditions() {
            all.entry(condition).or_default().push(group.dv());
        }
    }
    all.values_mut().for_each(|dvs| dvs.sort());
    all
}

/// The conditions across each cut of a group.
fn cuts(group: &TiedGroup) -> impl Iterator<Item = BTreeSet<Condition>> {
    // The first bit stands on the near side of each cut; the far side is any set of others.
    (1_u32..1 << group.rank()).map(move |far| {
        let is_far = |i: usize| far << 1 >> i & 1 == 1;
        let across = group.conditions().filter(|(i, j, _)| is_far(*i) != is_far(*j));
        across.map(|(_, _, condition)| condition).collect()
    })
}

/// The fewest conditions that say everything: the cost model of the scalar form, which checks one
/// condition at a time.
pub fn fewest(bitconditions: &BitConditions) -> Chosen {
    let all = all(bitconditions);
    let numbers: BTreeMap<_, _> = all.keys().enumerate().map(|(n, c)| (*c, n)).collect();
    let rows = bitconditions.groups().iter().flat_map(cuts);
    let chosen = minimum(rows.map(|row| row.iter().map(|condition| numbers[condition]).collect()));
    let chosen = |(n, (condition, dvs))| chosen.contains(&n).then_some((condition, dvs));
    all.into_iter().enumerate().filter_map(chosen).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_of_n_bits_has_half_of_all_splits_but_one() {
        let committed = BitConditions::committed();
        for group in committed.groups() {
            let cuts: BTreeSet<_> = cuts(group).collect();
            assert_eq!(cuts.len(), (1 << group.rank()) - 1, "{group}");
        }
    }
}
