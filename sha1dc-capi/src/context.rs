//! What the reference has: `SHA1_CTX` and the functions on it.
//!
//! Fields are reached by pointer, one by one: of a context that `SHA1DCInit` has made most were never
//! written.

use core::ffi::{c_int, c_uchar};
use core::mem::offset_of;
use core::ptr::copy;
use core::slice;

use sha1dc::{Attack, Builder};

/// Told of a detected block: where it stands in the message, in bytes; the chaining values before it
/// and before the other message's block; and the expanded messages of both.
pub type Callback = unsafe extern "C" fn(u64, *const u32, *const u32, *const u32, *const u32);

/// `SHA1_CTX`, field by field as in the reference's header.
#[repr(C)]
#[allow(missing_docs, reason = "the header describes them")]
pub struct Context {
    pub total: u64,
    pub ihv: [u32; 5],
    pub buffer: [u8; 64],
    pub found_collision: c_int,
    pub safe_hash: c_int,
    pub detect_coll: c_int,
    pub ubc_check: c_int,
    pub reduced_round_coll: c_int,
    pub callback: Option<Callback>,
    pub ihv1: [u32; 5],
    pub ihv2: [u32; 5],
    pub m1: [u32; 80],
    pub m2: [u32; 80],
    pub states: [[u32; 5]; 80],
}

/// Programs that were compiled against the reference rely on this.
#[cfg(target_pointer_width = "64")]
const _: () = assert!(
    size_of::<Context>() == 2400
        && align_of::<Context>() == 8
        && offset_of!(Context, ihv) == 8
        && offset_of!(Context, buffer) == 28
        && offset_of!(Context, found_collision) == 92
        && offset_of!(Context, reduced_round_coll) == 108
        && offset_of!(Context, callback) == 112
        && offset_of!(Context, ihv1) == 120
        && offset_of!(Context, m1) == 160
        && offset_of!(Context, m2) == 480
        && offset_of!(Context, states) == 800
);

type Block = [u8; 64];

/// Writes a field of a context, unless there is none.
macro_rules! set {
    ($context:ident: $($field:ident = $value:expr),+) => {
        if !$context.is_null() {
            // SAFETY: the caller says that a context which is not null is there.
            unsafe { $((&raw mut (*$context).$field).write($value);)+ }
        }
    };
}

/// Begins a message. Detection and safe hashes are on.
///
/// # Safety
///
/// `context` is null, or there is a context, perhaps with nothing in it yet.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn SHA1DCInit(context: *mut Context) {
    set!(context:
        total = 0,
        ihv = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0],
        found_collision = 0,
        safe_hash = 1,
        detect_coll = 1,
        ubc_check = 1,
        reduced_round_coll = 0,
        callback = None
    );
}

/// Whether a detected collision changes the digest, so that the two messages have different ones.
///
/// # Safety
///
/// `context` is null, or there is a context.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn SHA1DCSetSafeHash(context: *mut Context, safe_hash: c_int) {
    set!(context: safe_hash = c_int::from(safe_hash != 0));
}

/// Whether the filter runs before recompression.
///
/// # Safety
///
/// `context` is null, or there is a context.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn SHA1DCSetUseUBC(context: *mut Context, ubc_check: c_int) {
    set!(context: ubc_check = c_int::from(ubc_check != 0));
}

/// Whether collisions are detected at all.
///
/// # Safety
///
/// `context` is null, or there is a context.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn SHA1DCSetUseDetectColl(context: *mut Context, detect_coll: c_int) {
    set!(context: detect_coll = c_int::from(detect_coll != 0));
}

/// Whether collisions of fewer rounds count as well.
///
/// # Safety
///
/// `context` is null, or there is a context.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn SHA1DCSetDetectReducedRoundCollision(
    context: *mut Context,
    reduced_round_coll: c_int,
) {
    set!(context: reduced_round_coll = c_int::from(reduced_round_coll != 0));
}

/// Who is told of each detected block; nobody if null.
///
/// # Safety
///
/// `context` is null, or there is a context. The function can be called for as long as the context is
/// in use, and does not unwind.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn SHA1DCSetCallback(context: *mut Context, callback: Option<Callback>) {
    set!(context: callback = callback);
}

/// Appends to the message.
///
/// # Safety
///
/// `context` is null, or there is a context that was initialised. `data` is null, or there are `len` bytes,
/// none of them in the context.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn SHA1DCUpdate(context: *mut Context, data: *const c_uchar, len: usize) {
    if context.is_null() || data.is_null() || isize::try_from(len).is_err() {
        return;
    }
    // SAFETY: both are there, as the caller says, and apart; and no object is longer.
    unsafe { update(context, slice::from_raw_parts(data, len)) }
}

/// Ends the message and writes its digest, 20 bytes. Returns 0 if no collision was detected in it.
///
/// # Safety
///
/// `digest` is null, or there is room for 20 bytes. `context` is null, or there is a context that was
/// initialised.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn SHA1DCFinal(digest: *mut c_uchar, context: *mut Context) -> c_int {
    const PADDING: [u8; 64] = {
        let mut padding = [0; 64];
        padding[0] = 0x80;
        padding
    };
    if context.is_null() {
        return -1;
    }
    // SAFETY: the context is there, and so is the digest's place if it is not null.
    unsafe {
        let total = (*context).total;
        let last = (total % 64) as usize;
        let count = if last < 56 { 56 - last } else { 120 - last };
        update(context, &PADDING[..count]);
        // These were perhaps never written, and the block must not be read before they are.
        let length = (total << 3).to_be_bytes();
        let buffer = (&raw mut (*context).buffer).cast::<u8>();
        copy(length.as_ptr(), buffer.add(56), length.len());
        let block = (*context).buffer;
        compress(context, &[block], (*context).total.wrapping_sub(56));
        if !digest.is_null() {
            let words = (*context).ihv.map(u32::to_be_bytes);
            digest.copy_from_nonoverlapping(words.as_flattened().as_ptr(), 20);
        }
        (*context).found_collision
    }
}

/// Compresses a block, and tells its expanded message and the states before steps 58 and 65: what a
/// research program finds in the reference. `m` is the block as it lies in the message. The state before
/// step 58 is in the order in which the reference has it: d, e, a, b, c.
///
/// # Safety
///
/// Each pointer is null, or there are as many words as the header says, apart from the others'.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sha1_compression_states(
    ihv: *mut u32,
    m: *const u32,
    w: *mut u32,
    states: *mut u32,
) {
    if ihv.is_null() || m.is_null() || w.is_null() || states.is_null() {
        return;
    }
    // SAFETY: the words are there and apart, as the caller says.
    let (ihv, m) = unsafe { (&mut *ihv.cast::<[u32; 5]>(), &*m.cast::<[u32; 16]>()) };
    let mut block = [0; 64];
    block.copy_from_slice(m.map(u32::to_ne_bytes).as_flattened());
    let words = expanded(&block);
    let [mut a, mut b, mut c, mut d, mut e] = *ihv;
    for (t, word) in words.iter().enumerate() {
        if t == 58 || t == 65 {
            let mut state = [a, b, c, d, e];
            // The reference moves no words but changes their names from step to step.
            state.rotate_left(t % 5);
            // SAFETY: there are 80 states.
            unsafe { states.cast::<[u32; 5]>().add(t).write(state) };
        }
        let (f, k) = match t {
            0..20 => (b & c | !b & d, 0x5a82_7999),
            20..40 => (b ^ c ^ d, 0x6ed9_eba1),
            40..60 => (b & c | b & d | c & d, 0x8f1b_bcdc_u32),
            _ => (b ^ c ^ d, 0xca62_c1d6),
        };
        let next = [e, f, k, *word].into_iter().fold(a.rotate_left(5), u32::wrapping_add);
        (a, b, c, d, e) = (next, a, b.rotate_left(30), c, d);
    }
    for (word, added) in ihv.iter_mut().zip([a, b, c, d, e]) {
        *word = word.wrapping_add(added);
    }
    // SAFETY: there are 80 words.
    unsafe { w.cast::<[u32; 80]>().write(words) };
}

/// The 80 words that SHA-1 makes of a block.
fn expanded(block: &Block) -> [u32; 80] {
    let (words, _) = block.as_chunks();
    let mut w = [0; 80];
    for (word, bytes) in w.iter_mut().zip(words) {
        *word = u32::from_be_bytes(*bytes);
    }
    for t in 16..80 {
        w[t] = (w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16]).rotate_left(1);
    }
    w
}

/// Appends to the message.
///
/// # Safety
///
/// There is a context that was initialised, and the data is not in it.
#[inline]
unsafe fn update(context: *mut Context, data: &[u8]) {
    // SAFETY: the context is there, and `buffered` less than 64.
    unsafe {
        let total = (*context).total;
        let buffered = (total % 64) as usize;
        let mut offset = total.wrapping_sub(buffered as u64);
        (*context).total = total.wrapping_add(data.len() as u64);
        let buffer = (&raw mut (*context).buffer).cast::<u8>();
        let mut data = data;
        if buffered > 0 {
            let Some((head, rest)) = data.split_at_checked(64 - buffered) else {
                copy(data.as_ptr(), buffer.add(buffered), data.len());
                return;
            };
            copy(head.as_ptr(), buffer.add(buffered), head.len());
            let block = (*context).buffer;
            compress(context, &[block], offset);
            offset = offset.wrapping_add(64);
            data = rest;
        }
        let (blocks, rest) = data.as_chunks();
        if !blocks.is_empty() {
            compress(context, blocks, offset);
        }
        copy(rest.as_ptr(), buffer, rest.len());
    }
}

/// Compresses blocks, the first of which stands `offset` bytes into the message.
///
/// # Safety
///
/// There is a context that was initialised, and the blocks are not in it.
#[inline]
unsafe fn compress(context: *mut Context, blocks: &[Block], offset: u64) {
    // SAFETY: the context is there.
    unsafe {
        let before = (*context).ihv;
        let mut chaining = before;
        if (*context).detect_coll == 0 {
            sha1::block_api::compress(&mut chaining, blocks);
        } else if Detection::of(context).compress(&mut chaining, blocks, offset).is_some() {
            return tell(context, before, blocks, offset);
        }
        (*context).ihv = chaining;
    }
}

/// What a context asks for.
#[derive(Clone, Copy)]
struct Detection {
    builder: Builder,
    safe_hash: bool,
}

impl Detection {
    /// # Safety
    ///
    /// There is a context that was initialised.
    #[inline]
    unsafe fn of(context: *const Context) -> Self {
        // SAFETY: the context is there.
        let (filter, reduced, safe_hash) =
            unsafe { ((*context).ubc_check, (*context).reduced_round_coll, (*context).safe_hash) };
        let builder = Builder::new().filter(filter != 0).reduced_round_collisions(reduced != 0);
        Self { builder, safe_hash: safe_hash != 0 }
    }

    #[inline]
    fn compress(self, chaining: &mut [u32; 5], blocks: &[Block], offset: u64) -> Option<Attack> {
        if self.safe_hash {
            self.builder.compress_mitigating(chaining, blocks, offset)
        } else {
            self.builder.compress(chaining, blocks, offset)
        }
    }
}

/// Compresses blocks again, one by one, and tells of each that is half of a collision.
///
/// # Safety
///
/// There is a context that was initialised, and the blocks are not in it.
#[cold]
unsafe fn tell(context: *mut Context, before: [u32; 5], blocks: &[Block], offset: u64) {
    // SAFETY: the context is there.
    let detection = unsafe { Detection::of(context) };
    let mut chaining = before;
    let mut offset = offset;
    for block in blocks {
        let before = chaining;
        let attack = detection.compress(&mut chaining, slice::from_ref(block), offset);
        if let Some(attack) = attack {
            let (m1, m2) = (expanded(block), expanded(attack.partner_block()));
            let partner = attack.partner_chaining_value();
            set!(context:
                found_collision = 1,
                ihv = chaining,
                ihv1 = before,
                ihv2 = partner,
                m1 = m1,
                m2 = m2
            );
            // SAFETY: the context is there, and the callback is a function, as whoever set it says.
            unsafe {
                if let Some(callback) = (*context).callback {
                    callback(offset, before.as_ptr(), partner.as_ptr(), m1.as_ptr(), m2.as_ptr());
                }
            }
        }
        offset = offset.wrapping_add(64);
    }
    set!(context: ihv = chaining);
}
