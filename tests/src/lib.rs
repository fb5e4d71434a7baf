//! What the tests of `sha1dc` share: the published messages, and where they lie; and what its
//! benchmarks share.

use std::path::{Path, PathBuf};

// It asks the system for this thread's processor time.
#[cfg(any(unix, windows))]
pub mod speed;

/// The root of the project.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A file of `testdata/`.
///
/// # Panics
///
/// If it cannot be read.
pub fn testdata(name: &str) -> Vec<u8> {
    let path = root().join("testdata").join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Whether Intel made the processor, where the system tells.
pub fn is_intel() -> bool {
    std::fs::read_to_string("/proc/cpuinfo").is_ok_and(|text| text.contains("GenuineIntel"))
}

/// Messages of each length from 0 to 600 bytes, and their digests as `digests.txt` has them.
///
/// # Panics
///
/// If the file is missing or not as it was made.
pub fn known() -> Vec<(Vec<u8>, String)> {
    let text = String::from_utf8(testdata("digests.txt")).unwrap();
    let lines = text.lines().skip(1).map(|line| {
        let (length, digest) = line.split_once(' ').unwrap();
        let length: usize = length.parse().unwrap();
        ((0..length).map(|i| ((7 * i + length) % 251) as u8).collect(), digest.to_owned())
    });
    let known: Vec<_> = lines.collect();
    assert_eq!(known.len(), 601);
    known
}

/// The messages of the published full collisions, and the plain digest of each.
pub const COLLIDING: [(&str, &str); 4] = [
    ("shattered-1.bin", "f92d74e3874587aaf443d1db961d4e26dde13e9c"),
    ("shattered-2.bin", "f92d74e3874587aaf443d1db961d4e26dde13e9c"),
    ("sha-mbles-1.bin", "8ac60ba76f1999a1ab70223f225aefdc78d4ddc0"),
    ("sha-mbles-2.bin", "8ac60ba76f1999a1ab70223f225aefdc78d4ddc0"),
];
