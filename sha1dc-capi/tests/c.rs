//! The library as a C programmer gets it: installed into a folder, found with pkg-config, linked
//! shared and static, from C and from C++.

#![cfg(all(unix, not(target_vendor = "apple")))]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

const PREFIX: &str = "/opt/sha1dc";

fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn temporary(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn run(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}\n{errors}", output.status);
    output
}

fn text(output: Output) -> String {
    String::from_utf8(output.stdout).unwrap()
}

/// Where the library was installed, once for all tests.
static STAGE: LazyLock<PathBuf> = LazyLock::new(|| {
    assert!(std::env::var_os("EMULATOR").is_none(), "this machine's compilers are for itself");
    let stage = temporary("stage");
    let _ = std::fs::remove_dir_all(&stage);
    // The outer build holds the lock of the project's target folder.
    run(Command::new(package().join("install"))
        .env("CARGO_TARGET_DIR", temporary("install"))
        .env("PREFIX", PREFIX)
        .env("DESTDIR", &stage)
        .env_remove("LIBDIR")
        .env_remove("INCLUDEDIR"));
    stage
});

/// A folder for packages, given as packagers give it.
#[test]
fn installed_into_a_relative_folder() {
    let outside = temporary("package");
    let _ = std::fs::remove_dir_all(&outside);
    std::fs::create_dir_all(&outside).unwrap();
    let _ = library_folder();
    run(Command::new(package().join("install"))
        .current_dir(&outside)
        .env("CARGO_TARGET_DIR", temporary("install"))
        .env("PREFIX", "/usr")
        .env("LIBDIR", "/usr/lib/some-linux-gnu")
        .env("DESTDIR", "debian/tmp")
        .env_remove("INCLUDEDIR"));
    let installed = |name: &str| outside.join("debian/tmp/usr").join(name);
    assert!(installed("include/sha1dc/sha1.h").is_file());
    assert!(installed("lib/some-linux-gnu/libsha1detectcoll.so.1").is_file());
    let config = installed("lib/some-linux-gnu/pkgconfig/libsha1detectcoll.pc");
    let config = std::fs::read_to_string(config).unwrap();
    assert!(config.contains("libdir=/usr/lib/some-linux-gnu\n"), "{config}");
    assert!(!config.contains('@'), "{config}");
}

fn library_folder() -> PathBuf {
    STAGE.join(PREFIX.trim_start_matches('/')).join("lib")
}

/// What pkg-config says of the installed library.
fn pkg_config(arguments: &[&str]) -> Vec<String> {
    let folder = library_folder().join("pkgconfig");
    let mut command = Command::new("pkg-config");
    command.env("PKG_CONFIG_PATH", folder).env("PKG_CONFIG_SYSROOT_DIR", &*STAGE);
    let told = text(run(command.args(arguments).arg("libsha1detectcoll")));
    told.split_whitespace().map(str::to_owned).collect()
}

/// A compiler with warnings as errors.
fn compiler(name: &str, standard: &str) -> Command {
    let mut compiler = Command::new(name);
    compiler.args([standard, "-pedantic", "-Wall", "-Wextra", "-Werror", "-O1", "-g"]);
    compiler.arg(format!("-DVERSION=\"{}\"", env!("CARGO_PKG_VERSION")));
    // 2^32 + 1 zero bytes, by Python's hashlib.
    compiler.arg("-DLONG_DIGEST=\"e7d747b75f76e0e41e83b75bce4642816136304f\"");
    compiler
}

/// Compiles the program that checks everything, with more arguments than the usual ones.
fn compile(name: &str, mut compiler: Command, link: &[&str]) -> PathBuf {
    let program = temporary(name);
    compiler.args(pkg_config(&["--cflags"]));
    compiler.arg(package().join("tests/c/check.c")).arg("-o").arg(&program);
    run(compiler.args(pkg_config(link)));
    program
}

/// Runs it, or something that runs it.
fn check(mut command: Command, long: bool) {
    // The digests of the messages that it makes.
    let digests: Vec<[u8; 20]> = (0..=600_usize)
        .map(|len| {
            let message: Vec<u8> = (0..len).map(|i| (i * i + 7 * i + len) as u8).collect();
            <sha1::Sha1 as sha1::Digest>::digest(message).0
        })
        .collect();
    command.arg(package().join("../testdata")).env("LD_LIBRARY_PATH", library_folder());
    if long {
        command.arg("long");
    }
    let mut child = command
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    // Who fails early does not read it all.
    let _ = child.stdin.take().unwrap().write_all(digests.as_flattened());
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}\n{errors}", output.status);
}

/// With the shared library, in C99, and a message of more than 2^32 bytes.
#[test]
fn shared_from_c() {
    let program = compile("shared", compiler("cc", "-std=c99"), &["--libs"]);
    let needs = text(run(Command::new("readelf").arg("-d").arg(&program)));
    assert!(needs.contains("libsha1detectcoll.so.1"), "{needs}");
    check(Command::new(program), cfg!(target_pointer_width = "64"));
}

#[test]
fn static_from_c() {
    let mut compiler = compiler("cc", "-std=c11");
    compiler.arg("-Wl,-Bstatic");
    let program = temporary("static");
    compiler.args(pkg_config(&["--cflags"]));
    compiler.arg(package().join("tests/c/check.c")).arg("-o").arg(&program);
    compiler.arg(library_folder().join("libsha1detectcoll.a")).arg("-Wl,-Bdynamic");
    // All that pkg-config names but the library itself, which it would find as a shared one.
    let libraries = pkg_config(&["--static", "--libs"]);
    run(compiler.args(libraries.iter().filter(|name| *name != "-lsha1detectcoll")));
    let needs = text(run(Command::new("readelf").arg("-d").arg(&program)));
    assert!(!needs.contains("sha1detectcoll"), "{needs}");
    check(Command::new(program), false);
}

/// The headers serve C++, each alone and both in any order.
#[test]
fn headers_from_cpp() {
    for includes in [
        &["sha1dc/sha1.h"][..],
        &["sha1dc.h"],
        &["sha1dc/sha1.h", "sha1dc.h"],
        &["sha1dc.h", "sha1dc/sha1.h", "sha1dc.h", "sha1dc/sha1.h"],
    ] {
        let source: String = includes.iter().map(|name| format!("#include <{name}>\n")).collect();
        for (name, standard, language) in
            [("c++", "-std=c++98", "c++"), ("c++", "-std=c++17", "c++"), ("cc", "-std=c99", "c")]
        {
            let mut compiler = compiler(name, standard);
            // C++98 has no fixed-width integers by itself, but every compiler for it has.
            compiler.args(["-Wno-long-long", "-fsyntax-only", "-x", language, "-"]);
            compiler.args(pkg_config(&["--cflags"])).stdin(Stdio::piped());
            let mut child = compiler.stderr(Stdio::piped()).spawn().unwrap();
            child.stdin.take().unwrap().write_all(source.as_bytes()).unwrap();
            let output = child.wait_with_output().unwrap();
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{includes:?} with {standard}: {errors}");
        }
    }
}

#[test]
fn a_program_in_cpp() {
    let source = temporary("program.cpp");
    let code = "#include <sha1dc/sha1.h>\n#include <sha1dc.h>\n\
        int main() { SHA1_CTX context; unsigned char digest[20], other[20]; SHA1DCInit(&context); \
        SHA1DCUpdate(&context, \"abc\", 3); int found = SHA1DCFinal(digest, &context); \
        found |= sha1dc_digest(\"abc\", 3, other, nullptr); \
        for (int i = 0; i < 20; i++) found |= digest[i] != other[i]; return found; }";
    std::fs::write(&source, code).unwrap();
    let program = temporary("program");
    let mut compiler = compiler("c++", "-std=c++11");
    compiler.args(pkg_config(&["--cflags"])).arg(source).arg("-o").arg(&program);
    run(compiler.args(pkg_config(&["--libs"])));
    run(Command::new(program).env("LD_LIBRARY_PATH", library_folder()));
}

/// A program that was compiled with the reference's header runs with this library.
#[test]
fn compiled_with_the_layout_of_the_reference() {
    let mut compiler = compiler("cc", "-std=c99");
    compiler.arg("-DREFERENCE_LAYOUT").arg("-I").arg(package().join("tests/c"));
    let program = compile("reference", compiler, &["--libs"]);
    check(Command::new(program), false);
}

/// No byte is read or written that is not the program's or the library's to use, on the processors
/// that valgrind knows, and no decision rests on one that was never written.
#[test]
fn under_valgrind() {
    let program = compile("valgrind", compiler("cc", "-std=c99"), &["--libs"]);
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--quiet", "--error-exitcode=9", "--leak-check=full"]).arg(program);
    check(valgrind, false);
}

/// The same on this processor, as far as the C program and what it calls of the C library go.
#[test]
fn with_address_sanitizer() {
    let mut compiler = compiler("cc", "-std=c99");
    compiler.args(["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]);
    let program = compile("sanitized", compiler, &["--libs"]);
    check(Command::new(program), false);
}

#[test]
fn exported_symbols_are_the_documented_ones() {
    let mut nm = Command::new("nm");
    nm.args(["--dynamic", "--defined-only"]).arg(library_folder().join("libsha1detectcoll.so"));
    let told = text(run(&mut nm));
    let mut symbols: Vec<_> = told.lines().filter_map(|line| line.rsplit(' ').next()).collect();
    symbols.sort_unstable();
    let documented = std::fs::read_to_string(package().join("tests/symbols.txt")).unwrap();
    assert_eq!(symbols, documented.lines().collect::<Vec<_>>());
    // And each of them is in a header.
    let headers = ["include/sha1dc/sha1.h", "include/sha1dc.h"]
        .map(|name| std::fs::read_to_string(package().join(name)).unwrap());
    for symbol in symbols {
        let declared = format!("{symbol}(");
        assert!(headers.iter().any(|header| header.contains(&declared)), "{symbol}");
    }
}

#[test]
fn the_shared_library_has_the_name_that_programs_look_for() {
    let library = library_folder().join("libsha1detectcoll.so");
    let told = text(run(Command::new("readelf").arg("-d").arg(library)));
    assert!(told.contains("Library soname: [libsha1detectcoll.so.1]"), "{told}");
}
