//! What the tests and benchmarks of `sha1dc` share: the published messages, fresh random bytes,
//! the other implementations, and a clock.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

use cpu_time::ThreadTime;

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

/// An implementation of SHA-1.
#[derive(Clone, Copy)]
pub struct Contender {
    /// Crate and version, or backend.
    pub name: &'static str,
    /// Hashes a whole message.
    pub hash: fn(&[u8]) -> [u8; 20],
}

/// `sha1dc` as its users get it.
pub const OURS: Contender =
    Contender { name: "sha1dc (this)", hash: |m| sha1dc::digest(m).unwrap().to_bytes() };

/// `sha1dc` with plain compression and the scalar filter, without any instruction set.
pub const OURS_PORTABLE: Contender = Contender {
    name: "portable+scalar (this)",
    hash: |message| {
        static PORTABLE: LazyLock<sha1dc::Backend> =
            LazyLock::new(|| "portable+scalar".parse().unwrap());
        let mut hasher = sha1dc::Builder::new().backend(*PORTABLE).build();
        hasher.update(message);
        hasher.finalize().unwrap().to_bytes()
    },
};

/// The others: plain SHA-1 first.
pub const OTHERS: [Contender; 4] = [
    Contender { name: "sha1 0.11", hash: |m| <sha1::Sha1 as sha1::Digest>::digest(m).0 },
    Contender {
        name: "sha1dc 0.1.5",
        hash: |message| sha1dc_peer::digest(message).unwrap().to_bytes(),
    },
    Contender {
        name: "sha1dc 0.1.5 scalar",
        hash: |message| {
            let mut hasher = sha1dc_peer::Hasher::builder().internal_scalar_backend().build();
            hasher.update(message);
            hasher.finalize().unwrap().to_bytes()
        },
    },
    Contender {
        name: "sha1-checked 0.10",
        hash: |message| (*sha1_checked::Sha1::try_digest(message).hash()).into(),
    },
];

/// Hashes every message of `size` bytes that `bytes` holds, and tells this thread's processor time:
/// on a shared machine the wall clock also counts what others do.
pub fn time(contender: Contender, bytes: &[u8], size: usize) -> Duration {
    let start = ThreadTime::now();
    for message in bytes.chunks_exact(size) {
        std::hint::black_box((contender.hash)(std::hint::black_box(message)));
    }
    start.elapsed()
}

/// Sizes of message that are measured, in bytes.
pub const SIZES: [usize; 6] = [64, 320, 1024, 8192, 16384, 1 << 20];
