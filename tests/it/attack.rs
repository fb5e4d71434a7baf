//! What is told of an attack: it can be verified by hand, and names the published other message.

use sha1::block_api::compress;
use sha1dc::{Attack, Backend, Builder};
use sha1dc_tests::{COLLIDING, testdata};

const INITIAL: [u32; 5] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];

fn find(builder: Builder, message: &[u8]) -> Attack {
    let mut hasher = builder.build();
    hasher.update(message);
    let attack = *hasher.attack().expect("an attack");
    assert_eq!(*hasher.finalize().unwrap_err().attack(), attack);
    attack
}

/// The chaining value after the first `length` bytes, by another implementation.
fn chaining(message: &[u8], length: u64) -> [u32; 5] {
    let mut state = INITIAL;
    compress(&mut state, message[..length as usize].as_chunks().0);
    state
}

#[test]
fn offset_vector_and_partner_are_those_of_the_published_pair() {
    // Both attacks follow the vector II(52,0), as their papers say.
    let expected = [(0, 1, 256, "II(52,0)"), (2, 3, 576, "II(52,0)")];
    for backend in Backend::available() {
        let builder = Builder::new().backend(backend);
        for (one, two, offset, vector) in expected {
            let messages = [testdata(COLLIDING[one].0), testdata(COLLIDING[two].0)];
            for (message, other) in [(&messages[0], &messages[1]), (&messages[1], &messages[0])] {
                let attack = find(builder, message);
                assert_eq!(attack.offset(), offset);
                assert_eq!(attack.disturbance_vector().to_string(), vector);
                assert!(!attack.is_reduced_round());
                assert_eq!(attack.partner_block()[..], other[offset as usize..][..64]);
                assert_eq!(attack.partner_chaining_value(), chaining(other, offset));
            }
        }
    }
}

#[test]
fn both_blocks_end_alike_by_another_implementation() {
    for (name, _) in COLLIDING {
        let message = testdata(name);
        let attack = find(Builder::new(), &message);
        let mut partner = attack.partner_chaining_value();
        compress(&mut partner, &[*attack.partner_block()]);
        assert_eq!(partner, chaining(&message, attack.offset() + 64), "{name}");
        assert_ne!(attack.partner_chaining_value(), chaining(&message, attack.offset()), "{name}");
    }
}

#[test]
fn the_difference_of_the_blocks_is_that_of_the_vector() {
    for (name, _) in COLLIDING {
        let message = testdata(name);
        let attack = find(Builder::new(), &message);
        let block = &message[attack.offset() as usize..][..64];
        let difference = attack.disturbance_vector().message_difference();
        for t in 0..16 {
            let word = |block: &[u8]| u32::from_be_bytes(block[4 * t..][..4].try_into().unwrap());
            assert_eq!(word(block) ^ word(attack.partner_block()), difference[t], "{name}");
        }
    }
}

/// The first block of the reduced-round pair is common, so both second blocks start alike.
#[test]
fn a_reduced_round_pair_starts_alike() {
    let (one, two) = (testdata("reduced-round-1.bin"), testdata("reduced-round-2.bin"));
    let attack = find(Builder::new().reduced_round_collisions(true), &one);
    assert_eq!((attack.offset(), attack.is_reduced_round()), (64, true));
    assert_eq!(attack.partner_block()[..], two[64..]);
    assert_eq!(attack.partner_chaining_value(), chaining(&one, 64));
}

#[test]
fn what_is_printed() {
    let collision = sha1dc::digest(&testdata("sha-mbles-2.bin")).unwrap_err();
    assert_eq!(
        collision.attack().to_string(),
        "SHA-1 collision attack in the block at byte 576, disturbance vector II(52,0)"
    );
    assert!(collision.to_string().ends_with("the digest is the colliding one"));
    let mitigated = sha1dc::mitigate::digest(&testdata("sha-mbles-2.bin")).unwrap_err();
    assert!(mitigated.to_string().ends_with("the digest is a mitigated one"));
    let attack =
        find(Builder::new().reduced_round_collisions(true), &testdata("reduced-round-1.bin"));
    assert!(attack.to_string().starts_with("reduced-round SHA-1 collision attack"));
}

/// The plain digest of a message, and the mitigated one, by other implementations.
fn expected(message: &[u8]) -> ([u8; 20], [u8; 20]) {
    let plain = <sha1::Sha1 as sha1::Digest>::digest(message).0;
    let mut hasher = sha1_checked::Builder::default().safe_hash(true).build();
    sha1_checked::Digest::update(&mut hasher, message);
    let result = hasher.try_finalize();
    assert!(result.has_collision());
    (plain, <[u8; 20]>::from(*result.hash()))
}

/// Asserts that a message in two parts holds an attack in the block at `offset`, and gives these
/// digests.
fn assert_found(
    builder: Builder,
    (head, tail): (&[u8], &[u8]),
    offset: usize,
    (plain, safe): ([u8; 20], [u8; 20]),
    what: &str,
) {
    let mut hasher = builder.build();
    hasher.update(head);
    assert_eq!(hasher.collision_detected(), head.len() >= offset + 64, "{what}");
    hasher.update(tail);
    assert_eq!(hasher.collision_detected(), head.len() + tail.len() >= offset + 64, "{what}");
    let collision = hasher.finalize().unwrap_err();
    assert_eq!(collision.attack().offset(), offset as u64, "{what}");
    assert_eq!(collision.digest().to_bytes(), plain, "{what}");
    let mut hasher = builder.build_mitigating();
    hasher.update(head);
    hasher.update(tail);
    let mitigated = hasher.finalize().unwrap_err();
    assert_eq!(mitigated.attack().offset(), offset as u64, "{what}");
    assert_eq!(mitigated.digest().to_bytes(), safe, "{what}");
}

/// An attack among ordinary blocks, one in 21 of which is flagged as well: whatever comes behind it,
/// and wherever the message is cut, it is found where it is, and mitigated as another
/// implementation mitigates it.
#[test]
fn among_ordinary_blocks() {
    let attack = testdata("shattered-1.bin");
    let mut random = fastrand::Rng::with_seed(12);
    for backend in Backend::available() {
        let builder = Builder::new().backend(backend);
        for behind in (0..40).chain([170, 171, 400]) {
            let mut message = attack.clone();
            message.extend(std::iter::repeat_with(|| random.u8(..)).take(64 * behind + 5));
            let digests = expected(&message);
            // Cut nowhere, before the attacking block, behind it, inside of it, and later.
            for cut in [0, 256, 320, 300, message.len().min(64 * 40)] {
                let what = format!("{backend}, {behind} blocks behind, cut at {cut}");
                assert_found(builder, message.split_at(cut), 256, digests, &what);
            }
        }
    }
}

/// Without the filter every block waits, so where a message is cut decides which place in the queue
/// the attacking block gets: each from the first to the last that fits, and beyond.
#[test]
fn at_every_place_in_the_queue() {
    let mut random = fastrand::Rng::with_seed(13);
    for (name, offset) in [("sha-mbles-2.bin", 576), ("shattered-2.bin", 256)] {
        for behind in [0, 1, 2, 7, 8, 9, 10, 40] {
            let mut message = testdata(name);
            message.extend(std::iter::repeat_with(|| random.u8(..)).take(64 * behind));
            let digests = expected(&message);
            for backend in Backend::available() {
                let builder = Builder::new().backend(backend).filter(false);
                for cut in (0..=offset + 64).step_by(64) {
                    let what = format!("{backend}, {name}, {behind} behind, cut at {cut}");
                    assert_found(builder, message.split_at(cut), offset, digests, &what);
                }
            }
        }
    }
}
