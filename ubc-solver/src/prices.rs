//! Finding the prices of a [`Certificate`], by mirror ascent.
//!
//! The best bound is the value of a game. Each group raises its prices for the conditions of its
//! cheapest tree, which raises the bound; each resource answers with a *demand*, the share of it
//! that is bought, which grows while it is charged more than it costs; and the demand for room
//! presses the prices down again. Both sides follow their gradients by small factors, with the
//! gradient of the last round counted once against (the optimistic variant, which circles less),
//! and the averages of their paths approach the best of both: A. Rakhlin, K. Sridharan,
//! *Optimization, learning, and games with predictable sequences*, NIPS 2013.
//!
//! The average of the prices nearly obeys the rules of a certificate; scaling it back makes it obey.
//! No linear solver is needed, and as there are only sums, products and quotients, prices are the
//! same on every machine. They need not be the best: [`bound`](crate::bound::bound) tells what they
//! prove. It comes within 0.5 % of the linear program's optimum in half a second.

use crate::bound::{Certificate, SCALE, cheapest_tree};
use crate::model::Model;

/// Rounds to play.
const ROUNDS: u32 = 10_000;
/// How far a round follows the gradients, at first; in the end a ninth of it.
const STRIDE: f64 = 0.1;
/// What prices and demands stay within: far from zero, from which no factor leads away, and far
/// beyond what any model costs.
const RANGE: (f64, f64) = (1e-9, 16.0);

/// Prices for a model.
pub fn prices(model: &Model) -> Certificate {
    let mut game = Game::new(model);
    let mut sum: Vec<Vec<f64>> = model.groups.iter().map(|group| vec![0.0; group.len()]).collect();
    for round in 0..ROUNDS {
        // The first quarter is on the way, and does not count.
        if round >= ROUNDS / 4 {
            for (sum, prices) in sum.iter_mut().zip(&game.prices) {
                sum.iter_mut().zip(prices).for_each(|(sum, price)| *sum += price);
            }
        }
        game.play(STRIDE / (1.0 + 8.0 * f64::from(round) / f64::from(ROUNDS)));
    }
    let counted = f64::from(ROUNDS - ROUNDS / 4);
    game.prices = sum.iter().map(|group| group.iter().map(|sum| sum / counted).collect()).collect();
    game.scale_back();
    // Rounded down, and a little lower, so that no sum is over by a rounding error.
    let rounded = |price: &f64| (price * (SCALE - 20) as f64) as u64;
    let prices = game.prices.iter().map(|group| group.iter().map(rounded).collect()).collect();
    Certificate { prices }
}

/// A multiplicative step along a gradient, the last one counted against.
fn step(value: &mut f64, stride: f64, gradient: f64, last: &mut f64) {
    // A resource charged far too much is far enough along.
    let ahead = (2.0 * gradient - *last).clamp(-5.0, 5.0);
    *value = (*value * (1.0 + stride * ahead)).clamp(RANGE.0, RANGE.1);
    *last = gradient;
}

struct Game<'a> {
    model: &'a Model,
    own_cost: f64,
    /// What each group pays for each of its conditions, and the gradient of the last round.
    prices: Vec<Vec<f64>>,
    last_prices: Vec<Vec<f64>>,
    /// What share of each resource is bought, and the gradient of the last round.
    demands: Vec<f64>,
    last_demands: Vec<f64>,
    /// For each condition whether it needs room.
    needs_room: Vec<bool>,
}

impl<'a> Game<'a> {
    fn new(model: &'a Model) -> Self {
        let mut needs_room = vec![false; model.conditions.len()];
        model.slots.iter().flat_map(|slot| &slot.conditions).for_each(|n| needs_room[*n] = true);
        let all = |value| model.groups.iter().map(|group| vec![value; group.len()]).collect();
        let mut game = Self {
            model,
            own_cost: model.own_cost as f64,
            prices: all(1.0),
            last_prices: all(0.0),
            demands: vec![0.1; model.resources.len()],
            last_demands: vec![0.0; model.resources.len()],
            needs_room,
        };
        game.scale_back();
        game
    }

    /// What all groups together pay for each condition.
    fn worth(&self) -> Vec<f64> {
        let mut worth = vec![0.0; self.model.conditions.len()];
        for (group, prices) in self.model.groups.iter().zip(&self.prices) {
            for ((_, _, condition), price) in group.iter().zip(prices) {
                worth[*condition] += price;
            }
        }
        worth
    }

    /// What each slot charges: the most that any of its conditions is worth beyond its own cost.
    fn charges(&self, worth: &[f64]) -> Vec<f64> {
        let beyond = |n: &usize| (worth[*n] - self.own_cost).max(0.0);
        let slots = self.model.slots.iter();
        slots.map(|slot| slot.conditions.iter().map(beyond).fold(0.0, f64::max)).collect()
    }

    /// What is charged of each resource, as a share of its cost.
    fn loads(&self, charges: &[f64]) -> Vec<f64> {
        let mut loads = vec![0.0; self.model.resources.len()];
        for (slot, charge) in self.model.slots.iter().zip(charges) {
            for resource in &slot.resources {
                loads[*resource] += charge / self.model.resources[*resource].cost as f64;
            }
        }
        loads
    }

    /// One round.
    fn play(&mut self, stride: f64) {
        let worth = self.worth();
        let charges = self.charges(&worth);
        let loads = self.loads(&charges);

        // What one more unit of worth costs: the demand for its slot, shared by those conditions
        // that make the slot's charge what it is.
        let mut pressure = vec![0.0; worth.len()];
        for (slot, charge) in self.model.slots.iter().zip(&charges) {
            let demand: f64 = slot.resources.iter().map(|n| self.demands[*n]).sum();
            let dearest = |n: &&usize| worth[**n] > self.own_cost + 0.999 * charge;
            let count = slot.conditions.iter().filter(dearest).count() as f64;
            slot.conditions.iter().filter(dearest).for_each(|n| pressure[*n] = demand / count);
        }

        let last = self.last_prices.iter_mut();
        for ((group, prices), last) in self.model.groups.iter().zip(&mut self.prices).zip(last) {
            let mut gradients: Vec<_> = group.iter().map(|(_, _, n)| -pressure[*n]).collect();
            cheapest_tree(group, prices).1.into_iter().for_each(|place| gradients[place] += 1.0);
            for ((price, gradient), last) in prices.iter_mut().zip(gradients).zip(last) {
                step(price, stride, gradient, last);
            }
        }
        let last = self.last_demands.iter_mut();
        for ((demand, load), last) in self.demands.iter_mut().zip(loads).zip(last) {
            step(demand, stride, load - 1.0, last);
        }

        let own_cost = self.own_cost;
        // A condition that needs no room is worth what it costs itself and no more.
        let worth = self.worth();
        self.scale(|n, needs_room| if needs_room { 1.0 } else { (own_cost / worth[n]).min(1.0) });
    }

    /// Multiplies all prices for each condition.
    fn scale(&mut self, factor: impl Fn(usize, bool) -> f64) {
        for (group, prices) in self.model.groups.iter().zip(&mut self.prices) {
            for ((_, _, condition), price) in group.iter().zip(prices) {
                *price *= factor(*condition, self.needs_room[*condition]);
            }
        }
    }

    /// Scales prices so that the rules hold: conditions and resources are paid what they cost, each
    /// price by the tightest rule that it is under, up or down.
    fn scale_back(&mut self) {
        let worth = self.worth();
        let charges = self.charges(&worth);
        let loads = self.loads(&charges);
        let mut allowed = vec![self.own_cost; worth.len()];
        for (slot, charge) in self.model.slots.iter().zip(&charges) {
            let tightest = slot.resources.iter().map(|n| loads[*n]).fold(0.0, f64::max);
            let share = if tightest > 0.0 { charge / tightest } else { 0.0 };
            slot.conditions.iter().for_each(|n| allowed[*n] += share);
        }
        self.scale(|n, _| allowed[n] / worth[n]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitconditions::BitConditions;
    use crate::bound::{Invalid, bound};
    use crate::model::Kind;

    /// The bounds that the linear program of spanning trees gives, rounded up; found once with
    /// another solver (HiGHS), for the models whose best choice is published or known.
    #[test]
    fn prices_prove_what_the_linear_program_proves() {
        for (kind, expected) in [
            (Kind::Scalar, 155),
            (Kind::PairWindows(4), 48),
            (Kind::PairWindows(8), 31),
            (Kind::PairWindows(16), 22),
            (Kind::ShiftWindows(4), 44),
            (Kind::ShiftWindows(8), 27),
            (Kind::ShiftWindows(16), 19),
            (Kind::RotationWindows(8), 27),
            (Kind::RotationWindows(16), 19),
        ] {
            let model = Model::new(kind, &BitConditions::committed());
            assert_eq!(bound(&model, &prices(&model)), Ok(expected), "{kind}");
        }
    }

    #[test]
    fn prices_that_break_a_rule_prove_nothing() {
        let model = Model::new(Kind::Scalar, &BitConditions::committed());
        let mut high = prices(&model);
        high.prices[0][0] += SCALE;
        let (_, _, condition) = model.groups[0][0];
        assert_eq!(bound(&model, &high), Err(Invalid::Condition(condition)));

        let mut short = prices(&model);
        short.prices[0].pop();
        assert_eq!(bound(&model, &short), Err(Invalid::Shape));

        let model = Model::new(Kind::ShiftWindows(8), &BitConditions::committed());
        let mut high = prices(&model);
        high.prices.iter_mut().flatten().for_each(|price| *price = *price * 11 / 10);
        assert!(matches!(bound(&model, &high), Err(Invalid::Resource(_))));
    }
}
