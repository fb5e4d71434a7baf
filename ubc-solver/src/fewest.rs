//! How few survivors so many windows can leave at best: a choice, and a proof that no other is much
//! better.
//!
//! # The bound
//!
//! Let each vector pay a price for each of its conditions that is checked. A vector that may choose
//! what is checked is content with the forest of conditions for which 2 to the minus size, plus the
//! prices of what is in it, is least. Whatever is checked in fact, it has a spanning forest, so what
//! survives of the vector and what it pays are together no less. So
//!
//! > any choice leaves at least what content vectors would leave and pay, less what all pay for what
//! > the choice checks.
//!
//! A window checks one condition in each lane, for which they pay at most the window's *worth*: the
//! sum over the lanes of the most that is paid for any condition of the lane. So they pay at most
//! the worths of the windows that are worth most.
//!
//! # The search
//!
//! Prices seldom make this tight. But a window worth so little that with it in place of one that counts
//! the bound exceeds what was found need not be looked at again; and a search over the rest, with
//! each window and without, can close the gap: it turns back wherever the bound says that nothing
//! better is left. What is taken for certain costs nothing any more, so there the bound rises.
//!
//! The sums are of whole numbers, and no rounding error can prove what is false. The prices come
//! from following the bound upwards; nothing but what is proven depends on them.

use std::cmp::Reverse;
use std::iter::repeat_n;

use ubc_table::DisturbanceVector;

use crate::parts::join;
use crate::prefix::{ONE, Prefix, Windows};

/// Rounds of following the bound upwards.
const ROUNDS: u32 = 20_000;
/// The share of the way to what was found that a round goes, at first.
const STRIDE: f64 = 0.2;
/// After so many rounds that prove no more, the stride is cut by a tenth.
const PATIENCE: u32 = 150;
/// The share of its direction that a round keeps from those before.
const KEPT: f64 = 0.9;
/// What each vector pays for each condition, at first.
const FIRST_PRICE: f64 = ONE as f64 / 64.0;

/// The most steps of a search.
const STEPS: u32 = 300_000;

/// The best `count` windows that are found, the next best up to `keep` in all, and what any choice
/// leaves at least, in parts of [`ONE`].
pub fn fewest(windows: &Windows, count: usize, keep: usize) -> (Vec<Prefix>, u64) {
    let all: Vec<usize> = windows.numbers().collect();
    let mut found = windows.anneal(&all, count, keep);
    let bound = Bound::new(windows, &prices(windows, count, found[0].survivors));
    let worthwhile = bound.worthwhile(count, found[0].survivors);
    if !worthwhile.is_empty() {
        found.extend(windows.anneal(&worthwhile, count, keep));
    }
    loop {
        found.sort();
        found.dedup();
        match at_least(windows, count, found[0].survivors) {
            Ok(at_least) => {
                found.truncate(keep);
                return (found, at_least);
            }
            Err(better) => found.push(better),
        }
    }
}

/// What any choice of `count` windows leaves at least, when one is known that leaves `survivors`;
/// in parts of [`ONE`].
///
/// # Errors
///
/// A choice that leaves less, if the search comes by one.
pub fn at_least(windows: &Windows, count: usize, survivors: u64) -> Result<u64, Prefix> {
    let bound = Bound::new(windows, &prices(windows, count, survivors));
    let root = bound.of(&[], &vec![false; bound.worth.len()], count);
    let mut search = Search { bound, count, survivors, steps: STEPS, better: None };
    search.go(&mut Vec::new(), &mut vec![false; windows.numbers().len()]);
    match search.better {
        Some(better) => Err(better),
        None if search.steps == 0 => Ok(root),
        None => Ok(survivors),
    }
}

/// Windows that are taken, and for each lane its condition, if it is decided.
type Taken = [(usize, Vec<Option<usize>>)];

struct Search<'a> {
    bound: Bound<'a>,
    count: usize,
    survivors: u64,
    /// How many steps are left.
    steps: u32,
    better: Option<Prefix>,
}

impl Search<'_> {
    fn go(&mut self, taken: &mut Vec<(usize, Vec<Option<usize>>)>, barred: &mut [bool]) {
        if self.steps == 0 || self.better.is_some() {
            return;
        }
        self.steps -= 1;
        let windows = self.bound.windows;
        if self.bound.of(taken, barred, self.count - taken.len()) >= self.survivors {
            return;
        }
        if taken.len() < self.count {
            // With and without what is worth most.
            let Some(n) = self.bound.by_worth(&[], barred).next() else { return };
            let only = |lane: &Vec<usize>| (lane.len() == 1).then(|| lane[0]);
            taken.push((n, windows.lanes(n).iter().map(only).collect()));
            barred[n] = taken.iter().filter(|(m, _)| *m == n).count() == windows.copies(n);
            self.go(taken, barred);
            taken.pop();
            barred[n] = true;
            self.go(taken, barred);
            barred[n] = false;
            return;
        }
        let undecided = taken
            .iter()
            .enumerate()
            .find_map(|(place, (_, lanes))| Some((place, lanes.iter().position(Option::is_none)?)));
        if let Some((place, lane)) = undecided {
            for condition in &windows.lanes(taken[place].0)[lane] {
                taken[place].1[lane] = Some(*condition);
                self.go(taken, barred);
            }
            taken[place].1[lane] = None;
            return;
        }
        let filled: Vec<_> = taken
            .iter()
            .map(|(n, lanes)| (*n, lanes.iter().copied().flatten().collect()))
            .collect();
        let prefix = windows.prefix(&filled);
        self.better = (prefix.survivors < self.survivors).then_some(prefix);
    }
}

/// A condition of a vector, for a price.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Offer {
    price: u64,
    condition: usize,
    /// Which of the joins of the condition it is.
    place: usize,
}

struct Bound<'a> {
    windows: &'a Windows,
    /// For each vector what it can pay for, the cheapest first.
    offers: Vec<Vec<Offer>>,
    /// What all vectors together pay for each condition.
    paid: Vec<u64>,
    /// The worth of each window, and all windows from the one worth most on.
    worth: Vec<u64>,
    ranked: Vec<usize>,
}

impl<'a> Bound<'a> {
    /// With a price for each join of each condition.
    fn new(windows: &'a Windows, prices: &[Vec<u64>]) -> Self {
        let mut offers = vec![Vec::new(); DisturbanceVector::ALL.len()];
        for (condition, prices) in prices.iter().enumerate() {
            for (place, price) in prices.iter().enumerate() {
                let (group, _, _) = windows.joins[condition][place];
                let offer = Offer { price: *price, condition, place };
                offers[windows.vectors[group]].push(offer);
            }
        }
        offers.iter_mut().for_each(|offers| offers.sort_unstable());
        let paid: Vec<u64> = prices.iter().map(|prices| prices.iter().sum()).collect();
        let mut bound = Self { windows, offers, paid, worth: Vec::new(), ranked: Vec::new() };
        bound.worth = windows
            .numbers()
            .map(|n| windows.lanes(n).iter().map(|lane| bound.paid[bound.dearest(lane)]).sum())
            .collect();
        bound.ranked = windows.numbers().collect();
        bound.ranked.sort_by_key(|n| Reverse(bound.worth[*n]));
        bound
    }

    /// The condition of a lane that most is paid for.
    fn dearest(&self, lane: &[usize]) -> usize {
        lane.iter().copied().max_by_key(|n| (self.paid[*n], Reverse(*n))).unwrap_or(0)
    }

    /// What content vectors leave and pay, if some conditions are checked anyway and free; telling
    /// of each offer that is taken.
    fn content(&self, free: &[bool], mut take: impl FnMut(Offer)) -> u64 {
        let mut parts = self.windows.apart();
        let mut total = 0;
        for offers in &self.offers {
            let mut joins = |offer: &Offer| {
                let (group, i, j) = self.windows.joins[offer.condition][offer.place];
                join(&mut parts[group], i, j)
            };
            let mut left = ONE;
            for offer in offers.iter().filter(|offer| free[offer.condition]) {
                if joins(offer) {
                    left /= 2;
                }
            }
            for offer in offers.iter().filter(|offer| !free[offer.condition]) {
                // Each further one would halve less, and cost more.
                if offer.price >= left / 2 {
                    break;
                }
                if joins(offer) {
                    left /= 2;
                    total += offer.price;
                    take(*offer);
                }
            }
            total += left;
        }
        total
    }

    /// The windows that are not barred, those worth most first, each as often as it can still be
    /// taken.
    fn by_worth(&self, taken: &Taken, barred: &[bool]) -> impl Iterator<Item = usize> {
        let open = self.ranked.iter().copied().filter(|n| !barred[*n]);
        open.flat_map(|n| {
            let copies = taken.iter().filter(|(m, _)| *m == n).count();
            repeat_n(n, self.windows.copies(n) - copies)
        })
    }

    /// What is left at least if these are taken and `more` that are not barred.
    fn of(&self, taken: &Taken, barred: &[bool], more: usize) -> u64 {
        let mut free = vec![false; self.paid.len()];
        let mut less: u64 = 0;
        for (n, lanes) in taken {
            for (lane, decided) in self.windows.lanes(*n).iter().zip(lanes) {
                match decided {
                    Some(condition) => free[*condition] = true,
                    None => less += self.paid[self.dearest(lane)],
                }
            }
        }
        less += self.by_worth(taken, barred).take(more).map(|n| self.worth[n]).sum::<u64>();
        self.content(&free, |_| ()).saturating_sub(less)
    }

    /// The windows that a choice of `count` can have that leaves less than `survivors`.
    fn worthwhile(&self, count: usize, survivors: u64) -> Vec<usize> {
        let barred = vec![false; self.worth.len()];
        let least = self.of(&[], &barred, count);
        let last = self.by_worth(&[], &barred).nth(count - 1).map_or(0, |n| self.worth[n]);
        let rise = |n: &usize| last.saturating_sub(self.worth[*n]);
        self.windows.numbers().filter(|n| least + rise(n) < survivors).collect()
    }

    /// In which direction the prices raise the bound, for each join of each condition.
    fn gradient(&self, count: usize) -> (u64, Vec<Vec<f64>>) {
        let joins = self.windows.joins.iter();
        let mut gradient: Vec<Vec<f64>> = joins.map(|joins| vec![0.0; joins.len()]).collect();
        let mut bound = self.content(&vec![false; self.paid.len()], |offer| {
            gradient[offer.condition][offer.place] += 1.0;
        });
        for n in self.by_worth(&[], &vec![false; self.worth.len()]).take(count) {
            bound = bound.saturating_sub(self.worth[n]);
            for lane in self.windows.lanes(n) {
                gradient[self.dearest(lane)].iter_mut().for_each(|gradient| *gradient -= 1.0);
            }
        }
        (bound, gradient)
    }
}

/// Prices for each join of each condition, by following the bound upwards towards what was found.
/// (Subgradients with B. T. Polyak's stride of 1969, each direction with a share of those before.)
fn prices(windows: &Windows, count: usize, survivors: u64) -> Vec<Vec<u64>> {
    let all = |value| windows.joins.iter().map(|joins| vec![value; joins.len()]).collect();
    let (mut prices, mut direction): (Vec<Vec<f64>>, Vec<Vec<f64>>) = (all(FIRST_PRICE), all(0.0));
    let (mut best, mut most) = (Vec::new(), 0);
    let (mut stride, mut in_vain) = (STRIDE, 0);
    for _ in 0..ROUNDS {
        let whole = |prices: &Vec<f64>| prices.iter().map(|price| *price as u64).collect();
        let rounded: Vec<Vec<u64>> = prices.iter().map(whole).collect();
        let (bound, gradient) = Bound::new(windows, &rounded).gradient(count);
        in_vain = if bound > most + ONE / 100_000 { 0 } else { in_vain + 1 };
        if in_vain > PATIENCE {
            (stride, in_vain) = (stride * 0.9, 0);
        }
        if best.is_empty() || bound > most {
            (most, best) = (bound, rounded);
        }
        let ahead = direction.iter_mut().flatten().zip(gradient.iter().flatten());
        let mut length = 0.0;
        for (direction, gradient) in ahead {
            *direction = KEPT * *direction + (1.0 - KEPT) * gradient;
            length += *direction * *direction;
        }
        // No way up, or nothing to gain.
        if length == 0.0 || bound >= survivors {
            break;
        }
        let step = stride * (survivors - bound) as f64 / length;
        for (price, direction) in prices.iter_mut().flatten().zip(direction.iter().flatten()) {
            *price = (*price + step * direction).max(0.0);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitconditions::BitConditions;
    use crate::model::{Kind, Model};
    use crate::random::Random;

    /// What integer programming gives (HiGHS, once): the least survivors there are.
    #[test]
    fn the_best_are_found_and_the_proof_comes_near() {
        let bitconditions = BitConditions::committed();
        for (kind, count, least, proven) in [
            (Kind::PairWindows(8), 6, 0.976_563, true),
            (Kind::PairWindows(8), 10, 0.227_051, true),
            (Kind::PairWindows(16), 8, 0.108_399, true),
            (Kind::ShiftWindows(8), 6, 0.896_484, false),
            (Kind::RotationWindows(16), 8, 0.077_271, false),
        ] {
            let windows = Windows::new(&Model::new(kind, &bitconditions), &bitconditions);
            let (found, at_least) = fewest(&windows, count, 1);
            let [found, at_least] = [found[0].survivors, at_least].map(|n| n as f64 / ONE as f64);
            let told = format!("{kind}, {count}: {found}, at least {at_least}");
            assert!((found - least).abs() < 1e-6, "{told}");
            assert!(at_least > 0.98 * least && at_least <= found, "{told}");
            assert!(!proven || at_least == found, "{told}");
        }
    }

    /// Whatever the prices, no choice of windows leaves less than they prove.
    #[test]
    fn no_choice_leaves_less_than_is_proven() {
        let bitconditions = BitConditions::committed();
        let mut random = Random::new(1);
        for kind in [Kind::PairWindows(8), Kind::ShiftWindows(4), Kind::RotationWindows(16)] {
            let windows = Windows::new(&Model::new(kind, &bitconditions), &bitconditions);
            for most in [ONE / 4, ONE / 64, ONE / 1024] {
                let price = |random: &mut Random| random.below(most as usize) as u64;
                let joins = windows.joins.iter();
                let prices: Vec<Vec<u64>> =
                    joins.map(|joins| joins.iter().map(|_| price(&mut random)).collect()).collect();
                let bound = Bound::new(&windows, &prices);
                let open = vec![false; bound.worth.len()];
                for count in [1, 5, 30] {
                    let filled: Vec<_> = (0..count)
                        .map(|_| {
                            let n = random.below(windows.numbers().len());
                            let lanes = windows.lanes(n).iter();
                            (n, lanes.map(|lane| lane[random.below(lane.len())]).collect())
                        })
                        .collect();
                    let survivors = windows.prefix(&filled).survivors;
                    assert!(bound.of(&[], &open, count) <= survivors);
                    let taken: Vec<_> = filled
                        .iter()
                        .map(|(n, lanes): &(usize, Vec<usize>)| {
                            (*n, lanes.iter().map(|n| (n % 2 == 0).then_some(*n)).collect())
                        })
                        .collect();
                    let some = &taken[..count / 2];
                    let fits = windows
                        .numbers()
                        .all(|n| some.iter().filter(|(m, _)| *m == n).count() <= windows.copies(n));
                    assert!(!fits || bound.of(some, &open, count - count / 2) <= survivors);
                }
            }
        }
    }
}
