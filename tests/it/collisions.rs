//! The published collisions and what lies around them: verdicts and mitigated digests as the
//! reference's, with the filter and without.

use sha1dc::{Backend, Builder, Digest, mitigate};
use sha1dc_tests::{COLLIDING, testdata};

/// What every implementation must agree on: the plain digest, the mitigated one, the verdict.
type Outcome = (Digest, Digest, bool);

/// What we say.
fn ours(builder: Builder, message: &[u8], cut: usize) -> Outcome {
    let (mut plain, mut mitigating) = (builder.build(), builder.build_mitigating());
    for part in message.chunks(cut.max(1)) {
        plain.update(part);
        mitigating.update(part);
    }
    let detected = plain.collision_detected();
    assert_eq!(detected, mitigating.collision_detected());
    // Where, what and whose partner does not depend on how the message was cut.
    let (mut whole, mut whole_mitigating) = (builder.build(), builder.build_mitigating());
    whole.update(message);
    whole_mitigating.update(message);
    assert_eq!(plain.attack(), whole.attack());
    assert_eq!(mitigating.attack(), whole_mitigating.attack());
    let (plain, mitigated) = (plain.finalize(), mitigating.finalize());
    // The padding is no attack: the verdict stands before the end.
    assert_eq!((plain.is_err(), mitigated.is_err()), (detected, detected));
    let plain = plain.unwrap_or_else(|collision| collision.digest());
    let mitigated = mitigated.unwrap_or_else(|mitigated| mitigated.digest());
    (plain, mitigated, detected)
}

/// What the port of the reference implementation says.
fn reference(message: &[u8]) -> Outcome {
    let run = |safe_hash| {
        let mut hasher = sha1collisiondetection::Builder::default().safe_hash(safe_hash).build();
        hasher.update(message);
        let mut out = sha1collisiondetection::Output::default();
        let detected = hasher.finalize_into_dirty_cd(&mut out).is_err();
        (Digest::from(<[u8; 20]>::from(out)), detected)
    };
    let ((plain, detected), (mitigated, also_detected)) = (run(false), run(true));
    assert_eq!(detected, also_detected);
    (plain, mitigated, detected)
}

/// What `sha1-checked` says, which also knows reduced rounds.
fn checked(message: &[u8], reduced_rounds: bool) -> Outcome {
    let run = |safe_hash| {
        let mut hasher = sha1_checked::Sha1::builder()
            .safe_hash(safe_hash)
            .reduced_round_collision(reduced_rounds)
            .build();
        sha1_checked::Digest::update(&mut hasher, message);
        let result = hasher.try_finalize();
        (Digest::from(<[u8; 20]>::from(*result.hash())), result.has_collision())
    };
    let ((plain, detected), (mitigated, _)) = (run(false), run(true));
    (plain, mitigated, detected)
}

/// All settings that must not matter.
fn builders() -> impl Iterator<Item = Builder> {
    Backend::available().flat_map(|backend| {
        [true, false].map(|filter| Builder::new().backend(backend).filter(filter))
    })
}

#[test]
fn published_collisions_are_detected_however_they_are_cut() {
    for (name, digest) in COLLIDING {
        let message = testdata(name);
        let expected = reference(&message);
        assert_eq!((expected.0.to_string().as_str(), expected.2), (digest, true), "{name}");
        assert_eq!(checked(&message, false), expected, "{name}");
        for builder in builders() {
            for cut in 1..=message.len() {
                assert_eq!(ours(builder, &message, cut), expected, "{name} by {cut}, {builder:?}");
            }
        }
    }
}

#[test]
fn mitigation_takes_the_messages_apart() {
    let digests = COLLIDING.map(|(name, _)| mitigate::digest(&testdata(name)).unwrap_err());
    assert_eq!(digests[0].digest().to_string(), "7117b3cb9225aaf0d8ef1a40e493957b0bf8693d");
    assert_eq!(digests[1].digest().to_string(), "29f38ae9fd98e2931120fa0bf213e024250d3f6a");
    assert_ne!(digests[2].digest(), digests[3].digest());
}

#[test]
fn whatever_follows_a_collision_the_verdict_stays() {
    let mut random = fastrand::Rng::with_seed(4);
    for (name, _) in COLLIDING {
        for length in [1, 63, 64, 65, 1000, 5000] {
            let mut message = testdata(name);
            message.extend(std::iter::repeat_with(|| random.u8(..)).take(length));
            let expected = reference(&message);
            assert!(expected.2, "{name}");
            for builder in builders() {
                for cut in [64, 1000, message.len()] {
                    assert_eq!(ours(builder, &message, cut), expected, "{name} and {length} more");
                }
            }
        }
    }
}

#[test]
fn a_message_that_stops_short_of_the_last_block_is_innocent() {
    for (name, _) in COLLIDING {
        let message = testdata(name);
        let last = sha1dc::digest(&message).unwrap_err().attack().offset() as usize;
        for length in [0, 64, last, last + 1, last + 63] {
            let expected = reference(&message[..length]);
            assert!(!expected.2, "{name} to byte {length}");
            for builder in builders() {
                assert_eq!(ours(builder, &message[..length], 64), expected, "{name} to {length}");
            }
        }
    }
}

/// One bit flipped anywhere: no verdict unless the oracle has one, which it has behind the attack.
#[test]
fn one_flipped_bit_undoes_the_attack() {
    for (name, _) in COLLIDING {
        let message = testdata(name);
        let end = sha1dc::digest(&message).unwrap_err().attack().offset() as usize + 64;
        for bit in 0..8 * message.len() {
            let mut flipped = message.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            let expected = reference(&flipped);
            assert_eq!(expected.2, bit / 8 >= end, "{name}, bit {bit}");
            for builder in builders() {
                assert_eq!(ours(builder, &flipped, 1000), expected, "{name}, bit {bit}");
            }
        }
    }
}

#[test]
fn reduced_rounds_are_told_only_when_asked_for() {
    for name in ["reduced-round-1.bin", "reduced-round-2.bin"] {
        let message = testdata(name);
        for builder in builders() {
            let expected = checked(&message, false);
            assert_eq!(expected, reference(&message));
            assert!(!expected.2, "{name} is no collision of full SHA-1");
            assert_eq!(ours(builder, &message, 1000), expected, "{name}");

            let expected = checked(&message, true);
            assert!(expected.2, "{name} is a collision of reduced SHA-1");
            let asked = builder.reduced_round_collisions(true);
            for cut in 1..=message.len() {
                assert_eq!(ours(asked, &message, cut), expected, "{name} by {cut}");
            }
            let mut hasher = asked.build();
            hasher.update(&message);
            assert!(hasher.attack().is_some_and(sha1dc::Attack::is_reduced_round));
            // Settings outlive the message.
            for _ in 0..2 {
                assert!(hasher.finalize_reset().is_err());
                hasher.update(&message);
                hasher.reset();
                hasher.update(&message);
            }
            assert!(hasher.finalize().is_err());
        }
    }
    // Full collisions are full ones in this mode as well.
    for (name, _) in COLLIDING {
        let message = testdata(name);
        for builder in builders() {
            let asked = builder.reduced_round_collisions(true);
            assert_eq!(ours(asked, &message, 1000), checked(&message, true), "{name}");
            let (mut asked, mut usual) = (asked.build(), builder.build());
            asked.update(&message);
            usual.update(&message);
            assert_eq!(asked.attack(), usual.attack(), "{name}");
        }
    }
}

#[test]
fn random_messages_are_innocent_with_the_filter_and_without() {
    let mut random = fastrand::Rng::with_seed(5);
    for _ in 0..300 {
        let mut message = vec![0; random.usize(0..3000)];
        random.fill(&mut message);
        let expected = reference(&message);
        assert!(!expected.2);
        for builder in builders() {
            for reduced_rounds in [false, true] {
                let asked = builder.reduced_round_collisions(reduced_rounds);
                assert_eq!(ours(asked, &message, 500), expected);
            }
        }
    }
}
