//! A whole table: its keys, its rows, and the grammar of both.

use std::collections::HashMap;
use std::fmt;

use proc_macro2::Span;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Error, Ident, LitInt, Result, Token, braced, bracketed, parenthesized};

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
    /// Conditions side by side in the lanes of a vector, on one schedule.
    Windows,
    /// One condition at a time, on a vector of the schedules of many blocks.
    Blocks,
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
    const ALL: &'static [Self] = &[Self::Scalar, Self::Windows, Self::Blocks];

    fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Windows => "windows",
            Self::Blocks => "blocks",
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

/// How the first words of a group are moved so that the bits of each condition meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Not at all.
    None,
    /// Shifted left by 1 to 31.
    Left(u32),
    /// Shifted right by 1 to 31.
    Right(u32),
    /// Rotated left by 1 to 31.
    Rotate(u32),
}

impl Turn {
    /// Where it brings a bit; nowhere if it is shifted out.
    pub fn of(self, bit: u32) -> Option<u32> {
        match self {
            Self::None => Some(bit),
            Self::Left(by) => Some(bit + by).filter(|bit| *bit < 32),
            Self::Right(by) => bit.checked_sub(by),
            Self::Rotate(by) => Some((bit + by) % 32),
        }
    }
}

/// A condition, and the vectors that are impossible where it does not hold.
pub type Clear = (Condition, Vec<DisturbanceVector>);

/// Conditions that share an operation: the XOR of words from `first` on, turned, with words from
/// `second` on, one lane a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The first word of the first lane.
    pub first: usize,
    /// The second word of the first lane.
    pub second: usize,
    /// How the first words are moved.
    pub turn: Turn,
    /// How many lanes the operation has; 1 in form `blocks`, where a lane is a block.
    pub lanes: usize,
    /// The conditions, in form `windows` at most one a lane.
    pub conditions: Vec<Clear>,
}

/// An item of a table's body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Row {
    /// A condition by itself, in form `scalar`.
    Clear(Condition, Vec<DisturbanceVector>),
    /// Stop here if no vector is left: almost always true by now, and never wrong. Not in form
    /// `blocks`, where some block nearly always has a vector left.
    Exit,
    /// Conditions that share an operation, in the other forms.
    Group(Group),
}

/// A filter table.
///
/// It parses from the body of a macro call and prints itself as one; what it printed reads as the
/// same table.
///
/// ```
/// let text = "\
/// form: windows;
/// lanes: 8;
/// vector: crate::Vector;
/// words: ascending;
/// step: 1;
///
/// W[35..43] << 5 ^ W[36..44] {
///     W[35][1] ^ W[36][6] == 1 : I(46,2), I(49,2);
/// }
/// ";
/// let table: ubc_table::Table = syn::parse_str(text)?;
/// assert_eq!(table.to_string(), text);
/// # Ok::<(), syn::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The form to emit.
    pub form: Form,
    /// Lanes of a vector, in form `windows`; 1 in the others.
    pub lanes: usize,
    /// The trait of the vectors to emit code for, in the forms that have vectors.
    pub vector: Option<syn::Path>,
    /// The memory layout of the schedule.
    pub words: Words,
    /// How many conditions (in form `scalar`) or groups (in form `windows`) make a step, the unit that
    /// a caller can place among other work. At least 1; 1 in form `blocks`, whose groups a caller
    /// places by their words.
    pub step: usize,
    /// The body.
    pub rows: Vec<Row>,
}

impl Table {
    /// The conditions in order, each with the vectors that it clears.
    pub fn conditions(&self) -> impl Iterator<Item = (Condition, &[DisturbanceVector])> {
        self.rows.iter().flat_map(|row| match row {
            Row::Clear(condition, clears) => vec![(*condition, &clears[..])],
            Row::Group(group) => group.conditions.iter().map(|(c, dvs)| (*c, &dvs[..])).collect(),
            Row::Exit => Vec::new(),
        })
    }
}

fn write_clear(
    f: &mut fmt::Formatter<'_>,
    condition: Condition,
    clears: &[DisturbanceVector],
) -> fmt::Result {
    write!(f, "{condition} :")?;
    for (i, dv) in clears.iter().enumerate() {
        write!(f, "{} {dv}", if i == 0 { "" } else { "," })?;
    }
    f.write_str(";")
}

impl Row {
    /// The group, if it is one.
    pub fn group(&self) -> Option<&Group> {
        match self {
            Self::Group(group) => Some(group),
            Self::Clear(..) | Self::Exit => None,
        }
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Clear(condition, clears) => write_clear(f, *condition, clears),
            Self::Exit => f.write_str("exit;"),
            Self::Group(group) => {
                let words = |f: &mut fmt::Formatter<'_>, first: usize| match group.lanes {
                    1 => write!(f, "W[{first}]"),
                    lanes => write!(f, "W[{first}..{}]", first + lanes),
                };
                words(f, group.first)?;
                match group.turn {
                    Turn::None => {}
                    Turn::Left(by) => write!(f, " << {by}")?,
                    Turn::Right(by) => write!(f, " >> {by}")?,
                    Turn::Rotate(by) => write!(f, " <<< {by}")?,
                }
                f.write_str(" ^ ")?;
                words(f, group.second)?;
                f.write_str(" {\n")?;
                for (condition, clears) in &group.conditions {
                    f.write_str("    ")?;
                    write_clear(f, *condition, clears)?;
                    f.write_str("\n")?;
                }
                f.write_str("}")
            }
        }
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { form, lanes, vector, words, step, rows } = self;
        writeln!(f, "form: {};", form.name())?;
        if *form == Form::Windows {
            writeln!(f, "lanes: {lanes};")?;
        }
        if let Some(path) = vector {
            let segments: Vec<_> = path.segments.iter().map(|s| s.ident.to_string()).collect();
            writeln!(f, "vector: {};", segments.join("::"))?;
        }
        writeln!(f, "words: {};", words.name())?;
        if *form != Form::Blocks {
            writeln!(f, "step: {step};")?;
        }
        writeln!(f)?;
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

/// `W[35..43]`, or `W[35]` for one lane: the first word.
fn words(input: ParseStream<'_>, lanes: usize) -> Result<usize> {
    input.parse::<kw::W>()?;
    let content;
    bracketed!(content in input);
    let (first, span) = integer(&content)?;
    let end = if lanes == 1 {
        first.saturating_add(1)
    } else {
        content.parse::<Token![..]>()?;
        let (end, end_span) = integer(&content)?;
        if end != first.saturating_add(lanes as u32) {
            let message = format!(
                "expected {lanes} words, one a lane: `{first}..{}`",
                first as usize + lanes
            );
            return Err(Error::new(end_span, message));
        }
        end
    };
    if !content.is_empty() {
        return Err(content.error("expected `]`"));
    }
    if end > 80 {
        let message = format!("word {} is outside the expanded message: expected 0 to 79", end - 1);
        return Err(Error::new(span, message));
    }
    Ok(first as usize)
}

/// `<< 5`, `>> 5`, `<<< 5` or nothing.
fn turn(input: ParseStream<'_>) -> Result<Turn> {
    let turn = if input.peek(Token![<<]) {
        input.parse::<Token![<<]>()?;
        if input.peek(Token![<]) {
            input.parse::<Token![<]>()?;
            Turn::Rotate
        } else {
            Turn::Left
        }
    } else if input.peek(Token![>>]) {
        input.parse::<Token![>>]>()?;
        Turn::Right
    } else {
        return Ok(Turn::None);
    };
    let (by, span) = integer(input)?;
    if !(1..32).contains(&by) {
        return Err(Error::new(span, "words are moved by 1 to 31"));
    }
    Ok(turn(by))
}

/// Conditions stated so far, with where.
#[derive(Default)]
struct Stated(HashMap<Condition, (Span, Vec<DisturbanceVector>)>);

impl Stated {
    /// `W[35][1] ^ W[36][6] == 1 : I(46,2), I(49,2);`, which must be new and contradict nothing.
    fn clear(&mut self, input: ParseStream<'_>) -> Result<(Clear, Span)> {
        let (condition, span) = condition(input)?;
        input.parse::<Token![:]>()?;
        let clears = vectors(input)?;
        input.parse::<Token![;]>()?;
        let opposite = condition.opposite();
        let conflict = self.0.get(&opposite).and_then(|(first, others)| {
            Some((*first, *clears.iter().find(|dv| others.contains(dv))?))
        });
        if let Some((first, dv)) = conflict {
            let message = format!("{condition} contradicts another row of {dv}");
            let mut error = Error::new(span, message);
            error.combine(Error::new(first, format!("{opposite} is stated here")));
            return Err(error);
        }
        if let Some((first, _)) = self.0.insert(condition, (span, clears.clone())) {
            let mut error = Error::new(span, format!("duplicate row: {condition}"));
            error.combine(Error::new(first, "the same condition is stated here"));
            return Err(error);
        }
        Ok(((condition, clears), span))
    }

    /// `W[35..43] << 5 ^ W[36..44] { ... }`, each condition in a lane of these words.
    fn group(&mut self, input: ParseStream<'_>, form: Form, lanes: usize) -> Result<Group> {
        let first = words(input, lanes)?;
        let turn = turn(input)?;
        input.parse::<Token![^]>()?;
        let second_span = input.span();
        let second = words(input, lanes)?;
        if second < first {
            return Err(Error::new(second_span, "expected the later words on the right"));
        }
        let content;
        braced!(content in input);
        let mut group = Group { first, second, turn, lanes, conditions: Vec::new() };
        let mut taken = Vec::new();
        while !content.is_empty() {
            let (clear, span) = self.clear(&content)?;
            let (a, b) = (clear.0.first(), clear.0.second());
            let lane = a.word().checked_sub(first).filter(|lane| *lane < lanes);
            let Some(lane) = lane.filter(|lane| b.word() == second + lane) else {
                return Err(Error::new(span, format!("{} is in no lane of these words", clear.0)));
            };
            if turn.of(a.bit()) != Some(b.bit()) {
                let message =
                    format!("the bits of {} do not meet when words are so moved", clear.0);
                return Err(Error::new(span, message));
            }
            if form == Form::Windows && taken.contains(&lane) {
                return Err(Error::new(span, format!("lane {lane} has a condition already")));
            }
            taken.push(lane);
            group.conditions.push(clear);
        }
        if group.conditions.is_empty() {
            return Err(content.error("expected at least one condition"));
        }
        Ok(group)
    }
}

impl Parse for Table {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let (mut form, mut words, mut step) = (None, None, None);
        let (mut lanes, mut vector) = (None, None);
        while input.peek(Ident) && input.peek2(Token![:]) {
            let key: Ident = input.parse()?;
            input.parse::<Token![:]>()?;
            match key.to_string().as_str() {
                "form" => set(&mut form, &key, <Form as Named>::parse(input)?)?,
                "words" => set(&mut words, &key, <Words as Named>::parse(input)?)?,
                "vector" => set(&mut vector, &key, input.call(syn::Path::parse_mod_style)?)?,
                "lanes" => {
                    let (number, span) = integer(input)?;
                    if !(2..=32).contains(&number) {
                        return Err(Error::new(span, "a vector has 2 to 32 lanes"));
                    }
                    set(&mut lanes, &key, number as usize)?;
                }
                "step" => {
                    let (items, span) = integer(input)?;
                    if items == 0 {
                        return Err(Error::new(span, "a step has at least 1 condition"));
                    }
                    set(&mut step, &key, items as usize)?;
                }
                _ => {
                    let message = format!(
                        "expected `form`, `lanes`, `vector`, `words` or `step`, not `{key}`"
                    );
                    return Err(Error::new(key.span(), message));
                }
            }
            input.parse::<Token![;]>()?;
        }
        let form = form.ok_or_else(|| missing("form", "scalar"))?;
        let words = words.ok_or_else(|| missing("words", "ascending"))?;
        let needless = |key: &str| {
            Error::new(Span::call_site(), format!("form `{}` has no key `{key}`", form.name()))
        };
        let step = match (form, step) {
            (Form::Blocks, Some(_)) => return Err(needless("step")),
            (Form::Blocks, None) => 1,
            (_, step) => step.ok_or_else(|| missing("step", "8"))?,
        };
        let lanes = match (form, lanes) {
            (Form::Windows, None) => return Err(missing("lanes", "8")),
            (Form::Windows, Some(lanes)) => lanes,
            (_, Some(_)) => return Err(needless("lanes")),
            (_, None) => 1,
        };
        match (form, &vector) {
            (Form::Scalar, Some(_)) => return Err(needless("vector")),
            (Form::Windows | Form::Blocks, None) => return Err(missing("vector", "crate::Vector")),
            _ => {}
        }

        let mut rows = Vec::new();
        let mut stated = Stated::default();
        while !input.is_empty() {
            let look = input.lookahead1();
            if look.peek(kw::W) {
                rows.push(if form == Form::Scalar {
                    let ((condition, clears), _) = stated.clear(input)?;
                    Row::Clear(condition, clears)
                } else {
                    Row::Group(stated.group(input, form, lanes)?)
                });
            } else if form != Form::Blocks && look.peek(kw::exit) {
                input.parse::<kw::exit>()?;
                input.parse::<Token![;]>()?;
                rows.push(Row::Exit);
            } else {
                return Err(look.error());
            }
        }
        if stated.0.is_empty() {
            return Err(
                input.error("expected at least one row: `W[35][1] ^ W[36][6] == 1 : I(46,2);`")
            );
        }
        Ok(Self { form, lanes, vector, words, step, rows })
    }
}
