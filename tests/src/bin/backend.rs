//! Prints the backend that this processor is given, and checks that each it can run works: for tests
//! under an emulator of other processors.

use std::process::ExitCode;

use sha1dc::{Backend, Builder};
use sha1dc_tests::{COLLIDING, testdata};

/// Whether a backend finds the published attacks, and nothing in a message without one.
fn works(backend: Backend) -> bool {
    let hash = |message: &[u8]| {
        let mut hasher = Builder::new().backend(backend).build();
        hasher.update(message);
        hasher.finalize()
    };
    let ordinary: Vec<u8> = (0..20_000_u32).map(|n| ((n * n) >> 7) as u8).collect();
    let plain = <sha1::Sha1 as sha1::Digest>::digest(&ordinary).0;
    let finds = |(name, digest): &(&str, &str)| {
        hash(&testdata(name)).is_err_and(|collision| collision.digest().to_string() == *digest)
    };
    hash(&ordinary).is_ok_and(|digest| digest.to_bytes() == plain) && COLLIDING.iter().all(finds)
}

fn main() -> ExitCode {
    println!("{}", Backend::detect());
    let broken: Vec<_> = Backend::available().filter(|backend| !works(*backend)).collect();
    if broken.is_empty() {
        return ExitCode::SUCCESS;
    }
    eprintln!("broken: {broken:?}");
    ExitCode::FAILURE
}
