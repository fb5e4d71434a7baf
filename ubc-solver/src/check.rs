//! Whether a table says what the bitconditions say: for every vector, the span of its conditions in
//! the table is the span of its tied groups, neither less nor more. No solver is involved.
//!
//! Two conditions of one group add up to a third, and conditions of different groups never do; so
//! the spans are equal if every condition of the table joins two bits of one group with the XOR
//! that the group gives them (nothing false is said) and these joints connect each group (nothing
//! true is left out).

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt;
use std::fs;
use std::path::Path;

use ubc_table::{Bit, Condition, DisturbanceVector, Table};

use crate::bitconditions::{BitConditions, TiedGroup};
use crate::bound::bound;
use crate::fewest::at_least;
use crate::model::{Kind, Model};
use crate::parts::join;
use crate::prefix::Windows;
use crate::prices::prices;
use crate::tables::{ALL, AT_EXIT, at_exit, claim, cost, kind, line, read};

/// What is wrong with a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The table states a condition that the vector does not have.
    False(Condition, DisturbanceVector),
    /// The table does not tie this group together.
    Missing(TiedGroup),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::False(condition, dv) => write!(f, "{condition} is not a condition of {dv}"),
            Self::Missing(group) => write!(f, "the conditions do not connect {group}"),
        }
    }
}

impl Error for Fault {}

/// Checks a table against the bitconditions.
///
/// # Errors
///
/// Everything that is wrong with it.
pub fn check(table: &Table, bitconditions: &BitConditions) -> Result<(), Vec<Fault>> {
    let faults: Vec<_> = DisturbanceVector::ALL
        .into_iter()
        .flat_map(|dv| faults(table, bitconditions, dv))
        .collect();
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

/// Checks everything that needs no solver: every committed table against the bitconditions, by
/// union-find and again by elimination over GF(2), and the prices that prove that no choice is
/// cheaper. Returns what was checked, a line each.
///
/// # Errors
///
/// The first thing that is wrong.
pub fn verify(root: &Path, bitconditions: &BitConditions) -> Result<Vec<String>, Box<dyn Error>> {
    let mut lines = Vec::new();
    for (path, _) in ALL {
        lines.push(examine(path, root, bitconditions)?);
    }
    for kind in Kind::ALL {
        let model = Model::new(kind, bitconditions);
        let bound = bound(&model, &prices(&model))?;
        lines.push(format!("{kind}: at least {bound} {}", kind.unit()));
    }
    Ok(lines)
}

/// Checks what a committed table says of itself, but for the least cost: its conditions, what it
/// costs, and how many vectors are expected to survive at its exit, and are at least. Returns what was
/// checked.
///
/// # Errors
///
/// The first thing that is wrong.
pub fn examine(
    path: &str,
    root: &Path,
    bitconditions: &BitConditions,
) -> Result<String, Box<dyn Error>> {
    let kind = kind(path)?;
    let table = read(&root.join(path))?;
    if let Err(faults) = check(&table, bitconditions) {
        return Err(format!("{path}: {}", faults[0]).into());
    }
    let rank = check_by_elimination(&table, bitconditions)
        .map_err(|dv| format!("{path}: the spans of {dv} differ"))?;
    let (counted, unit) = (cost(kind, &table), kind.unit());
    let text = fs::read_to_string(root.join(path))?;
    let (claimed, _) = claim(&text).map_err(|message| format!("{path}: {message}"))?;
    if counted != claimed {
        return Err(format!("{path}: costs {counted} {unit} and claims {claimed}").into());
    }
    let mut told = format!("{path}: {counted} {unit}, rank {rank} over all vectors");
    if let Some(claimed) = line(&text, AT_EXIT) {
        let model = Model::new(kind, bitconditions);
        let windows = Windows::new(&model, bitconditions);
        let before = windows.before_exit(&model, &table);
        let before = before.ok_or_else(|| format!("{path}: there is no exit behind windows"))?;
        let survivors = before.survivors;
        let least = at_least(&windows, before.windows.len(), survivors).map_err(|better| {
            format!("{path}: {} would survive of {better:?}", better.survivors)
        })?;
        let found = at_exit(survivors, least);
        if claimed != found {
            return Err(format!("{path}: at the exit it claims {claimed}; found {found}").into());
        }
        told += &format!("; at the exit {found}");
    }
    Ok(told)
}

/// Whether the conditions of every vector span what its groups span, as vectors over GF(2) with a
/// coordinate for every bit of the expanded message and one for the XOR; the total rank.
///
/// # Errors
///
/// A vector of which they do not.
pub fn check_by_elimination(
    table: &Table,
    bitconditions: &BitConditions,
) -> Result<usize, DisturbanceVector> {
    let mut total = 0;
    for dv in DisturbanceVector::ALL {
        let stated = table.conditions().filter(|(_, clears)| clears.contains(&dv));
        let stated = reduced(stated.map(|(condition, _)| condition));
        let wanted = bitconditions.of(dv).flat_map(TiedGroup::conditions);
        if stated != reduced(wanted.map(|(_, _, condition)| condition)) {
            return Err(dv);
        }
        total += stated.len();
    }
    Ok(total)
}

/// The reduced echelon form of a set of conditions, which is the same for equal spans: for each
/// leading bit the bits that its row has, the last coordinate being the XOR.
fn reduced(conditions: impl Iterator<Item = Condition>) -> BTreeMap<usize, BTreeSet<usize>> {
    const XOR: usize = 80 * 32;
    let place = |bit: Bit| bit.word() * 32 + bit.bit() as usize;
    let mut rows: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for condition in conditions {
        let mut row = BTreeSet::from([place(condition.first()), place(condition.second())]);
        row.extend(condition.value().then_some(XOR));
        for (leading, other) in &rows {
            if row.contains(leading) {
                row = &row ^ other;
            }
        }
        let Some(leading) = row.first().copied() else { continue };
        for other in rows.values_mut().filter(|other| other.contains(&leading)) {
            *other = &*other ^ &row;
        }
        rows.insert(leading, row);
    }
    rows
}

fn faults(table: &Table, bitconditions: &BitConditions, dv: DisturbanceVector) -> Vec<Fault> {
    let mut faults = Vec::new();
    // Each group with, for every bit, the number of the part that it belongs to so far.
    let mut groups: Vec<(&TiedGroup, Vec<usize>)> =
        bitconditions.of(dv).map(|group| (group, (0..=group.rank()).collect())).collect();

    for (condition, _) in table.conditions().filter(|(_, clears)| clears.contains(&dv)) {
        let joined = groups.iter_mut().find_map(|(group, parts)| {
            let i = group.position(condition.first())?;
            let j = group.position(condition.second())?;
            (group.bits()[i].1 ^ group.bits()[j].1 == condition.value()).then_some((parts, i, j))
        });
        match joined {
            Some((parts, i, j)) => {
                join(parts, i, j);
            }
            None => faults.push(Fault::False(condition, dv)),
        }
    }

    let apart = |parts: &[usize]| parts.iter().any(|part| *part != parts[0]);
    let missing = groups.into_iter().filter(|(_, parts)| apart(parts));
    faults.extend(missing.map(|(group, _)| Fault::Missing(group.clone())));
    faults
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::root;
    use ubc_table::Row;

    fn committed() -> impl Iterator<Item = Table> {
        ALL.iter().map(|(path, _)| read(&root().join(path)).unwrap())
    }

    #[test]
    fn the_committed_tables_say_what_the_bitconditions_say() {
        let bitconditions = BitConditions::committed();
        for table in committed() {
            assert_eq!(check(&table, &bitconditions), Ok(()));
            assert_eq!(check_by_elimination(&table, &bitconditions), Ok(373));
        }
    }

    /// Every edit of one condition is found: its value, one of its bits, its vectors, its absence.
    #[test]
    fn no_edited_table_passes() {
        let bitconditions = BitConditions::committed();
        for table in committed() {
            for (n, row) in table.rows.iter().enumerate() {
                let Row::Clear(condition, clears) = row else { continue };
                let (first, second) = (condition.first(), condition.second());
                let moved = Bit::new(second.word() as u32, (second.bit() + 1) % 32).unwrap();
                let mut edits = vec![
                    Some(Row::Clear(condition.opposite(), clears.clone())),
                    Some(Row::Clear(
                        Condition::new(first, moved, condition.value()).unwrap(),
                        clears.clone(),
                    )),
                    None,
                ];
                let others = DisturbanceVector::ALL.into_iter().filter(|dv| !clears.contains(dv));
                edits.extend(others.map(|dv| {
                    Some(Row::Clear(*condition, clears.iter().copied().chain([dv]).collect()))
                }));
                for edit in edits {
                    let mut rows = table.rows.clone();
                    rows.splice(n..=n, edit);
                    let edited = Table { rows, ..table.clone() };
                    assert!(check(&edited, &bitconditions).is_err(), "{row} became {edited}");
                    let eliminated = check_by_elimination(&edited, &bitconditions);
                    assert!(eliminated.is_err(), "{row} became {edited}");
                }
            }
        }
    }
}
