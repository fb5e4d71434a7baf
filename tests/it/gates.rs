//! Which code each target gets: the conditions in the library's root, read off its source and
//! evaluated for what the compiler says of targets, most of which cannot be run here. And where
//! unsafe code is.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use sha1dc_tests::root;
use syn::punctuated::Punctuated;
use syn::{Item, Lit, Meta, Token};

/// What is set for a target: names, and names with a value as `name="value"`.
type Set = BTreeSet<String>;

/// What is set for a target, and perhaps for features of it as `target +feature`.
fn set_for(target: &str) -> Set {
    let (target, features) = target.split_once(' ').unwrap_or((target, ""));
    let features = format!("-Ctarget-feature={features}");
    let arguments = ["--print", "cfg", "--target", target, &features];
    let run = Command::new("rustc").args(arguments).output().unwrap();
    assert!(run.status.success(), "{target}: {}", String::from_utf8_lossy(&run.stderr));
    String::from_utf8(run.stdout).unwrap().lines().map(str::to_owned).collect()
}

fn text(value: &syn::Expr) -> String {
    match value {
        syn::Expr::Lit(syn::ExprLit { lit: Lit::Str(text), .. }) => text.value(),
        _ => panic!("an attribute's value is a string"),
    }
}

fn holds(condition: &Meta, set: &Set) -> bool {
    let name = condition.path().require_ident().unwrap().to_string();
    match condition {
        Meta::Path(_) => set.contains(&name),
        Meta::NameValue(pair) => set.contains(&format!("{name}={:?}", text(&pair.value))),
        Meta::List(list) => {
            let parts =
                list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated).unwrap();
            let mut parts = parts.iter();
            match name.as_str() {
                "all" => parts.all(|part| holds(part, set)),
                "any" => parts.any(|part| holds(part, set)),
                "not" => !parts.all(|part| holds(part, set)),
                _ => panic!("no such operator: {name}"),
            }
        }
    }
}

/// The files of `mod hardware` that are compiled, and whether `mod pipeline` is.
fn compiled(set: &Set) -> (Vec<String>, bool) {
    let source = std::fs::read_to_string(root().join("sha1dc/src/lib.rs")).unwrap();
    let (mut files, mut pipeline) = (Vec::new(), false);
    for item in syn::parse_file(&source).unwrap().items {
        let Item::Mod(module) = item else { continue };
        let mut attributes = module.attrs.iter();
        let there = module
            .attrs
            .iter()
            .filter(|attribute| attribute.path().is_ident("cfg"))
            .all(|attribute| holds(&attribute.parse_args().unwrap(), set));
        if module.ident == "hardware" && there {
            let path = attributes.find(|attribute| attribute.path().is_ident("path")).unwrap();
            files.push(text(&path.meta.require_name_value().unwrap().value));
        } else if module.ident == "pipeline" {
            pipeline = there;
        }
    }
    (files, pipeline)
}

#[test]
fn each_target_gets_what_it_can_run() {
    for (target, file) in [
        ("x86_64-unknown-linux-gnu", "x86_64/mod.rs"),
        ("x86_64-pc-windows-msvc", "x86_64/mod.rs"),
        ("x86_64-apple-darwin", "x86_64/mod.rs"),
        ("x86_64-unknown-linux-gnux32", "x86_64/mod.rs"),
        ("aarch64-unknown-linux-gnu", "aarch64/mod.rs"),
        ("aarch64-apple-darwin", "aarch64/mod.rs"),
        ("aarch64-apple-ios", "aarch64/mod.rs"),
        ("aarch64-linux-android", "aarch64/mod.rs"),
        ("aarch64-pc-windows-msvc", "aarch64/mod.rs"),
        ("aarch64-unknown-none", "aarch64/mod.rs"),
        ("wasm32-unknown-unknown +simd128", "wasm32/mod.rs"),
        // Big-endian.
        ("aarch64_be-unknown-linux-gnu", "none.rs"),
        ("s390x-unknown-linux-gnu", "none.rs"),
        ("powerpc64-unknown-linux-gnu", "none.rs"),
        ("sparc64-unknown-linux-gnu", "none.rs"),
        // Without vectors.
        ("x86_64-unknown-none", "none.rs"),
        ("aarch64-unknown-none-softfloat", "none.rs"),
        // Not known, or compiled without vectors.
        ("i686-unknown-linux-gnu", "none.rs"),
        ("armv7-unknown-linux-gnueabihf", "none.rs"),
        ("riscv64gc-unknown-linux-gnu", "none.rs"),
        ("wasm32-unknown-unknown", "none.rs"),
        ("thumbv7em-none-eabihf", "none.rs"),
    ] {
        let mut set = set_for(target);
        let beside = ["x86_64/mod.rs", "aarch64/mod.rs"];
        let expected = |file: &str| (vec![file.to_owned()], beside.contains(&file));
        assert_eq!(compiled(&set), expected(file), "{target}");
        // Whatever this table says, no hardware is known where the first byte is the highest.
        if set.contains("target_endian=\"big\"") {
            assert_eq!(compiled(&set), expected("none.rs"), "{target}");
        }
        set.insert("sha1dc_portable".to_owned());
        assert_eq!(compiled(&set), expected("none.rs"), "{target}, plain");
    }
}

fn has_unsafe_code(source: &str) -> bool {
    ["unsafe {", "unsafe fn", "unsafe impl", "unsafe trait"]
        .iter()
        .any(|code| source.contains(code))
}

/// The files of the library that hold unsafe code, all of them relative to its root and without
/// their ending.
fn files_with_unsafe_code(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files_with_unsafe_code(&path, found);
        } else if has_unsafe_code(&std::fs::read_to_string(&path).unwrap()) {
            let path = path.strip_prefix(root().join("sha1dc/src")).unwrap().with_extension("");
            let name = path.to_string_lossy();
            found.insert(name.strip_suffix("/mod").unwrap_or(&name).to_owned());
        }
    }
}

/// Everywhere else the compiler refuses it.
#[test]
fn unsafe_code_is_where_the_documentation_says() {
    let source = std::fs::read_to_string(root().join("sha1dc/src/lib.rs")).unwrap();
    assert!(source.contains("#![deny(unsafe_code)]"));
    let (_, table) = source.split_once("//! | file | for |").unwrap();
    let (table, _) = table.split_once("//!\n").unwrap();
    let files = table.lines().filter_map(|row| row.split('|').nth(1));
    let said: BTreeSet<_> =
        files.flat_map(|names| names.split('`').skip(1).step_by(2)).map(str::to_owned).collect();
    let mut found = BTreeSet::new();
    files_with_unsafe_code(&root().join("sha1dc/src"), &mut found);
    assert_eq!(found, said);
}
