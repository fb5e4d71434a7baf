//! What all forms share.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use ubc_table::{DisturbanceVector, Group, Row, Table, Words};

fn vector_name(dv: DisturbanceVector) -> Ident {
    format_ident!("{}_{}_{}", dv.dv_type().to_string(), dv.k(), dv.b())
}

/// A constant for every vector that the table names: its bit in a mask.
pub(crate) fn named_vectors(table: &Table) -> Vec<TokenStream> {
    let mut named: Vec<_> = table.conditions().flat_map(|(_, clears)| clears.to_vec()).collect();
    named.sort();
    named.dedup();
    let constant = |dv: DisturbanceVector| {
        let (name, bit) = (vector_name(dv), Literal::usize_unsuffixed(dv.index()));
        quote!(const #name: u32 = 1 << #bit;)
    };
    named.into_iter().map(constant).collect()
}

/// The bits of these vectors, as an expression that stands by itself.
pub(crate) fn mask(vectors: &[DisturbanceVector]) -> TokenStream {
    let names = vectors.iter().map(|dv| vector_name(*dv));
    quote!(#(#names)|*)
}

/// `w[35]`, wherever that word lies.
pub(crate) fn word(words: Words, t: usize) -> TokenStream {
    let index = Literal::usize_unsuffixed(match words {
        Words::Ascending => t,
        Words::Descending => 79 - t,
    });
    quote!(w[#index])
}

/// The calls of all steps in order.
pub(crate) fn step_calls(count: usize, call: impl Fn(usize) -> TokenStream) -> TokenStream {
    (0..count).map(call).collect()
}

/// The steps of a form that has groups.
pub(crate) struct Steps {
    /// How many there are.
    pub(crate) count: Literal,
    /// The arms of a match over the number of a step.
    pub(crate) arms: Vec<TokenStream>,
    /// The calls of all steps in order, on `w` and `cleared`.
    pub(crate) calls: TokenStream,
}

/// The steps of a table of groups, each group being made into statements.
pub(crate) fn group_steps(table: &Table, statements: impl Fn(&Group) -> TokenStream) -> Steps {
    let groups: Vec<_> = table.rows.iter().filter_map(Row::group).collect();
    let steps: Vec<_> = groups.chunks(table.step).collect();
    let arm = |(n, groups): (usize, &&[&Group])| {
        let n = Literal::usize_unsuffixed(n);
        let statements = groups.iter().map(|group| statements(group));
        quote!(#n => { #(#statements)* })
    };
    Steps {
        count: Literal::usize_unsuffixed(steps.len()),
        arms: steps.iter().enumerate().map(arm).collect(),
        calls: step_calls(steps.len(), |n| {
            let n = Literal::usize_unsuffixed(n);
            quote!(cleared = step::<#n, V>(w, cleared);)
        }),
    }
}
