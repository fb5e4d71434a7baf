//! Prints the backend and the kernel for many messages that this processor is given, and checks that
//! each it can run works: for tests under an emulator of other processors.

use std::process::ExitCode;

use sha1dc::{Backend, Builder, Lanes};
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

/// Whether a kernel does, in each of its lanes.
fn all_work(lanes: Lanes) -> bool {
    let attacks = COLLIDING.map(|(name, _)| testdata(name));
    let ordinary: Vec<u8> = (0..2_000_u32).map(|n| ((n * n) >> 7) as u8).collect();
    let messages: Vec<&[u8]> = (0..40)
        .map(|n| match attacks.get(n % 10) {
            Some(attack) => attack,
            None => &ordinary[n..],
        })
        .collect();
    let results = Builder::new().lanes(lanes).digest_many(&messages);
    messages.iter().zip(results).all(|(message, result)| {
        let plain = <sha1::Sha1 as sha1::Digest>::digest(message).0;
        let is_attack = result.is_err();
        let digest = result.unwrap_or_else(|collision| collision.digest());
        digest.to_bytes() == plain && is_attack == attacks.iter().any(|attack| attack == message)
    })
}

fn main() -> ExitCode {
    println!("{} {}", Backend::detect(), Lanes::detect());
    let broken = Backend::available().filter(|backend| !works(*backend)).map(Backend::name);
    let lanes = Lanes::available().filter(|lanes| !all_work(*lanes)).map(Lanes::name);
    let broken: Vec<_> = broken.chain(lanes).collect();
    if broken.is_empty() {
        return ExitCode::SUCCESS;
    }
    eprintln!("broken: {broken:?}");
    ExitCode::FAILURE
}
