//! The committed tables are what the solver makes of the committed bitconditions.

use std::fs;

use ubc_solver::bitconditions::BitConditions;
use ubc_solver::generate::generate;
use ubc_solver::tables::{ALL, root};

#[test]
fn the_committed_tables_are_fresh_and_an_edited_one_is_not() {
    let generated = generate(&BitConditions::committed()).unwrap();
    assert_eq!(generated.iter().map(|table| table.path).collect::<Vec<_>>(), ALL);

    let edited_root = std::env::temp_dir().join(format!("ubc-solver-{}", std::process::id()));
    for table in generated {
        table.compare(&root()).unwrap();

        let edited = edited_root.join(table.path);
        fs::create_dir_all(edited.parent().unwrap()).unwrap();
        fs::write(&edited, table.text.replacen(" == 0 :", " == 1 :", 1)).unwrap();
        let error = table.compare(&edited_root).unwrap_err().to_string();
        assert!(error.contains(table.path) && error.contains("== 1"), "{error}");

        table.write(&edited_root).unwrap();
        table.compare(&edited_root).unwrap();

        fs::remove_file(&edited).unwrap();
        let error = table.compare(&edited_root).unwrap_err().to_string();
        assert!(error.contains(table.path), "{error}");
    }
    fs::remove_dir_all(edited_root).unwrap();
}
