//! The smallest set that meets every row: minimum hitting set, proven optimal, with z3.
//!
//! A row is a list of columns of which at least one must be chosen. After the usual reductions the
//! problem falls into independent components, and each is solved by core-guided search: assume that
//! no column is chosen; z3 answers with a set of assumptions that cannot all hold, a *core*; so the
//! cost is at least one more; give one of them up by putting their number into a sorted counter
//! whose first output is dropped and whose others become assumptions; repeat. When z3 agrees at
//! last, the cost of its model equals the number of cores, which is the proof that none is smaller.
//! (The scheme is OLL: Andres, Kaufmann, Matheis, Schaub, *Unsatisfiability-based optimization in
//! clasp*, ICLP 2012.) z3's own optimiser stalls on this problem; this takes seconds.

use std::collections::{BTreeMap, BTreeSet};

use z3::ast::Bool;
use z3::{Params, SatResult, Solver};

/// A row: any of these columns meets it.
type Row = BTreeSet<usize>;

/// The smallest set of columns that meets all rows.
pub(crate) fn minimum(rows: impl IntoIterator<Item = Row>) -> BTreeSet<usize> {
    let mut rows: BTreeSet<Row> = rows.into_iter().collect();
    let mut chosen = reduce(&mut rows);
    for component in components(rows) {
        chosen.extend(solve(&component));
    }
    chosen
}

/// Shrinks the problem without losing all smallest solutions; returns columns that are forced.
fn reduce(rows: &mut BTreeSet<Row>) -> BTreeSet<usize> {
    let mut forced = BTreeSet::new();
    loop {
        let before = rows.iter().map(Row::len).sum::<usize>();

        let singles: BTreeSet<_> = rows.iter().filter(|row| row.len() == 1).flatten().collect();
        let singles: BTreeSet<usize> = singles.into_iter().copied().collect();
        rows.retain(|row| row.is_disjoint(&singles));
        forced.extend(singles);

        // Whatever meets a row meets every row around it.
        let by_size: Vec<Row> = {
            let mut all: Vec<_> = rows.iter().cloned().collect();
            all.sort_by_key(Row::len);
            all
        };
        rows.retain(|row| {
            !by_size
                .iter()
                .take_while(|other| other.len() < row.len())
                .any(|other| other.is_subset(row))
        });

        // A column whose rows another column meets as well is never needed; of two that meet the
        // same rows, the lower number stays.
        let mut meets: BTreeMap<usize, BTreeSet<&Row>> = BTreeMap::new();
        for row in rows.iter() {
            for column in row {
                meets.entry(*column).or_default().insert(row);
            }
        }
        let needless: BTreeSet<usize> = meets
            .iter()
            .filter(|(column, mine)| {
                // A column that dominates meets in particular the first of these rows.
                let first = mine.first().into_iter().flat_map(|row| row.iter());
                first.into_iter().any(|other| {
                    let theirs = &meets[other];
                    other != *column
                        && mine.is_subset(theirs)
                        && (mine.len() < theirs.len() || other < *column)
                })
            })
            .map(|(column, _)| *column)
            .collect();
        *rows = rows.iter().map(|row| row - &needless).collect();

        if rows.iter().map(Row::len).sum::<usize>() == before {
            return forced;
        }
    }
}

/// Rows that share columns, directly or through others, put together.
fn components(rows: BTreeSet<Row>) -> Vec<Vec<Row>> {
    let mut components: Vec<(Row, Vec<Row>)> = Vec::new();
    for row in rows {
        let (touching, apart): (Vec<_>, Vec<_>) =
            components.into_iter().partition(|(columns, _)| !columns.is_disjoint(&row));
        components = apart;
        let mut columns = row.clone();
        let mut members = vec![row];
        for (more_columns, more_members) in touching {
            columns.extend(more_columns);
            members.extend(more_members);
        }
        components.push((columns, members));
    }
    components.into_iter().map(|(_, rows)| rows).collect()
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

fn solve(rows: &[Row]) -> BTreeSet<usize> {
    let solver = Solver::new_for_logic("QF_FD").expect("z3 has the logic of finite domains");
    limit(&solver, u32::MAX);

    let columns: BTreeMap<usize, Bool> = rows
        .iter()
        .flatten()
        .map(|column| (*column, Bool::new_const(format!("column {column}"))))
        .collect();
    for row in rows {
        let clause: Vec<_> = row.iter().map(|column| columns[column].clone()).collect();
        solver.assert(Bool::or(&clause));
    }

    // Things that would cost 1 if true, each with the outputs of its counter that come after it.
    let mut costs: Vec<(Bool, Vec<Bool>)> =
        columns.values().map(|column| (column.clone(), Vec::new())).collect();
    loop {
        let assumptions: Vec<_> = costs.iter().map(|(cost, _)| cost.not()).collect();
        match solver.check_assumptions(&assumptions) {
            SatResult::Sat => break,
            SatResult::Unsat => {}
            SatResult::Unknown => panic!("z3 gave up: {:?}", solver.get_reason_unknown()),
        }
        let core = shrink(&solver, solver.get_unsat_core());
        assert!(!core.is_empty(), "some row cannot be met");
        let (given_up, kept): (Vec<_>, Vec<_>) =
            costs.into_iter().partition(|(cost, _)| core.contains(&cost.not()));
        costs = kept;
        // Of the core at least one is true, which is paid for; a second one costs again.
        let inputs: Vec<_> = given_up.iter().map(|(cost, _)| cost.clone()).collect();
        let counters = given_up.into_iter().map(|(_, later)| later);
        for mut outputs in counters.chain([counter(&solver, &inputs).split_off(1)]) {
            if !outputs.is_empty() {
                let later = outputs.split_off(1);
                costs.extend(outputs.into_iter().map(|next| (next, later.clone())));
            }
        }
    }
    let model = solver.get_model().expect("z3 has a model of what it calls satisfiable");
    let is_true = |column: &Bool| model.eval(column, true).and_then(|b| b.as_bool()) == Some(true);
    columns.iter().filter(|(_, column)| is_true(column)).map(|(column, _)| *column).collect()
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
fn shrink(solver: &Solver, core: Vec<Bool>) -> Vec<Bool> {
    limit(solver, SHRINK_CONFLICTS);
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
    limit(solver, u32::MAX);
    core
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(rows: &[&[usize]]) -> Vec<Row> {
        rows.iter().map(|row| row.iter().copied().collect()).collect()
    }

    #[test]
    fn forced_columns_are_chosen() {
        assert_eq!(minimum(rows(&[&[1], &[1, 2], &[3, 4, 5], &[3]])), [1, 3].into());
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
        let chosen = minimum(fano.clone());
        assert_eq!(chosen.len(), 3);
        assert!(fano.iter().all(|row| !row.is_disjoint(&chosen)));
    }

    /// Against trying every subset, on small problems without structure.
    #[test]
    fn no_smaller_set_exists() {
        let mut seed = 1_u64;
        let mut random = |below: u64| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        for _ in 0..40 {
            let problem: Vec<Row> = (0..12)
                .map(|_| (0..2 + random(3)).map(|_| random(10) as usize).collect())
                .collect();
            let meets = |set: u32| problem.iter().all(|row| row.iter().any(|c| set >> c & 1 == 1));
            let smallest = (0_u32..1024).filter(|set| meets(*set)).map(u32::count_ones).min();
            let chosen = minimum(problem.clone());
            assert!(meets(chosen.iter().map(|column| 1 << column).sum()), "{problem:?}");
            assert_eq!(Some(chosen.len() as u32), smallest, "{problem:?}");
        }
    }
}
