//! The window form: conditions side by side in the lanes of a vector.
//!
//! A window loads consecutive words twice, moves the first so that the two bits of every lane's
//! condition meet, XORs, and leaves the rest to the vector: where the bit of a lane differs from what
//! its condition says, the vectors of that condition are cleared. Lanes without a condition have no
//! bit and no vectors, and clear nothing.
//!
//! The code is generic over a trait, so that one table serves every instruction set with that many
//! lanes; the trait's path is a key of the table.

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use ubc_table::{Clear, Group, Table, Turn, Words};

use crate::common::{Plan, mask, named_vectors};

fn turned(turn: Turn, x: &TokenStream) -> TokenStream {
    let by = |by: u32| Literal::u32_unsuffixed(by);
    match turn {
        Turn::None => quote!(#x),
        Turn::Left(n) => {
            let n = by(n);
            quote!(#x.shift_left::<#n>())
        }
        Turn::Right(n) => {
            let n = by(n);
            quote!(#x.shift_right::<#n>())
        }
        Turn::Rotate(n) => {
            let n = by(n);
            quote!(#x.rotate_left::<#n>())
        }
    }
}

fn statement(words: Words, group: &Group) -> TokenStream {
    let lanes = group.lanes;
    let load = |first: usize| {
        let at = Literal::usize_unsuffixed(match words {
            Words::Ascending => first,
            // The last word of the window lies first.
            Words::Descending => 80 - lanes - first,
        });
        quote!(V::words::<#at>(w))
    };
    let lane = |n: usize| -> Option<&Clear> {
        let n = if words == Words::Ascending { n } else { lanes - 1 - n };
        group.conditions.iter().find(|(condition, _)| condition.first().word() == group.first + n)
    };
    let of_lanes = |what: fn(&Clear) -> TokenStream| {
        let values = (0..lanes).map(|n| lane(n).map_or(quote!(0), what));
        quote!(&[#(#values),*])
    };
    let bits = of_lanes(|(condition, _)| {
        let bit = Literal::u32_unsuffixed(condition.second().bit());
        quote!(1 << #bit)
    });
    let values = of_lanes(|(condition, _)| {
        let bit = Literal::u32_unsuffixed(condition.second().bit());
        if condition.value() { quote!(1 << #bit) } else { quote!(0) }
    });
    let vectors = of_lanes(|(_, clears)| mask(clears));
    let (first, second) = (turned(group.turn, &load(group.first)), load(group.second));
    quote! {
        cleared = cleared.clear(#first.xor(#second), #bits, #values, #vectors);
    }
}

pub(crate) fn emit(table: &Table, vector: &syn::Path) -> TokenStream {
    let constants = named_vectors(table);
    let lanes = Literal::usize_unsuffixed(table.lanes);
    let plan = Plan::new(table);
    let count = Literal::usize_unsuffixed(plan.steps.len());
    let prefix = Literal::usize_unsuffixed(plan.prefix());
    let arms = plan.steps.iter().enumerate().map(|(n, rows)| {
        let n = Literal::usize_unsuffixed(n);
        let groups = rows.iter().filter_map(|row| row.group());
        let statements = groups.map(|group| statement(table.words, group));
        quote!(#n => { #(#statements)* })
    });
    let exit = quote!(if !cleared.or_lanes() == 0 {
        return 0;
    });
    let calls = plan.calls(&exit, |n| quote!(cleared = step::<#n, V>(w, cleared);));

    quote! {
        use #vector as Vector;

        #(#constants)*

        /// How many steps the filter has.
        pub const STEPS: usize = #count;

        /// How many of them come before the first exit.
        pub const PREFIX: usize = #prefix;

        /// Runs step N: adds to `cleared` the vectors that its conditions rule out. There is
        /// nothing to do in steps beyond the last, so that a loop may have more.
        #[inline(always)]
        pub fn step<const N: usize, V: Vector<#lanes>>(w: &[u32; 80], cleared: V) -> V {
            let mut cleared = cleared;
            match N {
                #(#arms)*
                _ => {}
            }
            cleared
        }

        /// Runs the whole filter: a set bit says that this vector is still possible.
        #[inline(always)]
        pub fn check<V: Vector<#lanes>>(w: &[u32; 80]) -> u32 {
            let mut cleared = V::load(&[0; #lanes]);
            #calls
            !cleared.or_lanes()
        }
    }
}
