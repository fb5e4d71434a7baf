//! In which order a form checks its conditions, and where it stops early.
//!
//! A random block meets a condition half the time, so a vector outlives r independent conditions
//! with probability 2^-r, and the expected number of survivors is the sum of that over the vectors.
//! The order is greedy: next comes the condition after which the fewest are expected. An `exit`
//! then pays where what is left to check, times the chance that it can be left out, exceeds the
//! branch and its mispredictions; the places are chosen to make the expected cost least.

use std::collections::BTreeMap;

use ubc_table::{Clear, Condition, DisturbanceVector};

use crate::bitconditions::BitConditions;
use crate::parts::join;

/// The cost of one condition, in instructions: a load, an XOR, two shifts, two to fold it in.
const CONDITION: f64 = 6.0;
/// The cost of an exit: fold two masks, compare, branch.
const EXIT: f64 = 5.0;
/// The cost of a mispredicted branch, in instructions not done: 20 cycles of 5.
const MISPREDICTED: f64 = 100.0;

/// Conditions that are checked together, each with its vectors.
pub type Item = Vec<Clear>;

/// Which bits the conditions so far connect, for every vector.
#[derive(Clone)]
struct Progress<'a> {
    bitconditions: &'a BitConditions,
    /// For each group a part number for every bit.
    parts: Vec<Vec<usize>>,
    /// For each vector the rank of its conditions so far.
    ranks: BTreeMap<DisturbanceVector, i32>,
}

impl<'a> Progress<'a> {
    fn new(bitconditions: &'a BitConditions) -> Self {
        let groups = bitconditions.groups();
        Self {
            bitconditions,
            parts: groups.iter().map(|group| (0..group.bits().len()).collect()).collect(),
            ranks: DisturbanceVector::ALL.into_iter().map(|dv| (dv, 0)).collect(),
        }
    }

    fn take(&mut self, condition: Condition, dvs: &[DisturbanceVector]) {
        for (group, parts) in self.bitconditions.groups().iter().zip(&mut self.parts) {
            let places = (group.position(condition.first()), group.position(condition.second()));
            if let (true, (Some(i), Some(j))) = (dvs.contains(&group.dv()), places)
                && join(parts, i, j)
            {
                self.ranks.entry(group.dv()).and_modify(|rank| *rank += 1);
            }
        }
    }

    fn survivors(&self) -> f64 {
        self.ranks.values().map(|rank| 0.5_f64.powi(*rank)).sum()
    }
}

/// The numbers of the items, in the order in which they are worth checking.
pub fn order(items: &[Item], bitconditions: &BitConditions) -> Vec<usize> {
    let mut left: Vec<usize> = (0..items.len()).collect();
    let mut progress = Progress::new(bitconditions);
    let mut order = Vec::new();
    while !left.is_empty() {
        let after = left.iter().map(|n| {
            let mut after = progress.clone();
            items[*n].iter().for_each(|(condition, dvs)| after.take(*condition, dvs));
            after
        });
        // The first of the best, so that the order does not depend on luck.
        let best =
            after.enumerate().min_by(|(_, a), (_, b)| a.survivors().total_cmp(&b.survivors()));
        let Some((place, after)) = best else { break };
        order.push(left.remove(place));
        progress = after;
    }
    order
}

/// How many vectors are expected to survive before the first item, after it, and so on.
pub fn survivors(items: impl Iterator<Item = Item>, bitconditions: &BitConditions) -> Vec<f64> {
    let mut progress = Progress::new(bitconditions);
    let mut survivors = vec![progress.survivors()];
    for item in items {
        item.iter().for_each(|(condition, dvs)| progress.take(*condition, dvs));
        survivors.push(progress.survivors());
    }
    survivors
}

/// After how many conditions an exit makes the expected cost least, if one can stand after every
/// `step`.
pub fn exits(survivors: &[f64], step: usize) -> Vec<usize> {
    let total = survivors.len() - 1;
    // The chance that any vector is left after n conditions, at most.
    let alive = |n: usize| survivors[n].min(1.0);
    // From the end: the least cost after n conditions with an exit just passed, and the next exit.
    let mut cost = vec![(0.0, total); total + 1];
    for n in (0..total).rev() {
        let (mut best, mut next) = ((total - n) as f64 * CONDITION, total);
        for exit in (n + step..total).step_by(step) {
            let stay = alive(exit) / alive(n);
            let mispredicted = stay.min(1.0 - stay) * MISPREDICTED;
            let here = (exit - n) as f64 * CONDITION + EXIT + mispredicted + stay * cost[exit].0;
            if here < best {
                (best, next) = (here, exit);
            }
        }
        cost[n] = (best, next);
    }
    let after = |n: &usize| Some(cost[*n].1).filter(|next| *next < total);
    std::iter::successors(after(&0), after).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exit_stands_where_nearly_nothing_survives() {
        // Certain survival for 8 conditions, then none: stopping there saves the other 92.
        let survivors: Vec<_> = (0..=100).map(|n| if n < 8 { 1.0 } else { 0.001 }).collect();
        assert_eq!(exits(&survivors, 8), [8]);
    }

    #[test]
    fn no_exit_where_everything_survives() {
        assert_eq!(exits(&[1.0; 101], 8), []);
    }
}
