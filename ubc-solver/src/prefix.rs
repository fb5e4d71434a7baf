//! The best few windows: which of them leave the fewest vectors to expect.
//!
//! Where the filter is not free, it can pay to run only some windows on every block and the rest on the
//! few that are left: beside SHA instructions that leave little room, where nothing runs beside the
//! filter, or where many blocks run at once. Given a number of windows, the best are those
//! after which the expected number of survivors, the sum over the vectors of 2 to the minus rank of
//! the conditions so far, is least.
//!
//! This is a search by annealing from a fixed seed, which proves nothing; [`fewest`](mod@crate::fewest)
//! proves how far from the best it can be at most.

use std::collections::{BTreeMap, BTreeSet};

use ubc_table::{DisturbanceVector, Row, Table};

use crate::bitconditions::BitConditions;
use crate::model::{Class, Model};
use crate::parts::join;
use crate::random::Random;

/// Rounds of annealing, and how often it starts anew.
const ROUNDS: u32 = 30_000;
const STARTS: u32 = 40;

/// A vector that survives for certain, in the unit in which survivors are counted: 2^-40, so that
/// a share of 2 to the minus rank is a whole number.
pub const ONE: u64 = 1 << 40;

/// A choice of windows, and what it leaves.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Prefix {
    /// Vectors expected to survive a random block, in parts of [`ONE`].
    pub survivors: u64,
    /// Numbers of resources of the model.
    pub windows: Vec<usize>,
    /// What they check: numbers of conditions.
    pub conditions: BTreeSet<usize>,
}

/// The conditions one of which a lane can check.
type Lane = Vec<usize>;

/// A window with a condition for each of its lanes.
type Filled = (usize, Vec<usize>);

/// The windows of a model, and what their lanes can check.
#[derive(Clone, Debug)]
pub struct Windows {
    /// The resources that are the same window, and its lanes.
    windows: Vec<(Vec<usize>, Vec<Lane>)>,
    /// For each condition what it joins: a group, and two places in it.
    pub(crate) joins: Vec<Vec<(usize, usize, usize)>>,
    /// For each group the number of its vector.
    pub(crate) vectors: Vec<usize>,
}

impl Windows {
    /// The windows of a model.
    pub fn new(model: &Model, bitconditions: &BitConditions) -> Self {
        let mut same: BTreeMap<(Class, usize), (Vec<usize>, Vec<Lane>)> = BTreeMap::new();
        for (n, resource) in model.resources.iter().enumerate() {
            same.entry((resource.class, resource.start)).or_default().0.push(n);
        }
        let mut windows: Vec<_> = same.into_values().collect();
        for (resources, lanes) in &mut windows {
            let over = model.slots.iter().filter(|slot| slot.resources.contains(&resources[0]));
            lanes.extend(over.map(|slot| slot.conditions.clone()));
        }
        let mut joins = vec![Vec::new(); model.conditions.len()];
        for (n, group) in model.groups.iter().enumerate() {
            group.iter().for_each(|(i, j, condition)| joins[*condition].push((n, *i, *j)));
        }
        let vectors = bitconditions.groups().iter().map(|group| group.dv().index()).collect();
        Self { windows, joins, vectors }
    }

    /// The numbers of the windows.
    pub(crate) fn numbers(&self) -> std::ops::Range<usize> {
        0..self.windows.len()
    }

    /// How often a window can be of use.
    pub(crate) fn copies(&self, window: usize) -> usize {
        self.windows[window].0.len()
    }

    /// The lanes of a window.
    pub(crate) fn lanes(&self, window: usize) -> &[Lane] {
        &self.windows[window].1
    }

    /// For each group each bit a part of its own.
    pub(crate) fn apart(&self) -> Vec<[u8; 16]> {
        vec![std::array::from_fn(|n| n as u8); self.vectors.len()]
    }

    /// What some conditions leave, in parts of [`ONE`].
    pub fn survivors(&self, conditions: impl IntoIterator<Item = usize>) -> u64 {
        let mut progress = Progress::new(self);
        conditions.into_iter().for_each(|n| progress.check(n));
        progress.survivors()
    }

    /// A choice of windows, in terms of the model.
    pub(crate) fn prefix(&self, filled: &[Filled]) -> Prefix {
        let conditions = || filled.iter().flat_map(|(_, conditions)| conditions).copied();
        let mut left: BTreeMap<usize, std::slice::Iter<'_, usize>> = BTreeMap::new();
        let resources = filled.iter().filter_map(|(window, _)| {
            left.entry(*window).or_insert(self.windows[*window].0.iter()).next().copied()
        });
        let mut windows: Vec<usize> = resources.collect();
        windows.sort_unstable();
        Prefix {
            survivors: self.survivors(conditions()),
            windows,
            conditions: conditions().collect(),
        }
    }

    /// What stands before the exit of a table of windows; nothing if there is no exit, or if a window
    /// before it is none of these.
    pub fn before_exit(&self, model: &Model, table: &Table) -> Option<Prefix> {
        let exit = table.rows.iter().position(|row| matches!(row, Row::Exit))?;
        let (mut windows, mut conditions) = (Vec::new(), BTreeSet::new());
        for group in table.rows[..exit].iter().filter_map(Row::group) {
            let (first, _) = group.conditions.first()?;
            let class = Class::of(model.kind, *first);
            let alike =
                model.resources.iter().enumerate().filter(|(_, resource)| {
                    resource.class == class && resource.start == group.first
                });
            windows.push(alike.map(|(n, _)| n).find(|n| !windows.contains(n))?);
            conditions.extend(group.conditions.iter().filter_map(|(condition, _)| {
                model.conditions.iter().position(|(other, _)| other == condition)
            }));
        }
        let survivors = self.survivors(conditions.iter().copied());
        (!windows.is_empty()).then_some(Prefix { survivors, windows, conditions })
    }

    /// The best `count` of `among` that annealing finds, and the next best that it came by; at most
    /// `keep` of them.
    pub(crate) fn anneal(&self, among: &[usize], count: usize, keep: usize) -> Vec<Prefix> {
        let mut random = Random::new(1);
        let mut best: BTreeSet<Prefix> = BTreeSet::new();
        let (mut filled, mut now): (Vec<Filled>, u64) = (Vec::new(), u64::MAX);
        for round in (0..STARTS).flat_map(|_| 0..ROUNDS) {
            if round == 0 {
                let first = |window| {
                    (window, self.lanes(window).iter().map(|lane| lane[0]).collect::<Vec<_>>())
                };
                filled = (0..count).map(|_| first(among[random.below(among.len())])).collect();
                now = u64::MAX;
            }
            // Another window, or the same with other conditions.
            let place = random.below(count);
            let same = random.below(4) == 0;
            let window = if same { filled[place].0 } else { among[random.below(among.len())] };
            let others = || filled.iter().enumerate().filter(|(n, _)| *n != place).map(|(_, f)| f);
            if others().filter(|(other, _)| *other == window).count() == self.copies(window) {
                continue;
            }
            let mut progress = Progress::new(self);
            others().flat_map(|(_, conditions)| conditions).for_each(|n| progress.check(*n));
            // In each lane what helps most, next to all others.
            let conditions = self.lanes(window).iter().map(|lane| {
                let most = lane.iter().copied().max_by_key(|n| progress.gain(*n));
                most.inspect(|n| progress.check(*n)).unwrap_or(lane[0])
            });
            let conditions = conditions.collect();
            let then = progress.survivors();
            // What is worse by this share is taken about every third time; in the end, never.
            let heat = 0.4 * (1.0 - f64::from(round) / f64::from(ROUNDS)).powi(2);
            if (then as f64) < now as f64 * (1.0 + heat * random.below(1000) as f64 / 1000.0) {
                filled[place] = (window, conditions);
                now = then;
                if best.len() < keep || best.last().is_some_and(|worst| now < worst.survivors) {
                    best.insert(self.prefix(&filled));
                    best = best.into_iter().take(keep).collect();
                }
            }
        }
        best.into_iter().collect()
    }
}

/// What some conditions leave.
struct Progress<'a> {
    windows: &'a Windows,
    /// For each group a part number for every bit.
    parts: Vec<[u8; 16]>,
    /// For each vector how much of it is left.
    left: [u64; DisturbanceVector::ALL.len()],
}

impl<'a> Progress<'a> {
    fn new(windows: &'a Windows) -> Self {
        Self { windows, parts: windows.apart(), left: [ONE; DisturbanceVector::ALL.len()] }
    }

    fn check(&mut self, condition: usize) {
        for (group, i, j) in &self.windows.joins[condition] {
            if join(&mut self.parts[*group], *i, *j) {
                self.left[self.windows.vectors[*group]] /= 2;
            }
        }
    }

    /// What a condition would take away.
    fn gain(&self, condition: usize) -> u64 {
        let new = self.windows.joins[condition].iter().filter(|(group, i, j)| {
            let parts = &self.parts[*group];
            parts[*i] != parts[*j]
        });
        new.map(|(group, _, _)| self.left[self.windows.vectors[*group]] / 2).sum()
    }

    fn survivors(&self) -> u64 {
        self.left.iter().sum()
    }
}
