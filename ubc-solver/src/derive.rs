//! The bitconditions from the disturbance vectors alone, and their proof, with z3.
//!
//! The [differential](crate::differential) of a vector is put to z3 as equations of bit vectors,
//! once for a vector. What is true of all its solutions and linear in the bits of the message
//! words is found like this: take one solution; suppose that every bit always has the value that it
//! has there; ask for a solution that breaks the simplest supposition. If there is none, it is
//! proven. If there is, that solution breaks some suppositions, and the sum of any two of those it
//! does not break: so add one of them to the others and drop it. In the end what is left is proven,
//! and spans all linear relations there are, since each one dropped was met by a solution that no
//! other could tell from it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use ubc_table::{Bit, DisturbanceVector};
use z3::ast::{BV, Bool};
use z3::{Params, SatResult, Solver};

use crate::bitconditions::{BitConditions, TiedGroup};
use crate::differential::Witness;
use crate::dv::{message_difference, state_difference};

/// The equations of a vector's differential.
pub(crate) struct Equations {
    dv: DisturbanceVector,
    window: Range<usize>,
    /// State words of the message and of its partner.
    states: BTreeMap<usize, (BV, BV)>,
    /// The message bits in which the two differ, but for the highest, whose sign is nothing.
    bits: Vec<(Bit, Bool)>,
    equations: Vec<Bool>,
}

fn constant(value: u32) -> BV {
    BV::from_u64(value.into(), 32)
}

fn rotate(word: &BV, by: u32) -> BV {
    word.extract(31 - by, 0).concat(word.extract(31, 32 - by))
}

/// The sum of the bits of `bits`, each with a sign that `negative` chooses; the highest has none.
fn signed_sum(bits: u32, mut negative: impl FnMut(u32) -> Bool) -> BV {
    let mut sum = constant(bits & 1 << 31);
    for bit in (0..31).filter(|bit| bits >> bit & 1 == 1) {
        let value = 1_u32 << bit;
        let signed = negative(bit).ite(&constant(value.wrapping_neg()), &constant(value));
        sum = sum.bvadd(&signed);
    }
    sum
}

impl Equations {
    pub(crate) fn new(dv: DisturbanceVector, window: Range<usize>) -> Self {
        let mut states = BTreeMap::new();
        for t in window.start - 4..=window.end {
            let ours = BV::new_const(format!("A{t}"), 32);
            let difference = state_difference(dv, t);
            let partners = if difference == 0 {
                ours.clone()
            } else {
                ours.bvadd(signed_sum(difference, |bit| Bool::new_const(format!("sign{t}.{bit}"))))
            };
            states.insert(t, (ours, partners));
        }

        let difference = message_difference(dv);
        let (mut bits, mut equations) = (Vec::new(), Vec::new());
        for t in window.clone() {
            // The partner has the complement: where ours is set, its word is less.
            let word = signed_sum(difference[t], |bit| {
                let value = Bool::new_const(format!("W{t}.{bit}"));
                bits.extend(Bit::new(t as u32, bit).map(|bit| (bit, value.clone())));
                value
            });
            let of = |t: usize| &states[&t];
            if difference[t] == 0 && (t - 4..=t + 1).all(|t| state_difference(dv, t) == 0) {
                continue;
            }
            let function = |a: [&BV; 3]| {
                let (b, c, d) = (a[0], &rotate(a[1], 30), &rotate(a[2], 30));
                if (40..60).contains(&t) {
                    b.bvand(c).bvor(b.bvand(d)).bvor(c.bvand(d))
                } else {
                    b.bvxor(c).bvxor(d)
                }
            };
            let (ours, partners) = (
                function([&of(t - 1).0, &of(t - 2).0, &of(t - 3).0]),
                function([&of(t - 1).1, &of(t - 2).1, &of(t - 3).1]),
            );
            let turned = |t: usize, by| rotate(&of(t).1, by).bvsub(rotate(&of(t).0, by));
            let right =
                turned(t, 5).bvadd(partners.bvsub(&ours)).bvadd(turned(t - 4, 30)).bvadd(&word);
            equations.push(of(t + 1).1.bvsub(&of(t + 1).0).eq(right));
        }
        Self { dv, window, states, bits, equations }
    }

    /// The message bits that the equations speak of.
    pub(crate) fn bits(&self) -> &[(Bit, Bool)] {
        &self.bits
    }

    /// A fresh solver that knows the equations.
    pub(crate) fn solver(&self) -> Solver {
        let solver = Solver::new_for_logic("QF_BV").expect("z3 has the logic of bit vectors");
        let mut params = Params::new();
        params.set_u32("random_seed", 0);
        solver.set_params(&params);
        self.equations.iter().for_each(|equation| solver.assert(equation));
        solver
    }
}

/// Bits of which the XOR is known.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Relation {
    bits: BTreeSet<usize>,
    value: bool,
}

impl Relation {
    fn add(&mut self, other: &Self) {
        self.bits = &self.bits ^ &other.bits;
        self.value ^= other.value;
    }
}

/// What is linear and true of all attacks along a vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derived {
    /// The vector.
    pub dv: DisturbanceVector,
    /// Everything that ties bits together two by two.
    pub groups: Vec<TiedGroup>,
    /// How many independent relations there are in all; those between two bits make the sum of the
    /// groups' ranks.
    pub rank: usize,
}

impl Derived {
    /// Whether the groups say everything.
    pub fn is_pairwise(&self) -> bool {
        self.groups.iter().map(TiedGroup::rank).sum::<usize>() == self.rank
    }
}

/// Derives what is linear and true of all attacks that follow a vector in a window.
///
/// # Panics
///
/// If z3 gives up, or says that nothing can follow the vector, which would make every proof empty.
pub fn derive(dv: DisturbanceVector, window: Range<usize>) -> Derived {
    let equations = Equations::new(dv, window);
    let solver = equations.solver();
    assert_eq!(solver.check(), SatResult::Sat, "nothing follows {dv}: a proof would prove nothing");
    let values = || -> Vec<bool> {
        let model = solver.get_model().expect("z3 has a model of what it calls satisfiable");
        let value = |bit: &Bool| model.eval(bit, true).and_then(|bit| bit.as_bool());
        equations.bits.iter().map(|(_, bit)| value(bit) == Some(true)).collect()
    };

    let mut supposed: Vec<Relation> = (values().into_iter().enumerate())
        .map(|(n, value)| Relation { bits: BTreeSet::from([n]), value })
        .collect();
    let mut proven = Vec::new();
    loop {
        supposed.sort_by_key(|relation| std::cmp::Reverse(relation.bits.len()));
        let Some(relation) = supposed.pop() else { break };
        solver.push();
        let bits = relation.bits.iter().map(|n| &equations.bits[*n].1);
        let sum = bits.fold(Bool::from_bool(false), |sum, bit| sum.xor(bit));
        solver.assert(sum.eq(Bool::from_bool(!relation.value)));
        match solver.check() {
            SatResult::Unsat => proven.push(relation),
            SatResult::Sat => {
                let values = values();
                let broken = |other: &Relation| {
                    other.bits.iter().fold(false, |sum, n| sum ^ values[*n]) != other.value
                };
                supposed.iter_mut().filter(|other| broken(other)).for_each(|r| r.add(&relation));
            }
            SatResult::Unknown => panic!("z3 gave up: {:?}", solver.get_reason_unknown()),
        }
        solver.pop(1);
    }
    let bits: Vec<Bit> = equations.bits.iter().map(|(bit, _)| *bit).collect();
    Derived { dv, rank: proven.len(), groups: groups(dv, &bits, proven) }
}

/// The bits that relations tie together two by two.
fn groups(dv: DisturbanceVector, bits: &[Bit], relations: Vec<Relation>) -> Vec<TiedGroup> {
    // Solve for one bit of each relation in terms of bits that none is solved for.
    let mut solved: BTreeMap<usize, Relation> = BTreeMap::new();
    for mut relation in relations {
        for n in relation.bits.clone() {
            if let Some(other) = solved.get(&n) {
                relation.add(other);
            }
        }
        let pivot = *relation.bits.first().expect("relations are independent");
        for other in solved.values_mut().filter(|other| other.bits.contains(&pivot)) {
            other.add(&relation);
        }
        solved.insert(pivot, relation);
    }
    // Bits are tied if they are the same sum of unsolved bits, up to a constant.
    let mut classes: BTreeMap<BTreeSet<usize>, Vec<(Bit, bool)>> = BTreeMap::new();
    for (n, bit) in bits.iter().enumerate() {
        let mut sum = Relation { bits: BTreeSet::from([n]), value: false };
        if let Some(relation) = solved.get(&n) {
            sum.add(relation);
        }
        if !sum.bits.is_empty() {
            classes.entry(sum.bits).or_default().push((*bit, sum.value));
        }
    }
    let tied = classes.into_values().filter(|bits| bits.len() > 1);
    let mut groups: Vec<_> = tied.map(|bits| TiedGroup::new(dv, bits)).collect();
    groups.sort_by_key(|group| group.bits()[0]);
    groups
}

/// Proves one condition with a fresh solver: that no solution of the equations breaks it.
fn prove_one(equations: &Equations, broken: (Bit, Bit, bool)) -> Result<(), Box<Witness>> {
    let (first, second, supposed) = broken;
    let of = |wanted: Bit| equations.bits.iter().find(|(bit, _)| *bit == wanted).map(|(_, v)| v);
    let solver = equations.solver();
    // A bit of which the equations do not speak, outside the window or the highest, is free.
    let free = [Bool::fresh_const("free"), Bool::fresh_const("free")];
    let values = [of(first).unwrap_or(&free[0]), of(second).unwrap_or(&free[1])];
    solver.assert(values[0].xor(values[1]).eq(Bool::from_bool(!supposed)));
    match solver.check() {
        SatResult::Unsat => return Ok(()),
        SatResult::Sat => {}
        SatResult::Unknown => panic!("z3 gave up: {:?}", solver.get_reason_unknown()),
    }
    let model = solver.get_model().expect("z3 has a model of what it calls satisfiable");
    let word = |bv: &BV| model.eval(bv, true).and_then(|bv| bv.as_u64()).unwrap_or(0) as u32;
    let states = equations.states.iter();
    let states = states.map(|(t, (ours, partners))| (*t, (word(ours), word(partners)))).collect();
    let mut words: BTreeMap<usize, u32> = equations.window.clone().map(|t| (t, 0)).collect();
    let asked = [first, second].into_iter().zip(values);
    for (bit, value) in equations.bits.iter().map(|(bit, value)| (*bit, value)).chain(asked) {
        let value = model.eval(value, true).and_then(|value| value.as_bool()) == Some(true);
        *words.entry(bit.word()).or_insert(0) |= u32::from(value) << bit.bit();
    }
    let (dv, window) = (equations.dv, equations.window.clone());
    Err(Box::new(Witness { dv, window, states, words, broken }))
}

/// Proves every condition of a vector unavoidable: each a spanning set of its groups at a time,
/// each with a fresh solver. Returns how many there were.
///
/// # Errors
///
/// A witness against the first condition that is not.
///
/// # Panics
///
/// If z3 gives up, or says that nothing can follow the vector.
pub fn prove(
    dv: DisturbanceVector,
    bitconditions: &BitConditions,
    window: Range<usize>,
) -> Result<usize, Box<Witness>> {
    let equations = Equations::new(dv, window);
    let base = equations.solver().check();
    assert_eq!(base, SatResult::Sat, "nothing follows {dv}: a proof would prove nothing");
    let mut proven = 0;
    for group in bitconditions.of(dv) {
        let (first, not_first) = group.bits()[0];
        for (bit, not) in &group.bits()[1..] {
            prove_one(&equations, (first, *bit, not_first ^ not))?;
            proven += 1;
        }
    }
    Ok(proven)
}
