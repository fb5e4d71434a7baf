//! Speeds side by side: every implementation in turn on bytes that none has seen, many times over,
//! and the median of the ratios of each turn. What disturbs one turn disturbs all its members, and
//! fresh bytes keep the branch predictor from learning which blocks the filter flags.
//!
//! `cargo bench -p sha1dc-tests --bench ratios`, with `SHA1DC_LIBRARY` set to an installed C library if that
//! is wanted too.

use std::collections::BTreeSet;

use sha1dc_tests::speed::{Contender, SIZES, median, time};

/// Bytes hashed by one contender in one turn: about half a millisecond.
const TURN: usize = 1 << 20;
const TURNS: usize = 120;

fn main() {
    // `cargo test --benches` and the like only want to see it run.
    let mut arguments = std::env::args().skip(1).collect::<BTreeSet<_>>();
    let turns = if arguments.remove("--bench") { TURNS } else { 1 };
    // Anything else is a part of names, and of sizes: only those run, beside plain SHA-1 and
    // the strongest peer.
    let (sizes, names): (Vec<_>, Vec<_>) =
        arguments.into_iter().partition(|argument| argument.parse::<usize>().is_ok());
    let wanted = |name: &str| names.is_empty() || names.iter().any(|part| name.contains(part));
    let mut contenders = Contender::all();
    let plain = contenders.remove(0);
    let peer = contenders.remove(0);
    contenders.retain(|contender| wanted(&contender.name));
    contenders.splice(0..0, [plain, peer]);
    let sizes: Vec<usize> = SIZES
        .into_iter()
        .filter(|size| sizes.is_empty() || sizes.contains(&size.to_string()))
        .collect();
    let mut random = fastrand::Rng::with_seed(1);
    let mut bytes = vec![0; TURN];

    println!(
        "median of {turns} turns; MiB/s, and speed as a share of plain {}",
        contenders[0].name
    );
    print!("{:>22}", "bytes");
    sizes.iter().for_each(|size| print!(" {size:>16}"));
    println!();

    // For every size and contender the time of each turn.
    let mut times = vec![vec![Vec::with_capacity(turns); contenders.len()]; sizes.len()];
    for (size, times) in sizes.iter().zip(&mut times) {
        // Short messages take longer, and vary less.
        let bytes = &mut bytes[..TURN.min(size * (1 << 13))];
        for turn in 0..turns {
            for i in 0..contenders.len() {
                let contender = (i + turn) % contenders.len();
                random.fill(bytes);
                let time = time(&contenders[contender], bytes, *size);
                times[contender].push(time.as_secs_f64());
            }
        }
    }
    for (i, contender) in contenders.iter().enumerate() {
        print!("{:>22}", contender.name);
        for (size, times) in sizes.iter().zip(&times) {
            let bytes = TURN.min(size * (1 << 13)) / size * size;
            let speed = bytes as f64 / f64::from(1 << 20) / median(times[i].clone());
            let share = |of: usize| {
                median(times[of].iter().zip(&times[i]).map(|(other, this)| other / this).collect())
            };
            print!(" {speed:>5.0} {:.3} {:.2}", share(0), share(1));
        }
        println!();
    }
}
