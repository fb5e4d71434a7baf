//! The block form: one condition at a time, on the schedules of many blocks, a block a lane.
//!
//! Conditions on the same two words, moved alike, share their XOR; each then tests its bit in all
//! lanes at once and clears its vectors in those where the bit is not what the condition says.
//!
//! Whoever expands schedules side by side has the newest words in registers. So conditions are grouped by
//! the later of their words, to be checked as soon as it is there.

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use ubc_table::{Group, Row, Table, Turn, Words};

use crate::common::{mask, named_vectors, word};

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
    let groups: Vec<&Group> = table.rows.iter().filter_map(Row::group).collect();
    let later = |group: &Group| group.first.max(group.second);
    let (mut arms, mut calls) = (Vec::new(), Vec::new());
    for t in 0..80 {
        let mut of_word = groups.iter().filter(|group| later(group) == t).peekable();
        if of_word.peek().is_some() {
            let statements = of_word.map(|group| statements(table.words, group));
            let t = Literal::usize_unsuffixed(t);
            arms.push(quote!(#t => { #(#statements)* }));
            calls.push(quote!(cleared = with_word::<#t, V>(w, cleared);));
        }
    }

    quote! {
        use #vector as Vector;

        #(#constants)*

        /// Adds to `cleared`, in each lane, the vectors that conditions rule out whose later word is word
        /// T of the schedule.
        #[inline(always)]
        pub fn with_word<const T: usize, V: Vector>(w: &[V; 80], cleared: V) -> V {
            const { assert!(T < 80, "no such word") };
            let mut cleared = cleared;
            match T {
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
            #(#calls)*
            cleared
        }
    }
}
