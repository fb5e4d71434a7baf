//! What was found.

use core::fmt;

use crate::dv::DisturbanceVector;

/// A collision attack, found in a message: enough to verify it by hand.
///
/// The block at [`offset`](Self::offset) and the [partner block](Self::partner_block), the block of
/// the other message of the pair, end at the same chaining value. To verify the finding, run the
/// compression function of any SHA-1 on both: on the block from the chaining value that the message
/// has there, on the partner block from the
/// [partner's chaining value](Self::partner_chaining_value).
///
/// ```
/// # let message = include_bytes!("../../testdata/shattered-1.bin");
/// use sha1::block_api::compress;
///
/// let collision = sha1dc::digest(message).unwrap_err();
/// let attack = collision.attack();
/// assert_eq!((attack.offset(), attack.disturbance_vector().to_string().as_str()), (256, "II(52,0)"));
///
/// let mut ours = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
/// let (blocks, _) = message[..256 + 64].as_chunks::<64>();
/// compress(&mut ours, blocks);
/// let mut partners = attack.partner_chaining_value();
/// compress(&mut partners, &[*attack.partner_block()]);
/// assert_eq!(ours, partners);
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Attack {
    pub(crate) offset: u64,
    pub(crate) disturbance_vector: DisturbanceVector,
    pub(crate) reduced_rounds: bool,
    pub(crate) partner_block: [u8; 64],
    pub(crate) partner_chaining_value: [u32; 5],
}

impl Attack {
    /// Where in the message the block begins, in bytes; a multiple of 64. An attack of several
    /// blocks, as all published ones are, is found at its last: there both messages meet.
    ///
    /// The padding counts as part of the message, though no known attack ends in it.
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// The disturbance vector that the attack follows. If it follows several, the first of
    /// [`DisturbanceVector::ALL`].
    pub const fn disturbance_vector(&self) -> DisturbanceVector {
        self.disturbance_vector
    }

    /// The block of the other message.
    pub const fn partner_block(&self) -> &[u8; 64] {
        &self.partner_block
    }

    /// The chaining value of the other message before that block.
    pub const fn partner_chaining_value(&self) -> [u32; 5] {
        self.partner_chaining_value
    }

    /// Whether this is no collision of full SHA-1: both blocks start from the same chaining value
    /// but end apart.
    ///
    /// Only [`Builder::reduced_round_collisions`](crate::Builder::reduced_round_collisions) asks for
    /// these; its example shows one. They are also what the first block of an attack like SHAttered
    /// looks like, so where a message holds a full collision as well, that is what is told. (When
    /// mitigating, the first find already parts the messages, and the full collision is none.)
    pub const fn is_reduced_round(&self) -> bool {
        self.reduced_rounds
    }
}

impl fmt::Debug for Attack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Attack")
            .field("offset", &self.offset)
            .field("disturbance_vector", &self.disturbance_vector)
            .field("reduced_rounds", &self.reduced_rounds)
            .finish_non_exhaustive()
    }
}

impl fmt::Display for Attack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { offset, disturbance_vector, .. } = self;
        let of = if self.reduced_rounds { "reduced-round SHA-1" } else { "SHA-1" };
        write!(
            f,
            "{of} collision attack in the block at byte {offset}, disturbance vector {disturbance_vector}"
        )
    }
}
