//! What the reference has not: whole messages, one or many, and what was found in them.

use core::ffi::{c_char, c_int, c_uchar, c_uint, c_void};
use core::slice;
use std::sync::OnceLock;

use sha1dc::{Attack, Backend, Builder, Digest, DvType};

/// `sha1dc_attack`: what was found.
#[repr(C)]
#[allow(missing_docs, reason = "the header describes them")]
pub struct Found {
    pub offset: u64,
    pub dv_type: c_uint,
    pub dv_k: c_uint,
    pub dv_b: c_uint,
    pub partner_chaining_value: [u32; 5],
    pub partner_block: [c_uchar; 64],
}

impl Found {
    fn new(attack: &Attack) -> Self {
        let vector = attack.disturbance_vector();
        Self {
            offset: attack.offset(),
            dv_type: match vector.dv_type() {
                DvType::I => 1,
                DvType::II => 2,
            },
            dv_k: vector.k().into(),
            dv_b: vector.b().into(),
            partner_chaining_value: attack.partner_chaining_value(),
            partner_block: *attack.partner_block(),
        }
    }
}

/// The version of the library, as in `0.1.6`.
#[unsafe(no_mangle)]
pub extern "C" fn sha1dc_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// The name of what hashes on this processor, as in `shani+avx512`.
#[unsafe(no_mangle)]
pub extern "C" fn sha1dc_backend() -> *const c_char {
    static NAME: OnceLock<[u8; 32]> = OnceLock::new();
    let name = NAME.get_or_init(|| {
        let mut name = [0; 32];
        // The last stays zero, however long the name is.
        for (to, from) in name[..31].iter_mut().zip(Backend::detect().name().bytes()) {
            *to = from;
        }
        name
    });
    name.as_ptr().cast()
}

/// A message of so many bytes; none if there is no such thing.
///
/// # Safety
///
/// `data` is null, or there are `len` bytes for as long as the slice is in use.
unsafe fn message<'a>(data: *const c_void, len: usize) -> Option<&'a [u8]> {
    if len == 0 {
        return Some(&[]);
    }
    if data.is_null() || isize::try_from(len).is_err() {
        return None;
    }
    // SAFETY: the caller says so.
    Some(unsafe { slice::from_raw_parts(data.cast(), len) })
}

/// Writes a digest, unless there is no place for it.
///
/// # Safety
///
/// `to` is null, or there is room for 20 bytes.
unsafe fn write(digest: Digest, to: *mut c_uchar) {
    if !to.is_null() {
        // SAFETY: the caller says so.
        unsafe { to.copy_from_nonoverlapping(digest.as_bytes().as_ptr(), 20) };
    }
}

/// Hashes a message: writes its plain digest, and what was found if that is an attack. Returns 0 if
/// none was, 1 if one was, and -1 for a null pointer with a length.
///
/// # Safety
///
/// `data` is null, or there are `len` bytes. `digest` is null, or there is room for 20 bytes. `found` is null,
/// or there is room for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sha1dc_digest(
    data: *const c_void,
    len: usize,
    digest: *mut c_uchar,
    found: *mut Found,
) -> c_int {
    // SAFETY: the caller says that all that is not null is there.
    unsafe {
        let Some(message) = message(data, len) else { return -1 };
        match sha1dc::digest(message) {
            Ok(plain) => {
                write(plain, digest);
                0
            }
            Err(collision) => {
                write(collision.digest(), digest);
                if !found.is_null() {
                    found.write(Found::new(collision.attack()));
                }
                1
            }
        }
    }
}

/// Hashes many messages side by side: writes their plain digests, and for each whether an attack was
/// found in it, 0, 1 or -1 as [`sha1dc_digest`] returns it. Returns for how many that is not 0.
///
/// # Safety
///
/// `data` and `len` are `count` pointers and lengths, each pair as [`sha1dc_digest`] takes it. `digests` is
/// null, or there is room for 20 bytes each; `found` is null, or there is room for one each.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sha1dc_digest_many(
    data: *const *const c_void,
    len: *const usize,
    count: usize,
    digests: *mut c_uchar,
    found: *mut c_int,
) -> usize {
    let mut not_clean = 0;
    // SAFETY: the caller says that there are so many, and room for as many.
    let mut tell = |n: usize, verdict: c_int| unsafe {
        not_clean += usize::from(verdict != 0);
        if !found.is_null() {
            found.add(n).write(verdict);
        }
    };
    if data.is_null() || len.is_null() {
        (0..count).for_each(|n| tell(n, -1));
        return not_clean;
    }
    // SAFETY: as above.
    let message = |n: usize| unsafe { message(*data.add(n), *len.add(n)) };
    // Those that are no messages are told at once, and stand for the empty one.
    for n in (0..count).filter(|n| message(*n).is_none()) {
        tell(n, -1);
    }
    let messages = (0..count).map(|n| message(n).unwrap_or_default());
    Builder::new().digest_each(messages, |n, result| {
        if message(n).is_none() {
            return;
        }
        let (digest, verdict) = match result {
            Ok(digest) => (digest, 0),
            Err(collision) => (collision.digest(), 1),
        };
        if !digests.is_null() {
            // SAFETY: as above.
            unsafe { write(digest, digests.add(20 * n)) };
        }
        tell(n, verdict);
    });
    not_clean
}
