//! The cheapest choice for a model, with z3.
//!
//! # Exact: core-guided search
//!
//! Assume that nothing is paid; z3 answers with a set of assumptions that cannot all hold, a *core*,
//! so at least the cheapest of them must be paid; pay that, give the assumptions up in exchange for
//! a sorted counter of them whose further outputs cost again; repeat. When z3 agrees at last, its
//! model costs what the cores did, which is the proof that nothing is cheaper. (The scheme is OLL:
//! Andres, Kaufmann, Matheis, Schaub, *Unsatisfiability-based optimization in clasp*, ICLP 2012.)
//! z3's own optimiser stalls on these problems; this takes seconds.
//!
//! # Where that takes too long: large neighbourhood search
//!
//! From any choice, keep a random part of what is bought and let the exact search complete it; if
//! that is no dearer, go on from there. What this finds is a choice and no proof.
//!
//! Every search is bounded in conflicts, never in time, so one version of z3 gives the same choice
//! on every machine and run.

use std::collections::{BTreeMap, BTreeSet};

use z3::ast::Bool;
use z3::{Model as Valuation, Params, SatResult, Solver};

use crate::model::Model;
use crate::random::Random;

/// A choice of conditions and resources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Numbers of conditions.
    pub conditions: BTreeSet<usize>,
    /// Numbers of resources.
    pub resources: BTreeSet<usize>,
    /// What both cost.
    pub cost: u64,
    /// What the search proved that every choice costs at least.
    pub at_least: u64,
}

/// Any of these columns must be bought.
type Row = BTreeSet<usize>;

/// A model put as columns to buy: first the conditions, then the resources.
struct Problem {
    rows: BTreeSet<Row>,
    /// Of the first columns no more than of the second.
    slots: Vec<(Row, Row)>,
    costs: BTreeMap<usize, u64>,
}

impl Problem {
    fn new(model: &Model) -> Self {
        let first_resource = model.conditions.len();
        let resources = model.resources.iter().enumerate();
        let mut costs: BTreeMap<_, _> =
            resources.map(|(n, resource)| (first_resource + n, resource.cost)).collect();
        let slots: Vec<(Row, Row)> = (model.slots.iter())
            .map(|slot| {
                let resources = slot.resources.iter().map(|n| first_resource + n);
                (slot.conditions.iter().copied().collect(), resources.collect())
            })
            .collect();
        let rows = model.cuts();
        if model.own_cost > 0 {
            costs.extend((0..first_resource).map(|n| (n, model.own_cost)));
        } else if slots.iter().all(|(conditions, _)| conditions.len() == 1) {
            // Conditions are free and never contend: what counts is who makes room for them.
            let room: BTreeMap<_, _> =
                slots.iter().map(|(conditions, room)| (conditions.first(), room)).collect();
            let rows =
                rows.iter().map(|row| row.iter().flat_map(|n| room[&Some(n)]).copied().collect());
            return Self { rows: rows.collect(), slots: Vec::new(), costs };
        }
        Self { rows, slots, costs }
    }

    /// Adds that these have to be bought.
    fn require(&mut self, model: &Model, resources: &[usize], conditions: &BTreeSet<usize>) {
        let first_resource = model.conditions.len();
        self.rows.extend(resources.iter().map(|n| Row::from([first_resource + n])));
        if !self.slots.is_empty() || model.own_cost > 0 {
            self.rows.extend(conditions.iter().map(|n| Row::from([*n])));
        }
    }

    /// Shrinks a problem without slots, without losing all cheapest solutions; returns the columns
    /// that are forced.
    fn reduce(&mut self) -> Row {
        let mut forced = Row::new();
        while self.slots.is_empty() {
            let before: usize = self.rows.iter().map(Row::len).sum();

            let singles: Row =
                self.rows.iter().filter(|row| row.len() == 1).flatten().copied().collect();
            self.rows.retain(|row| row.is_disjoint(&singles));
            forced.extend(singles);

            // Whatever meets a row meets every row around it.
            let mut by_size: Vec<Row> = self.rows.iter().cloned().collect();
            by_size.sort_by_key(Row::len);
            self.rows.retain(|row| {
                let smaller = by_size.iter().take_while(|other| other.len() < row.len());
                !smaller.into_iter().any(|other| other.is_subset(row))
            });

            // A column whose rows a column that is no dearer meets as well is never needed; of two
            // that are alike, the lower number stays.
            let mut meets: BTreeMap<usize, BTreeSet<&Row>> = BTreeMap::new();
            for row in &self.rows {
                row.iter().for_each(|column| {
                    meets.entry(*column).or_default().insert(row);
                });
            }
            let rank = |column: &usize, meets: &BTreeSet<&Row>| {
                (self.costs[column], std::cmp::Reverse(meets.len()), *column)
            };
            let needless = |(column, mine): (&usize, &BTreeSet<&Row>)| {
                // Whoever meets all of these rows meets in particular the first.
                let others = mine.first().into_iter().flat_map(|row| row.iter());
                let better = |other: &usize| {
                    other != column
                        && self.costs[other] <= self.costs[column]
                        && mine.is_subset(&meets[other])
                        && rank(other, &meets[other]) < rank(column, mine)
                };
                others.into_iter().any(better).then_some(*column)
            };
            let needless: Row = meets.iter().filter_map(needless).collect();
            self.rows = self.rows.iter().map(|row| row - &needless).collect();

            if self.rows.iter().map(Row::len).sum::<usize>() == before {
                break;
            }
        }
        forced
    }

    /// Parts that share no column, as problems of their own. With slots, all is one part.
    fn components(self) -> Vec<Self> {
        if !self.slots.is_empty() {
            return vec![self];
        }
        let mut parts: Vec<(Row, BTreeSet<Row>)> = Vec::new();
        for row in self.rows {
            let (touching, apart): (Vec<_>, Vec<_>) =
                parts.into_iter().partition(|(columns, _)| !columns.is_disjoint(&row));
            parts = apart;
            let mut joined = (row.clone(), BTreeSet::from([row]));
            for (columns, rows) in touching {
                joined.0.extend(columns);
                joined.1.extend(rows);
            }
            parts.push(joined);
        }
        let costs = |columns: Row| columns.into_iter().map(|n| (n, self.costs[&n])).collect();
        let part = |(columns, rows)| Self { rows, slots: Vec::new(), costs: costs(columns) };
        parts.into_iter().map(part).collect()
    }
}

/// The cheapest choice.
///
/// # Panics
///
/// If z3 gives up, though no limit is set.
pub fn minimum(model: &Model) -> Choice {
    completing(model, &[], &BTreeSet::new())
}

/// Conflicts to spend on one neighbourhood.
const NEIGHBOUR_CONFLICTS: u32 = 300;

/// A cheap choice, by large neighbourhood search from a set of conditions.
///
/// # Panics
///
/// If z3 gives up on the cheapest room for the conditions, for which no limit is set.
pub fn near(model: &Model, conditions: &BTreeSet<usize>, rounds: u32) -> Choice {
    let first_resource = model.conditions.len();
    let mut problem = Problem::new(model);
    let rows = problem.rows.clone();
    // The cheapest room for these conditions.
    problem.rows.extend(conditions.iter().map(|n| Row::from([*n])));
    let (mut bought, _) = cheapest(&problem, u32::MAX).expect("no limit was set");
    let mut best = choice(model, &bought, &BTreeSet::new(), 0);
    let mut random = Random::new(1);
    let costs = std::mem::take(&mut problem.costs);
    for round in 0..rounds {
        // Free what is bought in a stretch of steps, or a quarter of it anywhere; keep the rest.
        // What is not bought can be bought in the stretch, or in every other round anywhere.
        let (middle, reach) = (30 + random.below(36), 3 + random.below(10));
        let stretch = round % 2 == 0;
        let mut neighbour =
            Problem { rows: rows.clone(), slots: problem.slots.clone(), costs: BTreeMap::new() };
        let mut barred = Row::new();
        for (column, cost) in &costs {
            let Some(resource) = column.checked_sub(first_resource) else { continue };
            let near = model.resources[resource].start.abs_diff(middle) < reach;
            let free = if stretch { near } else { random.below(4) == 0 };
            if bought.contains(column) && !free {
                neighbour.rows.insert(Row::from([*column]));
            } else if bought.contains(column) || near || !stretch {
                neighbour.costs.insert(*column, *cost);
            } else {
                barred.insert(*column);
            }
        }
        for (_, room) in &mut neighbour.slots {
            *room = &*room - &barred;
        }
        if let Some((columns, _)) = cheapest(&neighbour, NEIGHBOUR_CONFLICTS) {
            let found = choice(model, &columns, &BTreeSet::new(), 0);
            if found.cost <= best.cost {
                (best, bought) = (found, columns);
            }
        }
    }
    best
}

/// The cheapest choice that has these resources and conditions.
///
/// # Panics
///
/// If z3 gives up, though no limit is set.
pub fn completing(model: &Model, resources: &[usize], conditions: &BTreeSet<usize>) -> Choice {
    let mut problem = Problem::new(model);
    problem.require(model, resources, conditions);
    let mut bought = problem.reduce();
    let mut at_least: u64 = bought.iter().filter_map(|column| problem.costs.get(column)).sum();
    for part in problem.components() {
        let (columns, proven) = cheapest(&part, u32::MAX).expect("no limit was set");
        bought.extend(columns);
        at_least += proven;
    }
    choice(model, &bought, conditions, at_least)
}

/// Of the columns bought, a choice that has nothing needless but what has to be kept.
fn choice(model: &Model, bought: &Row, kept: &BTreeSet<usize>, at_least: u64) -> Choice {
    let first_resource = model.conditions.len();
    let resources: BTreeSet<usize> =
        bought.iter().filter_map(|n| n.checked_sub(first_resource)).collect();
    let needs_choice = model.slots.is_empty() || bought.iter().any(|n| *n < first_resource);
    let mut conditions: BTreeSet<usize> = if needs_choice {
        bought.range(..first_resource).copied().collect()
    } else {
        model.with_room(|resource| resources.contains(&resource))
    };
    // What says nothing new is left out, the condition of the fewest vectors first.
    let mut order: Vec<usize> = conditions.difference(kept).copied().collect();
    order.sort_by_key(|n| (model.conditions[*n].1.len(), *n));
    for n in order {
        conditions.remove(&n);
        if !model.connects(&conditions) {
            conditions.insert(n);
        }
    }
    let cost = model.cost(&conditions, &resources);
    Choice { conditions, resources, cost, at_least }
}

/// The outputs of a sorted counter over `inputs`: output i may be false only if at most i inputs
/// are true. (A totalizer: Bailleux and Boufkhad, CP 2003, in the one direction that is needed.)
fn counter(solver: &Solver, inputs: &[Bool]) -> Vec<Bool> {
    if inputs.len() < 2 {
        return inputs.to_vec();
    }
    let (left, right) = inputs.split_at(inputs.len() / 2);
    let (left, right) = (counter(solver, left), counter(solver, right));
    let outputs: Vec<_> = inputs.iter().map(|_| Bool::fresh_const("count")).collect();
    for i in 0..=left.len() {
        for j in 0..=right.len() {
            if i + j > 0 {
                let mut clause = vec![outputs[i + j - 1].clone()];
                clause.extend(i.checked_sub(1).map(|i| left[i].not()));
                clause.extend(j.checked_sub(1).map(|j| right[j].not()));
                solver.assert(Bool::or(&clause));
            }
        }
    }
    outputs
}

/// Something that costs if it is true.
struct Cost {
    literal: Bool,
    weight: u64,
    /// The outputs of its counter after it, each of which costs the same.
    later: Vec<Bool>,
}

/// The columns of a cheapest solution, and what it was proven that every solution costs; nothing if
/// z3 needs more conflicts than allowed for any one question.
fn cheapest(problem: &Problem, conflicts: u32) -> Option<(Row, u64)> {
    let solver = Solver::new_for_logic("QF_FD").expect("z3 has the logic of finite domains");
    limit(&solver, conflicts);
    let columns: BTreeMap<usize, Bool> = (problem.rows.iter())
        .chain(problem.slots.iter().flat_map(|(conditions, room)| [conditions, room]))
        .flatten()
        .map(|column| (*column, Bool::new_const(format!("column {column}"))))
        .collect();
    for row in &problem.rows {
        let clause: Vec<_> = row.iter().map(|column| columns[column].clone()).collect();
        solver.assert(Bool::or(&clause));
    }
    for (conditions, room) in &problem.slots {
        let missing: Vec<_> = room.iter().map(|n| columns[n].not()).collect();
        if let [condition] = conditions.iter().copied().collect::<Vec<_>>()[..] {
            // A clause of its own does better than counting to one.
            let mut clause: Vec<_> = room.iter().map(|n| columns[n].clone()).collect();
            clause.push(columns[&condition].not());
            solver.assert(Bool::or(&clause));
        } else {
            let taken = conditions.iter().map(|n| (&columns[n], 1));
            let terms: Vec<_> = taken.chain(missing.iter().map(|not| (not, 1))).collect();
            solver.assert(Bool::pb_le(&terms, room.len() as i32));
        }
    }

    let costs = problem.costs.iter().filter_map(|(n, weight)| Some((columns.get(n)?, weight)));
    let mut costs: Vec<Cost> = costs
        .map(|(column, weight)| Cost {
            literal: column.clone(),
            weight: *weight,
            later: Vec::new(),
        })
        .collect();
    let mut proven = 0;
    loop {
        let assumptions: Vec<_> = costs.iter().map(|cost| cost.literal.not()).collect();
        match solver.check_assumptions(&assumptions) {
            SatResult::Sat => break,
            SatResult::Unsat => {}
            SatResult::Unknown => return None,
        }
        let core = shrink(&solver, solver.get_unsat_core(), conflicts);
        assert!(!core.is_empty(), "some row cannot be met");
        let (given_up, kept): (Vec<_>, Vec<_>) =
            costs.into_iter().partition(|cost| core.contains(&cost.literal.not()));
        costs = kept;
        // Of the core at least one is true, which is paid for; a second one costs again.
        let paid = given_up.iter().map(|cost| cost.weight).min().unwrap_or(0);
        proven += paid;
        let inputs: Vec<_> = given_up.iter().map(|cost| cost.literal.clone()).collect();
        let mut further = vec![counter(&solver, &inputs).split_off(1)];
        for cost in given_up {
            further.push(cost.later.clone());
            if cost.weight > paid {
                costs.push(Cost { weight: cost.weight - paid, ..cost });
            }
        }
        for mut outputs in further.into_iter().filter(|outputs| !outputs.is_empty()) {
            let later = outputs.split_off(1);
            costs.extend(outputs.pop().map(|literal| Cost { literal, weight: paid, later }));
        }
    }
    let model: Valuation = solver.get_model().expect("z3 has a model of what it calls satisfiable");
    let is_true = |column: &Bool| model.eval(column, true).and_then(|b| b.as_bool()) == Some(true);
    Some((columns.iter().filter(|(_, column)| is_true(column)).map(|(n, _)| *n).collect(), proven))
}

/// Conflicts to spend on finding that a core does without one of its assumptions.
const SHRINK_CONFLICTS: u32 = 100;

/// Fixes all that a search depends on but the problem: the seed, and how many conflicts it may
/// take. A limit on time would make the result depend on the machine.
fn limit(solver: &Solver, conflicts: u32) {
    let mut params = Params::new();
    params.set_u32("random_seed", 0);
    params.set_u32("max_conflicts", conflicts);
    solver.set_params(&params);
}

/// Drops from a core what it can do without: smaller cores make smaller counters.
fn shrink(solver: &Solver, core: Vec<Bool>, conflicts: u32) -> Vec<Bool> {
    limit(solver, SHRINK_CONFLICTS.min(conflicts));
    let mut core = core;
    let mut i = 0;
    while i < core.len() {
        let mut without = core.clone();
        without.remove(i);
        if solver.check_assumptions(&without) == SatResult::Unsat {
            let smaller = solver.get_unsat_core();
            // What was found necessary stays in front: it is in every core inside this one.
            without.retain(|assumption| smaller.contains(assumption));
            core = without;
        } else {
            i += 1;
        }
    }
    limit(solver, conflicts);
    core
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(rows: &[&[usize]]) -> BTreeSet<Row> {
        rows.iter().map(|row| row.iter().copied().collect()).collect()
    }

    /// The cheapest solution, by the road that `minimum` takes.
    fn solve(rows: BTreeSet<Row>, costs: &[u64]) -> (Row, u64) {
        let costs = costs.iter().copied().enumerate().collect();
        let mut problem = Problem { rows, slots: Vec::new(), costs };
        let costs = problem.costs.clone();
        let mut bought = problem.reduce();
        let mut proven = bought.iter().map(|column| costs[column]).sum();
        for part in problem.components() {
            let (columns, cost) = cheapest(&part, u32::MAX).unwrap();
            bought.extend(columns);
            proven += cost;
        }
        (bought, proven)
    }

    #[test]
    fn forced_columns_are_bought() {
        let forced = solve(rows(&[&[1], &[1, 2], &[3, 4, 5], &[3]]), &[1; 6]);
        assert_eq!(forced, ([1, 3].into(), 2));
    }

    /// The lines of the Fano plane: every two meet, so three points are needed and enough.
    #[test]
    fn the_fano_plane_takes_three() {
        let fano = rows(&[
            &[0, 1, 2],
            &[0, 3, 4],
            &[0, 5, 6],
            &[1, 3, 5],
            &[1, 4, 6],
            &[2, 3, 6],
            &[2, 4, 5],
        ]);
        let (bought, proven) = solve(fano.clone(), &[1; 7]);
        assert_eq!((bought.len(), proven), (3, 3));
        assert!(fano.iter().all(|row| !row.is_disjoint(&bought)));
    }

    /// Against trying every subset, on small problems without structure and with unequal costs.
    #[test]
    fn nothing_cheaper_exists() {
        let mut random = Random::new(1);
        for _ in 0..60 {
            let problem: BTreeSet<Row> = (0..12)
                .map(|_| (0..2 + random.below(3)).map(|_| random.below(10)).collect())
                .collect();
            let costs: Vec<u64> = (0..10).map(|_| 1 + random.below(4) as u64).collect();
            let cost = |set: u32| (0..10).filter(|n| set >> n & 1 == 1).map(|n| costs[n]).sum();
            let meets = |set: u32| problem.iter().all(|row| row.iter().any(|c| set >> c & 1 == 1));
            let cheapest: Option<u64> = (0_u32..1024).filter(|set| meets(*set)).map(cost).min();
            let (bought, proven) = solve(problem.clone(), &costs);
            let bought: u32 = bought.iter().map(|column| 1 << column).sum();
            assert!(meets(bought), "{problem:?}");
            assert_eq!((Some(cost(bought)), Some(proven)), (cheapest, cheapest), "{problem:?}");
        }
    }

    /// Two conditions in one lane take two windows, wherever these begin.
    #[test]
    fn slots_have_no_more_room_than_is_bought() {
        let slots = vec![(Row::from([0, 1]), Row::from([2, 3])), (Row::from([4]), Row::from([3]))];
        let costs = [(2, 5), (3, 7)].into();
        let problem = Problem { rows: rows(&[&[0], &[1], &[4]]), slots: slots.clone(), costs };
        assert_eq!(cheapest(&problem, u32::MAX), Some(([0, 1, 2, 3, 4].into(), 12)));
        let costs = [(2, 5), (3, 7)].into();
        let problem = Problem { rows: rows(&[&[0, 1], &[4]]), slots, costs };
        assert_eq!(cheapest(&problem, u32::MAX).unwrap().1, 7);
    }
}
