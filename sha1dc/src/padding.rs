//! The end of a message.

use crate::schedule::Block;

/// The end of a message: what does not fill a block, the mark, zeros, and the length in the last
/// eight bytes of a block (FIPS 180-4, 5.1.1).
#[derive(Clone, Copy)]
pub(crate) struct Last {
    blocks: [Block; 2],
    /// One, or two if there is no room for the length in the first.
    count: usize,
}

impl Last {
    /// No block.
    pub(crate) const EMPTY: Self = Self { blocks: [[0; 64]; 2], count: 0 };

    /// The end of a message of `len` bytes, the last of which are `rest`: less than a block.
    #[inline]
    pub(crate) fn new(rest: &[u8], len: u64) -> Self {
        let mut blocks = [[0; 64]; 2];
        let count = 1 + usize::from(rest.len() >= 56);
        blocks[0][..rest.len()].copy_from_slice(rest);
        blocks[0][rest.len()] = 0x80;
        blocks[count - 1][56..].copy_from_slice(&(len << 3).to_be_bytes());
        Self { blocks, count }
    }

    #[inline]
    pub(crate) fn blocks(&self) -> &[Block] {
        &self.blocks[..self.count]
    }
}
