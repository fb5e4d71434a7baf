//! What was reached, for people: a table of costs and bounds, and a map of the message bits.

use std::error::Error;
use std::fmt::Write as _;

use ubc_table::{Bit, DisturbanceVector, Table};

use crate::bitconditions::{BitConditions, TiedGroup};
use crate::fewest::fewest;
use crate::generate::best;
use crate::model::{Kind, Model};
use crate::nonlinear::{Pattern, nonlinear};
use crate::prefix::{ONE, Windows};
use crate::work::for_each;

/// A heading, its columns, and its rows.
pub struct Section {
    /// What the rows are about.
    pub title: &'static str,
    /// The names of the columns.
    pub columns: Vec<&'static str>,
    /// The rows, each with a cell a column.
    pub rows: Vec<Vec<String>>,
}

/// What the form costs where it was published, in the same unit.
fn published(kind: Kind) -> &'static str {
    match kind {
        // The equations of Tables 4 and 5.
        Kind::Scalar => "156",
        _ => "-",
    }
}

/// Solves every cost model and gathers what was reached.
///
/// # Errors
///
/// If a bound is no proof, which would be a mistake in here.
pub fn lines(
    bitconditions: &BitConditions,
    tell: impl Fn(Kind) + Sync,
) -> Result<Vec<Section>, Box<dyn Error>> {
    let costs = for_each(
        &Kind::ALL,
        |kind| {
            tell(kind);
            let model = Model::new(kind, bitconditions);
            best(&model, bitconditions).map_err(|error| error.to_string())
        },
        |_, _| (),
    );
    let costs: Vec<_> = costs.into_iter().collect::<Result<_, String>>()?;
    let rows = Kind::ALL.iter().zip(costs).map(|(kind, choice)| {
        let optimal = if choice.cost == choice.at_least { "optimal" } else { "open" };
        vec![
            kind.to_string(),
            kind.unit().to_owned(),
            published(*kind).to_owned(),
            choice.cost.to_string(),
            choice.at_least.to_string(),
            optimal.to_owned(),
            choice.conditions.len().to_string(),
        ]
    });
    let forms = Section {
        title: "What a complete filter costs",
        columns: vec!["form", "unit", "published", "reached", "at least", "", "conditions"],
        rows: rows.collect(),
    };

    let rank = |dv| bitconditions.of(dv).map(TiedGroup::rank).sum::<usize>();
    let mut rows: Vec<_> = DisturbanceVector::ALL
        .iter()
        .map(|dv| {
            let rank = rank(*dv);
            let groups = bitconditions.of(*dv).count();
            let survives = 0.5_f64.powi(rank as i32);
            vec![dv.to_string(), groups.to_string(), rank.to_string(), format!("{survives:.6}")]
        })
        .collect();
    let ranks: Vec<usize> = DisturbanceVector::ALL.iter().map(|dv| rank(*dv)).collect();
    let survivors: f64 = ranks.iter().map(|rank| 0.5_f64.powi(*rank as i32)).sum();
    rows.push(vec![
        "all".to_owned(),
        bitconditions.groups().len().to_string(),
        ranks.iter().sum::<usize>().to_string(),
        format!("{survivors:.6}"),
    ]);
    let vectors = Section {
        title: "How many conditions a vector has, and how often a random block meets them",
        columns: vec!["vector", "tied groups", "rank", "survives"],
        rows,
    };

    let prefixes: Vec<(Kind, usize)> = [
        (Kind::PairWindows(4), [8, 12, 16, 20, 24]),
        (Kind::ShiftWindows(4), [8, 12, 16, 20, 24]),
        (Kind::PairWindows(8), [6, 8, 10, 12, 14]),
        (Kind::ShiftWindows(8), [6, 8, 10, 12, 14]),
        (Kind::PairWindows(16), [4, 6, 8, 10, 12]),
        (Kind::RotationWindows(16), [4, 6, 8, 10, 12]),
    ]
    .into_iter()
    .flat_map(|(kind, counts)| counts.map(|count| (kind, count)))
    .collect();
    let rows = for_each(
        &prefixes,
        |(kind, count)| {
            let model = Model::new(kind, bitconditions);
            let (found, at_least) = fewest(&Windows::new(&model, bitconditions), count, 1);
            let [found, at_least] = [found[0].survivors, at_least].map(|n| n as f64 / ONE as f64);
            let optimal = if found == at_least { "optimal" } else { "open" };
            let [found, at_least] = [found, at_least].map(|n| format!("{n:.4}"));
            vec![kind.to_string(), count.to_string(), found, at_least, optimal.to_owned()]
        },
        |(kind, _), _| tell(kind),
    );
    let prefixes = Section {
        title: "What the best few windows leave of a complete filter's work",
        columns: vec!["form", "windows", "expected survivors", "at least", ""],
        rows,
    };
    Ok(vec![forms, prefixes, vectors])
}

/// What the vectors rule out beyond the bitconditions; those that rule out nothing are left out.
pub fn beyond(bitconditions: &BitConditions, tell: impl Fn(DisturbanceVector) + Sync) -> Section {
    let found =
        for_each(&DisturbanceVector::ALL, |dv| nonlinear(dv, bitconditions), |dv, _| tell(dv));
    let pattern = |pattern: &Pattern| {
        let bits = pattern.iter().map(|(bit, value)| format!("{bit}={}", u8::from(*value)));
        bits.collect::<Vec<_>>().join(" ")
    };
    let rows = found.iter().filter(|found| !found.patterns.is_empty()).map(|found| {
        vec![
            found.dv.to_string(),
            found.patterns.len().to_string(),
            format!("{} of {}", found.left, 1_u64 << found.bits.len()),
            format!("{:.3}", found.strength()),
            found.patterns.iter().map(pattern).collect::<Vec<_>>().join(", "),
        ]
    });
    Section {
        title: "Patterns of two to four bits that no attack has, beyond the bitconditions",
        columns: vec!["vector", "patterns", "values left", "bits of filter", "never"],
        rows: rows.collect(),
    }
}

/// The sections for a terminal.
pub fn plain(sections: &[Section]) -> String {
    let mut text = String::new();
    for section in sections {
        let cells = |n: usize| section.rows.iter().map(move |row| row[n].len());
        let widths: Vec<usize> = (section.columns.iter().enumerate())
            .map(|(n, column)| cells(n).chain([column.len()]).max().unwrap_or(0))
            .collect();
        let mut line = |cells: &[&str]| {
            for (n, (cell, width)) in cells.iter().zip(&widths).enumerate() {
                let _ = match n {
                    0 => write!(text, "{cell:<width$}"),
                    _ if n + 1 == widths.len() => write!(text, "  {cell}"),
                    _ => write!(text, "  {cell:>width$}"),
                };
            }
            text.push('\n');
        };
        line(&[section.title]);
        line(&section.columns);
        section
            .rows
            .iter()
            .for_each(|row| line(&row.iter().map(String::as_str).collect::<Vec<_>>()));
        text.push('\n');
    }
    text
}

/// The sections as Markdown.
pub fn markdown(sections: &[Section]) -> String {
    let mut text = String::new();
    for section in sections {
        let _ = writeln!(text, "## {}\n", section.title);
        let _ = writeln!(text, "| {} |", section.columns.join(" | "));
        let _ = writeln!(text, "|{}", "---|".repeat(section.columns.len()));
        for row in &section.rows {
            let _ = writeln!(text, "| {} |", row.join(" | "));
        }
        text.push('\n');
    }
    text
}

/// Pixels of a bit's cell: eight by four squares, one a vector.
const CELL: usize = 24;
/// Pixels of the margin at the left and at the top.
const MARGIN: usize = 48;

/// A colour for each vector: hues for k, those of type II darker.
fn colour(dv: DisturbanceVector) -> String {
    let hue = (usize::from(dv.k()) - 43) * 26;
    let light = if dv.dv_type() == ubc_table::DvType::I { 62 } else { 38 };
    let saturation = if dv.b() == 0 { 90 } else { 45 };
    format!("hsl({hue},{saturation}%,{light}%)")
}

/// The left upper corner of a bit's cell; bit 31 is on top.
fn corner(bit: Bit) -> (usize, usize) {
    (MARGIN + bit.word() * CELL, MARGIN + (31 - bit.bit() as usize) * CELL)
}

/// A picture of the 80 x 32 bits of the expanded message: in each bit a square for every vector that
/// ties it, and a line for every condition of a table, the wider the more vectors it clears; dashed
/// if the bits differ.
pub fn map(bitconditions: &BitConditions, table: &Table) -> String {
    let (width, height) = (2 * MARGIN + 80 * CELL, 2 * MARGIN + 32 * CELL + 5 * CELL);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    let mut put = |line: String| {
        svg.push_str(&line);
        svg.push('\n');
    };
    put(format!(
        "<text x=\"{MARGIN}\" y=\"18\" font-size=\"14\">Bits of the expanded message W: a column a \
         word, a row a bit; a square for each disturbance vector that ties the bit, a line for each \
         condition of the filter (dashed: the bits differ)</text>"
    ));
    for word in 0..80 {
        let x = MARGIN + word * CELL;
        let bottom = MARGIN + 32 * CELL;
        put(format!("<path d=\"M{x} {MARGIN}V{bottom}\" stroke=\"#ddd\"/>"));
        put(format!(
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{word}</text>",
            x + CELL / 2,
            MARGIN - 8
        ));
    }
    for bit in 0..32 {
        let y = MARGIN + (31 - bit) * CELL;
        put(format!("<path d=\"M{MARGIN} {y}H{}\" stroke=\"#ddd\"/>", MARGIN + 80 * CELL));
        put(format!(
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{bit}</text>",
            MARGIN - 8,
            y + CELL / 2 + 4
        ));
    }
    for group in bitconditions.groups() {
        let index = group.dv().index();
        for (bit, _) in group.bits() {
            let (x, y) = corner(*bit);
            let (x, y) = (x + index % 8 * 3, y + index / 8 * 6);
            put(format!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"3\" height=\"6\" fill=\"{}\"/>",
                colour(group.dv())
            ));
        }
    }
    for (condition, clears) in table.conditions() {
        let middle = |bit| {
            let (x, y) = corner(bit);
            (x + CELL / 2, y + CELL / 2)
        };
        let ((x1, y1), (x2, y2)) = (middle(condition.first()), middle(condition.second()));
        // Bent, so that lines along one row can be told apart.
        let (cx, cy) = (usize::midpoint(x1, x2), usize::midpoint(y1, y2) - (x2 - x1) / 4);
        put(format!(
            "<path d=\"M{x1} {y1}Q{cx} {cy} {x2} {y2}\" fill=\"none\" stroke=\"#222\" \
             stroke-opacity=\"0.7\" stroke-width=\"{:.1}\"{}/>",
            0.6 + clears.len() as f64 * 0.4,
            if condition.value() { " stroke-dasharray=\"4 3\"" } else { "" },
        ));
    }
    for dv in DisturbanceVector::ALL {
        let (column, row) = (dv.index() % 11, dv.index() / 11);
        let (x, y) = (MARGIN + column * 170, MARGIN + 33 * CELL + row * CELL);
        put(format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"12\" height=\"12\" fill=\"{}\"/>",
            colour(dv)
        ));
        put(format!("<text x=\"{}\" y=\"{}\">{dv}</text>", x + 18, y + 11));
    }
    svg.push_str("</svg>\n");
    svg
}
