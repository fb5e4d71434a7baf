//! The disturbance vectors, written three times apart: in the library, the solver, the grammar.

use sha1dc::DisturbanceVector;
use ubc_solver::dv::message_difference;

#[test]
fn the_library_and_the_solver_mean_the_same_vectors() {
    for (ours, solvers) in DisturbanceVector::ALL.iter().zip(ubc_table::DisturbanceVector::ALL) {
        assert_eq!(ours.to_string(), solvers.to_string());
        assert_eq!(ours.message_difference(), message_difference(solvers), "{ours}");
        assert_eq!((ours.k(), ours.b()), (solvers.k(), solvers.b()));
    }
}

/// The differences of the published pairs are those of their vectors, which no formula of ours made.
#[test]
fn the_published_pairs_differ_as_their_vectors_say() {
    for (one, two, offset, vector) in [
        ("shattered-1.bin", "shattered-2.bin", 256, "II(52,0)"),
        ("sha-mbles-1.bin", "sha-mbles-2.bin", 576, "II(52,0)"),
    ] {
        let (one, two) = (sha1dc_tests::testdata(one), sha1dc_tests::testdata(two));
        let difference = vector.parse::<DisturbanceVector>().unwrap().message_difference();
        for t in 0..16 {
            let word = |m: &[u8]| u32::from_be_bytes(m[offset + 4 * t..][..4].try_into().unwrap());
            assert_eq!(word(&one) ^ word(&two), difference[t], "{vector}, word {t}");
        }
    }
}
