//! Vectors as plain arrays, for the forms that have vectors: what the tables' code does on any
//! machine, in as many lanes as a table has.

/// Words of one schedule side by side, for the window forms.
pub(crate) trait Vector<const LANES: usize>: Copy {
    /// A vector of these words.
    fn load(words: &[u32; LANES]) -> Self;

    /// The words of a schedule at AT and after. A window that leaves the schedule does not compile.
    fn words<const AT: usize>(w: &[u32; 80]) -> Self;

    /// The XOR, lane by lane.
    fn xor(self, other: Self) -> Self;

    /// Every lane shifted left by N.
    fn shift_left<const N: u32>(self) -> Self;

    /// Every lane shifted right by N.
    fn shift_right<const N: u32>(self) -> Self;

    /// Every lane rotated left by N.
    fn rotate_left<const N: u32>(self) -> Self;

    /// Adds to each lane of `self` the `vectors` of that lane, if what `difference` has in the
    /// lane's `bits` is not `values`.
    fn clear(
        self,
        difference: Self,
        bits: &[u32; LANES],
        values: &[u32; LANES],
        vectors: &[u32; LANES],
    ) -> Self;

    /// The OR of all lanes.
    fn or_lanes(self) -> u32;
}

/// The same word of the schedules of many blocks, a block a lane, for the block form.
pub(crate) trait Blocks: Copy {
    /// The XOR, lane by lane.
    fn xor(self, other: Self) -> Self;

    /// Every lane rotated left by N.
    fn rotate_left<const N: u32>(self) -> Self;

    /// Adds `vectors` to each lane of `self` in which bit BIT of `difference` is not VALUE.
    fn clear<const BIT: u32, const VALUE: bool>(self, difference: Self, vectors: u32) -> Self;
}

impl<const LANES: usize> Vector<LANES> for [u32; LANES] {
    #[inline(always)]
    fn load(words: &Self) -> Self {
        *words
    }

    #[inline(always)]
    fn words<const AT: usize>(w: &[u32; 80]) -> Self {
        core::array::from_fn(|lane| w[AT + lane])
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

    #[inline(always)]
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

    #[inline(always)]
    fn clear<const BIT: u32, const VALUE: bool>(self, difference: Self, vectors: u32) -> Self {
        core::array::from_fn(|lane| {
            let holds = (difference[lane] >> BIT & 1 == 1) == VALUE;
            self[lane] | if holds { 0 } else { vectors }
        })
    }
}
