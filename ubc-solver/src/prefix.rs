//! The best few windows: which of them leave the fewest vectors to expect.
//!
//! Where many blocks run at once, throughput counts, and it can pay to run only some windows on
//! every block and the rest on the few that are left. Given a number of windows, the best are those
//! after which the expected number of survivors, the sum over the vectors of 2 to the minus rank of
//! the conditions so far, is least.
//!
//! This is a search by annealing from a fixed seed, which proves nothing.

use ubc_table::DisturbanceVector;

use crate::bitconditions::BitConditions;
use crate::model::Model;
use crate::parts::join;
use crate::random::Random;

/// Rounds of annealing, and how often it starts anew.
const ROUNDS: u32 = 30_000;
const STARTS: u32 = 40;

/// A choice of windows, and what it leaves.
#[derive(Clone, Debug)]
pub struct Prefix {
    /// Numbers of resources of the model.
    pub windows: Vec<usize>,
    /// Vectors expected to survive, for a random block.
    pub survivors: f64,
}

/// The best `count` windows that are found, for a model of windows each lane of which has one
/// condition at most.
pub fn prefix(model: &Model, bitconditions: &BitConditions, count: usize) -> Prefix {
    let mut covered = vec![Vec::new(); model.resources.len()];
    for slot in &model.slots {
        for window in &slot.resources {
            covered[*window].extend(&slot.conditions);
        }
    }
    // For every window what it joins: group, and the two places in it.
    let joins: Vec<Vec<(usize, usize, usize)>> = covered
        .iter()
        .map(|conditions| {
            let groups = model.groups.iter().enumerate();
            let joins = groups.flat_map(|(n, group)| {
                let joined = group.iter().filter(|(_, _, c)| conditions.contains(c));
                joined.map(move |(i, j, _)| (n, *i, *j))
            });
            joins.collect()
        })
        .collect();
    let vectors: Vec<usize> =
        bitconditions.groups().iter().map(|group| group.dv().index()).collect();
    let survivors = |windows: &[usize]| {
        let mut parts: Vec<[u8; 16]> = vec![std::array::from_fn(|n| n as u8); vectors.len()];
        let mut alive = [1.0; DisturbanceVector::ALL.len()];
        for (group, i, j) in windows.iter().flat_map(|window| &joins[*window]) {
            if join(&mut parts[*group], *i, *j) {
                alive[vectors[*group]] *= 0.5;
            }
        }
        alive.iter().sum::<f64>()
    };

    let mut random = Random::new(1);
    let mut best = Prefix { windows: Vec::new(), survivors: f64::INFINITY };
    let (mut windows, mut now) = (Vec::new(), f64::INFINITY);
    for round in (0..STARTS).flat_map(|_| 0..ROUNDS) {
        if round == 0 {
            windows = (0..count).map(|_| random.below(joins.len())).collect();
            now = survivors(&windows);
        }
        // What is worse by this share is taken about every third time; in the end, never.
        let heat = 0.4 * (1.0 - f64::from(round) / f64::from(ROUNDS)).powi(2);
        let mut changed = windows.clone();
        changed[random.below(count)] = random.below(joins.len());
        let then = survivors(&changed);
        if then < now * (1.0 + heat * random.below(1000) as f64 / 1000.0) {
            (windows, now) = (changed, then);
            if now < best.survivors {
                best = Prefix { windows: windows.clone(), survivors: now };
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Kind;

    /// The best values that any search has found, a restart of it or another.
    #[test]
    fn the_best_prefixes_are_found() {
        let bitconditions = BitConditions::committed();
        let model = Model::new(Kind::PairWindows(8), &bitconditions);
        for (count, known) in [(6, 0.977), (8, 0.438), (10, 0.227), (12, 0.145), (14, 0.101)] {
            let found = prefix(&model, &bitconditions, count).survivors;
            assert!((found - known).abs() < 0.0006, "{count} windows leave {found}, not {known}");
        }
    }
}
