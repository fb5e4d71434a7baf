//! SHA-1 for bare metal.

#![no_std]

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

/// Hashes 64 bytes; whether they are innocent.
#[unsafe(no_mangle)]
pub extern "C" fn hash(message: &[u8; 64], digest: &mut [u8; 20]) -> bool {
    let mut hasher = sha1dc::Hasher::new();
    hasher.update(message);
    match hasher.finalize() {
        Ok(found) => {
            *digest = found.to_bytes();
            true
        }
        Err(_) => false,
    }
}
