//! Vectors as plain arrays, for the forms that have vectors: what the tables' code does on any
//! machine, in as many lanes as a table has.

// The library's own traits, which its tables' code is written for.
#[path = "../../../sha1dc/src/filter/vector.rs"]
mod library;

pub(crate) use library::{Blocks, Vector};

impl<const LANES: usize> Vector<LANES> for [u32; LANES] {
    #[inline(always)]
    fn load(words: &Self) -> Self {
        *words
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        core::array::from_fn(|lane| self[lane] ^ other[lane])
    }

    #[inline(always)]
    fn shift_left<const N: u32>(self) -> Self {
        self.map(|word| word << N)
    }

    #[inline(always)]
    fn shift_right<const N: u32>(self) -> Self {
        self.map(|word| word >> N)
    }

    #[inline(always)]
    fn rotate_left<const N: u32>(self) -> Self {
        self.map(|word| word.rotate_left(N))
    }

    // Inlined, the tables take minutes to compile.
    #[inline(never)]
    fn clear(self, difference: Self, bits: &Self, values: &Self, vectors: &Self) -> Self {
        core::array::from_fn(|lane| {
            let holds = difference[lane] & bits[lane] == values[lane];
            self[lane] | if holds { 0 } else { vectors[lane] }
        })
    }

    #[inline(always)]
    fn or_lanes(self) -> u32 {
        self.into_iter().fold(0, |all, lane| all | lane)
    }
}

impl<const LANES: usize> Blocks for [u32; LANES] {
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        core::array::from_fn(|lane| self[lane] ^ other[lane])
    }

    #[inline(always)]
    fn rotate_left<const N: u32>(self) -> Self {
        self.map(|word| word.rotate_left(N))
    }

    #[inline(never)]
    fn clear<const BIT: u32, const VALUE: bool>(self, difference: Self, vectors: u32) -> Self {
        core::array::from_fn(|lane| {
            let holds = (difference[lane] >> BIT & 1 == 1) == VALUE;
            self[lane] | if holds { 0 } else { vectors }
        })
    }
}
