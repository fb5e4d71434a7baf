//! Deriving and proving bitconditions.

use ubc_solver::bitconditions::{BitConditions, COMMITTED, TiedGroup};
use ubc_solver::derive::{Derived, derive, for_each, prove};
use ubc_solver::differential::WINDOW;
use ubc_table::DisturbanceVector;

#[test]
fn the_vectors_alone_give_the_committed_conditions() {
    let committed = BitConditions::committed();
    let derived = for_each(&DisturbanceVector::ALL, |dv| derive(dv, WINDOW), |_, _| ());
    for Derived { dv, groups, rank } in derived {
        let theirs: Vec<TiedGroup> = committed.of(dv).cloned().collect();
        assert_eq!(groups, theirs, "{dv}");
        assert_eq!(rank, groups.iter().map(TiedGroup::rank).sum::<usize>(), "{dv}");
    }
}
#[test]
fn p() {
    let committed = BitConditions::committed();
    let n: usize =
        for_each(&DisturbanceVector::ALL, |dv| prove(dv, &committed, WINDOW).unwrap(), |_, _| ())
            .iter()
            .sum();
    assert_eq!(n, 373);
    let _ = COMMITTED;
}
#[test]
fn w() {
    for w in [34..65, 35..66] {
        let derived = for_each(&DisturbanceVector::ALL, |dv| derive(dv, w.clone()), |_, _| ());
        eprintln!(
            "{w:?} {} {}",
            derived.iter().map(|d| d.rank).sum::<usize>(),
            derived.iter().flat_map(|d| &d.groups).map(|g| g.rank()).sum::<usize>()
        );
    }
}
