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

/// The messages of the published full collisions, and the plain digest of each.
pub const COLLIDING: [(&str, &str); 4] = [
    ("shattered-1.bin", "f92d74e3874587aaf443d1db961d4e26dde13e9c"),
    ("shattered-2.bin", "f92d74e3874587aaf443d1db961d4e26dde13e9c"),
    ("sha-mbles-1.bin", "8ac60ba76f1999a1ab70223f225aefdc78d4ddc0"),
    ("sha-mbles-2.bin", "8ac60ba76f1999a1ab70223f225aefdc78d4ddc0"),
];
