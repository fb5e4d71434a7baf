//! The block form: one condition at a time, on the schedules of many blocks, a block a lane.
//!
//! Conditions on the same two words, moved alike, share their XOR; each then tests its bit in all
//! lanes at once and clears its vectors in those where the bit is not what the condition says.

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use ubc_table::{Group, Table, Turn, Words};

use crate::common::{Steps, group_steps, mask, named_vectors, word};

fn statements(words: Words, group: &Group) -> TokenStream {
    let (x, y) = (word(words, group.first), word(words, group.second));
    let turned = match group.turn {
        Turn::None => quote!(#x),
        // Only one bit counts, so whatever a shift would drop may as well come back.
        Turn::Left(by) | Turn::Rotate(by) => {
            let by = Literal::u32_unsuffixed(by);
            quote!(#x.rotate_left::<#by>())
        }
        Turn::Right(by) => {
            let by = Literal::u32_unsuffixed(32 - by);
            quote!(#x.rotate_left::<#by>())
        }
    };
    let clears = group.conditions.iter().map(|(condition, clears)| {
        let bit = Literal::u32_unsuffixed(condition.second().bit());
        let (value, mask) = (condition.value(), mask(clears));
        quote!(cleared = cleared.clear::<#bit, #value>(difference, #mask);)
    });
    quote! {
        let difference = #turned.xor(#y);
        #(#clears)*
    }
}

pub(crate) fn emit(table: &Table, vector: &syn::Path) -> TokenStream {
    let constants = named_vectors(table);
    let Steps { count, arms, calls, .. } =
        group_steps(table, |group| statements(table.words, group));

    quote! {
        use #vector as Vector;

        #(#constants)*

        /// How many steps the filter has.
        pub const STEPS: usize = #count;

        /// Runs step N: adds to `cleared`, in each lane, the vectors that its conditions rule out.
        #[inline(always)]
        pub fn step<const N: usize, V: Vector>(w: &[V; 80], cleared: V) -> V {
            const { assert!(N < STEPS, "no such step") };
            let mut cleared = cleared;
            match N {
                #(#arms)*
                _ => {}
            }
            cleared
        }

        /// Runs the whole filter: a bit that is set in a lane says that this vector is impossible
        /// for the block of that lane. `none` is all zeros.
        #[inline(always)]
        pub fn check<V: Vector>(w: &[V; 80], none: V) -> V {
            let mut cleared = none;
            #calls
            cleared
        }
    }
}
