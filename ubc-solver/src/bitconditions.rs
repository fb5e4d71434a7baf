//! The bitconditions of all vectors, and the text that they are kept in.

use std::error::Error;
use std::fmt;
use std::path::Path;

use ubc_table::{Bit, Condition, DisturbanceVector, DvType};

use crate::dv::differs;

/// Bits of the expanded message of which one fixes all others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TiedGroup {
    dv: DisturbanceVector,
    /// The bits, each with whether it is the complement of the first.
    bits: Vec<(Bit, bool)>,
}

impl TiedGroup {
    /// A group of bits, given up to a complement of them all.
    #[cfg(feature = "z3")]
    pub(crate) fn new(dv: DisturbanceVector, mut bits: Vec<(Bit, bool)>) -> Self {
        bits.sort();
        let not_first = bits.first().is_some_and(|(_, complement)| *complement);
        bits.iter_mut().for_each(|(_, complement)| *complement ^= not_first);
        Self { dv, bits }
    }

    /// The vector whose attacks tie these bits.
    pub fn dv(&self) -> DisturbanceVector {
        self.dv
    }

    /// The bits, each with whether it is the complement of the first.
    pub fn bits(&self) -> &[(Bit, bool)] {
        &self.bits
    }

    /// How many independent conditions the group makes.
    pub fn rank(&self) -> usize {
        self.bits.len() - 1
    }

    /// The place of a bit in the group.
    pub fn position(&self, bit: Bit) -> Option<usize> {
        self.bits.iter().position(|(tied, _)| *tied == bit)
    }

    /// Every condition that the group makes, as the places of its two bits and itself.
    pub fn conditions(&self) -> impl Iterator<Item = (usize, usize, Condition)> {
        (0..self.bits.len()).flat_map(move |i| {
            (i + 1..self.bits.len()).filter_map(move |j| {
                let ((first, not_first), (second, not_second)) = (self.bits[i], self.bits[j]);
                Some((i, j, Condition::new(first, second, not_first ^ not_second).ok()?))
            })
        })
    }
}

impl fmt::Display for TiedGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} :", self.dv)?;
        for (i, (bit, complement)) in self.bits.iter().enumerate() {
            let (equals, not) =
                (if i == 0 { "" } else { " =" }, if *complement { "~" } else { "" });
            write!(f, "{equals} {not}{bit}")?;
        }
        Ok(())
    }
}

/// The bitconditions of all vectors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BitConditions {
    groups: Vec<TiedGroup>,
}

/// Where the committed file lies, below the root of the project.
pub const PATH: &str = "ubc-solver/data/bitconditions.txt";

/// The bitconditions that this project's tables are made from.
pub const COMMITTED: &str = include_str!("../data/bitconditions.txt");

impl BitConditions {
    /// All these groups.
    pub fn new(groups: Vec<TiedGroup>) -> Self {
        Self { groups }
    }

    /// The file that holds these bitconditions.
    pub fn file(&self) -> String {
        format!("{}\n{self}", include_str!("../data/header.txt"))
    }

    /// The project's own bitconditions.
    ///
    /// # Panics
    ///
    /// If the committed file is malformed, which a test rules out.
    pub fn committed() -> Self {
        Self::parse(COMMITTED).unwrap_or_else(|error| panic!("data/bitconditions.txt:{error}"))
    }

    /// The tied groups in the order of the file.
    pub fn groups(&self) -> &[TiedGroup] {
        &self.groups
    }

    /// The tied groups of one vector.
    pub fn of(&self, dv: DisturbanceVector) -> impl Iterator<Item = &TiedGroup> {
        self.groups.iter().filter(move |group| group.dv == dv)
    }

    /// Reads bitconditions: a tied group a line, empty lines and lines that start with `#` aside.
    ///
    /// ```
    /// use ubc_solver::bitconditions::BitConditions;
    ///
    /// let conditions = BitConditions::parse("# one group of rank 2\nI(50,2) : W[39][1] = ~W[40][6] = ~W[41][1]\n")?;
    /// assert_eq!(conditions.groups()[0].rank(), 2);
    ///
    /// let error = BitConditions::parse("I(50,2) : W[39][1] = W[40][32]").unwrap_err();
    /// assert_eq!(error.to_string(), "1:28: bit 32 is outside a word: expected 0 to 31");
    /// # Ok::<(), ubc_solver::bitconditions::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The first thing that is wrong, with its line and column: beside mistakes in form, a bit that
    /// stands twice in the lines of one vector, and a bit that does not differ between the two
    /// messages of the vector's attacks.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let mut groups: Vec<TiedGroup> = Vec::new();
        for (i, line) in text.lines().enumerate() {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let mut cursor = Cursor { line, at: 0, number: i + 1 };
            let dv = cursor.vector()?;
            cursor.expect(" : ")?;
            let mut group = TiedGroup { dv, bits: Vec::new() };
            loop {
                let (column, complement) = (cursor.at, cursor.eat("~"));
                let bit = cursor.bit()?;
                let stated = groups.iter().filter(|group| group.dv == dv).chain([&group]);
                if stated.into_iter().any(|group| group.position(bit).is_some()) {
                    return Err(cursor.error_at(column, format!("{bit} of {dv} stands twice")));
                }
                if !differs(dv, bit) {
                    let message =
                        format!("{bit} is equal in both messages of {dv}: nothing ties it");
                    return Err(cursor.error_at(column, message));
                }
                group.bits.push((bit, complement));
                if cursor.at == line.len() {
                    break;
                }
                cursor.expect(" = ")?;
            }
            let not_first = group.bits[0].1;
            if not_first {
                return Err(cursor.error_at(0, "expected the first bit without ~".to_owned()));
            }
            if group.bits.len() < 2 {
                return Err(cursor.error("expected ` = ` and another bit: a group has two or more"));
            }
            groups.push(group);
        }
        Ok(Self { groups })
    }

    /// Reads bitconditions from a file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or as [`Self::parse`] does; either way naming the file.
    pub fn read(path: &Path) -> Result<Self, Box<dyn Error>> {
        let named = |error: &dyn fmt::Display| format!("{}:{error}", path.display());
        let text = std::fs::read_to_string(path).map_err(|error| named(&format!(" {error}")))?;
        Ok(Self::parse(&text).map_err(|error| named(&error))?)
    }
}

impl fmt::Display for BitConditions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.groups.iter().try_for_each(|group| writeln!(f, "{group}"))
    }
}

/// What is wrong with a text of bitconditions, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    line: usize,
    column: usize,
    message: String,
}

impl ParseError {
    /// The line, from 1.
    pub fn line(&self) -> usize {
        self.line
    }

    /// The column in bytes, from 1.
    pub fn column(&self) -> usize {
        self.column
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl Error for ParseError {}

/// A place in a line.
struct Cursor<'a> {
    line: &'a str,
    at: usize,
    number: usize,
}

impl Cursor<'_> {
    fn rest(&self) -> &str {
        &self.line[self.at..]
    }

    fn error_at(&self, at: usize, message: String) -> ParseError {
        ParseError { line: self.number, column: at + 1, message }
    }

    fn error(&self, message: &str) -> ParseError {
        self.error_at(self.at, message.to_owned())
    }

    fn eat(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text);
        self.at += if found { text.len() } else { 0 };
        found
    }

    fn expect(&mut self, text: &str) -> Result<(), ParseError> {
        if self.eat(text) { Ok(()) } else { Err(self.error(&format!("expected `{text}`"))) }
    }

    fn number(&mut self) -> Result<u32, ParseError> {
        let rest = self.rest();
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let number = rest[..digits].parse().map_err(|_| match digits {
            0 => self.error("expected a number"),
            _ => self.error(&format!("{} is too large", &rest[..digits])),
        })?;
        self.at += digits;
        Ok(number)
    }

    /// `II(46,2)`
    fn vector(&mut self) -> Result<DisturbanceVector, ParseError> {
        let start = self.at;
        let dv_type = if self.eat("II(") {
            DvType::II
        } else if self.eat("I(") {
            DvType::I
        } else {
            return Err(self.error("expected a disturbance vector such as `I(46,2)`"));
        };
        let k = self.number()?;
        self.expect(",")?;
        let b = self.number()?;
        self.expect(")")?;
        DisturbanceVector::new(dv_type, k, b).map_err(|e| self.error_at(start, e.to_string()))
    }

    /// `W[35][1]`
    fn bit(&mut self) -> Result<Bit, ParseError> {
        self.expect("W[")?;
        let word_at = self.at;
        let word = self.number()?;
        self.expect("][")?;
        let bit_at = self.at;
        let bit = self.number()?;
        self.expect("]")?;
        Bit::new(word, bit).map_err(|error| {
            let at = if word > 79 { word_at } else { bit_at };
            self.error_at(at, error.to_string())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_file_has_the_published_size() {
        let committed = BitConditions::committed();
        assert_eq!(committed.groups().len(), 136);
        assert_eq!(committed.groups().iter().map(TiedGroup::rank).sum::<usize>(), 373);
        for dv in DisturbanceVector::ALL {
            assert!(committed.of(dv).count() > 0, "{dv} has no conditions");
        }
    }

    #[test]
    fn what_is_printed_reads_the_same() {
        let committed = BitConditions::committed();
        let printed = committed.to_string();
        assert_eq!(BitConditions::parse(&printed), Ok(committed));
        assert_eq!(BitConditions::committed().file(), COMMITTED);
    }

    #[test]
    fn mistakes_are_named_with_line_and_column() {
        for (text, error) in [
            ("X", "1:1: expected a disturbance vector such as `I(46,2)`"),
            ("\n\nI(46,x)", "3:6: expected a number"),
            ("I(46,2): W[1][1]", "1:8: expected ` : `"),
            ("I(46,2) : W[61][2] = V[62][7]", "1:22: expected `W[`"),
            ("I(46,2) : W[61][2] ^ W[62][7]", "1:19: expected ` = `"),
            (
                "I(46,2) : W[80][2]",
                "1:13: word 80 is outside the expanded message: expected 0 to 79",
            ),
            ("I(46,2) : W[61][99999999999]", "1:17: 99999999999 is too large"),
            ("I(46,2) : ~W[61][2] = W[62][7]", "1:1: expected the first bit without ~"),
            ("I(46,2) : W[61][2]", "1:19: expected ` = ` and another bit: a group has two or more"),
            ("I(46,2) : W[61][2] = W[61][2]", "1:22: W[61][2] of I(46,2) stands twice"),
            (
                "I(46,2) : W[61][2] = W[62][8]",
                "1:22: W[62][8] is equal in both messages of I(46,2): nothing ties it",
            ),
            (
                "I(46,2) : W[35][1] = ~W[36][6]\nI(46,2) : W[61][2] = W[35][1]",
                "2:22: W[35][1] of I(46,2) stands twice",
            ),
        ] {
            assert_eq!(BitConditions::parse(text).unwrap_err().to_string(), error);
        }
        let unknown = BitConditions::parse("I(46,1) : W[61][2]").unwrap_err();
        assert_eq!((unknown.line(), unknown.column()), (1, 1));
    }
}
