//! Whether the committed tables are as good as they say, under whatever version of z3.
//!
//! One version writes the same bytes every time, so under the version that made a table, a fresh one
//! has to be equal. Another version may choose other rows at the same cost. Then the table itself is
//! examined: whether it is valid, whether it costs what it claims, and whether the bound holds that
//! it claims: by prices, and by z3's cores where the prices prove less.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::Path;

use ubc_table::{Row, Table};

use crate::bitconditions::BitConditions;
use crate::bound::bound;
use crate::check::examine;
use crate::generate::{make, solver};
use crate::minimum::{completing, minimum};
use crate::model::{Class, Model};
use crate::prices::prices;
use crate::tables::{ALL, SOLVER, claim, line, read};
use crate::work::for_each;

/// Compares all committed tables below `root` with fresh ones, or confirms what they claim; for each
/// what was done, or what is wrong.
pub fn confirm_all(
    root: &Path,
    bitconditions: &BitConditions,
    tell: impl Fn(&str) + Sync,
) -> Vec<Result<String, String>> {
    let confirmed =
        |(path, _)| confirm(path, root, bitconditions).map_err(|error| error.to_string());
    for_each(&ALL, confirmed, |(path, _), _| tell(path))
}

fn confirm(
    path: &'static str,
    root: &Path,
    bitconditions: &BitConditions,
) -> Result<String, Box<dyn Error>> {
    let text = fs::read_to_string(root.join(path)).map_err(|error| format!("{path}: {error}"))?;
    if line(&text, SOLVER) == Some(&solver()) {
        make(path, bitconditions)?.compare(root)?;
        return Ok(format!("{path}: the same to the byte"));
    }
    let told = examine(path, root, bitconditions)?;
    let (_, claimed) = claim(&text)?;
    let proven = proven(path, &read(&root.join(path))?, claimed, bitconditions)?;
    if proven < claimed {
        return Err(format!("{path}: claims to cost at least {claimed}; proven {proven}").into());
    }
    Ok(format!("{told}; made by another z3, its bound of {claimed} holds"))
}

/// What a table of this kind with this prefix is proven to cost; no more than is claimed is tried.
fn proven(
    path: &str,
    table: &Table,
    claimed: usize,
    bitconditions: &BitConditions,
) -> Result<usize, Box<dyn Error>> {
    let kind = ALL.iter().find(|(at, _)| *at == path).map(|(_, kind)| *kind);
    let model = Model::new(kind.ok_or("no such table")?, bitconditions);
    let by_prices = bound(&model, &prices(&model))? as usize;
    if by_prices >= claimed {
        return Ok(by_prices);
    }
    let (windows, conditions) = before_exit(&model, table);
    let by_cores = if windows.is_empty() {
        minimum(&model)
    } else {
        completing(&model, &windows, &conditions)
    };
    Ok(by_cores.at_least as usize)
}

/// The windows before the exit of a table, as resources of its model, and what they check.
fn before_exit(model: &Model, table: &Table) -> (Vec<usize>, BTreeSet<usize>) {
    let Some(exit) = table.rows.iter().position(|row| matches!(row, Row::Exit)) else {
        return Default::default();
    };
    let (mut windows, mut conditions) = (Vec::new(), BTreeSet::new());
    for group in table.rows[..exit].iter().filter_map(Row::group) {
        let Some((first, _)) = group.conditions.first() else { continue };
        let class = Class::of(model.kind, *first);
        let alike = model
            .resources
            .iter()
            .enumerate()
            .filter(|(_, resource)| resource.class == class && resource.start == group.first);
        windows.extend(alike.map(|(n, _)| n).find(|n| !windows.contains(n)));
        let numbers = group.conditions.iter();
        conditions.extend(numbers.filter_map(|(condition, _)| {
            model.conditions.iter().position(|(other, _)| other == condition)
        }));
    }
    (windows, conditions)
}
