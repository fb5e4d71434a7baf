//! What a block costs on AArch64, counted instead of measured: for every block loop with SHA
//! instructions in a program, how many instructions a turn has, and how many cycles it takes by LLVM's
//! models of some cores.
//!
//! ```text
//! .ci/cross aarch64-unknown-linux-gnu bench --package sha1dc-tests --bench ratios --no-run
//! cargo run --package sha1dc-tests --bin budget -- target/cross/aarch64-unknown-linux-gnu/release/deps/ratios-*[!d]
//! ```
//!
//! The disassembler is `aarch64-linux-gnu-objdump`. The models are those of `llvm-mca`, or of what
//! `LLVM_MCA` names; older versions than 22 know fewer cores.

use std::error::Error;
use std::ffi::OsString;
use std::io::Write;
use std::process::{Command, Stdio};

const CORES: [&str; 7] = [
    "neoverse-n1",
    "neoverse-n2",
    "neoverse-v1",
    "neoverse-v2",
    "cortex-a76",
    "cortex-x4",
    "apple-m1",
];

/// How often `llvm-mca` runs through a loop.
const TURNS: f64 = 100.0;

type Fallible<T> = Result<T, Box<dyn Error>>;

/// An instruction: where it stands, and its text.
type Instruction<'a> = (u64, &'a str);

fn main() -> Fallible<()> {
    let programs: Vec<OsString> = std::env::args_os().skip(1).collect();
    if programs.is_empty() {
        return Err("budget PROGRAM...".into());
    }
    for program in programs {
        let disassembly = Command::new("aarch64-linux-gnu-objdump")
            .args(["--disassemble", "--demangle", "--no-show-raw-insn"])
            .arg(&program)
            .output()?;
        if !disassembly.status.success() {
            return Err(String::from_utf8_lossy(&disassembly.stderr).trim().into());
        }
        let mut found = false;
        for function in String::from_utf8_lossy(&disassembly.stdout).split("\n\n") {
            let Some((name, lines)) = function.split_once(">:\n") else { continue };
            let instructions: Vec<_> = lines.lines().filter_map(instruction).collect();
            if let Some(turn) = block_loop(&instructions) {
                let name = name.split_once('<').map_or(name, |(_, name)| name);
                report(name, turn)?;
                found = true;
            }
        }
        if !found {
            return Err(format!("{}: no block loop", program.display()).into());
        }
    }
    Ok(())
}

/// An instruction from a line of the disassembly, which is an address, the text, and perhaps a comment.
fn instruction(line: &str) -> Option<Instruction<'_>> {
    let (address, text) = line.trim().split_once(":\t")?;
    let text = text.split("//").next()?.trim();
    Some((u64::from_str_radix(address, 16).ok()?, text))
}

fn is_rounds(text: &str) -> bool {
    ["sha1c\t", "sha1p\t", "sha1m\t"].iter().any(|name| text.starts_with(name))
}

/// Where a branch goes to.
fn target(text: &str) -> Option<u64> {
    let is_branch = ["b\t", "b.", "cbz\t", "cbnz\t", "tbz\t", "tbnz\t", "bl\t"];
    if !is_branch.iter().any(|name| text.starts_with(name)) {
        return None;
    }
    let address = text.split(" <").next()?.rsplit(['\t', ' ']).next()?;
    u64::from_str_radix(address, 16).ok()
}

/// The shortest loop with the twenty groups of rounds of a block.
fn block_loop<'a>(instructions: &'a [Instruction<'a>]) -> Option<&'a [Instruction<'a>]> {
    let back = instructions.iter().enumerate().filter_map(|(last, (address, text))| {
        let start = target(text).filter(|start| start <= address)?;
        let first = instructions.iter().position(|(address, _)| *address == start)?;
        Some(&instructions[first..=last])
    });
    let rounds = |turn: &[Instruction<'_>]| turn.iter().filter(|(_, text)| is_rounds(text)).count();
    back.filter(|turn| rounds(turn) == 20).min_by_key(|turn| turn.len())
}

fn report(name: &str, turn: &[Instruction<'_>]) -> Fallible<()> {
    let count = |of: fn(&str) -> bool| turn.iter().filter(|(_, text)| of(text)).count();
    let vectors = count(|text| text.contains("\tv") || text.starts_with("sha1"));
    let memory = count(|text| text.starts_with("ld") || text.starts_with("st"));
    println!("{name}");
    println!("  {} instructions: {vectors} of vectors, {memory} loads and stores", turn.len());
    // Branches leave the loop, so that a turn is straight.
    let straight: Vec<_> = turn
        .iter()
        .filter(|(_, text)| target(text).is_none() && !text.contains('<'))
        .map(|(_, text)| *text)
        .collect();
    for core in CORES {
        match cycles(core, &straight.join("\n"))? {
            Some(cycles) => println!("  {core:12} {cycles:6.1} cycles"),
            None => println!("  {core:12} unknown to this version of llvm-mca"),
        }
    }
    Ok(())
}

/// How many cycles a turn takes by the model of a core, if there is one.
fn cycles(core: &str, assembly: &str) -> Fallible<Option<f64>> {
    let program = std::env::var_os("LLVM_MCA").unwrap_or_else(|| "llvm-mca".into());
    let mut model = Command::new(&program)
        .args(["-march=aarch64", "-mattr=+sha2,+sha3", &format!("-mcpu={core}")])
        .arg(format!("-iterations={TURNS}"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("{}: {error}", program.display()))?;
    // One that does not know the core has gone already.
    let _ = model.stdin.take().map(|mut input| input.write_all(assembly.as_bytes()));
    let output = String::from_utf8(model.wait_with_output()?.stdout)?;
    let total = output.lines().find_map(|line| line.strip_prefix("Total Cycles:"));
    Ok(total.map(|total| total.trim().parse::<f64>()).transpose()?.map(|total| total / TURNS))
}
