//! What all forms share.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use ubc_table::{DisturbanceVector, Table, Words};

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
