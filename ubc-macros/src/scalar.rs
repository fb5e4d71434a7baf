//! The scalar form: one condition at a time.
//!
//! A condition costs a load, an XOR with memory, two shifts, an AND and an OR: the XOR is shifted
//! until the two bits meet in the sign, and an arithmetic shift spreads the sign over a mask. That
//! mask is all ones where the bits differ. A condition that wants them equal collects the vectors
//! to clear; one that wants them different collects, by the dual, those to keep. With one
//! accumulator for each neither needs a complement of its own.

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use ubc_table::{Clear, Condition, Row, Table, Words};

use crate::common::{Plan, mask, named_vectors, word};

/// A word whose sign is the XOR of the two bits.
fn difference(words: Words, condition: Condition) -> TokenStream {
    let (first, second) = (condition.first(), condition.second());
    let (x, y) = (word(words, first.word()), word(words, second.word()));
    let to_sign = 31 - second.bit();
    // Turning the first word by this brings its bit under the second's.
    let turn = (32 + second.bit() - first.bit()) % 32;
    let turned = (turn != 0).then(|| {
        let turn = Literal::u32_unsuffixed(turn);
        quote!(.rotate_left(#turn))
    });
    if to_sign == 0 {
        quote!(#x #turned ^ #y)
    } else {
        let to_sign = Literal::u32_unsuffixed(to_sign);
        quote!((#x #turned ^ #y) << #to_sign)
    }
}

fn statement(words: Words, (condition, clears): &Clear) -> TokenStream {
    let (difference, mask) = (difference(words, *condition), mask(clears));
    let mask = if clears.len() == 1 { mask } else { quote!((#mask)) };
    if condition.value() {
        quote!(kept &= spread(#difference) | !#mask;)
    } else {
        quote!(cleared |= spread(#difference) & #mask;)
    }
}

pub(crate) fn emit(table: &Table) -> TokenStream {
    let plan = Plan::new(table);
    let constants = named_vectors(table);
    let count = Literal::usize_unsuffixed(plan.steps.len());
    let arms = plan.steps.iter().enumerate().map(|(n, rows)| {
        let n = Literal::usize_unsuffixed(n);
        let statements = rows.iter().filter_map(|row| match row {
            Row::Clear(condition, clears) => {
                Some(statement(table.words, &(*condition, clears.clone())))
            }
            Row::Exit | Row::Group(_) => None,
        });
        quote!(#n => { #(#statements)* })
    });
    let calls = plan.calls(
        &quote!(if alive == 0 {
            return 0;
        }),
        |n| quote!(alive = step::<#n>(w, alive);),
    );

    quote! {
        #(#constants)*

        /// How many steps the filter has.
        pub const STEPS: usize = #count;

        /// All ones if the sign of `difference` is set, all zeros if not.
        #[inline(always)]
        const fn spread(difference: u32) -> u32 {
            (difference.cast_signed() >> 31).cast_unsigned()
        }

        /// Runs step N: clears the vectors that its conditions rule out.
        #[inline(always)]
        pub fn step<const N: usize>(w: &[u32; 80], alive: u32) -> u32 {
            const { assert!(N < STEPS, "no such step") };
            let (mut kept, mut cleared) = (alive, 0);
            match N {
                #(#arms)*
                _ => {}
            }
            kept & !cleared
        }

        /// Runs the whole filter: a set bit says that this vector is still possible.
        #[inline]
        pub fn check(w: &[u32; 80]) -> u32 {
            let mut alive = !0;
            #calls
            alive
        }
    }
}
