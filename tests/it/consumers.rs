//! Packages of strangers, built as they would build them.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use sha1dc_tests::{root, testdata};

/// Cargo in the folder of a consumer, with a target folder that is its own: the outer build holds
/// the lock of the project's.
fn cargo(consumer: &str, arguments: &[&str]) -> Command {
    let folder = root().join("tests/consumers").join(consumer);
    let target = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(consumer);
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(folder).env("CARGO_TARGET_DIR", target).args(arguments).arg("--quiet");
    cargo
}

fn output(command: &mut Command, input: &[u8]) -> String {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{command:?} failed");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn gix_hash_builds_against_this_crate_and_hashes_rightly() {
    let tree = output(&mut cargo("gix-hash", &["tree", "--invert", "sha1dc"]), b"");
    let ours = format!("sha1dc v{} (", env!("CARGO_PKG_VERSION"));
    assert!(tree.starts_with(&ours) && tree.contains("gix-hash v0.28.1"), "{tree}");

    let mut run = cargo("gix-hash", &["run"]);
    let blob = output(&mut run, b"blob 6\0hello\n");
    assert_eq!(blob, "ce013625030ba8dba906f756967f9e9ca394464a\n");
    let attacked = output(&mut run, &testdata("shattered-1.bin"));
    assert!(attacked.contains("f92d74e3874587aaf443d1db961d4e26dde13e9c"), "{attacked}");
    assert!(attacked.contains("collision attack"), "{attacked}");
}

/// Whoever depends on the library gets neither a solver nor, at run time, anything but what asks the
/// processor: on AArch64 that asks the system, by way of libc.
#[test]
fn the_library_depends_on_cpufeatures_and_its_macro_alone() {
    for (target, at_run_time) in [
        ("x86_64-unknown-linux-gnu", &["cpufeatures"][..]),
        ("aarch64-unknown-linux-gnu", &["cpufeatures", "libc"]),
        ("s390x-unknown-linux-gnu", &[]),
    ] {
        let mut tree = Command::new(env!("CARGO"));
        tree.current_dir(root()).args([
            "tree",
            "--package",
            "sha1dc",
            "--edges",
            "normal,no-proc-macro",
        ]);
        tree.args(["--prefix", "none", "--offline", "--target", target]);
        let tree = output(&mut tree, b"");
        let names: Vec<_> = tree.lines().filter_map(|line| line.split(' ').next()).collect();
        assert_eq!(names[0], "sha1dc");
        assert_eq!(&names[1..], at_run_time, "{target}: {tree}");
    }
}

#[test]
fn a_program_without_std_builds() {
    output(&mut cargo("no-std", &["build"]), b"");
}
