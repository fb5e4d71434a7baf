//! The public API: a superset of crate `sha1dc` 0.1.5's, and what it adds.

use std::collections::{BTreeSet, HashSet};
use std::error::Error;
use std::fmt::{Debug, Display};
use std::io::Write;

use sha1dc::{Backend, Digest, ParseDigestError};

const ABC: [u8; 20] = [
    0xa9, 0x99, 0x3e, 0x36, 0x47, 0x06, 0x81, 0x6a, 0xba, 0x3e, 0x25, 0x71, 0x78, 0x50, 0xc2, 0x6c,
    0x9c, 0xd0, 0xd8, 0x9d,
];

/// Code that uses every documented item of 0.1.5, compiled and run against both crates.
macro_rules! uses_every_item_of_0_1_5 {
    ($name:ident, $krate:ident) => {
        #[test]
        fn $name() {
            use $krate::{Collision, Digest, Hasher, digest, mitigate};

            fn shared<T: Send + Sync + Unpin + Clone + Debug + 'static>() {}
            fn error<T: Error + Copy + Eq + Send + Sync>() {}
            fn hashers<T: Default + Write>() {}
            shared::<Hasher>();
            shared::<mitigate::Hasher>();
            shared::<Digest>();
            hashers::<Hasher>();
            hashers::<mitigate::Hasher>();
            error::<Collision>();
            error::<mitigate::Mitigated>();

            let abc: Digest = digest(b"abc").unwrap();
            const fn in_const(digest: &Digest) -> (&[u8; 20], [u8; 20]) {
                (digest.as_bytes(), digest.to_bytes())
            }
            assert_eq!(in_const(&abc), (&ABC, ABC));
            assert_eq!(AsRef::<[u8]>::as_ref(&abc), ABC);
            assert_eq!(Digest::from(ABC), abc);
            assert_eq!(<[u8; 20]>::from(abc), ABC);
            assert_eq!(abc, ABC);
            assert_eq!(abc, ABC[..]);
            assert!(abc <= abc && abc != [0; 20]);
            assert_eq!(HashSet::from([abc, abc]).len(), 1);
            assert_eq!(BTreeSet::from([abc, abc]).len(), 1);
            let hex = "a9993e364706816aba3e25717850c26c9cd0d89d";
            assert_eq!((format!("{abc}"), format!("{abc:x}")), (hex.into(), hex.into()));
            assert_eq!(format!("{abc:X}"), hex.to_uppercase());
            assert_eq!(format!("{abc:?}"), format!("Digest({hex})"));

            let attacked = sha1dc_tests::testdata("shattered-1.bin");
            let plain = "f92d74e3874587aaf443d1db961d4e26dde13e9c";
            let mitigated = "7117b3cb9225aaf0d8ef1a40e493957b0bf8693d";

            let mut hasher = Hasher::new();
            hasher.write_all(&attacked).unwrap();
            hasher.flush().unwrap();
            assert!(hasher.collision_detected());
            let collision: Collision = hasher.clone().finalize().unwrap_err();
            const fn collisions(collision: &Collision) -> Digest {
                collision.digest()
            }
            assert_eq!(collisions(&collision).to_string(), plain);
            assert_eq!(hasher.finalize_reset(), Err(collision));
            hasher.update(b"x");
            hasher.reset();
            hasher.update(b"abc");
            assert_eq!(hasher.finalize(), Ok(abc));
            assert_eq!(digest(&attacked), Err(collision));

            let mut hasher = mitigate::Hasher::new();
            hasher.update(&attacked);
            assert!(hasher.collision_detected());
            let found: mitigate::Mitigated = hasher.clone().finalize().unwrap_err();
            assert_eq!(found.digest().to_string(), mitigated);
            assert_eq!(hasher.finalize_reset(), Err(found));
            hasher.reset();
            assert_eq!(hasher.finalize(), mitigate::digest(b""));
            assert_eq!(mitigate::digest(&attacked), Err(found));

            let messages: [&dyn Display; 2] = [&collision, &found];
            for message in messages {
                assert!(message.to_string().contains("collision attack"));
            }
        }
    };
}

uses_every_item_of_0_1_5!(this_crate, sha1dc);
uses_every_item_of_0_1_5!(crate_0_1_5, sha1dc_peer);

#[test]
fn digests_read_back() {
    let abc = Digest::from(ABC);
    assert_eq!(abc.to_string().parse(), Ok(abc));
    assert_eq!(format!("{abc:X}").parse(), Ok(abc));
    let length = |digits| Err::<Digest, _>(ParseDigestError::Length { digits });
    assert_eq!("".parse(), length(0));
    assert_eq!(format!("{abc}0").parse(), length(41));
    assert_eq!(format!("{abc}{abc}").parse(), length(80));
    assert_eq!(abc.to_string()[1..].parse(), length(39));
    let digit = |found, position| Err::<Digest, _>(ParseDigestError::Digit { found, position });
    assert_eq!(format!("0x{abc}").parse(), digit('x', 1));
    assert_eq!(format!("{abc}\n").parse(), digit('\n', 40));
    assert_eq!("äöü".parse(), digit('ä', 0));
    assert_eq!(" a9".parse(), digit(' ', 0));
}

/// The error of a detected attack rides in every `Result`: it must not make them large.
#[test]
fn errors_are_small() {
    assert!(size_of::<Result<Digest, sha1dc::Collision>>() <= 128);
    assert!(size_of::<sha1dc::Hasher>() <= 256);
}

/// The backends that this processor should have, best first, by what std says of it, which shares
/// nothing with what we ask.
fn expected_backends() -> Vec<&'static str> {
    let mut names = Vec::new();
    // On other systems SHA instructions are used only where the compiler was told of them.
    #[cfg(all(target_arch = "aarch64", target_endian = "little", not(sha1dc_portable)))]
    {
        use std::arch::is_aarch64_feature_detected as has;
        // The instructions for SHA-1 are a part of what that feature stands for.
        let asked = cfg!(any(target_os = "linux", target_os = "android", target_vendor = "apple"));
        let sha = if asked { has!("sha2") } else { cfg!(target_feature = "sha2") };
        names.extend((sha && has!("sha3")).then_some("armv8+sha3"));
        names.extend(sha.then_some(["armv8+neon-prefix", "armv8+neon"]).into_iter().flatten());
        names.push("portable+neon");
    }
    #[cfg(all(target_arch = "x86_64", not(sha1dc_portable)))]
    {
        use std::arch::is_x86_feature_detected as has;
        let sha = has!("sha") && has!("ssse3") && has!("sse4.1");
        let avx2 = has!("avx2") && has!("bmi1") && has!("bmi2");
        let avx512 = avx2 && has!("avx512f") && has!("avx512vl");
        let order = |names: [&'static str; 2]| {
            if sha1dc_tests::is_intel() { names } else { [names[1], names[0]] }
        };
        let forms = [
            (avx512, order(["sha1rnds4+avx512", "shani+avx512"])),
            (avx2, order(["sha1rnds4+avx2", "shani+avx2"])),
            (true, order(["sha1rnds4+sse2", "shani+sse2"])),
        ];
        names.extend(forms.iter().filter(|(has, _)| sha && *has).flat_map(|(_, names)| names));
        names.extend(avx512.then_some("avx2+avx512"));
        names.extend(avx2.then_some("avx2+avx2"));
        names.extend(has!("ssse3").then_some("ssse3+sse2"));
        names.extend(avx2.then_some("portable+avx2"));
        names.push("portable+sse2");
    }
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128", not(sha1dc_portable)))]
    names.push("portable+simd128");
    names.push("portable+scalar");
    names
}

#[test]
fn backends_are_listed_and_named() {
    let names: Vec<_> = Backend::available().map(Backend::name).collect();
    assert_eq!(names, expected_backends());
    assert_eq!(Backend::detect().name(), names[0]);
    for backend in Backend::available() {
        assert_eq!(backend.name().parse(), Ok(backend));
        assert_eq!(format!("{backend:?}"), format!("Backend({backend})"));
        assert_eq!(format!("{backend:>20}").trim_start(), backend.name());
    }
    for wrong in ["", "portable", "portable+", "PORTABLE+SCALAR", "shani+avx9"] {
        let error = wrong.parse::<Backend>().unwrap_err();
        assert!(error.to_string().contains("portable+scalar"), "{error}");
    }
}

#[test]
#[cfg_attr(target_os = "wasi", ignore = "no threads there")]
fn many_threads_at_once() {
    let expected = sha1dc::digest(b"abc");
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..16).map(|_| scope.spawn(|| sha1dc::digest(b"abc"))).collect();
        threads.into_iter().for_each(|thread| assert_eq!(thread.join().unwrap(), expected));
    });
}

/// Blocks by themselves, cut anywhere, with padding made by hand: the digests and attacks of the
/// hashers.
#[test]
fn blocks_by_themselves() {
    let attacked = sha1dc_tests::testdata("shattered-1.bin");
    let ordinary: Vec<u8> = (0..1000).map(|n| (n % 251) as u8).collect();
    for message in [attacked, ordinary] {
        let mut padded = message.clone();
        padded.push(0x80);
        padded.resize(padded.len().next_multiple_of(64), 0);
        if message.len() % 64 >= 56 {
            padded.resize(padded.len() + 64, 0);
        }
        let end = padded.len() - 8;
        padded[end..].copy_from_slice(&(8 * message.len() as u64).to_be_bytes());
        let (blocks, _) = padded.as_chunks();
        for backend in Backend::available() {
            let builder = sha1dc::Builder::new().backend(backend);
            for cut in 0..=blocks.len() {
                let initial = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
                let (mut plain, mut mitigated) = (initial, initial);
                let (first, then) = blocks.split_at(cut);
                let offset = 64 * cut as u64;
                let found = builder
                    .compress(&mut plain, first, 0)
                    .or(builder.compress(&mut plain, then, offset));
                let attack = builder
                    .compress_mitigating(&mut mitigated, first, 0)
                    .or(builder.compress_mitigating(&mut mitigated, then, offset));
                let bytes = |chaining: [u32; 5]| {
                    let words = chaining.map(u32::to_be_bytes);
                    Digest::from(<[u8; 20]>::try_from(words.as_flattened()).unwrap())
                };
                match sha1dc::digest(&message) {
                    Ok(digest) => assert_eq!((bytes(plain), found), (digest, None)),
                    Err(collision) => {
                        assert_eq!(bytes(plain), collision.digest());
                        assert_eq!(found.as_ref(), Some(collision.attack()));
                    }
                }
                match sha1dc::mitigate::digest(&message) {
                    Ok(digest) => assert_eq!((bytes(mitigated), attack), (digest, None)),
                    Err(error) => {
                        assert_eq!(bytes(mitigated), error.digest());
                        assert_eq!(attack.as_ref(), Some(error.attack()));
                    }
                }
            }
        }
    }
}
