//! Whether a table says what the bitconditions say: for every vector, the span of its conditions in
//! the table is the span of its tied groups, neither less nor more. No solver is involved.
//!
//! Two conditions of one group add up to a third, and conditions of different groups never do; so
//! the spans are equal if every condition of the table joins two bits of one group with the XOR
//! that the group gives them (nothing false is said) and these joints connect each group (nothing
//! true is left out).

use std::error::Error;
use std::fmt;

use ubc_table::{Condition, DisturbanceVector, Table};

use crate::bitconditions::{BitConditions, TiedGroup};

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
                let (from, to) = (parts[i], parts[j]);
                parts.iter_mut().filter(|part| **part == from).for_each(|part| *part = to);
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
    use crate::tables::{ALL, read, root};
    use ubc_table::{Bit, Row};

    fn committed() -> impl Iterator<Item = Table> {
        ALL.iter().map(|path| read(&root().join(path)).unwrap())
    }

    #[test]
    fn the_committed_tables_say_what_the_bitconditions_say() {
        let bitconditions = BitConditions::committed();
        for table in committed() {
            assert_eq!(check(&table, &bitconditions), Ok(()));
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
                }
            }
        }
    }
}
