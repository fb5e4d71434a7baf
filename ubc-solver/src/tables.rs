//! The committed tables: where they lie, how to read one back, and whether they are fresh.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use ubc_table::{Row, Table, Turn};

use crate::model::Kind;
use crate::prefix::ONE;

/// Where the table of the scalar form lies, below the root of the project.
pub const SCALAR: &str = "sha1dc/src/filter/tables/scalar.rs";

/// Where the table of the windows of 4 lanes lies.
pub const X4: &str = "sha1dc/src/filter/tables/x4.rs";

/// Where the table of the windows of 8 lanes lies.
pub const X8: &str = "sha1dc/src/filter/tables/x8.rs";

/// Where the table of the windows of 16 lanes lies.
pub const X16: &str = "sha1dc/src/filter/tables/x16.rs";

/// Where the table of the windows of 4 lanes lies that has a prefix.
pub const X4_PREFIX: &str = "sha1dc/src/filter/tables/x4_prefix.rs";

/// Where the table of the windows of 16 lanes lies that has a prefix.
pub const X16_PREFIX: &str = "sha1dc/src/filter/tables/x16_prefix.rs";

/// Where the table of the windows of 8 lanes lies that has a prefix.
pub const X8_PREFIX: &str = "sha1dc/src/filter/tables/x8_prefix.rs";

/// Where the table of the block form lies.
pub const BLOCKS: &str = "sha1dc/src/filter/tables/blocks.rs";

/// All tables, each with the cost model that it was chosen for.
pub const ALL: [(&str, Kind); 8] = [
    (SCALAR, Kind::Scalar),
    (X4, Kind::ShiftWindows(4)),
    (X4_PREFIX, Kind::ShiftWindows(4)),
    (X8, Kind::ShiftInstructions(8)),
    (X8_PREFIX, Kind::ShiftWindows(8)),
    (X16, Kind::RotationWindows(16)),
    (X16_PREFIX, Kind::RotationWindows(16)),
    (BLOCKS, Kind::Blocks),
];

/// The cost model that a table was chosen for.
///
/// # Errors
///
/// If there is no table of this path, naming it.
pub fn kind(path: &str) -> Result<Kind, String> {
    let found = ALL.iter().find(|(at, _)| *at == path);
    found.map(|(_, kind)| *kind).ok_or_else(|| format!("{path}: no such table"))
}

/// What a table costs, counted from its rows.
pub fn cost(kind: Kind, table: &Table) -> usize {
    let groups = || table.rows.iter().filter_map(Row::group);
    let turned = groups().filter(|group| group.turn != Turn::None).count();
    match kind {
        Kind::Scalar => table.conditions().count(),
        Kind::PairWindows(_) | Kind::ShiftWindows(_) | Kind::RotationWindows(_) => groups().count(),
        Kind::ShiftInstructions(_) => 5 * groups().count() + turned,
        Kind::Blocks => 2 * table.conditions().count() + groups().count() + turned,
    }
}

/// The cost that the header of a table claims, and the bound, where it differs.
///
/// # Errors
///
/// If the header claims nothing.
pub fn claim(text: &str) -> Result<(usize, usize), String> {
    let line = line(text, REACHED).ok_or(format!("no line begins with `{REACHED}`"))?;
    let number = |after: &str| {
        let digits = after.trim_start().split(|c: char| !c.is_ascii_digit()).next();
        digits.and_then(|digits| digits.parse::<usize>().ok())
    };
    let cost = number(line).ok_or("the header states no cost")?;
    let bound = line.split("proven at least").nth(1).and_then(number);
    Ok((cost, bound.unwrap_or(cost)))
}

/// A generated file: what it is to hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// Where it lies below the root of the project.
    pub path: &'static str,
    /// The whole text.
    pub text: String,
    /// One line that says what was reached.
    pub summary: String,
}

/// The root of the project that this crate was built in.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Reads a table from a file of Rust that holds one call of `ubc_macros::filter!`.
///
/// # Errors
///
/// If the file cannot be read, is not Rust, or holds no such call or a wrong one; naming the file.
pub fn read(path: &Path) -> Result<Table, Box<dyn Error>> {
    let named = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = fs::read_to_string(path).map_err(|error| named(&error))?;
    let file = syn::parse_file(&text).map_err(|error| named(&error))?;
    let call = file.items.iter().find_map(|item| match item {
        syn::Item::Macro(item) => {
            item.mac.path.segments.last().filter(|last| last.ident == "filter").map(|_| &item.mac)
        }
        _ => None,
    });
    let call = call.ok_or_else(|| named(&"expected a call of `ubc_macros::filter!`"))?;
    Ok(call.parse_body().map_err(|error| named(&error))?)
}

impl Generated {
    /// Writes the file.
    ///
    /// # Errors
    ///
    /// If it cannot be written, naming it.
    pub fn write(&self, root: &Path) -> Result<(), Box<dyn Error>> {
        let path = root.join(self.path);
        Ok(fs::write(&path, &self.text).map_err(|error| format!("{}: {error}", path.display()))?)
    }

    /// Compares the file with what would be written.
    ///
    /// # Errors
    ///
    /// The first line that differs, or that the file cannot be read.
    pub fn compare(&self, root: &Path) -> Result<(), Box<dyn Error>> {
        let path = root.join(self.path);
        let committed =
            fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        match first_difference(&committed, &self.text) {
            None => Ok(()),
            Some((line, committed, fresh)) => Err(format!(
                "{}:{line}: stale\n  committed: {committed}\n  fresh:     {fresh}",
                self.path
            )
            .into()),
        }
    }
}

/// How the line of a table begins that names the solver.
pub const SOLVER: &str = "// solver: ";

/// How the line of a table begins that says what was reached: the cost, where it is not proven
/// minimal the bound, and the number of conditions.
pub const REACHED: &str = "// reached: ";

/// How the line of a table begins that says what is left at its exit.
pub const AT_EXIT: &str = "// at the exit: ";

/// What the header of a table says of its exit: how many vectors are expected, and how many are
/// at least; in parts of [`ONE`].
pub fn at_exit(survivors: u64, at_least: u64) -> String {
    let [survivors, at_least] = [survivors, at_least].map(|n| n as f64 / ONE as f64);
    if survivors == at_least {
        format!("{survivors:.6} vectors expected, proven minimal for so many windows")
    } else {
        format!("{survivors:.6} vectors expected, proven at least {at_least:.6}")
    }
}

/// The rest of the line that begins like this.
pub(crate) fn line<'a>(text: &'a str, start: &str) -> Option<&'a str> {
    text.lines().find_map(|line| line.strip_prefix(start))
}

/// The number of the first line that differs, and both versions of it.
fn first_difference<'a>(old: &'a str, new: &'a str) -> Option<(usize, &'a str, &'a str)> {
    if old == new {
        return None;
    }
    let (mut old, mut new) = (old.split('\n'), new.split('\n'));
    let end = "(end of file)";
    (1..).find_map(|number| {
        let (old, new) = (old.next(), new.next());
        (old != new).then(|| (number, old.unwrap_or(end), new.unwrap_or(end)))
    })
}

#[cfg(test)]
mod tests {
    use super::first_difference;

    #[test]
    fn the_first_difference_is_found() {
        assert_eq!(first_difference("a\nb\n", "a\nb\n"), None);
        assert_eq!(first_difference("a\nb\n", "a\nc\n"), Some((2, "b", "c")));
        assert_eq!(first_difference("a\n", "a\nb\n"), Some((2, "", "b")));
        assert_eq!(first_difference("a\nb", "a"), Some((2, "b", "(end of file)")));
        assert_eq!(first_difference("a", "a\n"), Some((2, "(end of file)", "")));
    }
}
