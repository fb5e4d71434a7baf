//! What all forms share.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use ubc_table::{DisturbanceVector, Row, Table, Words};

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

/// The steps of a table in order, and before which of them `check` may stop.
pub(crate) struct Plan<'a> {
    pub(crate) steps: Vec<Vec<&'a Row>>,
    exits: Vec<usize>,
}

impl<'a> Plan<'a> {
    pub(crate) fn new(table: &'a Table) -> Self {
        let mut plan = Self { steps: Vec::new(), exits: Vec::new() };
        for section in table.rows.split(|row| *row == Row::Exit) {
            let rows: Vec<_> = section.iter().collect();
            plan.steps.extend(rows.chunks(table.step).map(<[_]>::to_vec));
            plan.exits.push(plan.steps.len());
        }
        // The end of the table is where `check` stops anyway.
        plan.exits.pop();
        plan
    }

    /// How many steps come before the first exit; all, if there is none.
    pub(crate) fn prefix(&self) -> usize {
        *self.exits.first().unwrap_or(&self.steps.len())
    }

    /// The calls of all steps, with exits.
    pub(crate) fn calls(
        &self,
        exit: &TokenStream,
        call: impl Fn(Literal) -> TokenStream,
    ) -> TokenStream {
        let calls = (0..self.steps.len()).map(|n| {
            let exit = self.exits.contains(&n).then_some(exit);
            let call = call(Literal::usize_unsuffixed(n));
            quote!(#exit #call)
        });
        calls.collect()
    }
}
