//! The order of instructions in the block loops, read off this very program: the compiler has to
//! leave the filter between the rounds, where it hides, and next to SHA instructions no wide vector,
//! for which some processors make them pay.

use std::process::Command;

/// The instructions of the functions whose names have all these parts: mnemonic and operands.
fn instructions(parts: &[&str]) -> Vec<Vec<String>> {
    let program = std::env::current_exe().unwrap();
    let run = Command::new("objdump")
        .args(["--disassemble", "--demangle", "--no-show-raw-insn", "--no-addresses"])
        .arg(program)
        .output()
        .expect("objdump runs; tests/setup installs it");
    let text = String::from_utf8_lossy(&run.stdout);
    let mut functions = Vec::new();
    for function in text.split("\n\n") {
        let Some((name, lines)) = function.split_once(":\n") else { continue };
        if parts.iter().all(|part| name.contains(part)) {
            functions.push(lines.lines().map(|line| line.trim().to_owned()).collect());
        }
    }
    functions
}

fn is_rounds(line: &str) -> bool {
    line.starts_with("sha1rnds4")
}

/// A comparison that a window of the filter makes, in any of the shapes that the compiler gives it.
fn is_filter(line: &str) -> bool {
    ["pcmpeqd", "pcmpgtd", "psrad", "ptestmd", "ptestnmd", "pcmpneqd", "pcmpneqd"]
        .iter()
        .any(|name| line.trim_start_matches('v').starts_with(name))
}

#[test]
fn the_filter_stays_between_the_rounds() {
    for (form, windows_a_step, steps) in [
        ("ShaSse2)", 3, 15),
        ("ShaAvx2)", 3, 15),
        ("ShaAvx512)", 3, 15),
        ("ShaSse2Prefix)", 2, 12),
        ("ShaAvx2Prefix)", 2, 12),
        ("ShaAvx512Prefix)", 2, 12),
    ] {
        let found = instructions(&["ShaNi", form, "Pair>::run::run"]);
        let [lines] = &found[..] else { panic!("{form}: {} functions of that name", found.len()) };
        let rounds: Vec<usize> = (0..lines.len()).filter(|n| is_rounds(&lines[*n])).collect();
        // The first block runs alone, and the loop follows.
        assert_eq!(rounds.len(), 40, "{form}");
        let wide = |line: &&String| line.contains("ymm") || line.contains("zmm");
        let between = &lines[rounds[0]..=rounds[39]];
        assert_eq!(
            between.iter().find(wide),
            None,
            "{form}: a wide vector next to SHA instructions"
        );
        for step in 0..steps - 1 {
            let (from, to) = (rounds[20 + step], rounds[20 + step + 1]);
            let comparisons = lines[from..to].iter().filter(|line| is_filter(line)).count();
            let told = format!("{form}: {comparisons} comparisons behind rounds {step}");
            // A comparison may slip past the rounds next to it, a whole step not.
            assert!(comparisons > 0 && comparisons <= 2 * windows_a_step, "{told}");
        }
        let last = &lines[rounds[20 + steps + 1]..rounds[39]];
        assert!(!last.iter().any(|line| is_filter(line)), "{form}: the filter ends later");
    }
}

/// Without SHA instructions: the schedule and the filter are spread over the rounds, each four of
/// which rotate a dozen times.
#[test]
fn the_schedule_stays_between_the_rounds() {
    for (compression, form) in
        [("Ssse3>", "x86::Sse2)"), ("Avx2>", "x86::Avx2)"), ("Avx2>", "x86::Avx512)")]
    {
        let found = instructions(&["Vectored", compression, form, "Pair>::run::run"]);
        let [lines] = &found[..] else { panic!("{compression} {form}: {} functions", found.len()) };
        let rotates = |line: &String| line.starts_with("rol") || line.starts_with("ror");
        let mut since = 0;
        for line in lines.iter().skip_while(|line| !rotates(line)) {
            let is_vector = line.contains("mm");
            since = if is_vector {
                since + 1
            } else if rotates(line) {
                0
            } else {
                since
            };
            // The end, where the last block is filtered alone, has no rounds.
            if line.starts_with("ret") {
                break;
            }
            assert!(since < 400, "{compression} {form}: {since} vector instructions in a row");
        }
    }
}
