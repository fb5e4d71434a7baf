//! Many messages at once: every kernel in turn with one message after the other, by this crate and by
//! others, on bytes that none has seen, and the median of the ratios of each turn.
//!
//! `cargo bench -p sha1dc-tests --bench batch`, with parts of names if only those are wanted. The
//! objects are those of the repository that the bench stands in, or of the one that `REPOSITORY`
//! names.

use std::process::Command;

use cpu_time::ThreadTime;
use sha1dc::{Builder, Lanes};
use sha1dc_tests::speed::{Contender, median};

/// Lengths of the messages of a turn.
struct Lengths {
    name: String,
    lengths: Vec<usize>,
}

/// Those that are measured: many of one length, a few, and as in a repository.
fn lengths() -> Vec<Lengths> {
    let equal = |count: usize, name, length| {
        let name = format!("{count} x {name}");
        Lengths { name, lengths: vec![length; count] }
    };
    vec![
        equal(1, "1 KiB", 1 << 10),
        equal(2, "1 KiB", 1 << 10),
        equal(1, "16 KiB", 1 << 14),
        equal(2, "16 KiB", 1 << 14),
        equal(64, "64 B", 64),
        equal(64, "1 KiB", 1 << 10),
        equal(64, "16 KiB", 1 << 14),
        equal(64, "256 KiB", 1 << 18),
        objects(),
    ]
}

/// The sizes of a repository's objects as git stores them, in any order.
///
/// # Panics
///
/// If git does not tell them.
fn objects() -> Lengths {
    let folder = std::env::var("REPOSITORY").unwrap_or_else(|_| env!("CARGO_MANIFEST_DIR").into());
    let told = Command::new("git")
        .args(["-C", &folder, "cat-file", "--batch-all-objects", "--batch-check=%(objectsize)"])
        .output()
        .expect("git runs");
    assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
    let sizes = String::from_utf8_lossy(&told.stdout);
    let mut lengths: Vec<usize> =
        sizes.lines().map(|size| size.parse().expect("git tells a size a line")).collect();
    fastrand::Rng::with_seed(3).shuffle(&mut lengths);
    let mean = lengths.iter().sum::<usize>() / lengths.len().max(1);
    Lengths { name: format!("{} objects, of {mean} B in the mean", lengths.len()), lengths }
}

/// Hashes all messages.
type Hash = Box<dyn Fn(&[&[u8]])>;

fn contenders() -> Vec<(String, Hash)> {
    let one_by_one = |contender: Contender| -> (String, Hash) {
        let hash = move |messages: &[&[u8]]| {
            for message in messages {
                std::hint::black_box((contender.hash)(message));
            }
        };
        (contender.name, Box::new(hash))
    };
    let peer = Contender::peers().swap_remove(0);
    let mut contenders: Vec<_> =
        [Contender::plain(), peer, Contender::ours()].map(one_by_one).into();
    contenders.extend(Contender::openssl_without_sha().map(one_by_one));
    contenders.extend(Lanes::available().map(|lanes| -> (String, Hash) {
        let hash = move |messages: &[&[u8]]| {
            std::hint::black_box(Builder::new().lanes(lanes).digest_many(messages));
        };
        (lanes.to_string(), Box::new(hash))
    }));
    contenders
}

fn main() {
    let mut arguments: Vec<_> = std::env::args().skip(1).collect();
    let turns = if arguments.iter().any(|argument| argument == "--bench") { 60 } else { 1 };
    arguments.retain(|argument| argument != "--bench");
    let mut contenders = contenders();
    let others = contenders.split_off(3);
    let wanted =
        |name: &str| arguments.is_empty() || arguments.iter().any(|part| name.contains(part));
    contenders.extend(others.into_iter().filter(|(name, _)| wanted(name)));
    let mut random = fastrand::Rng::with_seed(2);

    println!("median of {turns} turns; MiB/s, and speed as a share of each of the first three");
    for Lengths { name, lengths } in lengths() {
        let total: usize = lengths.iter().sum();
        let repeats = (1_usize << 20).div_ceil(total).min(2000);
        let mut times = vec![Vec::with_capacity(turns); contenders.len()];
        let mut bytes = vec![0; total * repeats];
        for turn in 0..turns {
            for i in 0..contenders.len() {
                let contender = (i + turn) % contenders.len();
                random.fill(&mut bytes);
                let mut rest = &bytes[..];
                let messages: Vec<&[u8]> = (0..repeats)
                    .flat_map(|_| &lengths)
                    .map(|length| rest.split_off(..*length).unwrap_or_default())
                    .collect();
                let start = ThreadTime::now();
                messages.chunks(lengths.len()).for_each(&contenders[contender].1);
                times[contender].push(start.elapsed().as_secs_f64());
            }
        }
        println!("{name}");
        for (i, (contender, _)) in contenders.iter().enumerate() {
            let speed = bytes.len() as f64 / f64::from(1 << 20) / median(times[i].clone());
            let share = |of: usize| {
                median(times[of].iter().zip(&times[i]).map(|(other, this)| other / this).collect())
            };
            let [plain, peer, ours] = [0, 1, 2].map(share);
            println!("{contender:>22} {speed:>5.0} {plain:.3} {peer:.2} {ours:.3}");
        }
    }
}
