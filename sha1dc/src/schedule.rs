//! The expanded message: the 80 words that SHA-1 makes of a block (FIPS 180-4, 6.1.2).

/// A block of a message.
pub(crate) type Block = [u8; 64];

/// Blocks of a message that need not lie together: some first, and some behind them.
#[derive(Clone, Copy)]
pub(crate) struct Blocks<'a> {
    pub(crate) first: &'a [Block],
    pub(crate) then: &'a [Block],
}

impl Blocks<'_> {
    #[inline(always)]
    pub(crate) const fn len(self) -> usize {
        self.first.len() + self.then.len()
    }
}

/// The expanded message of a block.
pub(crate) type Schedule = [u32; 80];

/// Word `t` of a block.
#[inline(always)]
pub(crate) fn load(block: &Block, t: usize) -> u32 {
    u32::from_be_bytes([block[4 * t], block[4 * t + 1], block[4 * t + 2], block[4 * t + 3]])
}

/// `W[t]` from the words before it; t is 16 or more.
#[inline(always)]
pub(crate) fn next(w: &Schedule, t: usize) -> u32 {
    (w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16]).rotate_left(1)
}

/// The expanded message of a block.
pub(crate) fn expanded(block: &Block) -> Schedule {
    let mut w = [0; 80];
    for t in 0..80 {
        w[t] = if t < 16 { load(block, t) } else { next(&w, t) };
    }
    w
}

/// The block whose expanded message this is.
pub(crate) fn block_of(w: &Schedule) -> Block {
    let mut block = [0; 64];
    for (bytes, word) in block.chunks_exact_mut(4).zip(w) {
        bytes.copy_from_slice(&word.to_be_bytes());
    }
    block
}
