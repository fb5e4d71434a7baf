//! Speeds side by side: every implementation in turn on bytes that none has seen, many times over,
//! and the median of the ratios of each turn. What disturbs one turn disturbs all its members, and
//! fresh bytes keep the branch predictor from learning which blocks the filter flags.
//!
//! `cargo bench -p sha1dc-tests --bench ratios`

use sha1dc_tests::{Contender, OTHERS, OURS, OURS_PORTABLE, SIZES, time};

/// Bytes hashed by one contender in one turn: about a millisecond.
const TURN: usize = 1 << 20;
const TURNS: usize = 120;

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() {
    // `cargo test --benches` and the like only want to see it run.
    let turns = if std::env::args().any(|argument| argument == "--bench") { TURNS } else { 1 };
    let contenders: Vec<Contender> = OTHERS.into_iter().chain([OURS_PORTABLE, OURS]).collect();
    let mut random = fastrand::Rng::with_seed(1);
    let mut bytes = vec![0; TURN];

    println!("median of {turns} turns; MiB/s, and speed as a share of plain {}", OTHERS[0].name);
    print!("{:>24}", "bytes");
    SIZES.iter().for_each(|size| print!(" {size:>13}"));
    println!();

    // For every size and contender the time of each turn.
    let mut times = vec![vec![Vec::with_capacity(turns); contenders.len()]; SIZES.len()];
    for (size, times) in SIZES.iter().zip(&mut times) {
        for turn in 0..turns {
            for i in 0..contenders.len() {
                let contender = (i + turn) % contenders.len();
                random.fill(&mut bytes);
                let time = time(contenders[contender], &bytes, *size);
                times[contender].push(time.as_secs_f64());
            }
        }
    }
    for (i, contender) in contenders.iter().enumerate() {
        print!("{:>24}", contender.name);
        for (size, times) in SIZES.iter().zip(&times) {
            let mib = (TURN / size * size) as f64 / f64::from(1 << 20);
            let speed = mib / median(times[i].clone());
            let share = times[0].iter().zip(&times[i]).map(|(plain, this)| plain / this).collect();
            print!(" {speed:>6.0}  {:.3}", median(share));
        }
        println!();
    }
}
