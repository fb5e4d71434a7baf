//! Digests of ordinary messages, however they are cut, on every backend and in both modes.

use sha1dc::{Backend, Builder};
use sha1dc_tests::{known, testdata};

/// Hashes the parts with one update each, in both modes, on one backend.
fn hash<'a>(backend: Backend, parts: impl IntoIterator<Item = &'a [u8]>) -> String {
    let builder = Builder::new().backend(backend);
    let (mut plain, mut mitigating) = (builder.build(), builder.build_mitigating());
    for part in parts {
        plain.update(part);
        mitigating.update(part);
    }
    let digest = plain.finalize().expect("an ordinary message");
    assert_eq!(mitigating.finalize().expect("an ordinary message"), digest);
    digest.to_string()
}

#[test]
fn every_length_cut_in_two_anywhere() {
    for backend in Backend::available() {
        for (message, digest) in known() {
            assert_eq!(sha1dc::digest(&message).unwrap().to_string(), digest);
            for cut in 0..=message.len() {
                let (head, tail) = message.split_at(cut);
                let got = hash(backend, [head, tail]);
                assert_eq!(got, digest, "{backend}, {} bytes cut at {cut}", message.len());
            }
        }
    }
}

#[test]
fn every_length_cut_into_equal_parts() {
    for backend in Backend::available() {
        for (message, digest) in known() {
            for size in [1, 2, 3, 7, 55, 56, 63, 64, 65, 127, 128, 129, 200] {
                let got = hash(backend, message.chunks(size));
                assert_eq!(got, digest, "{backend}, {} bytes by {size}", message.len());
            }
        }
    }
}

#[test]
fn every_length_cut_at_random_and_with_empty_updates() {
    let mut random = fastrand::Rng::with_seed(2);
    for backend in Backend::available() {
        for (message, digest) in known() {
            let mut rest = &message[..];
            let mut parts = Vec::new();
            while !rest.is_empty() {
                let (part, after) = rest.split_at(random.usize(0..=rest.len().min(150)));
                parts.push(part);
                rest = after;
            }
            assert_eq!(hash(backend, parts), digest, "{backend}, {} bytes", message.len());
        }
    }
}

#[test]
fn every_alignment() {
    for backend in Backend::available() {
        for (message, digest) in known().into_iter().filter(|(message, _)| message.len() % 67 < 4) {
            for offset in 0..64 {
                // 64 bytes of slack hold every offset from whatever alignment the vector has.
                let mut buffer = vec![0xaa; message.len() + 128];
                let start = buffer.as_ptr().align_offset(64) + offset;
                buffer[start..][..message.len()].copy_from_slice(&message);
                let aligned = &buffer[start..][..message.len()];
                assert_eq!(aligned.as_ptr() as usize % 64, offset);
                assert_eq!(hash(backend, [aligned]), digest, "{backend}, alignment {offset}");
            }
        }
    }
}

#[test]
fn one_hasher_for_many_messages() {
    for backend in Backend::available() {
        let builder = Builder::new().backend(backend);
        let (mut plain, mut mitigating) = (builder.build(), builder.build_mitigating());
        let attack = testdata("shattered-1.bin");
        for (n, (message, digest)) in known().into_iter().enumerate() {
            // Leave something behind in the hashers, now and then an attack.
            if n % 3 > 0 {
                let left = if n % 3 == 1 { &message[..n / 2] } else { &attack[..] };
                plain.update(left);
                mitigating.update(left);
                assert_eq!(plain.collision_detected(), n % 3 == 2);
                plain.reset();
                mitigating.reset();
                assert!(!plain.collision_detected() && plain.attack().is_none());
            }
            plain.update(&message);
            mitigating.update(&message);
            let (plain_clone, mitigating_clone) = (plain.clone(), mitigating.clone());
            assert_eq!(plain.finalize_reset().unwrap().to_string(), digest);
            assert_eq!(mitigating.finalize_reset().unwrap().to_string(), digest);
            assert_eq!(plain_clone.finalize().unwrap().to_string(), digest);
            assert_eq!(mitigating_clone.finalize().unwrap().to_string(), digest);
        }
    }
}

#[test]
fn a_clone_goes_its_own_way() {
    let mut one = sha1dc::Hasher::new();
    one.update(b"a");
    let mut other = one.clone();
    one.update(b"bc");
    other.update(b"cb");
    assert_eq!(one.finalize(), sha1dc::digest(b"abc"));
    assert_eq!(other.finalize(), sha1dc::digest(b"acb"));
}

#[test]
fn nist_short_messages() {
    let text = String::from_utf8(testdata("nist-short-messages.txt")).unwrap();
    let mut messages = 0;
    for line in text.lines().skip(1) {
        let (hex, digest) = line.split_once(' ').unwrap();
        let hex = if hex == "-" { "" } else { hex };
        let message: Vec<u8> = (0..hex.len())
            .step_by(2)
            .map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap())
            .collect();
        for backend in Backend::available() {
            assert_eq!(hash(backend, [&message[..]]), digest, "{backend}, message {hex}");
        }
        messages += 1;
    }
    assert_eq!(messages, 65);
}

/// NIST's example of a long message.
#[test]
fn a_million_times_a() {
    let message = vec![b'a'; 1_000_000];
    for backend in Backend::available() {
        let digest = hash(backend, [&message[..]]);
        assert_eq!(digest, "34aa973cd4c4daa4f61eeb2bdbad27316534016f", "{backend}");
    }
}

#[test]
fn random_messages_against_plain_sha1() {
    let mut random = fastrand::Rng::with_seed(3);
    for n in 0..4000 {
        let mut message = vec![0; random.usize(0..5000)];
        random.fill(&mut message);
        let plain = <sha1::Sha1 as sha1::Digest>::digest(&message).0;
        for backend in Backend::available() {
            let parts = message.chunks(random.usize(1..1000));
            let expected = sha1dc::Digest::from(plain).to_string();
            assert_eq!(hash(backend, parts), expected, "{backend}, message {n}");
        }
    }
}

/// The length counts bits, and 512 MiB have 2^32 of them.
#[test]
fn a_length_of_more_than_32_bits() {
    let part = vec![0x5a; 1 << 20];
    let (mut ours, mut plain) = (sha1dc::Hasher::new(), <sha1::Sha1 as sha1::Digest>::new());
    for _ in 0..513 {
        ours.update(&part);
        sha1::Digest::update(&mut plain, &part);
    }
    assert_eq!(ours.finalize().unwrap(), sha1::Digest::finalize(plain).0);
}
