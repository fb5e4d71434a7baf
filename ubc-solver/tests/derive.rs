//! Deriving and proving bitconditions.

use ubc_solver::bitconditions::{BitConditions, COMMITTED, TiedGroup};
use ubc_solver::derive::{Derived, derive, prove};
use ubc_solver::differential::WINDOW;
use ubc_solver::dv::differs;
use ubc_solver::work::for_each;
use ubc_table::{Bit, DisturbanceVector};

fn derive_in(window: std::ops::Range<usize>) -> Vec<Derived> {
    for_each(&DisturbanceVector::ALL, |dv| derive(dv, window.clone()), |_, _| ())
}

fn rank(derived: &[Derived]) -> usize {
    derived.iter().map(|derived| derived.rank).sum()
}

#[test]
fn the_vectors_alone_give_the_committed_file() {
    let derived = derive_in(WINDOW);
    assert!(derived.iter().all(Derived::is_pairwise));
    assert_eq!(rank(&derived), 373);
    let groups = derived.into_iter().flat_map(|derived| derived.groups).collect();
    assert_eq!(BitConditions::new(groups).file(), COMMITTED);
}

#[test]
fn both_ends_of_the_window_matter() {
    assert_eq!(rank(&derive_in(34..65)), 373 + 11);
    assert_eq!(rank(&derive_in(35..66)), 373 + 9);
    assert_eq!(rank(&derive_in(35..64)), 366);
    assert_eq!(rank(&derive_in(36..65)), 364);
}

#[test]
fn every_committed_condition_is_proven() {
    let committed = BitConditions::committed();
    let proven = for_each(&DisturbanceVector::ALL, |dv| prove(dv, &committed, WINDOW), |_, _| ());
    let proven: usize = proven.into_iter().map(|proven| proven.expect("unavoidable")).sum();
    assert_eq!(proven, 373);
}

/// Of bits outside the window, and of the highest bits, nothing can be proven, whatever is claimed.
#[test]
fn bits_that_the_window_leaves_free_are_not_tied() {
    let dv: DisturbanceVector = "II(52,0)".parse().unwrap();
    let differing = |words: std::ops::Range<u32>, bits: std::ops::Range<u32>| {
        let of_word = move |word| bits.clone().filter_map(move |n| Bit::new(word, n).ok());
        words.flat_map(of_word).filter(move |bit| differs(dv, *bit)).take(2).collect::<Vec<_>>()
    };
    let (before, highest) = (differing(0..35, 0..31), differing(35..65, 31..32));
    let inside = differing(35..65, 0..31);
    for [one, other] in [
        [before[0], before[1]],
        [highest[0], highest[1]],
        [before[0], inside[0]],
        [highest[0], inside[0]],
    ] {
        for complement in ["", "~"] {
            let claim = format!("{dv} : {one} = {complement}{other}");
            let claim = BitConditions::parse(&claim).unwrap();
            let witness = prove(dv, &claim, WINDOW).expect_err("nothing ties these");
            assert_eq!(witness.replay(), Ok(()), "{witness}");
        }
    }
}

/// Flips every constant of the file in turn, and wants a witness against it that stands up to plain
/// arithmetic.
#[test]
fn every_flipped_constant_has_a_witness() {
    let flip_all = |dv: DisturbanceVector| {
        let mut witnesses = 0;
        let committed = BitConditions::committed();
        for group in committed.of(dv) {
            for flipped in 1..group.bits().len() {
                // The first bit and the one with its ~ put in or taken out; the rest of the line
                // stays true, and would only be proven over and over.
                let ((first, _), (bit, complement)) = (group.bits()[0], group.bits()[flipped]);
                let edited = format!("{dv} : {first} = {}{bit}", if complement { "" } else { "~" });
                let edited = BitConditions::parse(&edited).unwrap();
                let witness = prove(dv, &edited, WINDOW).expect_err("the condition is false");
                assert_eq!(witness.replay(), Ok(()), "{witness}");
                assert!(witness.to_string().contains(&bit.to_string()), "{witness}");

                // Whatever is changed in it, it is a witness no more.
                let mut broken = witness.clone();
                broken.broken.2 = !broken.broken.2;
                assert!(broken.replay().is_err());
                let mut broken = witness.clone();
                broken.states.entry(45).and_modify(|(_, partners)| *partners ^= 1 << 20);
                assert!(broken.replay().is_err());
                witnesses += 1;
            }
        }
        witnesses
    };
    let witnesses: Vec<usize> = for_each(&DisturbanceVector::ALL, flip_all, |_, _| ());
    let ranks = BitConditions::committed().groups().iter().map(TiedGroup::rank).sum();
    assert_eq!(witnesses.into_iter().sum::<usize>(), ranks);
}
