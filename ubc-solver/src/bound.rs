//! A proof that no choice is cheaper, which a few lines can check.
//!
//! Whatever a set of conditions costs can be divided among the tied groups that the conditions
//! serve: let each group pay a *price* for each condition that it uses. As long as the prices of all
//! groups for a condition add up to no more than the condition costs, a whole choice costs at least
//! what all groups pay together; and a group pays at least the cheapest spanning tree of its bits at
//! its prices. So
//!
//! > any choice costs at least the sum of the groups' cheapest spanning trees.
//!
//! With resources the same holds. Let a slot charge the most that any of its conditions is worth
//! beyond its own cost: that much every chosen condition of the slot owes for its room. As long as
//! what the slots of a resource charge adds up to no more than the resource costs, the resources
//! chosen cost at least what the chosen conditions owe.
//!
//! Prices that make the bound best are the dual of a linear program, and are found by one; but
//! nothing depends on how. A [`Certificate`] holds the prices in millionths, and [`bound`] checks
//! them with integers and Kruskal's algorithm. Since costs are whole numbers, a bound of more than
//! n - 1 proves that nothing costs less than n.

use std::error::Error;
use std::fmt;

use crate::model::{Model, bits};
use crate::parts::join;

/// Parts of a unit of cost.
pub const SCALE: u64 = 1_000_000;

/// Prices: for each group, for each of its conditions in order, in millionths of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// `prices[group][place]`, as [`Model::groups`] lists groups and their conditions.
    pub prices: Vec<Vec<u64>>,
}

/// Why a certificate proves nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Invalid {
    /// It has not the shape of the model.
    Shape,
    /// The groups pay more for a condition than it costs.
    Condition(usize),
    /// The slots of a resource charge more than it costs.
    Resource(usize),
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shape => write!(f, "the certificate is not of this model"),
            Self::Condition(n) => write!(f, "condition {n} is paid more than it costs"),
            Self::Resource(n) => write!(f, "resource {n} is charged more than it costs"),
        }
    }
}

impl Error for Invalid {}

/// What a certificate proves: no choice costs less than this many whole units.
///
/// # Errors
///
/// If its prices break the rules.
pub fn bound(model: &Model, certificate: &Certificate) -> Result<u64, Invalid> {
    let shapes = model.groups.iter().map(Vec::len);
    if !shapes.eq(certificate.prices.iter().map(Vec::len)) {
        return Err(Invalid::Shape);
    }

    let mut worth = vec![0_u64; model.conditions.len()];
    for (group, prices) in model.groups.iter().zip(&certificate.prices) {
        for ((_, _, condition), price) in group.iter().zip(prices) {
            worth[*condition] = worth[*condition].saturating_add(*price);
        }
    }
    let owed = |n: usize| worth[n].saturating_sub(model.own_cost * SCALE);
    let mut in_a_slot = vec![false; worth.len()];
    let mut charged = vec![0_u64; model.resources.len()];
    for slot in &model.slots {
        let most = slot.conditions.iter().map(|n| owed(*n)).max().unwrap_or(0);
        slot.conditions.iter().for_each(|n| in_a_slot[*n] = true);
        for resource in &slot.resources {
            charged[*resource] = charged[*resource].saturating_add(most);
        }
    }
    if let Some(n) = (0..worth.len()).find(|n| !in_a_slot[*n] && owed(*n) > 0) {
        return Err(Invalid::Condition(n));
    }
    let costs = model.resources.iter().map(|resource| resource.cost * SCALE);
    if let Some(n) = costs.zip(&charged).position(|(cost, charged)| *charged > cost) {
        return Err(Invalid::Resource(n));
    }

    let trees = model.groups.iter().zip(&certificate.prices);
    let total: u64 = trees.map(|(group, prices)| cheapest_tree(group, prices).0).sum();
    Ok(total.div_ceil(SCALE))
}

/// The cost of a group's cheapest spanning tree, and the places of its conditions (Kruskal).
pub(crate) fn cheapest_tree<P: Copy + PartialOrd + std::iter::Sum>(
    group: &[(usize, usize, usize)],
    prices: &[P],
) -> (P, Vec<usize>) {
    let mut places: Vec<usize> = (0..group.len()).collect();
    places.sort_by(|a, b| prices[*a].partial_cmp(&prices[*b]).unwrap_or(std::cmp::Ordering::Equal));
    let mut parts: Vec<usize> = (0..bits(group)).collect();
    places.retain(|place| {
        let (i, j, _) = group[*place];
        join(&mut parts, i, j)
    });
    (places.iter().map(|place| prices[*place]).sum(), places)
}
