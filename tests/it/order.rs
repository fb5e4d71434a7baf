//! The order of instructions in the block loops, read off this very program: the compiler has to
//! leave the filter between the rounds, where it hides, and next to SHA instructions no wide vector,
//! for which some processors make them pay, but in the form that is wide by design.

use std::process::Command;
use std::sync::LazyLock;

/// The disassembler: on AArch64 by the name that it has wherever it runs.
#[cfg(target_arch = "x86_64")]
const OBJDUMP: &str = "objdump";
#[cfg(target_arch = "aarch64")]
const OBJDUMP: &str = "aarch64-linux-gnu-objdump";

/// This program, disassembled.
static DISASSEMBLY: LazyLock<String> = LazyLock::new(|| {
    let program = std::env::current_exe().unwrap();
    let run = Command::new(OBJDUMP)
        .args(["--disassemble", "--demangle", "--no-show-raw-insn", "--no-addresses"])
        .arg(program)
        .output()
        .expect("objdump runs; tests/setup installs it");
    String::from_utf8_lossy(&run.stdout).into_owned()
});

/// The instructions of the functions whose names have all these parts: mnemonic and operands.
fn instructions(parts: &[&str]) -> Vec<Vec<String>> {
    let mut functions = Vec::new();
    for function in DISASSEMBLY.split("\n\n") {
        let Some((name, lines)) = function.split_once(":\n") else { continue };
        if parts.iter().all(|part| name.contains(part)) {
            functions.push(lines.lines().map(|line| line.trim().to_owned()).collect());
        }
    }
    functions
}

fn is_rounds(line: &str) -> bool {
    ["sha1rnds4", "sha1c\t", "sha1p\t", "sha1m\t"].iter().any(|name| line.starts_with(name))
}

fn is_expansion(line: &str) -> bool {
    ["sha1msg2", "sha1su1"].iter().any(|name| line.starts_with(name))
}

/// A comparison that a window of the filter makes, in any of the shapes that the compiler gives it.
fn is_filter(line: &str) -> bool {
    ["pcmpeqd", "pcmpgtd", "psrad", "ptestmd", "ptestnmd", "pcmpneqd", "cmtst"]
        .iter()
        .any(|name| line.trim_start_matches('v').starts_with(name))
}

/// A loop with SHA instructions.
struct Loop {
    form: &'static str,
    /// Of how many messages it takes a block at a time.
    streams: usize,
    /// How many windows the form has a step.
    windows: usize,
    /// How many steps it has.
    steps: usize,
    /// How often SHA instructions expand a schedule, four words at a time.
    expansions: usize,
}

#[cfg(target_arch = "x86_64")]
const LOOPS: (&str, &[Loop]) = (
    "sha_ni::Sha",
    &[
        Loop { form: "ShaSse2)", streams: 1, windows: 3, steps: 15, expansions: 16 },
        Loop { form: "ShaAvx2)", streams: 1, windows: 3, steps: 15, expansions: 16 },
        Loop { form: "ShaAvx512)", streams: 1, windows: 3, steps: 15, expansions: 16 },
        Loop { form: "ShaSse2Prefix)", streams: 1, windows: 2, steps: 12, expansions: 4 },
        Loop { form: "ShaAvx2Prefix)", streams: 1, windows: 2, steps: 12, expansions: 4 },
        Loop { form: "ShaAvx512Prefix)", streams: 1, windows: 2, steps: 12, expansions: 4 },
        Loop { form: "ShaWidePrefix)", streams: 2, windows: 1, steps: 10, expansions: 16 },
    ],
);
#[cfg(target_arch = "aarch64")]
const LOOPS: (&str, &[Loop]) = (
    "Armv8",
    &[
        Loop { form: "Sha3)", streams: 1, windows: 3, steps: 15, expansions: 16 },
        Loop { form: "NeonPrefix)", streams: 1, windows: 2, steps: 12, expansions: 16 },
        Loop { form: "NeonPrefix)", streams: 2, windows: 2, steps: 12, expansions: 16 },
        Loop { form: "Neon)", streams: 1, windows: 3, steps: 15, expansions: 16 },
    ],
);

#[test]
fn the_filter_stays_between_the_rounds() {
    let (compression, loops) = LOOPS;
    for &Loop { form, streams, windows, steps, expansions } in loops {
        // The first blocks run alone, and the loop follows.
        let rounds_of = |lines: &[String]| -> Vec<usize> {
            (0..lines.len()).filter(|n| is_rounds(&lines[*n])).collect()
        };
        let found = instructions(&[compression, form, "run::run"]);
        let of_form = loops.iter().filter(|other| other.form == form).count();
        assert_eq!(found.len(), of_form, "{form}: functions of that name");
        let Some((lines, rounds)) = found
            .iter()
            .map(|lines| (lines, rounds_of(lines)))
            .find(|(_, rounds)| rounds.len() == 40 * streams)
        else {
            panic!("{form}: no function with the rounds of {streams} streams");
        };
        let expanded = lines.iter().filter(|line| is_expansion(line)).count();
        assert_eq!(expanded, 2 * streams * expansions, "{form}");
        let wide = lines.iter().find(|line| line.contains("ymm") || line.contains("zmm"));
        let is_wide = form.contains("Wide");
        assert_eq!(wide.is_some(), is_wide, "{form}: {wide:?} next to SHA instructions");
        // Comparisons behind the rounds of each group, of the loop; those behind the last are
        // followed by no other rounds.
        let behind: Vec<usize> = (20..39)
            .map(|group| {
                let between = &lines[rounds[streams * group]..rounds[streams * (group + 1)]];
                between.iter().filter(|line| is_filter(line)).count()
            })
            .collect();
        let first = 18 - steps;
        let mut so_far = 0;
        for (group, comparisons) in behind.iter().enumerate() {
            so_far += comparisons;
            // A step may slip past the rounds next to it and no further.
            let done =
                |group: usize| streams * windows * (group.clamp(first, first + steps) - first);
            let expected = done(group)..=done(group + 2);
            assert!(
                expected.contains(&so_far),
                "{form}: {behind:?}, not a step a group from {first}"
            );
        }
    }
}

/// Without SHA instructions: the schedule and the filter are spread over the rounds, each four of
/// which rotate a dozen times.
#[cfg(target_arch = "x86_64")]
#[test]
fn the_schedule_stays_between_the_rounds() {
    for (compression, form) in
        [("Ssse3>", "forms::Sse2)"), ("Avx2>", "forms::Avx2)"), ("Avx2>", "forms::Avx512)")]
    {
        let found = instructions(&["Vectored", compression, form, "run::run"]);
        let [lines] = &found[..] else { panic!("{compression} {form}: {} functions", found.len()) };
        let rotates = |line: &String| line.starts_with("rol") || line.starts_with("ror");
        let mut since = 0;
        for line in lines.iter().skip_while(|line| !rotates(line)) {
            since = if rotates(line) { 0 } else { since + usize::from(line.contains("mm")) };
            if line.starts_with("ret") {
                break;
            }
            // All of a block takes some hundreds.
            assert!(since < 100, "{compression} {form}: {since} vector instructions in a row");
        }
        // Two a step, for the first block and in the loop; the last step's second is done later.
        let rotations = lines.iter().filter(|line| rotates(line)).count();
        assert!(rotations >= 300, "{compression} {form}: {rotations} rotations");
    }
}
