//! Many messages at once: every kernel against one message after the other, and against other
//! implementations.

use sha1dc::{Builder, Collision, Digest, Lanes};
use sha1dc_tests::{COLLIDING, known, testdata};

/// What a kernel makes of messages, each result reported exactly once.
fn each(lanes: Lanes, messages: &[Vec<u8>]) -> Vec<Result<Digest, Collision>> {
    let mut results = vec![None; messages.len()];
    let builder = Builder::new().lanes(lanes);
    builder.digest_each(messages.iter().map(Vec::as_slice), |index, result| {
        assert!(results[index].replace(result).is_none(), "{lanes} reported {index} twice");
    });
    results.into_iter().map(|result| result.expect("each is reported")).collect()
}

/// The counts at which lanes are empty, full, or left over.
fn counts(lanes: Lanes) -> [usize; 8] {
    let width = lanes.count();
    [0, 1, width - 1, width, width + 1, 31, 2 * width + 3, 1000]
}

fn message(random: &mut fastrand::Rng, length: usize) -> Vec<u8> {
    std::iter::repeat_with(|| random.u8(..)).take(length).collect()
}

#[test]
fn any_number_of_messages_of_any_length() {
    let mut random = fastrand::Rng::with_seed(20);
    for lanes in Lanes::available() {
        for count in counts(lanes) {
            for longest in [0, 70, 300, 5000] {
                let messages: Vec<_> = (0..count)
                    .map(|_| {
                        let length = random.usize(0..=longest);
                        message(&mut random, length)
                    })
                    .collect();
                let digests: Vec<[u8; 20]> = messages
                    .iter()
                    .map(|message| <sha1::Sha1 as sha1::Digest>::digest(message).0)
                    .collect();
                let ours = each(lanes, &messages);
                let many = Builder::new().lanes(lanes).digest_many(&messages);
                assert_eq!(many, ours);
                let ours: Vec<_> =
                    ours.into_iter().map(|result| result.unwrap().to_bytes()).collect();
                assert_eq!(ours, digests, "{lanes}, {count} of up to {longest} bytes");
            }
        }
    }
}

/// Digests that Python made, and published collisions, on every kernel.
#[test]
fn known_answers() {
    let (mut messages, mut digests): (Vec<_>, Vec<_>) = known().into_iter().unzip();
    for (name, digest) in COLLIDING {
        messages.push(testdata(name));
        digests.push(digest.to_owned());
    }
    let ordinary = messages.len() - COLLIDING.len();
    for lanes in Lanes::available() {
        for (n, result) in each(lanes, &messages).into_iter().enumerate() {
            assert_eq!(result.is_ok(), n < ordinary, "{lanes}, message {n}");
            let digest = result.unwrap_or_else(|collision| collision.digest());
            assert_eq!(digest.to_string(), digests[n], "{lanes}, message {n}");
        }
    }
}

/// Every length around the end of a block, all at once and each in every lane.
#[test]
fn lengths_around_a_block() {
    let mut random = fastrand::Rng::with_seed(21);
    for lanes in Lanes::available() {
        let mut messages: Vec<_> = (0..3 * lanes.count())
            .flat_map(|_| (50..=70).chain(110..=130))
            .map(|length| message(&mut random, length))
            .collect();
        random.shuffle(&mut messages);
        for (message, result) in messages.iter().zip(each(lanes, &messages)) {
            let plain = <sha1::Sha1 as sha1::Digest>::digest(message).0;
            assert_eq!(result.unwrap(), plain, "{lanes}, {} bytes", message.len());
        }
    }
}

/// Published collisions among ordinary messages, and ordinary messages as long: digests, verdicts and
/// what was found are the same as for one message by itself.
#[test]
fn collisions_in_any_lane() {
    let mut random = fastrand::Rng::with_seed(22);
    let colliding: Vec<_> = COLLIDING.iter().map(|(name, _)| testdata(name)).collect();
    for lanes in Lanes::available() {
        for count in counts(lanes) {
            for share in [2, 20] {
                let messages: Vec<Vec<u8>> = (0..count)
                    .map(|_| {
                        let length = random.usize(0..700);
                        match random.usize(0..share) {
                            0 => {
                                let mut message = random.choice(&colliding).unwrap().clone();
                                message.extend((0..length).map(|n| n as u8));
                                message
                            }
                            _ => message(&mut random, length),
                        }
                    })
                    .collect();
                let expected: Vec<_> = messages.iter().map(|m| sha1dc::digest(m)).collect();
                assert_eq!(each(lanes, &messages), expected, "{lanes}, {count} messages");
                let expected: Vec<_> =
                    messages.iter().map(|m| sha1dc::mitigate::digest(m)).collect();
                let builder = Builder::new().lanes(lanes);
                assert_eq!(builder.digest_many_mitigating(&messages), expected, "{lanes}");
            }
        }
    }
}

/// Messages in pieces, cut anywhere, some with a collision: as one hasher after the other.
#[test]
fn updates_of_many_hashers() {
    let mut random = fastrand::Rng::with_seed(23);
    let colliding: Vec<_> = COLLIDING.iter().map(|(name, _)| testdata(name)).collect();
    for lanes in Lanes::available() {
        for count in counts(lanes) {
            let messages: Vec<Vec<u8>> = (0..count)
                .map(|_| {
                    let length = random.usize(0..1500);
                    match random.usize(0..8) {
                        0 => random.choice(&colliding).unwrap().clone(),
                        _ => message(&mut random, length),
                    }
                })
                .collect();
            let mut hashers = vec![sha1dc::Hasher::new(); count];
            let mut mitigating = vec![sha1dc::mitigate::Hasher::new(); count];
            let mut rest: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
            while rest.iter().any(|rest| !rest.is_empty()) {
                let pieces: Vec<&[u8]> = rest
                    .iter_mut()
                    .map(|rest| {
                        let length = random.usize(0..300).min(rest.len());
                        rest.split_off(..length).unwrap()
                    })
                    .collect();
                let builder = Builder::new().lanes(lanes);
                builder.update_each(hashers.iter_mut().zip(pieces.iter().copied()));
                builder.update_each_mitigating(mitigating.iter_mut().zip(pieces));
            }
            for ((hasher, mitigating), message) in hashers.iter().zip(mitigating).zip(&messages) {
                let result = sha1dc::digest(message);
                let attack = result.as_ref().err().map(Collision::attack);
                assert_eq!(hasher.attack(), attack, "{lanes}, {count} messages");
                assert_eq!(hasher.clone().finalize(), result, "{lanes}, {count} messages");
                assert_eq!(mitigating.finalize(), sha1dc::mitigate::digest(message), "{lanes}");
            }
        }
    }
}

/// What hashers were built with stays, whoever updates them.
#[test]
fn hashers_of_any_settings() {
    let reduced = testdata("reduced-round-1.bin");
    for lanes in Lanes::available() {
        let mut hashers: Vec<_> = (0..40)
            .map(|n| {
                let builder = Builder::new().reduced_round_collisions(n % 3 == 0);
                builder.filter(n % 5 != 0).build()
            })
            .collect();
        let updates = hashers.iter_mut().map(|hasher| (hasher, &reduced[..]));
        Builder::new().lanes(lanes).update_each(updates);
        for (n, hasher) in hashers.iter().enumerate() {
            assert_eq!(hasher.collision_detected(), n % 3 == 0, "{lanes}, hasher {n}");
        }
    }
}

/// The settings of a batch are those of a hasher.
#[test]
fn other_settings() {
    let reduced = testdata("reduced-round-1.bin");
    for lanes in Lanes::available() {
        let messages = vec![&reduced[..]; 40];
        let usual = Builder::new().lanes(lanes);
        assert!(usual.digest_many(&messages).iter().all(Result::is_ok), "{lanes}");
        let asked = usual.reduced_round_collisions(true).digest_many(&messages);
        for result in asked {
            assert!(
                result.is_err_and(|collision| collision.attack().is_reduced_round()),
                "{lanes}"
            );
        }
        let unfiltered = usual.filter(false).digest_many(&messages[..3]);
        assert!(unfiltered.iter().all(Result::is_ok), "{lanes}");
    }
}

/// The kernels are those that the processor can run, best first.
#[test]
fn kernels_are_listed_and_named() {
    let names: Vec<_> = Lanes::available().map(Lanes::name).collect();
    let mut expected = Vec::new();
    #[cfg(all(target_arch = "x86_64", not(sha1dc_portable)))]
    {
        use std::arch::is_x86_feature_detected as has;
        let sha = has!("sha") && has!("ssse3") && has!("sse4.1");
        let avx2 = has!("avx2") && has!("bmi1") && has!("bmi2");
        let avx512 = has!("avx2") && has!("avx512f") && has!("avx512bw");
        let is_intel = sha1dc_tests::is_intel();
        // What the processor can run, and whether that is faster than one message after the other.
        let kernels = [
            (avx512, true, "avx512x16"),
            (sha && avx2, !is_intel, "shani+avx2x2"),
            (avx2, !sha || is_intel && !avx512, "avx2x8"),
            (has!("ssse3"), !sha, "ssse3x4"),
        ];
        let names = |faster| {
            let wanted =
                kernels.into_iter().filter(move |(runs, pays, _)| *runs && *pays == faster);
            wanted.map(|(_, _, name)| name)
        };
        expected.extend(names(true).chain(["single"]).chain(names(false)));
    }
    // Qemu gives the instructions for SHA-1 to each of its processors.
    #[cfg(all(target_arch = "aarch64", target_endian = "little", not(sha1dc_portable)))]
    expected.extend(["armv8+neonx2", "single", "neonx4"]);
    if expected.is_empty() {
        expected.push("single");
    }
    assert_eq!(names, expected);
    assert_eq!(Lanes::detect().name(), names[0]);
    for lanes in Lanes::available() {
        assert_eq!(lanes.name().parse(), Ok(lanes));
        assert_eq!(format!("{lanes:?}"), format!("Lanes({lanes})"));
    }
    let error = "avx9x99".parse::<Lanes>().unwrap_err().to_string();
    assert!(error.contains(" single"), "{error}");
}
