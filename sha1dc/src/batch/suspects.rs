//! Lockstep in rows: blocks with candidates are gathered until recompression has a row full of them.

use crate::batch::row::{Columns, Left, Rows};
use crate::batch::scheduler::{Lockstep, NOBODY};
use crate::dv::DIFFERENCES;
use crate::recompress::{self, EQUAL_AT_60};
use crate::rounds::State;
use crate::schedule::{self, Block};

/// How the blocks of both messages of an attack differ that follows a vector, for each of them.
static DIFFERENCES_OF_BLOCKS: [Block; 32] = {
    let mut differences = [[0; 64]; 32];
    let mut n = 0;
    while n < 32 * 64 {
        let (index, byte) = (n / 64, n % 64);
        differences[index][byte] = DIFFERENCES[index][byte / 4].to_be_bytes()[byte % 4];
        n += 1;
    }
    differences
};

/// A row of blocks after the other, and what they leave.
pub(crate) struct InRows<R, const LANES: usize> {
    rows: R,
    /// What the newest row left, and the one before it.
    left: [Left<LANES>; 2],
    /// Which of these is the newest.
    newest: usize,
    suspects: Suspects<LANES>,
}

impl<R, const LANES: usize> InRows<R, LANES> {
    pub(crate) const fn new(rows: R) -> Self {
        Self { rows, left: [const { Left::new() }; 2], newest: 0, suspects: Suspects::new() }
    }
}

impl<R: Rows<LANES>, const LANES: usize> Lockstep<LANES> for InRows<R, LANES> {
    fn set_chaining(&mut self, lane: usize, chaining: State) {
        self.left[self.newest].after.set_lane(lane, chaining);
    }

    fn chaining(&self, lane: usize) -> State {
        self.left[self.newest].after.lane(lane)
    }

    fn advance(
        &mut self,
        blocks: &[&[Block]; LANES],
        count: usize,
        owners: &[usize; LANES],
        found: &mut impl FnMut(usize),
    ) {
        let mut busy = 0;
        for (lane, owner) in owners.iter().enumerate() {
            busy |= u32::from(*owner != NOBODY) << lane;
        }
        // Which lanes have candidates nobody can predict. So it is asked one row late: then the answer
        // is long known, and the processor has the newer row to work on meanwhile. (18.6 ns a
        // block instead of 20.0 with sixteen lanes.)
        let (mut row, mut flagged) = ([&[0; 64]; LANES], 0);
        for n in 0..count {
            let row_before = row;
            for (block, blocks) in row.iter_mut().zip(blocks) {
                *block = &blocks[n];
            }
            let [even, odd] = &mut self.left;
            let (before, left) = if self.newest == 0 { (even, odd) } else { (odd, even) };
            self.newest ^= 1;
            let flagged_now = self.rows.row(&before.after, &row, left) & busy;
            self.suspects.add(self.rows, flagged, &row_before, before, owners, found);
            flagged = flagged_now;
        }
        let left = &self.left[self.newest];
        self.suspects.add(self.rows, flagged, &row, left, owners, found);
    }

    fn settle(&mut self, found: &mut impl FnMut(usize)) {
        self.suspects.settle(self.rows, found);
    }
}

/// Candidates that wait for recompression, one a lane.
pub(crate) struct Suspects<const LANES: usize> {
    /// The blocks that the other messages would have.
    partners: [Block; LANES],
    /// The states before step 60, which both messages would share.
    step_60: Columns<LANES>,
    /// The chaining values after the blocks, which both messages would share.
    after: Columns<LANES>,
    /// Whose they are.
    owners: [usize; LANES],
    len: usize,
}

/// A block with candidates.
pub(crate) struct Suspect<'a> {
    pub(crate) block: &'a Block,
    pub(crate) candidates: u32,
    /// The state before step 60.
    pub(crate) step_60: State,
    /// The chaining value after the block.
    pub(crate) after: State,
    /// Whose it is.
    pub(crate) owner: usize,
}

impl<const LANES: usize> Suspects<LANES> {
    pub(crate) const fn new() -> Self {
        Self {
            partners: [[0; 64]; LANES],
            step_60: Columns::new(),
            after: Columns::new(),
            owners: [0; LANES],
            len: 0,
        }
    }

    /// Adds all candidates of these lanes of a row; calls `found` with the owner of any block that
    /// recompression, of these or of those that waited, tells to be half of a collision.
    #[inline]
    fn add(
        &mut self,
        rows: impl Rows<LANES>,
        mut flagged: u32,
        row: &[&Block; LANES],
        left: &Left<LANES>,
        owners: &[usize; LANES],
        found: &mut impl FnMut(usize),
    ) {
        while flagged != 0 {
            let lane = flagged.trailing_zeros() as usize;
            flagged &= flagged - 1;
            let suspect = Suspect {
                block: row[lane],
                candidates: left.candidates[lane],
                step_60: left.step_60.lane(lane),
                after: left.after.lane(lane),
                owner: owners[lane],
            };
            self.add_block(rows, &suspect, found);
        }
    }

    /// Adds all candidates of a block.
    fn add_block(
        &mut self,
        rows: impl Rows<LANES>,
        suspect: &Suspect<'_>,
        found: &mut impl FnMut(usize),
    ) {
        let mut near = suspect.candidates & EQUAL_AT_60;
        while near != 0 {
            let index = near.trailing_zeros() as usize;
            near &= near - 1;
            if self.len == LANES {
                self.settle(rows, found);
            }
            let partner = &mut self.partners[self.len];
            *partner = *suspect.block;
            for (byte, difference) in partner.iter_mut().zip(&DIFFERENCES_OF_BLOCKS[index]) {
                *byte ^= difference;
            }
            self.step_60.set_lane(self.len, suspect.step_60);
            self.after.set_lane(self.len, suspect.after);
            self.owners[self.len] = suspect.owner;
            self.len += 1;
        }
        let far = suspect.candidates & !EQUAL_AT_60;
        if far != 0 && any_collides(suspect, far) {
            found(suspect.owner);
        }
    }

    /// Recompresses for all candidates that wait.
    pub(crate) fn settle(&mut self, rows: impl Rows<LANES>, found: &mut impl FnMut(usize)) {
        if self.len == 0 {
            return;
        }
        let partners = self.partners.each_ref();
        let collide = rows.collide(&partners, &self.step_60, &self.after);
        for (lane, owner) in self.owners[..self.len].iter().enumerate() {
            if collide >> lane & 1 != 0 {
                found(*owner);
            }
        }
        self.len = 0;
    }
}

/// Whether a block is half of a collision that follows one of these vectors: the few for which the
/// states are not equal before step 60, which one candidate in fifty follows.
#[cold]
fn any_collides(suspect: &Suspect<'_>, mut candidates: u32) -> bool {
    let w = schedule::expanded(suspect.block);
    let states = recompress::checkpoints(suspect.step_60, &w);
    let mut any = false;
    while candidates != 0 {
        let index = candidates.trailing_zeros() as usize;
        candidates &= candidates - 1;
        any |= recompress::partner(&w, &states, index).after == suspect.after;
    }
    any
}
