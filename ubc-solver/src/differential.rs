//! What an attack along a disturbance vector does in the steps in question, and a counterexample
//! to a supposed bitcondition, checked in plain arithmetic.
//!
//! In the steps of a window both messages of an attack follow the vector: state word t differs by a
//! signed sum of the bits of `DV[t - 1]`, message word t by the bits of `dm[t]`. Each step of SHA-1
//! then says something of differences alone, neither of its constant nor of the rest of its message
//! word:
//!
//! ```text
//! D A[t + 1] = D (A[t] <<< 5) + D f(A[t - 1], A[t - 2] <<< 30, A[t - 3] <<< 30)
//!            + D (A[t - 4] <<< 30) + D W[t]          where D x = x of the partner - x
//! ```
//!
//! A real attack satisfies all this, so what cannot be satisfied together with it cannot be in a
//! real attack: a bitcondition is *unavoidable* if its violation cannot. The converse is not
//! claimed: a [`Witness`] satisfies the equations of the window, and need not be part of a whole
//! attack.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use ubc_table::{Bit, DisturbanceVector};

use crate::dv::{message_difference, state_difference};

/// The steps in which attacks follow their vector, unless told otherwise: 35 to 64. They give the
/// published conditions exactly; a step more on either side gives some more, a step less fewer.
pub const WINDOW: Range<usize> = 35..65;

/// A pair of compressions, in the steps of a window, that breaks a supposed bitcondition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The vector that both follow.
    pub dv: DisturbanceVector,
    /// The steps.
    pub window: Range<usize>,
    /// State word t of the message and of its partner, for t from four before the window to its end.
    pub states: BTreeMap<usize, (u32, u32)>,
    /// Message word t. Bits in which the messages do not differ play no part and are 0.
    pub words: BTreeMap<usize, u32>,
    /// The two bits, and the XOR that they were supposed to have.
    pub broken: (Bit, Bit, bool),
}

/// The round function of step t.
fn round_function(t: usize, b: u32, c: u32, d: u32) -> u32 {
    match t {
        0..20 => (b & c) | (!b & d),
        40..60 => (b & c) | (b & d) | (c & d),
        _ => b ^ c ^ d,
    }
}

/// Whether `difference` is a sum of the bits of `bits`, each with some sign.
fn is_signed_sum(difference: u32, bits: u32) -> bool {
    if bits == 0 {
        return difference == 0;
    }
    let lowest = bits & bits.wrapping_neg();
    [difference.wrapping_sub(lowest), difference.wrapping_add(lowest)]
        .into_iter()
        .any(|rest| is_signed_sum(rest, bits ^ lowest))
}

impl Witness {
    /// Goes through the steps and checks every equation and the broken condition.
    ///
    /// # Errors
    ///
    /// The first thing that does not hold.
    pub fn replay(&self) -> Result<(), String> {
        let difference = message_difference(self.dv);
        let state = |t: usize| self.states.get(&t).copied().ok_or(format!("A[{t}] is missing"));
        for t in self.window.start - 4..=self.window.end {
            let (ours, partners) = state(t)?;
            if !is_signed_sum(partners.wrapping_sub(ours), state_difference(self.dv, t)) {
                return Err(format!("A[{t}] does not differ as {} says", self.dv));
            }
        }
        for t in self.window.clone() {
            let word = *self.words.get(&t).ok_or(format!("W[{t}] is missing"))?;
            let after = |who: fn((u32, u32)) -> u32, word: u32| -> Result<u32, String> {
                let a = |back: usize| state(t - back).map(who);
                let f = round_function(t, a(1)?, a(2)?.rotate_left(30), a(3)?.rotate_left(30));
                let sum = a(0)?.rotate_left(5).wrapping_add(f);
                Ok(sum.wrapping_add(a(4)?.rotate_left(30)).wrapping_add(word))
            };
            let ours = after(|(ours, _)| ours, word)?;
            let partners = after(|(_, partners)| partners, word ^ difference[t])?;
            let (next, partners_next) = state(t + 1)?;
            if partners.wrapping_sub(ours) != partners_next.wrapping_sub(next) {
                return Err(format!("step {t} does not lead to A[{}]", t + 1));
            }
        }
        let (first, second, supposed) = self.broken;
        let value = |bit: Bit| self.words.get(&bit.word()).map(|word| word >> bit.bit() & 1);
        match (value(first), value(second)) {
            (Some(first), Some(second)) if first ^ second != u32::from(supposed) => Ok(()),
            _ => Err(format!("{first} ^ {second} == {} holds", u8::from(supposed))),
        }
    }
}

impl fmt::Display for Witness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, second, supposed) = self.broken;
        let supposed = u8::from(supposed);
        writeln!(f, "{} can be followed with {first} ^ {second} != {supposed}:", self.dv)?;
        writeln!(f, "   t  A[t]      of partner  W[t]      of partner")?;
        let difference = message_difference(self.dv);
        for (t, (ours, partners)) in &self.states {
            write!(f, "  {t:2}  {ours:08x}  {partners:08x}")?;
            if let Some(word) = self.words.get(t) {
                write!(f, "    {word:08x}  {:08x}", word ^ difference[*t])?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::is_signed_sum;

    #[test]
    fn signed_sums() {
        assert!(is_signed_sum(0, 0) && !is_signed_sum(1, 0));
        assert!(is_signed_sum(0b101, 0b101) && is_signed_sum(0b011, 0b101));
        assert!(is_signed_sum(-5_i32 as u32, 0b101) && !is_signed_sum(0b001, 0b101));
        assert!(is_signed_sum(1 << 31, 1 << 31));
    }
}
