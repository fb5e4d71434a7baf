//! A whole table: its keys, its rows, and the grammar of both.

use std::collections::HashMap;
use std::fmt;

use proc_macro2::Span;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Error, Ident, LitInt, Result, Token, bracketed, parenthesized};

use crate::{Bit, BitOutOfRange, Condition, DisturbanceVector, DvType};

mod kw {
    syn::custom_keyword!(W);
    syn::custom_keyword!(I);
    syn::custom_keyword!(II);
    syn::custom_keyword!(exit);
}

/// One way to run the filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// One condition at a time, on plain 32-bit words.
    Scalar,
}

/// How the schedule that the filter reads lies in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Words {
    /// `W[t]` at index t.
    Ascending,
    /// `W[t]` at index 79 - t, as processors leave it whose SHA-1 instructions hold four words with
    /// the newest lowest.
    Descending,
}

/// A key's value that is one of a closed set of words.
trait Named: Copy + 'static {
    const ALL: &'static [Self];

    fn name(self) -> &'static str;

    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let word: Ident = input.parse()?;
        let found = Self::ALL.iter().find(|value| word == value.name());
        found.copied().ok_or_else(|| {
            let known: Vec<_> =
                Self::ALL.iter().map(|value| format!("`{}`", value.name())).collect();
            Error::new(word.span(), format!("expected {}, not `{word}`", known.join(" or ")))
        })
    }
}

impl Named for Form {
    const ALL: &'static [Self] = &[Self::Scalar];

    fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
        }
    }
}

impl Named for Words {
    const ALL: &'static [Self] = &[Self::Ascending, Self::Descending];

    fn name(self) -> &'static str {
        match self {
            Self::Ascending => "ascending",
            Self::Descending => "descending",
        }
    }
}

/// A line of a table's body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Row {
    /// A condition, and the vectors that are impossible where it does not hold.
    Clear(Condition, Vec<DisturbanceVector>),
    /// Stop here if no vector is left: almost always true by now, and never wrong.
    Exit,
}

/// A filter table.
///
/// It parses from the body of a macro call and prints itself as one; what it printed reads as the
/// same table.
///
/// ```
/// let text = "\
/// form: scalar;
/// words: ascending;
/// step: 8;
///
/// W[35][1] ^ W[36][6] == 1 : I(46,2), I(49,2);
/// ";
/// let table: ubc_table::Table = syn::parse_str(text)?;
/// assert_eq!(table.to_string(), text);
/// # Ok::<(), syn::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The form to emit.
    pub form: Form,
    /// The memory layout of the schedule.
    pub words: Words,
    /// How many conditions make a step, the unit that a caller can place among other work. At
    /// least 1.
    pub step: usize,
    /// The body.
    pub rows: Vec<Row>,
}

impl Table {
    /// The conditions in order, each with the vectors that it clears.
    pub fn conditions(&self) -> impl Iterator<Item = (Condition, &[DisturbanceVector])> {
        self.rows.iter().filter_map(|row| match row {
            Row::Clear(condition, clears) => Some((*condition, &clears[..])),
            Row::Exit => None,
        })
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Clear(condition, clears) => {
                write!(f, "{condition} :")?;
                for (i, dv) in clears.iter().enumerate() {
                    write!(f, "{} {dv}", if i == 0 { "" } else { "," })?;
                }
                f.write_str(";")
            }
            Self::Exit => f.write_str("exit;"),
        }
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { form, words, step, rows } = self;
        writeln!(f, "form: {};\nwords: {};\nstep: {step};\n", form.name(), words.name())?;
        rows.iter().try_for_each(|row| writeln!(f, "{row}"))
    }
}

/// An integer of the table, with where it stands.
fn integer(input: ParseStream<'_>) -> Result<(u32, Span)> {
    let literal: LitInt = input.parse()?;
    if !literal.suffix().is_empty() {
        return Err(Error::new(literal.span(), "expected a plain integer, without a suffix"));
    }
    Ok((literal.base10_parse()?, literal.span()))
}

/// `[35]`
fn index(input: ParseStream<'_>) -> Result<(u32, Span)> {
    let content;
    bracketed!(content in input);
    let index = integer(&content)?;
    if content.is_empty() { Ok(index) } else { Err(content.error("expected `]`")) }
}

/// `W[35][1]`
fn bit(input: ParseStream<'_>) -> Result<Bit> {
    input.parse::<kw::W>()?;
    let (word, word_span) = index(input)?;
    let (bit, bit_span) = index(input)?;
    Bit::new(word, bit).map_err(|error| match error {
        BitOutOfRange::Word(_) => Error::new(word_span, error),
        BitOutOfRange::Bit(_) => Error::new(bit_span, error),
    })
}

/// `W[35][1] ^ W[36][6] == 1`
fn condition(input: ParseStream<'_>) -> Result<(Condition, Span)> {
    let start = input.span();
    let first = bit(input)?;
    input.parse::<Token![^]>()?;
    let second_span = input.span();
    let second = bit(input)?;
    input.parse::<Token![==]>()?;
    let (value, value_span) = integer(input)?;
    if value > 1 {
        return Err(Error::new(value_span, format!("two bits XOR to 0 or 1, not {value}")));
    }
    let condition = Condition::new(first, second, value == 1)
        .map_err(|error| Error::new(second_span, error))?;
    Ok((condition, start.join(value_span).unwrap_or(start)))
}

/// `II(46,2)`
fn vector(input: ParseStream<'_>) -> Result<(DisturbanceVector, Span)> {
    let look = input.lookahead1();
    let (dv_type, start) = if look.peek(kw::I) {
        (DvType::I, input.parse::<kw::I>()?.span)
    } else if look.peek(kw::II) {
        (DvType::II, input.parse::<kw::II>()?.span)
    } else {
        return Err(look.error());
    };
    let content;
    let parens = parenthesized!(content in input);
    let (k, _) = integer(&content)?;
    content.parse::<Token![,]>()?;
    let (b, _) = integer(&content)?;
    if !content.is_empty() {
        return Err(content.error("expected `)`"));
    }
    let span = start.join(parens.span.close()).unwrap_or(start);
    let dv = DisturbanceVector::new(dv_type, k, b).map_err(|error| Error::new(span, error))?;
    Ok((dv, span))
}

/// The vectors that a condition clears, each at most once and at least one.
fn vectors(input: ParseStream<'_>) -> Result<Vec<DisturbanceVector>> {
    let mut seen = Vec::new();
    for (dv, span) in Punctuated::<_, Token![,]>::parse_separated_nonempty_with(input, vector)? {
        if seen.contains(&dv) {
            return Err(Error::new(span, format!("{dv} stands twice in this row")));
        }
        seen.push(dv);
    }
    Ok(seen)
}

/// Sets a key that may stand once.
fn set<T>(slot: &mut Option<T>, key: &Ident, value: T) -> Result<()> {
    match slot.replace(value) {
        None => Ok(()),
        Some(_) => Err(Error::new(key.span(), format!("key `{key}` stands twice"))),
    }
}

fn missing(key: &str, expected: &str) -> Error {
    Error::new(Span::call_site(), format!("missing key `{key}`: expected `{key}: {expected};`"))
}

impl Parse for Table {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let (mut form, mut words, mut step) = (None, None, None);
        while input.peek(Ident) && input.peek2(Token![:]) {
            let key: Ident = input.parse()?;
            input.parse::<Token![:]>()?;
            match key.to_string().as_str() {
                "form" => set(&mut form, &key, <Form as Named>::parse(input)?)?,
                "words" => set(&mut words, &key, <Words as Named>::parse(input)?)?,
                "step" => {
                    let (conditions, span) = integer(input)?;
                    if conditions == 0 {
                        return Err(Error::new(span, "a step has at least 1 condition"));
                    }
                    set(&mut step, &key, conditions as usize)?;
                }
                _ => {
                    let message = format!("expected `form`, `words` or `step`, not `{key}`");
                    return Err(Error::new(key.span(), message));
                }
            }
            input.parse::<Token![;]>()?;
        }
        let form = form.ok_or_else(|| missing("form", "scalar"))?;
        let words = words.ok_or_else(|| missing("words", "ascending"))?;
        let step = step.ok_or_else(|| missing("step", "8"))?;

        let mut rows = Vec::new();
        let mut stated: HashMap<Condition, (Span, Vec<DisturbanceVector>)> = HashMap::new();
        while !input.is_empty() {
            let look = input.lookahead1();
            if look.peek(kw::exit) {
                input.parse::<kw::exit>()?;
                rows.push(Row::Exit);
            } else if look.peek(kw::W) {
                let (condition, span) = condition(input)?;
                input.parse::<Token![:]>()?;
                let clears = vectors(input)?;
                let opposite = condition.opposite();
                let conflict = stated.get(&opposite).and_then(|(first, others)| {
                    Some((*first, *clears.iter().find(|dv| others.contains(dv))?))
                });
                if let Some((first, dv)) = conflict {
                    let message = format!("{condition} contradicts another row of {dv}");
                    let mut error = Error::new(span, message);
                    error.combine(Error::new(first, format!("{opposite} is stated here")));
                    return Err(error);
                }
                if let Some((first, _)) = stated.insert(condition, (span, clears.clone())) {
                    let mut error = Error::new(span, format!("duplicate row: {condition}"));
                    error.combine(Error::new(first, "the same condition is stated here"));
                    return Err(error);
                }
                rows.push(Row::Clear(condition, clears));
            } else {
                return Err(look.error());
            }
            input.parse::<Token![;]>()?;
        }
        if stated.is_empty() {
            return Err(
                input.error("expected at least one row: `W[35][1] ^ W[36][6] == 1 : I(46,2);`")
            );
        }
        Ok(Self { form, words, step, rows })
    }
}
