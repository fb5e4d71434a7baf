//! Whether the committed tables are as good as they say, under whatever version of z3.
//!
//! One version writes the same bytes every time, so under the version that made a table, a fresh one
//! has to be equal. Another version may choose other rows at the same cost. Then the table itself is
//! examined: whether it is valid, whether it costs what it claims, and whether the bound holds that
//! it claims: by prices, and by z3's cores where the prices prove less.

use std::error::Error;
use std::fs;
use std::path::Path;

use ubc_table::Table;

use crate::bitconditions::BitConditions;
use crate::bound::bound;
use crate::check::examine;
use crate::generate::{make, solver};
use crate::minimum::{completing, minimum};
use crate::model::Model;
use crate::prefix::Windows;
use crate::prices::prices;
use crate::tables::{ALL, SOLVER, claim, kind, line, read};
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
    let model = Model::new(kind(path)?, bitconditions);
    let by_prices = bound(&model, &prices(&model))? as usize;
    if by_prices >= claimed {
        return Ok(by_prices);
    }
    let by_cores = match Windows::new(&model, bitconditions).before_exit(&model, table) {
        Some(prefix) => completing(&model, &prefix.windows, &prefix.conditions),
        None => minimum(&model),
    };
    Ok(by_cores.at_least as usize)
}
