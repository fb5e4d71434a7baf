//! Blocks of a message that have to be put together: its end, and one that comes in pieces.

use crate::schedule::Block;

/// A block or two that were put together, or none.
#[derive(Clone, Copy)]
pub(crate) struct Made {
    blocks: [Block; 2],
    count: usize,
}

impl Made {
    /// No block.
    pub(crate) const NONE: Self = Self { blocks: [[0; 64]; 2], count: 0 };

    /// The end of a message of `len` bytes, the last of which are `rest`, less than a block: those, the
    /// mark, zeros, and the length in the last eight bytes of a block (FIPS 180-4, 5.1.1). There are two if
    /// the first has no room for the length.
    #[inline]
    pub(crate) fn end(rest: &[u8], len: u64) -> Self {
        let mut blocks = [[0; 64]; 2];
        let count = 1 + usize::from(rest.len() >= 56);
        blocks[0][..rest.len()].copy_from_slice(rest);
        blocks[0][rest.len()] = 0x80;
        blocks[count - 1][56..].copy_from_slice(&(len << 3).to_be_bytes());
        Self { blocks, count }
    }

    /// One block of two pieces, as long together.
    pub(crate) fn block(first: &[u8], then: &[u8]) -> Self {
        let mut made = Self { count: 1, ..Self::NONE };
        made.blocks[0][..first.len()].copy_from_slice(first);
        made.blocks[0][first.len()..].copy_from_slice(then);
        made
    }

    #[inline]
    pub(crate) fn blocks(&self) -> &[Block] {
        &self.blocks[..self.count]
    }
}
