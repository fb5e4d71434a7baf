//! The filter of every backend against the bitconditions evaluated one by one.

use sha1dc::Backend;
use ubc_solver::bitconditions::BitConditions;
use ubc_table::DisturbanceVector;

/// The filter as its definition says: a vector is possible if all its tied groups are tied.
struct Oracle(BitConditions);

impl Oracle {
    fn mask(&self, w: &[u32; 80]) -> u32 {
        let mut mask = !0;
        for group in self.0.groups() {
            let (first, _) = group.bits()[0];
            for (bit, complement) in group.bits() {
                let value = w[bit.word()] >> bit.bit() & 1;
                let first = w[first.word()] >> first.bit() & 1;
                if value ^ first != u32::from(*complement) {
                    mask &= !(1 << group.dv().index());
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
    expected
}

#[test]
fn a_million_random_schedules() {
    let oracle = Oracle(BitConditions::committed());
    let mut random = fastrand::Rng::with_seed(6);
    let flagged = (0..1_000_000).filter(|_| agree(&oracle, &expand(&mut random)) != 0).count();
    // One in 21, so the comparison was not of zeros alone.
    assert!((40_000..55_000).contains(&flagged), "{flagged}");
}

#[test]
fn arbitrary_words() {
    let oracle = Oracle(BitConditions::committed());
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
fn around(oracle: &Oracle, dv: DisturbanceVector, w: &[u32; 80]) {
    let kept = |w: &[u32; 80]| agree(oracle, w) >> dv.index() & 1 == 1;
    assert!(kept(w), "{dv}");
    for group in oracle.0.of(dv) {
        let bits = group.bits();
        for part in 1_u32..1 << bits.len() {
            let mut flipped = *w;
            for (i, (bit, _)) in bits.iter().enumerate() {
                flipped[bit.word()] ^= (part >> i & 1) << bit.bit();
            }
            // Flipping them all leaves every XOR as it was; flipping a part breaks one.
            let whole = part.count_ones() as usize == bits.len();
            assert_eq!(kept(&flipped), whole, "{dv}, {group}, part {part:b}");
        }
    }
}

#[test]
fn around_an_expanded_message_that_keeps_each_vector() {
    let oracle = Oracle(BitConditions::committed());
    let mut random = fastrand::Rng::with_seed(8);
    let mut missing: Vec<_> = DisturbanceVector::ALL.to_vec();
    while !missing.is_empty() {
        let w = expand(&mut random);
        let mask = oracle.mask(&w);
        let (found, left): (Vec<_>, _) =
            missing.into_iter().partition(|dv| mask >> dv.index() & 1 == 1);
        missing = left;
        found.into_iter().for_each(|dv| around(&oracle, dv, &w));
    }
}

#[test]
fn around_arbitrary_words_that_keep_each_vector() {
    let oracle = Oracle(BitConditions::committed());
    let mut random = fastrand::Rng::with_seed(9);
    for dv in DisturbanceVector::ALL {
        for _ in 0..8 {
            let mut w: [u32; 80] = std::array::from_fn(|_| random.u32(..));
            for group in oracle.0.of(dv) {
                let first = random.bool();
                for (bit, complement) in group.bits() {
                    let value = u32::from(first ^ complement);
                    w[bit.word()] = w[bit.word()] & !(1 << bit.bit()) | value << bit.bit();
                }
            }
            around(&oracle, dv, &w);
        }
    }
}

/// All vectors at once: nothing is cleared that should not be.
#[test]
fn the_oracle_itself_keeps_and_drops() {
    let oracle = Oracle(BitConditions::committed());
    let survivors: f64 = DisturbanceVector::ALL
        .iter()
        .map(|dv| 0.5_f64.powi(oracle.0.of(*dv).map(|group| group.rank() as i32).sum()))
        .sum();
    assert!((0.0490..0.0500).contains(&survivors), "{survivors}");
}
