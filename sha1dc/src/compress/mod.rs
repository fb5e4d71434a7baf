//! The compression function, one file an instruction set.
//!
//! Each compresses one block, leaves its expanded message behind for the filter, and returns the
//! two states that recompression needs: what detection wants beyond plain SHA-1, and nothing more.

pub(crate) mod portable;
