//! The filter, unrolled: a table of bitconditions in, Rust for one form out.
//!
//! # What it does
//!
//! [`filter!`] takes a [filter table](ubc_table) and expands to one function that runs the whole
//! filter and to the same filter in *steps* of a few conditions, so that a caller can place a step
//! behind each group of rounds of the compression and pay nothing for it.
//!
//! # Why it looks so
//!
//! People review tables, not expansions; so a table reads like the paper, every wrong table is a
//! compile error on the token that is wrong, and what becomes of each construct is pinned by a
//! snapshot in `src/snapshots`. The expansion is plain code without a loop or a branch but the
//! `exit` rows, because the filter runs once a block: about every hundredth nanosecond counts.
//!
//! # What is not promised
//!
//! The macro serves the crate `sha1dc` and changes with it. Whether the conditions of a table are
//! true, and whether they are all of them, is for the solver's checker to say.

use proc_macro::TokenStream;
use syn::parse_macro_input;
use ubc_table::{Form, Table};

mod blocks;
mod common;
mod scalar;
mod windows;

/// Expands a filter table into the code of its form.
///
/// ```
/// mod filter {
///     ubc_macros::filter! {
///         form: scalar;
///         words: ascending;
///         step: 2;
///
///         W[35][1] ^ W[36][6] == 1 : I(46,2), I(49,2);
///         W[44][29] ^ W[45][29] == 0 : I(48,0);
///         exit;
///         W[37][4] ^ W[38][4] == 1 : I(51,0);
///     }
/// }
///
/// // W[35][1] and W[36][6] are both 0, so I(46,2) and I(49,2), bits 4 and 10, are impossible;
/// // so is I(51,0), bit 13.
/// let schedule = [0; 80];
/// assert_eq!(filter::check(&schedule), !(1 << 4 | 1 << 10 | 1 << 13));
///
/// // The same in steps: the first has two conditions, the second the one after `exit`.
/// assert_eq!(filter::STEPS, 2);
/// let first = filter::step::<0>(&schedule, !0);
/// assert_eq!(filter::step::<1>(&schedule, first), filter::check(&schedule));
/// ```
///
/// # Keys
///
/// | key | values | meaning |
/// |---|---|---|
/// | `form` | `scalar`, `windows`, `blocks` | one condition at a time; side by side in the lanes of a vector; one at a time on a vector of many blocks |
/// | `lanes` | 2 to 32 | in form `windows`: lanes of a vector |
/// | `vector` | a path | in forms `windows` and `blocks`: the trait of the vectors, see below |
/// | `words` | `ascending`, `descending` | whether `W[t]` lies at index t or at 79 - t |
/// | `step` | 1 or more | conditions, or windows or groups, in a step; an `exit` also ends one |
///
/// # Rows
///
/// `W[i][a] ^ W[j][b] == c : I(k,b), ...;` says that bit a of word i XOR bit b of word j is c in
/// every attack that follows one of the named disturbance vectors; where it is not, they are
/// cleared.
///
/// In forms `scalar` and `windows`, `exit;` lets `check` return early once no vector is left; `step`
/// has no such branch. But for form `scalar`, rows stand in groups that share an operation,
///
/// ```text
/// W[35..43] << 5 ^ W[36..44] {
///     W[35][1] ^ W[36][6] == 1 : I(46,2), I(49,2);
/// }
/// ```
///
/// the first words being moved by `<< n`, `>> n`, `<<< n` (a rotation) or not at all. In form
/// `blocks` it is one word on either side.
///
/// # What it expands to
///
/// `STEPS: usize` is how many steps there are. Bit n of a mask is the n-th vector of
/// [`ubc_table::DisturbanceVector::ALL`]. A step N that is not below `STEPS` does not compile; in form
/// `windows` it does nothing, and `PREFIX: usize` is how many steps come before the first exit.
///
/// | form | step | whole |
/// |---|---|---|
/// | `scalar` | `step::<N>(w: &[u32; 80], alive: u32) -> u32`, which clears vectors from `alive` | `check(w: &[u32; 80]) -> u32`, those left of all |
/// | `windows` | `step::<N, V>(w: &[u32; 80], cleared: V) -> V`, which adds vectors to `cleared` | `check::<V>(w: &[u32; 80]) -> u32`, those left of all |
/// | `blocks` | `step::<N, V>(w: &[V; 80], cleared: V) -> V`, the same in each lane | `check::<V>(w: &[V; 80], none: V) -> V`, those cleared, in each lane |
///
/// The trait of form `windows` has a parameter `const LANES: usize` and the functions
/// `load(&[u32; LANES])`, `words::<AT>(&[u32; 80])`, `xor`, `shift_left::<N>`, `shift_right::<N>`,
/// `rotate_left::<N>` (for tables that rotate), `clear(self, difference, &bits, &values, &vectors)` and
/// `or_lanes(self) -> u32`; that of form `blocks` has `xor`, `rotate_left::<N>` and `clear::<BIT, VALUE>(self, difference, vectors)`.
#[proc_macro]
pub fn filter(input: TokenStream) -> TokenStream {
    let table = parse_macro_input!(input as Table);
    emit(&table).into()
}

fn emit(table: &Table) -> proc_macro2::TokenStream {
    match (table.form, &table.vector) {
        (Form::Windows, Some(vector)) => windows::emit(table, vector),
        (Form::Blocks, Some(vector)) => blocks::emit(table, vector),
        (Form::Scalar | Form::Windows | Form::Blocks, _) => scalar::emit(table),
    }
}

#[cfg(test)]
mod snapshots;
