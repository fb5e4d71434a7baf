//! Blocks by themselves, for those who keep chaining value and buffer on their own.

use crate::attack::Attack;
use crate::builder::Builder;
use crate::kernel::Kernel;
use crate::schedule::{Block, Blocks};

impl Builder {
    /// Compresses blocks into a chaining value, and returns the first attack that is detected in them.
    ///
    /// This is the middle of a hasher: the rest is to begin with the right value, to cut a message into
    /// blocks and to pad it. It serves those whose hasher has a shape of its own, a C structure for
    /// example. `offset` is where the first block stands in the message, in bytes; it shows up in
    /// the attack and nowhere else.
    ///
    /// ```
    /// # let message = include_bytes!("../../testdata/shattered-1.bin");
    /// let mut chaining = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
    /// let (blocks, _) = message.as_chunks();
    /// let attack = sha1dc::Builder::new().compress(&mut chaining, blocks, 0).unwrap();
    /// assert_eq!(attack.offset(), 256);
    /// ```
    pub fn compress(
        self,
        chaining: &mut [u32; 5],
        blocks: &[Block],
        offset: u64,
    ) -> Option<Attack> {
        self.run(false, chaining, blocks, offset)
    }

    /// [`compress`](Self::compress), but where an attack is detected the chaining value parts from that
    /// of the other message, as with [`mitigate`](crate::mitigate).
    pub fn compress_mitigating(
        self,
        chaining: &mut [u32; 5],
        blocks: &[Block],
        offset: u64,
    ) -> Option<Attack> {
        self.run(true, chaining, blocks, offset)
    }

    fn run(
        self,
        mitigate: bool,
        chaining: &mut [u32; 5],
        blocks: &[Block],
        offset: u64,
    ) -> Option<Attack> {
        let mut kernel = Kernel::new(self.settings(mitigate));
        kernel.chaining = *chaining;
        kernel.compress(Blocks { first: blocks, then: &[] }, offset);
        *chaining = kernel.chaining;
        kernel.attack
    }
}
