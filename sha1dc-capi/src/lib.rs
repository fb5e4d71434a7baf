//! The C library: `libsha1detectcoll`, with the names, the structure and the behaviour of the
//! reference implementation's, so that git and whoever else links that runs with this one, compiled
//! anew or not.
//!
//! [`context`] is what the reference has (header `sha1dc/sha1.h`), [`more`] what it has not (header
//! `sha1dc.h`). The structure lies in the caller's memory, holds no pointer to itself and may be copied
//! byte by byte; nothing is allocated. No panic leaves the library: it would end the program.
//!
//! # What the reference does, and what this does
//!
//! | case | reference, 1.0.3 | here |
//! |---|---|---|
//! | a collision is detected and a callback was set | never calls it | calls it once for each detected block, before the update returns, with the offset of the block in the message, both chaining values before the blocks, and both expanded messages |
//! | `SHA1DCFinal` twice | the second hashes on: the first's padding becomes part of the message | the same, to the byte |
//! | updates after `SHA1DCFinal` | hash on, from the padded message | the same, to the byte |
//! | a length of 0, with any pointer | nothing | nothing |
//! | a null pointer with a length | reads address 0 | nothing |
//! | a null context | writes to address 0 | nothing; `SHA1DCFinal` returns -1 |
//! | lengths of 2^31 and more | `size_t` since 2017, hashed | hashed; what is longer than any object can be (`PTRDIFF_MAX`) is taken for a mistake, and nothing is read |
//! | a context that was never initialised | a digest of no meaning | the same; if the callback in it is no function and an attack is detected, the program ends as it would end |
//! | settings changed between updates | hold from then on | the same |
//! | `found_collision` set by the caller | stays | stays |
//! | `ihv1`, `m1` | of the last block | of the last detected block |
//! | `ihv2`, `m2` | of the last candidate | of the last detected block |
//! | `states` | of the last block, two of 80 | not written |
//! | `sha1_compression_states` | writes the states before steps 58 and 65, the words of the first in the order d, e, a, b, c | the same |
//! | detection switched off | plain SHA-1 of its own | plain SHA-1 of crate `sha1`, with SHA instructions where there are any |

pub mod context;
pub mod more;

// The compiler that makes the test would have to be the target's.
#[cfg(all(test, target_arch = "x86_64", target_os = "linux"))]
mod tests {
    use core::mem::offset_of;
    use std::fmt::Write as _;
    use std::path::Path;
    use std::process::Command;

    use crate::context::Context;
    use crate::more::Found;

    /// Sizes and places of fields in the headers are those of the code, as a C compiler sees them.
    #[test]
    fn the_headers_say_what_the_code_says() {
        let mut code = String::new();
        macro_rules! tell {
            ($name:literal $of:ident: $($field:ident)+) => {
                writeln!(code, "{} {}", $name, size_of::<$of>()).unwrap();
                $(writeln!(code, "{}.{} {}", $name, stringify!($field), offset_of!($of, $field)).unwrap();)+
            };
        }
        tell!("SHA1_CTX" Context: total ihv buffer found_collision safe_hash detect_coll ubc_check
            reduced_round_coll callback ihv1 ihv2 m1 m2 states);
        tell!("sha1dc_attack" Found: offset dv_type dv_k dv_b partner_chaining_value partner_block);

        let package = Path::new(env!("CARGO_MANIFEST_DIR"));
        let program = std::env::temp_dir().join(format!("sha1dc-layout-{}", std::process::id()));
        let mut compiler = Command::new("cc");
        compiler.arg("-I").arg(package.join("include")).arg(package.join("tests/c/layout.c"));
        assert!(compiler.arg("-o").arg(&program).status().unwrap().success());
        let told = Command::new(&program).output().unwrap().stdout;
        std::fs::remove_file(program).unwrap();
        assert_eq!(String::from_utf8(told).unwrap(), code);
    }
}
