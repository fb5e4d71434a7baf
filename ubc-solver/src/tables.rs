//! The committed tables: where they lie, and how to read one back.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use ubc_table::Table;

/// Where the table of the scalar form lies, below the root of the project.
pub const SCALAR: &str = "sha1dc/src/filter/tables/scalar.rs";

/// All tables.
pub const ALL: [&str; 1] = [SCALAR];

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
