//! Other processors of this architecture, under qemu: each gets the best backend that it can run, and
//! all that it can run work.

use std::process::Command;

/// What `backend` prints on a processor.
fn backend_on(cpu: &str) -> String {
    let run =
        Command::new("qemu-x86_64").args(["-cpu", cpu, env!("CARGO_BIN_EXE_backend")]).output();
    let run = run.expect("qemu-x86_64 runs; tests/setup installs it");
    let errors = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{cpu}: {}: {errors}", run.status);
    String::from_utf8_lossy(&run.stdout).trim().to_owned()
}

#[test]
fn older_processors_choose_rightly() {
    for (cpu, backend) in [
        // The first x86-64; SSE3, SSSE3 and all later are missing.
        ("Opteron_G1", "portable+sse2"),
        ("Conroe", "ssse3+sse2"),
        ("Nehalem", "ssse3+sse2"),
        // AVX alone serves no backend.
        ("SandyBridge", "ssse3+sse2"),
        ("Haswell", "avx2+avx2"),
        ("EPYC,-sha-ni", "avx2+avx2"),
    ] {
        assert_eq!(backend_on(cpu), backend, "{cpu}");
    }
}
