//! Making the tables.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;

use ubc_table::{Form, Group, Row, Table, Words};

use crate::bitconditions::BitConditions;
use crate::bound::bound;
use crate::check::check;
use crate::fewest::fewest;
use crate::minimum::{Choice, completing, minimum, near};
use crate::model::{Kind, Model};
use crate::order::{exits, order, survivors};
use crate::prefix::{ONE, Prefix, Windows};
use crate::prices::prices;
use crate::tables::{
    AT_EXIT, BLOCKS, Generated, REACHED, SCALAR, SOLVER, X4, X4_PREFIX, X8, X8_PREFIX, X16,
    X16_PREFIX, at_exit, kind,
};
use crate::work::for_each;

/// A table to make.
struct Plan {
    path: &'static str,
    title: &'static str,
    form: Form,
    step: usize,
    /// How many windows come before an exit.
    prefix: usize,
}

/// Conditions in a step of the scalar form: about 50 instructions, which is what four rounds of
/// scalar SHA-1 take as well.
const SCALAR_STEP: usize = 8;

const PLANS: [Plan; 8] = [
    Plan {
        path: SCALAR,
        title: "The scalar form: one condition at a time.",
        form: Form::Scalar,
        step: SCALAR_STEP,
        prefix: 0,
    },
    Plan {
        path: X4,
        title: "Windows of 4 lanes, for SSE2 and NEON.",
        form: Form::Windows,
        step: 3,
        prefix: 0,
    },
    Plan {
        path: X4_PREFIX,
        title: "Windows of 4 lanes, the 24 that tell most before an exit.",
        form: Form::Windows,
        step: 2,
        prefix: 24,
    },
    Plan {
        path: X8,
        title: "Windows of 8 lanes, for AVX2.",
        form: Form::Windows,
        step: 2,
        prefix: 0,
    },
    Plan {
        path: X8_PREFIX,
        title: "Windows of 8 lanes, the 10 that tell most before an exit.",
        form: Form::Windows,
        step: 1,
        prefix: 10,
    },
    Plan {
        path: X16,
        title: "Windows of 16 lanes, for AVX-512, where a rotation is one instruction.",
        form: Form::Windows,
        step: 1,
        prefix: 0,
    },
    Plan {
        path: X16_PREFIX,
        title: "Windows of 16 lanes, the 8 that tell most before an exit.",
        form: Form::Windows,
        step: 1,
        prefix: 8,
    },
    Plan {
        path: BLOCKS,
        title: "The block form: many blocks at once, a block a lane.",
        form: Form::Blocks,
        step: 1,
        prefix: 0,
    },
];

/// Rounds of neighbourhood search, where the exact one takes too long.
const ROUNDS: u32 = 60;

/// The best choice that is found for a cost model, and what any choice costs at least: by the
/// search, or by prices, whichever proves more.
///
/// # Errors
///
/// If the prices are no proof, which would be a mistake in here.
pub fn best(model: &Model, bitconditions: &BitConditions) -> Result<Choice, Box<dyn Error>> {
    let mut choice = match model.kind {
        // Here the exact search does not end in a day. Near the best choice of another model that
        // allows less there are good ones.
        Kind::ShiftWindows(4) | Kind::RotationWindows(4) => {
            let pairs = minimum(&Model::new(Kind::PairWindows(4), bitconditions));
            near(model, &pairs.conditions, ROUNDS)
        }
        _ => minimum(model),
    };
    choice.at_least = choice.at_least.max(bound(model, &prices(model))?);
    Ok(choice)
}

/// What the header of a table calls this solver.
pub fn solver() -> String {
    format!("z3 {}, seed 0", z3::full_version())
}

/// Makes all tables, on all processors.
///
/// # Errors
///
/// If a table that was made does not pass [`check`], naming what it lacks.
pub fn generate(bitconditions: &BitConditions) -> Result<Vec<Generated>, Box<dyn Error>> {
    // What takes longest comes first.
    let mut plans: Vec<&Plan> = PLANS.iter().collect();
    plans.sort_by_key(|plan| kind(plan.path) != Ok(Kind::ShiftWindows(4)));
    let made = for_each(
        &plans,
        |plan| make(plan.path, bitconditions).map_err(|error| error.to_string()),
        |plan, made| eprintln!("{}: {}", plan.title, if made.is_ok() { "done" } else { "failed" }),
    );
    let mut made: Vec<Generated> = made.into_iter().collect::<Result<_, String>>()?;
    made.sort_by_key(|made| PLANS.iter().position(|plan| plan.path == made.path));
    Ok(made)
}

/// Makes one table.
///
/// # Errors
///
/// If there is none of this path, or it does not pass [`check`].
pub fn make(path: &str, bitconditions: &BitConditions) -> Result<Generated, Box<dyn Error>> {
    let plan = PLANS.iter().find(|plan| plan.path == path);
    let plan = plan.ok_or_else(|| format!("{path}: no such table"))?;
    let kind = kind(path)?;
    let model = Model::new(kind, bitconditions);
    let (choice, before) = match plan.prefix {
        0 => (best(&model, bitconditions)?, None),
        count => {
            let (choice, prefix, at_least) = with_prefix(&model, bitconditions, count);
            (choice, Some((prefix, at_least)))
        }
    };
    let prefix = before.as_ref().map(|(prefix, _)| prefix);
    let (rows, survivors) = match plan.form {
        Form::Scalar => scalar_rows(&model, &choice, plan.step, bitconditions),
        Form::Windows | Form::Blocks => group_rows(&model, &choice, prefix, bitconditions),
    };
    let vector = match plan.form {
        Form::Scalar => None,
        Form::Windows => Some("crate::filter::vector::Vector"),
        Form::Blocks => Some("crate::filter::vector::Blocks"),
    };
    let table = Table {
        form: plan.form,
        lanes: kind.lanes().unwrap_or(1),
        vector: vector.map(syn::parse_str).transpose()?,
        words: Words::Ascending,
        step: plan.step,
        rows,
    };
    if let Err(faults) = check(&table, bitconditions) {
        return Err(format!("{}: {}", plan.path, faults[0]).into());
    }

    let unit = kind.unit();
    let conditions = choice.conditions.len();
    let reached = match (plan.prefix, choice.cost - choice.at_least) {
        (0, 0) => format!("{} {unit}, proven minimal; {conditions} conditions", choice.cost),
        (count, 0) => format!(
            "{} {unit}, proven minimal with these {count} before the exit; {conditions} conditions",
            choice.cost
        ),
        _ => {
            let (cost, at_least) = (choice.cost, choice.at_least);
            format!("{cost} {unit}, proven at least {at_least}; {conditions} conditions")
        }
    };
    let mut text = String::from("// @generated by `cargo run -p ubc-solver`. Do not edit.\n//\n");
    writeln!(text, "// {}", plan.title)?;
    writeln!(text, "// cost model: {unit} ({kind})")?;
    writeln!(text, "{REACHED}{reached}")?;
    let last = survivors.last().copied().unwrap_or(0.0);
    writeln!(text, "// expected survivors: {last:.4} vectors a random block")?;
    if let Some((before, at_least)) = before {
        // What stands before the exit has to be what was searched for.
        let left = before.survivors as f64 / ONE as f64;
        if (survivors[plan.prefix] - left).abs() > 1e-9 {
            return Err(format!("{}: the exit does not leave {left}", plan.path).into());
        }
        writeln!(text, "{AT_EXIT}{}", at_exit(before.survivors, at_least))?;
    }
    writeln!(text, "{SOLVER}{}", solver())?;
    writeln!(text, "\nubc_macros::filter! {{")?;
    for line in table.to_string().lines() {
        writeln!(text, "{}{line}", if line.is_empty() { "" } else { "    " })?;
    }
    writeln!(text, "}}")?;
    Ok(Generated { path: plan.path, text, summary: reached })
}

/// How many of the best prefixes are completed.
const PREFIXES: usize = 4;

/// A prefix of `count` windows and the cheapest choice that has it, chosen together: of the best
/// prefixes that are found the one with which the fewest windows are expected to run, those behind
/// the exit counting as often as a vector gets there; and what any prefix leaves at least.
///
/// # Panics
///
/// If z3 gives up, though no limit is set.
pub fn with_prefix(
    model: &Model,
    bitconditions: &BitConditions,
    count: usize,
) -> (Choice, Prefix, u64) {
    let (found, at_least) = fewest(&Windows::new(model, bitconditions), count, PREFIXES);
    let complete =
        |prefix: Prefix| (completing(model, &prefix.windows, &prefix.conditions), prefix);
    let expected = |(choice, prefix): &(Choice, Prefix)| {
        (prefix.survivors * (choice.cost - count as u64), prefix.survivors)
    };
    let chosen = found.into_iter().map(complete).min_by_key(expected);
    let (choice, prefix) = chosen.expect("a search finds something");
    (choice, prefix, at_least)
}

/// The chosen conditions, the most telling first, with exits.
fn scalar_rows(
    model: &Model,
    choice: &Choice,
    step: usize,
    bitconditions: &BitConditions,
) -> (Vec<Row>, Vec<f64>) {
    let items: Vec<_> =
        choice.conditions.iter().map(|n| vec![model.conditions[*n].clone()]).collect();
    let in_order: Vec<_> =
        order(&items, bitconditions).into_iter().map(|n| items[n].clone()).collect();
    let survivors = survivors(in_order.iter().cloned(), bitconditions);
    let conditions = in_order.into_iter().flatten();
    let mut rows: Vec<_> = conditions.map(|(condition, dvs)| Row::Clear(condition, dvs)).collect();
    for at in exits(&survivors, step).into_iter().rev() {
        rows.insert(at, Row::Exit);
    }
    (rows, survivors)
}

/// The chosen resources with the conditions that they make room for, the most telling first; those
/// of a prefix before all others, and an exit behind them.
fn group_rows(
    model: &Model,
    choice: &Choice,
    prefix: Option<&Prefix>,
    bitconditions: &BitConditions,
) -> (Vec<Row>, Vec<f64>) {
    let lanes = model.kind.lanes();
    let first = |n: &usize| prefix.is_some_and(|prefix| prefix.windows.contains(n));
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for slot in &model.slots {
        let mut conditions: Vec<_> =
            slot.conditions.iter().filter(|n| choice.conditions.contains(n)).collect();
        let mut room: Vec<_> =
            slot.resources.iter().filter(|n| choice.resources.contains(n)).collect();
        // What a prefix checks has its place there.
        conditions.sort_by_key(|n| !prefix.is_some_and(|prefix| prefix.conditions.contains(n)));
        room.sort_by_key(|n| !first(n));
        // A condition a resource; an XOR that all share is the only one, and stays.
        let room = room.iter().cycle().take(if lanes.is_some() { room.len() } else { usize::MAX });
        for (condition, resource) in conditions.into_iter().zip(room) {
            groups.entry(**resource).or_default().push(*condition);
        }
    }
    let rotated = matches!(model.kind, Kind::RotationWindows(_) | Kind::Blocks);
    let first: Vec<bool> = groups.keys().map(first).collect();
    let groups: Vec<Group> = groups
        .into_iter()
        .map(|(resource, mut conditions)| {
            conditions.sort_unstable();
            let resource = &model.resources[resource];
            Group {
                first: resource.start,
                second: resource.start + resource.class.gap(),
                turn: resource.class.turn(rotated),
                lanes: lanes.unwrap_or(1),
                conditions: conditions.iter().map(|n| model.conditions[*n].clone()).collect(),
            }
        })
        .collect();
    // Those of the prefix in order, then the others.
    let items: Vec<_> = groups.iter().map(|group| group.conditions.clone()).collect();
    let mut in_order = order(&items, bitconditions);
    in_order.sort_by_key(|n| !first[*n]);
    let mut rows: Vec<_> = in_order.iter().map(|n| Row::Group(groups[*n].clone())).collect();
    if prefix.is_some() {
        rows.insert(first.iter().filter(|first| **first).count(), Row::Exit);
    }
    let items = in_order.iter().map(|n| items[*n].clone());
    (rows, survivors(items, bitconditions))
}
