//! Gives the shared library the name under which programs that were linked against the reference look
//! for it.

fn main() {
    let os = std::env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    // cargo-c sets names by itself.
    let by_cargo_c = std::env::var_os("CARGO_FEATURE_CAPI").is_some();
    if !by_cargo_c && !["macos", "ios", "windows"].contains(&&*os) {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libsha1detectcoll.so.1");
    }
    println!("cargo::rerun-if-changed=build.rs");
}
