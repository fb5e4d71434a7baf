//! The filter of every backend against the bitconditions evaluated one by one.

use sha1dc::Backend;
use sha1dc::DisturbanceVector;
use ubc_solver::bitconditions::BitConditions;

pub(crate) mod vector;

// The committed tables, made into code once more, for plain arrays.
#[path = "../../sha1dc/src/filter/tables/blocks.rs"]
mod blocks;
#[path = "../../sha1dc/src/filter/tables/scalar.rs"]
mod scalar;
#[path = "../../sha1dc/src/filter/tables/x16.rs"]
mod x16;
#[path = "../../sha1dc/src/filter/tables/x16_prefix.rs"]
mod x16_prefix;
#[path = "../../sha1dc/src/filter/tables/x4.rs"]
mod x4;
#[path = "../../sha1dc/src/filter/tables/x4_prefix.rs"]
mod x4_prefix;
#[path = "../../sha1dc/src/filter/tables/x8.rs"]
mod x8;
#[path = "../../sha1dc/src/filter/tables/x8_prefix.rs"]
mod x8_prefix;

/// A filter.
type Check = fn(&[u32; 80]) -> u32;

/// Every form that is emitted from a table, by name, on one schedule.
const FORMS: [(&str, Check); 8] = [
    ("scalar", scalar::check),
    ("x4", x4::check::<[u32; 4]>),
    ("x8", x8::check::<[u32; 8]>),
    ("x4_prefix", x4_prefix::check::<[u32; 4]>),
    ("x16_prefix", x16_prefix::check::<[u32; 16]>),
    ("x8_prefix", x8_prefix::check::<[u32; 8]>),
    ("x16", x16::check::<[u32; 16]>),
    ("blocks", |w| !blocks::check(&w.map(|word| [word]), [0])[0]),
];

/// Bits of words, with one sample of their values.
type Group = Vec<(usize, u32, u32)>;

/// The filter as its definition says: a vector is possible if all its tied groups are tied. The
/// groups are those of `testdata/tied-groups.txt`, which nothing of ours made.
struct Oracle(Vec<Vec<Group>>);

impl Oracle {
    fn new() -> Self {
        let text = String::from_utf8(sha1dc_tests::testdata("tied-groups.txt")).unwrap();
        let mut groups = vec![Vec::new(); 32];
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let (name, bits) = line.split_once(" : ").unwrap();
            let name = format!("{})", name.replacen('_', "(", 1).replacen('_', ",", 1));
            let dv = DisturbanceVector::ALL.iter().position(|dv| dv.to_string() == name).unwrap();
            // W37[4]=1
            let bit = |bit: &str| {
                let numbers: Vec<u32> = bit[1..]
                    .split(['[', ']', '='])
                    .filter_map(|number| number.parse().ok())
                    .collect();
                (numbers[0] as usize, numbers[1], numbers[2])
            };
            groups[dv].push(bits.split(' ').map(bit).collect());
        }
        Self(groups)
    }

    fn mask(&self, w: &[u32; 80]) -> u32 {
        let mut mask = !0;
        for (dv, groups) in self.0.iter().enumerate() {
            for group in groups {
                let differs =
                    |&(word, bit, sample): &(usize, u32, u32)| w[word] >> bit & 1 ^ sample;
                if group.iter().any(|bit| differs(bit) != differs(&group[0])) {
                    mask &= !(1 << dv);
                }
            }
        }
        mask
    }
}

/// The message expansion, once more.
fn expand(random: &mut fastrand::Rng) -> [u32; 80] {
    let mut w = [0; 80];
    w[..16].fill_with(|| random.u32(..));
    for t in 16..80 {
        w[t] = u32::rotate_left(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
    }
    w
}

fn agree(oracle: &Oracle, w: &[u32; 80]) -> u32 {
    let expected = oracle.mask(w);
    for backend in Backend::available() {
        let got = backend.filter(w);
        assert_eq!(got, expected, "{backend}: {got:08x} is not {expected:08x} for {w:08x?}");
    }
    for (form, check) in FORMS {
        let got = check(w);
        assert_eq!(got, expected, "{form}: {got:08x} is not {expected:08x} for {w:08x?}");
    }
    expected
}

#[test]
fn a_million_random_schedules() {
    let oracle = Oracle::new();
    let mut random = fastrand::Rng::with_seed(6);
    let flagged = (0..1_000_000).filter(|_| agree(&oracle, &expand(&mut random)) != 0).count();
    // One in 21, so the comparison was not of zeros alone.
    assert!((40_000..55_000).contains(&flagged), "{flagged}");
}

#[test]
fn arbitrary_words() {
    let oracle = Oracle::new();
    let mut random = fastrand::Rng::with_seed(7);
    for _ in 0..200_000 {
        agree(&oracle, &std::array::from_fn(|_| random.u32(..)));
    }
    for word in [0, !0, 0x5555_5555, 0xaaaa_aaaa] {
        agree(&oracle, &[word; 80]);
    }
    for t in 0..80 {
        for bit in 0..32 {
            let mut w = [0; 80];
            w[t] = 1 << bit;
            agree(&oracle, &w);
            agree(&oracle, &w.map(|word| !word));
        }
    }
}

/// Around a schedule that keeps a vector: what the conditions say of every tied bit.
fn around(oracle: &Oracle, dv: usize, w: &[u32; 80]) {
    let name = DisturbanceVector::ALL[dv];
    let kept = |w: &[u32; 80]| agree(oracle, w) >> dv & 1 == 1;
    assert!(kept(w), "{name}");
    for group in &oracle.0[dv] {
        for part in 1_u32..1 << group.len() {
            let mut flipped = *w;
            for (i, (word, bit, _)) in group.iter().enumerate() {
                flipped[*word] ^= (part >> i & 1) << bit;
            }
            // Flipping them all leaves every XOR as it was; flipping a part breaks one.
            let whole = part.count_ones() as usize == group.len();
            assert_eq!(kept(&flipped), whole, "{name}, {group:?}, part {part:b}");
        }
    }
}

#[test]
fn around_an_expanded_message_that_keeps_each_vector() {
    let oracle = Oracle::new();
    let mut random = fastrand::Rng::with_seed(8);
    let mut missing: Vec<_> = (0..32).collect();
    while !missing.is_empty() {
        let w = expand(&mut random);
        let mask = oracle.mask(&w);
        let (found, left): (Vec<_>, _) = missing.into_iter().partition(|dv| mask >> dv & 1 == 1);
        missing = left;
        found.into_iter().for_each(|dv| around(&oracle, dv, &w));
    }
}

#[test]
fn around_arbitrary_words_that_keep_each_vector() {
    let oracle = Oracle::new();
    let mut random = fastrand::Rng::with_seed(9);
    for dv in 0..32 {
        for _ in 0..8 {
            let mut w: [u32; 80] = std::array::from_fn(|_| random.u32(..));
            for group in &oracle.0[dv] {
                let flip = random.u32(0..2);
                for (word, bit, sample) in group {
                    w[*word] = w[*word] & !(1 << bit) | (sample ^ flip) << bit;
                }
            }
            around(&oracle, dv, &w);
        }
    }
}

/// Sixteen blocks at once, each with words of its own.
#[test]
fn a_block_a_lane() {
    let oracle = Oracle::new();
    let mut random = fastrand::Rng::with_seed(10);
    for _ in 0..20_000 {
        let blocks: [[u32; 80]; 16] = std::array::from_fn(|_| expand(&mut random));
        let lanes = std::array::from_fn(|t| std::array::from_fn(|lane| blocks[lane][t]));
        let cleared = blocks::check::<[u32; 16]>(&lanes, [0; 16]);
        for (block, cleared) in blocks.iter().zip(cleared) {
            assert_eq!(!cleared, oracle.mask(block));
        }
    }
}

/// Steps in order are the whole filter, and each only takes away; exits make no step.
#[test]
fn steps_make_the_whole() {
    macro_rules! step {
        (scalar, $n:literal, $w:ident, $state:ident) => {{
            let after = scalar::step::<$n>($w, $state);
            assert_eq!(after & !$state, 0, "a step takes away");
            after
        }};
        ($form:ident, $n:literal, $w:ident, $state:ident) => {{
            let after = $form::step::<$n, _>($w, $state);
            let kept = after.iter().zip($state).all(|(after, before)| before & !after == 0);
            assert!(kept, "what is cleared stays cleared");
            after
        }};
    }
    /// Runs steps 0 to N of a form one by one.
    macro_rules! in_steps {
        ($form:ident, $w:ident, $start:expr; $($n:literal)+) => {{
            assert_eq!([$($n),+].len(), $form::STEPS, "all steps are named here");
            let state = $start;
            $(let state = step!($form, $n, $w, state);)+
            state
        }};
    }
    let mut random = fastrand::Rng::with_seed(11);
    for _ in 0..10_000 {
        let w = &expand(&mut random);
        let none: u32 =
            !in_steps!(scalar, w, !0; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19);
        assert_eq!(!none, scalar::check(w));
        let or = |lanes: &[u32]| lanes.iter().fold(0, |all, lane| all | lane);
        let cleared = in_steps!(x16, w, [0; 16]; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18);
        assert_eq!(!or(&cleared), x16::check::<[u32; 16]>(w));
        let cleared = in_steps!(x8_prefix, w, [0; 8];
            0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29);
        assert_eq!(!or(&cleared), x8_prefix::check::<[u32; 8]>(w));
    }
}

/// The bitconditions that the tables are made from are those of the reference implementation.
#[test]
fn the_bitconditions_tie_what_the_reference_ties() {
    let mut ours = vec![Vec::new(); 32];
    for group in BitConditions::committed().groups() {
        let bits = group.bits().iter();
        let bits: Group = bits.map(|(b, not)| (b.word(), b.bit(), u32::from(*not))).collect();
        ours[group.dv().index()].push(bits);
    }
    let mut theirs = Oracle::new().0;
    for group in theirs.iter_mut().flatten() {
        group.sort();
        let first = group[0].2;
        group.iter_mut().for_each(|(_, _, sample)| *sample ^= first);
    }
    for groups in ours.iter_mut().chain(&mut theirs) {
        groups.sort();
    }
    assert_eq!(ours, theirs);
}
