//! The committed tables are what the solver makes of the committed bitconditions.

use std::fs;
use std::path::Path;
use std::process::Command;

use ubc_solver::bitconditions::BitConditions;
use ubc_solver::confirm::confirm_all;
use ubc_solver::generate::generate;
use ubc_solver::tables::{
    ALL, BLOCKS, SCALAR, SOLVER, X4, X4_PREFIX, X8, X8_PREFIX, X16, X16_PREFIX, root,
};

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

        table.write(&edited_root).unwrap();
        table.compare(&edited_root).unwrap();
        fs::remove_file(&edited).unwrap();
        let error = table.compare(&edited_root).unwrap_err().to_string();
        assert!(error.contains(table.path), "{error}");
        table.write(&edited_root).unwrap();
    }
    another_z3_may_choose_otherwise_but_not_worse(&edited_root);
    fs::remove_dir_all(edited_root).unwrap();
}

/// What a table says that another z3 made is examined, and nothing of it taken on trust.
fn another_z3_may_choose_otherwise_but_not_worse(root: &Path) {
    let edit = |path: &str, from: &str, to: &str| {
        let text = fs::read_to_string(root.join(path)).unwrap();
        let edited = text.replacen(from, to, 1);
        assert_ne!(edited, text, "{path}: {from}");
        fs::write(root.join(path), edited).unwrap();
    };
    ALL.iter().for_each(|(path, _)| edit(path, SOLVER, "// solver: another "));
    edit(X4, " == 0 :", " == 1 :");
    edit(X16, "reached: ", "reached: 9");
    edit(X8_PREFIX, "at the exit: 0.19", "at the exit: 0.18");
    // The bound of this table is proven by prices, and would be by nothing else if it were higher.
    edit(SCALAR, "proven minimal", "proven at least 156");
    edit(X16_PREFIX, "proven minimal", "proven at least 23");
    let confirmed = confirm_all(root, &BitConditions::committed(), |_| ());
    let of = |wanted: &str| &confirmed[ALL.iter().position(|(path, _)| *path == wanted).unwrap()];
    for (path, fault) in [
        (X4, "is not a condition of"),
        (X16, "costs 19 windows and claims 919"),
        (X8_PREFIX, "at the exit it claims 0.18"),
        (SCALAR, "claims to cost at least 156; proven 155"),
        (X16_PREFIX, "claims to cost at least 23; proven 22"),
    ] {
        let error = of(path).as_ref().unwrap_err();
        assert!(error.contains(path) && error.contains(fault), "{error}");
    }
    for path in [X4_PREFIX, X8, BLOCKS] {
        let told = of(path).as_ref().unwrap();
        assert!(told.contains("made by another z3"), "{told}");
    }
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
