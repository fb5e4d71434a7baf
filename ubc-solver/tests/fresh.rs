//! The committed tables are what the solver makes of the committed bitconditions.

use std::fs;
use std::process::Command;

use ubc_solver::bitconditions::BitConditions;
use ubc_solver::generate::generate;
use ubc_solver::tables::{ALL, SOLVER, root};

#[test]
fn the_committed_tables_are_fresh_and_edited_ones_are_not() {
    let generated = generate(&BitConditions::committed()).unwrap();
    assert!(generated.iter().map(|table| table.path).eq(ALL.map(|(path, _)| path)));

    let edited_root = std::env::temp_dir().join(format!("ubc-solver-{}", std::process::id()));
    for table in generated {
        table.compare(&root()).unwrap();

        let edited = edited_root.join(table.path);
        fs::create_dir_all(edited.parent().unwrap()).unwrap();
        let compare = |text: &str| {
            fs::write(&edited, text).unwrap();
            table.compare(&edited_root).map_err(|error| error.to_string())
        };
        let flipped = table.text.replacen(" == 0 :", " == 1 :", 1);
        let error = compare(&flipped).unwrap_err();
        assert!(error.contains(table.path) && error.contains("== 1"), "{error}");

        // Another z3 may choose other rows, but not wrong ones and not dearer ones.
        let another = |text: &str| text.replacen(SOLVER, "// solver: another ", 1);
        let told = compare(&another(&table.text)).unwrap();
        assert!(told.contains("another z3"), "{told}");
        let error = compare(&another(&flipped)).unwrap_err();
        assert!(error.contains("is not a condition of"), "{error}");
        // The cost is counted, whatever the header says.
        let dearer = another(&table.text).replacen("reached: ", "reached: 9", 1);
        let error = compare(&dearer).unwrap_err();
        assert!(error.contains("stale"), "{error}");

        table.write(&edited_root).unwrap();
        table.compare(&edited_root).unwrap();
        fs::remove_file(&edited).unwrap();
        let error = table.compare(&edited_root).unwrap_err().to_string();
        assert!(error.contains(table.path), "{error}");
    }
    fs::remove_dir_all(edited_root).unwrap();
}

fn solver(arguments: &[&str]) -> (bool, String, String) {
    let run = Command::new(env!("CARGO_BIN_EXE_ubc-solver")).args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (run.status.success(), text(run.stdout), text(run.stderr))
}

#[test]
fn the_command_proves_or_fails_and_derives_what_it_is_asked_to() {
    let (proven, told, _) = solver(&["prove", "--dv", "I(46,2)"]);
    assert!(proven && told.contains("I(46,2): 7 conditions, each unavoidable"), "{told}");

    let data = std::env::temp_dir().join(format!("bitconditions-{}", std::process::id()));
    fs::write(&data, "I(46,2) : W[61][2] = W[62][7]\n").unwrap();
    let file = data.to_str().unwrap();
    let (proven, told, errors) = solver(&["prove", "--data", file, "--dv", "I(46,2)"]);
    assert!(!proven && told.contains("I(46,2) can be followed with"), "{told}{errors}");
    fs::remove_file(data).unwrap();

    let (derived, told, errors) = solver(&["derive", "--dv", "I(46,2)", "--dv", "II(46,2)"]);
    assert!(derived && told.contains("I(46,2) : W[61][2] = ~W[62][7]\n"), "{told}{errors}");

    let (derived, _, errors) = solver(&["derive", "--from", "50", "--to", "40"]);
    assert!(!derived && errors.contains("--from 50 is not before --to 40"), "{errors}");
    let (_, _, errors) = solver(&["prove", "--dv", "I(46,1)"]);
    assert!(errors.contains("names no disturbance vector"), "{errors}");
}
