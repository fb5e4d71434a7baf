//! Other processors of this architecture, under qemu: each gets the best backend and the best kernel for
//! many messages that it can run, and all that it can run work.

use std::process::Command;

/// The emulator, and where each processor is to end.
#[cfg(target_arch = "x86_64")]
const EXPECTED: (&str, &[(&str, &str)]) = (
    "qemu-x86_64",
    &[
        // The first x86-64; SSE3, SSSE3 and all later are missing.
        ("Opteron_G1", "portable+sse2 single"),
        ("Conroe", "ssse3+sse2 ssse3x4"),
        ("Nehalem", "ssse3+sse2 ssse3x4"),
        // AVX alone serves no backend.
        ("SandyBridge", "ssse3+sse2 ssse3x4"),
        ("Haswell", "avx2+avx2 avx2x8"),
        ("EPYC,-sha-ni", "avx2+avx2 avx2x8"),
    ],
);

#[cfg(target_arch = "aarch64")]
const EXPECTED: (&str, &[(&str, &str)]) = (
    "qemu-aarch64",
    &[
        // All of these have instructions for SHA-1, and the last for SHA-3.
        ("a64fx", "armv8+neon-prefix armv8+neonx2"),
        ("cortex-a53", "armv8+neon-prefix armv8+neonx2"),
        ("cortex-a72", "armv8+neon-prefix armv8+neonx2"),
        ("neoverse-n1", "armv8+neon-prefix armv8+neonx2"),
        ("max", "armv8+sha3 armv8+neonx2"),
    ],
);

/// What `backend` prints on a processor.
fn backend_on(emulator: &str, cpu: &str) -> String {
    let run = Command::new(emulator).args(["-cpu", cpu, env!("CARGO_BIN_EXE_backend")]).output();
    let run = run.unwrap_or_else(|error| panic!("{emulator}: {error}; tests/setup installs it"));
    let errors = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{cpu}: {}: {errors}", run.status);
    String::from_utf8_lossy(&run.stdout).trim().to_owned()
}

#[test]
fn other_processors_choose_rightly() {
    let (emulator, processors) = EXPECTED;
    for (cpu, backend) in processors {
        assert_eq!(backend_on(emulator, cpu), *backend, "{cpu}");
    }
}
