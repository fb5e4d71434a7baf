//! Patterns of two to four bits that no attack along a vector can have, beyond the bitconditions.
//!
//! The bitconditions are what is linear. Some vectors also rule out single patterns of a few bits.
//! They are too weak to ship: together they would cut the candidates by a few per cent; so they are
//! a report.
//!
//! Every pattern of every few bits, of which tied ones count as one, is either met by some solution
//! of the vector's differential, or z3 says that there is none. Each solution meets one pattern of
//! every set of bits at once, so a few hundred solutions settle millions of patterns.

use std::collections::BTreeSet;

use ubc_table::{Bit, DisturbanceVector};
use z3::SatResult;
use z3::ast::Bool;

use crate::bitconditions::BitConditions;
use crate::derive::Equations;
use crate::differential::WINDOW;

/// Bits and the values that they never have together.
pub type Pattern = Vec<(Bit, bool)>;

/// What a vector rules out beyond its bitconditions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nonlinear {
    /// The vector.
    pub dv: DisturbanceVector,
    /// The patterns, none of which holds another.
    pub patterns: Vec<Pattern>,
    /// The bits of all patterns.
    pub bits: Vec<Bit>,
    /// How many of the 2^n values of these bits are left.
    pub left: u64,
}

impl Nonlinear {
    /// How much of a filter the patterns are, in bits: 1 halves the blocks that pass.
    pub fn strength(&self) -> f64 {
        self.bits.len() as f64 - (self.left as f64).log2()
    }
}

/// The values of all bits, one bit each.
type Sample = u128;

/// Sets of `size` of `count` things, in order.
fn subsets(count: usize, size: usize) -> Vec<Vec<usize>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let mut sets = Vec::new();
    for last in size - 1..count {
        sets.extend(subsets(last, size - 1).into_iter().map(|mut set| {
            set.push(last);
            set
        }));
    }
    sets
}

/// The value of some bits of a sample, as a number.
fn value(sample: Sample, set: &[usize]) -> usize {
    set.iter().enumerate().map(|(place, n)| ((sample >> n & 1) as usize) << place).sum()
}

/// Finds all patterns of two to four bits that a vector rules out beyond its bitconditions.
///
/// # Panics
///
/// If z3 gives up, or if 30 bits or more take part in patterns (7 do at most).
pub fn nonlinear(dv: DisturbanceVector, bitconditions: &BitConditions) -> Nonlinear {
    let equations = Equations::new(dv, WINDOW);
    let solver = equations.solver();
    // Of tied bits the first stands for all.
    let mut follows = BTreeSet::new();
    for group in bitconditions.of(dv) {
        follows.extend(group.bits()[1..].iter().map(|(bit, _)| *bit));
    }
    let bits: Vec<&(Bit, Bool)> =
        equations.bits().iter().filter(|(bit, _)| !follows.contains(bit)).collect();
    assert!(bits.len() <= 128, "more bits than a sample holds");

    let mut samples: Vec<Sample> = Vec::new();
    let mut ruled_out: Vec<BTreeSet<(usize, bool)>> = Vec::new();
    for size in 2..=4 {
        let sets = subsets(bits.len(), size);
        // For each set the values that some sample has, one bit a value.
        let mut met = vec![0_u16; sets.len()];
        let meet = |met: &mut [u16], sample| {
            for (met, set) in met.iter_mut().zip(&sets) {
                *met |= 1 << value(sample, set);
            }
        };
        samples.iter().for_each(|sample| meet(&mut met, *sample));
        for (n, set) in sets.iter().enumerate() {
            for wanted in 0..1 << size {
                if met[n] >> wanted & 1 == 1 {
                    continue;
                }
                let pattern: BTreeSet<(usize, bool)> =
                    set.iter().enumerate().map(|(i, bit)| (*bit, wanted >> i & 1 == 1)).collect();
                if ruled_out.iter().any(|smaller| smaller.is_subset(&pattern)) {
                    continue;
                }
                let assumptions: Vec<Bool> = pattern
                    .iter()
                    .map(|(n, value)| if *value { bits[*n].1.clone() } else { bits[*n].1.not() })
                    .collect();
                match solver.check_assumptions(&assumptions) {
                    SatResult::Unsat => ruled_out.push(pattern),
                    SatResult::Sat => {
                        let model = solver.get_model().expect("satisfiable, so there is a model");
                        let is_true = |bit: &Bool| {
                            model.eval(bit, true).and_then(|bit| bit.as_bool()) == Some(true)
                        };
                        let values = bits.iter().enumerate();
                        let sample =
                            values.map(|(n, (_, bit))| Sample::from(is_true(bit)) << n).sum();
                        samples.push(sample);
                        meet(&mut met, sample);
                    }
                    SatResult::Unknown => panic!("z3 gave up: {:?}", solver.get_reason_unknown()),
                }
            }
        }
    }

    let involved: BTreeSet<usize> = ruled_out.iter().flatten().map(|(n, _)| *n).collect();
    let involved: Vec<usize> = involved.into_iter().collect();
    let allowed = |values: &u64| {
        let of = |n: &usize| involved.iter().position(|other| other == n).unwrap_or(0);
        let holds = |(n, value): &(usize, bool)| (values >> of(n) & 1 == 1) == *value;
        !ruled_out.iter().any(|pattern| pattern.iter().all(holds))
    };
    assert!(involved.len() < 30, "more bits in patterns than their values can be counted");
    Nonlinear {
        dv,
        left: (0..1_u64 << involved.len()).filter(allowed).count() as u64,
        bits: involved.iter().map(|n| bits[*n].0).collect(),
        patterns: (ruled_out.iter())
            .map(|pattern| pattern.iter().map(|(n, value)| (bits[*n].0, *value)).collect())
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsets_are_all_there() {
        assert_eq!(subsets(4, 2), [[0, 1], [0, 2], [1, 2], [0, 3], [1, 3], [2, 3]]);
        assert_eq!(subsets(10, 4).len(), 210);
    }

    /// The vector of the published attacks: a known pattern, and what all of them leave.
    #[test]
    fn what_ii_52_0_rules_out() {
        let dv = "II(52,0)".parse().unwrap();
        let found = nonlinear(dv, &BitConditions::committed());
        let bit = |word, bit| Bit::new(word, bit).unwrap();
        let known = vec![(bit(36, 4), false), (bit(39, 30), false), (bit(40, 4), true)];
        assert!(found.patterns.contains(&known));
        assert!((found.strength() - 2.0).abs() < 1e-9);
    }
}
