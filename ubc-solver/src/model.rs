//! What a form of the filter costs, as a problem that a solver can minimise and a checker can bound.
//!
//! Whatever a form looks like, it chooses *conditions* so that every tied group is connected, and
//! pays. A condition may cost something by itself, and it may need *room* that something shared
//! makes: a vector operation has room for one condition in each of its lanes, an XOR of two words
//! has room for every condition on these words. So a model has conditions, *resources* that cost,
//! and *slots*: of a slot's conditions no more can be chosen than chosen resources make room for.
//!
//! The cost models themselves are [`Kind`]s; what they count is said there.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use ubc_table::{Condition, DisturbanceVector, Turn};

use crate::bitconditions::{BitConditions, TiedGroup};
use crate::bound::cheapest_tree;

/// Conditions, each with all vectors that have it.
pub type Conditions = BTreeMap<Condition, Vec<DisturbanceVector>>;

/// A cost model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// One condition at a time: counts conditions.
    Scalar,
    /// Vectors of this many lanes, all lanes of one operation checking the same two bits for the
    /// same XOR: counts operations, called windows.
    PairWindows(usize),
    /// The same, but each lane checks a bit and for a value of its own, the second bit of all being
    /// the first moved by one shift: counts windows.
    ShiftWindows(usize),
    /// The same with a rotation in place of the shift.
    RotationWindows(usize),
    /// The same as [`Self::ShiftWindows`], but counts vector instructions: XOR, AND, compare, AND NOT
    /// and OR, and a shift if it is not by 0.
    ShiftInstructions(usize),
    /// Many blocks at once, a block a lane: counts vector instructions, two for the test of a
    /// condition (test into a mask, masked OR), and for each pair of words and rotation that any
    /// condition needs one for the XOR and one for a rotation that is not by 0.
    Blocks,
}

impl Kind {
    /// Every model that is reported on.
    pub const ALL: [Self; 12] = [
        Self::Scalar,
        Self::PairWindows(4),
        Self::PairWindows(8),
        Self::PairWindows(16),
        Self::ShiftWindows(4),
        Self::ShiftWindows(8),
        Self::ShiftWindows(16),
        Self::RotationWindows(4),
        Self::RotationWindows(8),
        Self::RotationWindows(16),
        Self::ShiftInstructions(8),
        Self::Blocks,
    ];

    /// What a unit of cost is.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Scalar => "conditions",
            Self::PairWindows(_) | Self::ShiftWindows(_) | Self::RotationWindows(_) => "windows",
            Self::ShiftInstructions(_) | Self::Blocks => "instructions",
        }
    }

    /// Lanes of a window.
    pub fn lanes(self) -> Option<usize> {
        match self {
            Self::PairWindows(lanes)
            | Self::ShiftWindows(lanes)
            | Self::RotationWindows(lanes)
            | Self::ShiftInstructions(lanes) => Some(lanes),
            Self::Scalar | Self::Blocks => None,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scalar => f.write_str("scalar"),
            Self::PairWindows(lanes) => write!(f, "{lanes} lanes, one bit pair and value a window"),
            Self::ShiftWindows(lanes) => write!(f, "{lanes} lanes, one shift a window"),
            Self::RotationWindows(lanes) => write!(f, "{lanes} lanes, one rotation a window"),
            Self::ShiftInstructions(lanes) => write!(f, "{lanes} lanes, one shift, instructions"),
            Self::Blocks => f.write_str("a block a lane"),
        }
    }
}

/// What conditions have in common that can share a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Class {
    /// The second word less the first.
    gap: usize,
    /// By how much the first word is moved left (negative: right).
    turn: i32,
    /// For windows of one bit pair: the first bit and the XOR.
    fixed: Option<(u32, bool)>,
}

impl Class {
    /// The second word less the first.
    pub fn gap(self) -> usize {
        self.gap
    }

    /// How the first word is moved, `rotated` or shifted.
    pub fn turn(self, rotated: bool) -> Turn {
        match self.turn {
            0 => Turn::None,
            by if rotated => Turn::Rotate(by.rem_euclid(32).unsigned_abs()),
            by if by > 0 => Turn::Left(by.unsigned_abs()),
            by => Turn::Right(by.unsigned_abs()),
        }
    }

    /// The class of a condition, as a cost model sees it.
    pub(crate) fn of(kind: Kind, condition: Condition) -> Self {
        let gap = condition.second().word() - condition.first().word();
        let (first, second) = (condition.first().bit(), condition.second().bit());
        let shift = second as i32 - first as i32;
        match kind {
            Kind::PairWindows(_) => {
                Self { gap, turn: shift, fixed: Some((first, condition.value())) }
            }
            Kind::Scalar | Kind::ShiftWindows(_) | Kind::ShiftInstructions(_) => {
                Self { gap, turn: shift, fixed: None }
            }
            Kind::RotationWindows(_) | Kind::Blocks => {
                Self { gap, turn: shift.rem_euclid(32), fixed: None }
            }
        }
    }
}

/// Something that costs, and makes room for conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resource {
    /// What the conditions that it serves have in common.
    pub class: Class,
    /// The first word of the first lane.
    pub start: usize,
    /// What it costs.
    pub cost: u64,
}

/// Conditions that contend for room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Numbers of conditions.
    pub conditions: Vec<usize>,
    /// Numbers of resources, each of which makes room for one of them.
    pub resources: Vec<usize>,
}

/// A problem: connect every group, pay least.
#[derive(Clone, Debug)]
pub struct Model {
    /// What is counted.
    pub kind: Kind,
    /// All conditions of all vectors, with the vectors that have them. Numbers of conditions are
    /// places in this list.
    pub conditions: Vec<(Condition, Vec<DisturbanceVector>)>,
    /// What each condition costs by itself.
    pub own_cost: u64,
    /// What can be bought.
    pub resources: Vec<Resource>,
    /// Who needs what. A condition in none needs no room.
    pub slots: Vec<Slot>,
    /// The tied groups: the conditions of each, as places of the two bits in the group and number.
    pub groups: Vec<Vec<(usize, usize, usize)>>,
}

/// Every condition of every vector.
pub fn all_conditions(bitconditions: &BitConditions) -> Conditions {
    let mut all = Conditions::new();
    for group in bitconditions.groups() {
        for (_, _, condition) in group.conditions() {
            all.entry(condition).or_default().push(group.dv());
        }
    }
    all.values_mut().for_each(|dvs| dvs.sort());
    all
}

impl Model {
    /// The problem of choosing for a cost model.
    pub fn new(kind: Kind, bitconditions: &BitConditions) -> Self {
        let all = all_conditions(bitconditions);
        let numbers: BTreeMap<_, _> = all.keys().enumerate().map(|(n, c)| (*c, n)).collect();
        let group = |group: &TiedGroup| {
            group.conditions().map(|(i, j, condition)| (i, j, numbers[&condition])).collect()
        };
        let groups = bitconditions.groups().iter().map(group).collect();
        let conditions: Vec<_> = all.into_iter().collect();
        let mut model = Self {
            kind,
            conditions,
            own_cost: match kind {
                Kind::Scalar => 1,
                Kind::Blocks => 2,
                _ => 0,
            },
            resources: Vec::new(),
            slots: Vec::new(),
            groups,
        };
        match kind.lanes() {
            Some(lanes) => model.windows(lanes),
            None if kind == Kind::Blocks => model.shared_xors(),
            None => {}
        }
        model
    }

    /// Conditions that take the same lane of the same windows.
    fn by_place(&self) -> BTreeMap<(Class, usize), Vec<usize>> {
        let mut places: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for (n, (condition, _)) in self.conditions.iter().enumerate() {
            let place = (Class::of(self.kind, *condition), condition.first().word());
            places.entry(place).or_default().push(n);
        }
        places
    }

    fn windows(&mut self, lanes: usize) {
        let places = self.by_place();
        // A window may as well begin where its first condition is, or as late as the schedule lets
        // it. Several can be needed at one place, at most as many as one lane has conditions.
        let mut starts = BTreeMap::new();
        for (class, word) in places.keys() {
            let start = (*word).min(80 - class.gap - lanes);
            let inside = places.range((*class, start)..(*class, start + lanes));
            starts.insert((*class, start), inside.map(|(_, n)| n.len()).max().unwrap_or(0));
        }
        let mut numbers: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for ((class, start), copies) in starts {
            let shifted = class.turn != 0;
            let cost = match self.kind {
                Kind::ShiftInstructions(_) => 5 + u64::from(shifted),
                _ => 1,
            };
            for _ in 0..copies {
                numbers.entry((class, start)).or_default().push(self.resources.len());
                self.resources.push(Resource { class, start, cost });
            }
        }
        for ((class, word), conditions) in places {
            let first = (word + 1).saturating_sub(lanes);
            let over = numbers.range((class, first)..=(class, word));
            let resources = over.flat_map(|(_, numbers)| numbers.iter().copied()).collect();
            self.slots.push(Slot { conditions, resources });
        }
    }

    fn shared_xors(&mut self) {
        for ((class, start), conditions) in self.by_place() {
            let cost = 1 + u64::from(class.turn != 0);
            let resources = vec![self.resources.len()];
            self.resources.push(Resource { class, start, cost });
            // An XOR has room for all its conditions: each gets a slot of its own.
            self.slots.extend(
                conditions
                    .into_iter()
                    .map(|n| Slot { conditions: vec![n], resources: resources.clone() }),
            );
        }
    }

    /// The conditions across each cut of each group: a split of its bits in two. A set of
    /// conditions connects a group exactly if it has one across every cut.
    pub fn cuts(&self) -> BTreeSet<BTreeSet<usize>> {
        self.groups.iter().flat_map(|group| cuts(group)).collect()
    }

    /// Whether conditions connect every group.
    pub fn connects(&self, conditions: &BTreeSet<usize>) -> bool {
        self.groups.iter().all(|group| {
            let prices: Vec<u64> =
                group.iter().map(|(_, _, n)| u64::from(!conditions.contains(n))).collect();
            cheapest_tree(group, &prices).0 == 0
        })
    }

    /// The conditions for which some of these resources make room.
    pub fn with_room(&self, bought: impl Fn(usize) -> bool) -> BTreeSet<usize> {
        let with_room = self.slots.iter().filter(|slot| slot.resources.iter().any(|n| bought(*n)));
        with_room.flat_map(|slot| slot.conditions.iter().copied()).collect()
    }

    /// The cost of a choice of conditions and resources.
    pub fn cost(&self, conditions: &BTreeSet<usize>, resources: &BTreeSet<usize>) -> u64 {
        let bought: u64 = resources.iter().map(|n| self.resources[*n].cost).sum();
        self.own_cost * conditions.len() as u64 + bought
    }
}

/// How many bits a group has, from its conditions.
pub(crate) fn bits(group: &[(usize, usize, usize)]) -> usize {
    group.iter().map(|(_, j, _)| j + 1).max().unwrap_or(1)
}

fn cuts(group: &[(usize, usize, usize)]) -> impl Iterator<Item = BTreeSet<usize>> {
    // The first bit stands on the near side of each cut; the far side is any set of others.
    (1_u32..1 << (bits(group) - 1)).map(move |far| {
        let is_far = |i: usize| far << 1 >> i & 1 == 1;
        let across = group.iter().filter(|(i, j, _)| is_far(*i) != is_far(*j));
        across.map(|(_, _, condition)| *condition).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_of_n_bits_has_half_of_all_splits_but_one() {
        let model = Model::new(Kind::Scalar, &BitConditions::committed());
        for group in &model.groups {
            let cuts: BTreeSet<_> = cuts(group).collect();
            assert_eq!(cuts.len(), (1 << (bits(group) - 1)) - 1);
        }
        assert_eq!(model.cuts().len(), 5595);
    }

    #[test]
    fn windows_stay_inside_the_schedule_and_cover_what_they_serve() {
        for lanes in [4, 8, 16] {
            let model = Model::new(Kind::RotationWindows(lanes), &BitConditions::committed());
            for resource in &model.resources {
                assert!(resource.start + resource.class.gap + lanes <= 80);
            }
            for slot in &model.slots {
                for condition in &slot.conditions {
                    let word = model.conditions[*condition].0.first().word();
                    for resource in &slot.resources {
                        let start = model.resources[*resource].start;
                        assert!((start..start + lanes).contains(&word));
                    }
                }
            }
        }
    }
}
