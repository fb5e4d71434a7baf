//! The command as its users run it.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn testdata() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata")
}

/// The command; for another processor than this machine's by the emulator that `EMULATOR` names.
fn sha1dcsum() -> Command {
    let program = env!("CARGO_BIN_EXE_sha1dcsum");
    let mut command = match std::env::var_os("EMULATOR") {
        Some(emulator) => {
            let mut command = Command::new(emulator);
            command.arg(program);
            command
        }
        None => Command::new(program),
    };
    command.current_dir(testdata());
    command
}

/// Standard output, standard error, exit status.
fn told(output: Output) -> (String, String, i32) {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code().unwrap())
}

fn with_input(input: &[u8], arguments: &[&str]) -> (String, String, i32) {
    let mut command = sha1dcsum();
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    told(child.wait_with_output().unwrap())
}

/// A folder of its own for a test, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn the_test_data_has_four_messages_of_collisions() {
    let mut files: Vec<_> =
        fs::read_dir(testdata()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    files.sort();
    let (output, errors, status) = told(sha1dcsum().args(&files).output().unwrap());
    assert_eq!(output.lines().count(), files.len());
    let marked: Vec<_> = output.lines().filter(|line| line.contains("*coll*")).collect();
    assert_eq!(
        marked,
        [
            "8ac60ba76f1999a1ab70223f225aefdc78d4ddc0 *coll* sha-mbles-1.bin",
            "8ac60ba76f1999a1ab70223f225aefdc78d4ddc0 *coll* sha-mbles-2.bin",
            "f92d74e3874587aaf443d1db961d4e26dde13e9c *coll* shattered-1.bin",
            "f92d74e3874587aaf443d1db961d4e26dde13e9c *coll* shattered-2.bin",
        ]
    );
    assert_eq!(
        errors.lines().next().unwrap(),
        "sha1dcsum: sha-mbles-1.bin: SHA-1 collision attack in the block at byte 576, \
         disturbance vector II(52,0)"
    );
    assert_eq!(errors.lines().count(), 4);
    assert_eq!(status, 1);
}

#[test]
fn ordinary_files_print_as_sha1sum_prints_them() {
    let folder = Folder::new("names");
    let names =
        ["plain", "two words", "-dash", "back\\slash", "line\nbreak", "return\rhere", "ümlaut"];
    for name in names {
        fs::write(folder.0.join(name), name).unwrap();
    }
    let run = |mut command: Command| {
        let output = command.current_dir(&folder.0).arg("--").args(names).output();
        told(output.unwrap_or_else(|error| panic!("{command:?}: {error}")))
    };
    let ours = run(sha1dcsum());
    assert_eq!(ours, run(Command::new("sha1sum")));
    assert_eq!(ours.2, 0);
}

#[test]
fn standard_input_is_read_without_files_and_for_a_dash() {
    let digest = "a9993e364706816aba3e25717850c26c9cd0d89d  -\n";
    assert_eq!(with_input(b"abc", &[]), (digest.into(), String::new(), 0));
    assert_eq!(with_input(b"abc", &["-"]), (digest.into(), String::new(), 0));
    let attack = fs::read(testdata().join("shattered-1.bin")).unwrap();
    let (output, errors, status) = with_input(&attack, &[]);
    assert_eq!(output, "f92d74e3874587aaf443d1db961d4e26dde13e9c *coll* -\n");
    assert!(errors.starts_with("sha1dcsum: -: SHA-1 collision attack"), "{errors}");
    assert_eq!(status, 1);
}

#[test]
fn unreadable_files_are_named_and_the_rest_is_hashed() {
    let folder = Folder::new("unreadable");
    fs::write(folder.0.join("empty"), "").unwrap();
    let (output, errors, status) = told(
        sha1dcsum()
            .current_dir(&folder.0)
            .args(["missing", "empty", ".", "empty"])
            .output()
            .unwrap(),
    );
    assert_eq!(output, "da39a3ee5e6b4b0d3255bfef95601890afd80709  empty\n".repeat(2));
    let errors: Vec<_> = errors.lines().collect();
    assert!(errors[0].starts_with("sha1dcsum: missing: No such file"), "{errors:?}");
    assert!(errors[1].starts_with("sha1dcsum: .: Is a directory"), "{errors:?}");
    assert_eq!((errors.len(), status), (2, 1));
}

/// A name cannot fake or wipe out a line of what is told.
#[test]
fn control_characters_of_names_are_escaped_on_standard_error() {
    let name = "evil\nsha1dcsum: good\u{1b}[2K";
    let (output, errors, status) = told(sha1dcsum().arg(name).output().unwrap());
    assert!(errors.starts_with("sha1dcsum: evil\\nsha1dcsum: good\\u{1b}[2K: No such"), "{errors}");
    assert!(errors.ends_with("directory\n") && errors.lines().count() == 1, "{errors}");
    assert_eq!((output.as_str(), status), ("", 1));
}

#[cfg(unix)]
#[test]
fn names_need_not_be_utf_8() {
    use std::os::unix::ffi::OsStrExt;

    let folder = Folder::new("bytes");
    let name = std::ffi::OsStr::from_bytes(b"\xff\xfe");
    fs::write(folder.0.join(name), "abc").unwrap();
    let output = sha1dcsum().current_dir(&folder.0).arg(name).output().unwrap();
    assert_eq!(output.stdout, b"a9993e364706816aba3e25717850c26c9cd0d89d  \xff\xfe\n");
}

#[test]
fn files_of_more_than_one_read() {
    let folder = Folder::new("large");
    // Longer than a read and no multiple of it.
    let message: Vec<u8> = (0..1_000_003_u32).map(|i| (i % 251) as u8).collect();
    fs::write(folder.0.join("large"), &message).unwrap();
    let (output, _, status) =
        told(sha1dcsum().current_dir(&folder.0).arg("large").output().unwrap());
    assert_eq!((output, status), (format!("{}  large\n", sha1dc::digest(&message).unwrap()), 0));
}

/// Files of all sizes, more of them than are hashed at a time, some that hold an attack and some that
/// cannot be read: each line is where it belongs.
#[test]
fn many_files_are_told_in_order() {
    let folder = Folder::new("many");
    let attack = fs::read(testdata().join("shattered-2.bin")).unwrap();
    let (mut names, mut lines, mut complaints) = (Vec::new(), String::new(), Vec::new());
    for n in 0..1500_usize {
        let name = format!("{n}");
        let message: Vec<u8> = match n % 100 {
            17 => attack.clone(),
            // Around the longest that is read as a whole by a few threads, and far beyond.
            18..21 => vec![n as u8; (256 << 10) + n % 100 - 19],
            21 => vec![n as u8; 600_000],
            _ => (0..n * 7 % 3000).map(|i| (i * n) as u8).collect(),
        };
        match n % 100 {
            16 => complaints.push(format!("sha1dcsum: {n}: No such file or directory")),
            17 => {
                lines += &format!("f92d74e3874587aaf443d1db961d4e26dde13e9c *coll* {n}\n");
                complaints.push(format!(
                    "sha1dcsum: {n}: SHA-1 collision attack in the block at byte 256, \
                     disturbance vector II(52,0)"
                ));
            }
            _ => lines += &format!("{}  {n}\n", sha1dc::digest(&message).unwrap()),
        }
        if n % 100 != 16 {
            fs::write(folder.0.join(&name), message).unwrap();
        }
        names.push(name);
    }
    let (output, errors, status) =
        told(sha1dcsum().current_dir(&folder.0).args(&names).output().unwrap());
    assert_eq!(output, lines);
    assert_eq!(errors.lines().collect::<Vec<_>>(), complaints);
    assert_eq!(status, 1);
}

#[test]
fn standard_input_is_read_once_when_it_is_its_turn() {
    let (output, errors, status) = with_input(b"abc", &["README.md", "-", "README.md", "-"]);
    let readme = sha1dc::digest(&fs::read(testdata().join("README.md")).unwrap()).unwrap();
    let lines = [
        format!("{readme}  README.md"),
        "a9993e364706816aba3e25717850c26c9cd0d89d  -".into(),
        format!("{readme}  README.md"),
        "da39a3ee5e6b4b0d3255bfef95601890afd80709  -".into(),
    ];
    assert_eq!(output.lines().collect::<Vec<_>>(), lines);
    assert_eq!((errors.as_str(), status), ("", 0));
}

/// What can be read only once is read when it is its turn, all of it by the first who names it.
#[cfg(target_os = "linux")]
#[test]
fn pipes_among_files() {
    let empty = "da39a3ee5e6b4b0d3255bfef95601890afd80709";
    for length in [0, 3, 262_144, 262_145, 1_000_000] {
        let message: Vec<u8> = (0..length).map(|i| (i % 253) as u8).collect();
        let all = sha1dc::digest(&message).unwrap().to_string();
        for names in [
            &["/dev/stdin", "/dev/stdin"][..],
            &["-", "/dev/stdin"],
            &["README.md", "/dev/fd/0", "README.md", "/dev/stdin", "-", "README.md"],
        ] {
            let (output, errors, status) = with_input(&message, names);
            let mut digests = output.lines().filter(|line| !line.ends_with("README.md"));
            assert!(digests.next().unwrap().starts_with(&all), "{length} bytes, {names:?}");
            assert!(digests.all(|line| line.starts_with(empty)), "{length} bytes, {names:?}");
            assert_eq!(output.lines().count(), names.len());
            assert_eq!((errors.as_str(), status), ("", 0));
        }
    }
}

#[test]
fn a_closed_pipe_is_no_panic() {
    let mut command = sha1dcsum();
    let files = std::iter::repeat_n("README.md", 5000);
    command.args(files).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let (_, errors, status) = told(child.wait_with_output().unwrap());
    assert_eq!((errors.as_str(), status), ("", 1));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let (_, errors, status) = told(sha1dcsum().arg("README.md").stdout(full).output().unwrap());
    assert!(errors.starts_with("sha1dcsum: standard output: No space left"), "{errors}");
    assert_eq!(status, 1);
}
