//! The vectors that the filter's forms are written in.
//!
//! A form's code is made from its table by `ubc_macros::filter!` and is generic over one of these
//! traits, so that one table serves every instruction set that has as many lanes.

/// Words of one schedule side by side, for the window forms.
pub(crate) trait Vector<const LANES: usize>: Copy {
    /// A vector of these words.
    fn load(words: &[u32; LANES]) -> Self;

    /// The words of a schedule at AT and after. A window that leaves the schedule does not compile.
    #[inline(always)]
    fn words<const AT: usize>(w: &[u32; 80]) -> Self {
        const { assert!(AT + LANES <= 80, "the window leaves the schedule") };
        let (_, from) = w.split_at(AT);
        from.first_chunk().map_or_else(|| Self::load(&[0; LANES]), Self::load)
    }

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
