//! A row: one block of each of many messages, compressed and filtered side by side, a block a lane.
//!
//! There is nothing to wait for between lanes, so a row takes as long as its instructions take to
//! issue. Each word of the schedules is used by the rounds and by the filter as soon as it is there,
//! while it and those that go with it are in registers.
//!
//! Rows are written once, over a trait of vectors, and each vector's are compiled with its own
//! features by whoever calls them.

use crate::filter::blocks;
use crate::filter::vector;
use crate::rounds::{K, State};
use crate::schedule::Block;

/// Words of many blocks, a block a lane.
///
/// The methods are inlined into whoever runs a row and compiled with its features.
pub(crate) trait Words<const LANES: usize>: vector::Blocks {
    /// The same word in every lane.
    fn splat(word: u32) -> Self;

    /// A vector of these words.
    fn load(words: &[u32; LANES]) -> Self;

    /// Puts the words down.
    fn store(self, words: &mut [u32; LANES]);

    /// Words 4 QUARTER to 4 QUARTER + 3 of the blocks.
    fn quarter<const QUARTER: usize>(blocks: &[&Block; LANES]) -> [Self; 4];

    /// The sum, lane by lane.
    fn add(self, other: Self) -> Self;

    /// The difference, lane by lane.
    fn sub(self, other: Self) -> Self;

    /// The AND, lane by lane.
    fn and(self, other: Self) -> Self;

    /// A bit for each lane that is not zero, the first lane's lowest.
    fn nonzero(self) -> u32;

    /// Keeps the compiler from moving across this place what the two come from and what they go to,
    /// where there is a way.
    #[inline(always)]
    fn pin(self, other: Self) -> [Self; 2] {
        [self, other]
    }

    /// The XOR of three.
    #[inline(always)]
    fn xor3(self, second: Self, third: Self) -> Self {
        self.xor(second).xor(third)
    }

    /// The bits of `yes` where `self` is set, and those of `no` where it is not.
    #[inline(always)]
    fn choose(self, yes: Self, no: Self) -> Self {
        self.and(yes.xor(no)).xor(no)
    }

    /// The bits that two or three of the three have.
    #[inline(always)]
    fn majority(self, second: Self, third: Self) -> Self {
        self.xor(third).choose(second, third)
    }
}

/// States or chaining values of a row: first the words a of all lanes, then the words b, and so on.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Columns<const LANES: usize>(pub(crate) [[u32; LANES]; 5]);

impl<const LANES: usize> Columns<LANES> {
    pub(crate) const fn new() -> Self {
        Self([[0; LANES]; 5])
    }

    /// What stands in a lane.
    #[inline]
    pub(crate) fn lane(&self, lane: usize) -> State {
        self.0.map(|words| words[lane])
    }

    #[inline]
    pub(crate) fn set_lane(&mut self, lane: usize, state: State) {
        for (words, word) in self.0.iter_mut().zip(state) {
            words[lane] = word;
        }
    }
}

/// What a row leaves for the next row and for recompression.
#[repr(align(64))]
pub(crate) struct Left<const LANES: usize> {
    /// The vectors that the filter left, in each lane.
    pub(crate) candidates: [u32; LANES],
    /// The states before step 60.
    pub(crate) step_60: Columns<LANES>,
    /// The chaining values after the blocks.
    pub(crate) after: Columns<LANES>,
}

impl<const LANES: usize> Left<LANES> {
    pub(crate) const fn new() -> Self {
        Self { candidates: [0; LANES], step_60: Columns::new(), after: Columns::new() }
    }
}

/// A kernel that compresses and filters rows.
pub(crate) trait Rows<const LANES: usize>: Copy {
    /// Compresses a block in each lane, from the chaining values before it, filters it, and tells the
    /// lanes that have candidates, a bit each: [`row`].
    fn row(self, before: &Columns<LANES>, blocks: &[&Block; LANES], left: &mut Left<LANES>) -> u32;

    /// Tells the lanes whose supposed partner, which shares the state before step 60, ends where the
    /// block ends, a bit each: [`collide`].
    fn collide(
        self,
        partners: &[&Block; LANES],
        step_60: &Columns<LANES>,
        after: &Columns<LANES>,
    ) -> u32;
}

/// Runs a macro over steps 0 to 79 in order, as far as they lie in a range.
macro_rules! all_steps {
    ($step:ident) => {
        $step!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19
            20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39
            40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59
            60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79)
    };
}

/// One step of SHA-1 (FIPS 180-4, 6.1.2).
#[inline(always)]
fn step<V: Words<LANES>, const LANES: usize>(t: usize, [a, b, c, d, e]: [V; 5], w: V) -> [V; 5] {
    let f = match t {
        0..20 => b.choose(c, d),
        20..40 | 60..80 => b.xor3(c, d),
        _ => b.majority(c, d),
    };
    let rest = e.add(w.add(V::splat(K[t / 20]))).add(f);
    [rest.add(a.rotate_left::<5>()), a, b.rotate_left::<30>(), c, d]
}

/// Word t of the schedules, if those before it are there.
#[inline(always)]
fn next<V: Words<LANES>, const LANES: usize>(w: &[V; 80], t: usize) -> V {
    w[t - 3].xor3(w[t - 8], w[t - 14]).xor(w[t - 16]).rotate_left::<1>()
}

#[inline(always)]
fn load<V: Words<LANES>, const LANES: usize>(columns: &Columns<LANES>) -> [V; 5] {
    let [a, b, c, d, e] = &columns.0;
    [V::load(a), V::load(b), V::load(c), V::load(d), V::load(e)]
}

#[inline(always)]
fn store<V: Words<LANES>, const LANES: usize>([a, b, c, d, e]: [V; 5], to: &mut Columns<LANES>) {
    let [to_a, to_b, to_c, to_d, to_e] = &mut to.0;
    a.store(to_a);
    b.store(to_b);
    c.store(to_c);
    d.store(to_d);
    e.store(to_e);
}

/// The sums of two states, word by word.
#[inline(always)]
fn sum<V: Words<LANES>, const LANES: usize>(one: [V; 5], other: [V; 5]) -> [V; 5] {
    let ([a, b, c, d, e], [f, g, h, i, j]) = (one, other);
    [a.add(f), b.add(g), c.add(h), d.add(i), e.add(j)]
}

/// The first sixteen words of the schedules; the rest are to be made.
#[inline(always)]
fn first_words<V: Words<LANES>, const LANES: usize>(blocks: &[&Block; LANES]) -> [V; 80] {
    let mut w = [V::splat(0); 80];
    [w[0], w[1], w[2], w[3]] = V::quarter::<0>(blocks);
    [w[4], w[5], w[6], w[7]] = V::quarter::<1>(blocks);
    [w[8], w[9], w[10], w[11]] = V::quarter::<2>(blocks);
    [w[12], w[13], w[14], w[15]] = V::quarter::<3>(blocks);
    w
}

/// Compresses a block in each lane, filters it, and tells the lanes that have candidates.
#[inline(always)]
pub(crate) fn row<V: Words<LANES>, const LANES: usize>(
    before: &Columns<LANES>,
    blocks: &[&Block; LANES],
    left: &mut Left<LANES>,
) -> u32 {
    let mut w = first_words::<V, LANES>(blocks);
    let before = load(before);
    let mut state: [V; 5] = before;
    let mut cleared = V::splat(0);
    macro_rules! steps {
        ($($t:literal)+) => {$(
            if $t >= 16 {
                w[$t] = next(&w, $t);
            }
            cleared = blocks::with_word::<$t, V>(&w, cleared);
            if $t == 60 {
                store(state, &mut left.step_60);
            }
            state = step($t, state, w[$t]);
            // Left alone the compiler makes three runs of it, schedule, filter and rounds, and words are
            // stored and loaded in between (18.3 ns a block instead of 17.6 with sixteen lanes).
            [state[0], cleared] = state[0].pin(cleared);
        )+};
    }
    all_steps!(steps);
    store(sum(before, state), &mut left.after);
    let candidates = cleared.xor(V::splat(!0));
    candidates.store(&mut left.candidates);
    candidates.nonzero()
}

/// Whether the compressions of these blocks end at `after`, if they pass through `step_60` before
/// step 60. In which case they start from what the rounds from there on leave of `after`; so all
/// steps run forwards.
#[inline(always)]
pub(crate) fn collide<V: Words<LANES>, const LANES: usize>(
    partners: &[&Block; LANES],
    step_60: &Columns<LANES>,
    after: &Columns<LANES>,
) -> u32 {
    let mut w = first_words::<V, LANES>(partners);
    let shared = load(step_60);
    let mut state: [V; 5] = shared;
    macro_rules! words {
        ($($t:literal)+) => {$(
            if $t >= 16 {
                w[$t] = next(&w, $t);
            }
        )+};
    }
    macro_rules! last {
        ($($t:literal)+) => {$(
            if $t >= 60 {
                state = step($t, state, w[$t]);
            }
        )+};
    }
    macro_rules! first {
        ($($t:literal)+) => {$(
            if $t < 60 {
                state = step($t, state, w[$t]);
            }
        )+};
    }
    all_steps!(words);
    all_steps!(last);
    let ([a, b, c, d, e], [f, g, h, i, j]): ([V; 5], _) = (load(after), state);
    state = [a.sub(f), b.sub(g), c.sub(h), d.sub(i), e.sub(j)];
    all_steps!(first);
    let differences = state.iter().zip(shared).map(|(reached, shared)| reached.xor(shared));
    !differences.map(V::nonzero).fold(0, |some, these| some | these)
}
