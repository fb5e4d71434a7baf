//! Whole-product tests.
#[test]
fn rr() {
    let m = sha1dc_tests::testdata("reduced-round-1.bin");
    for f in [true, false] {
        let mut h = sha1dc::Builder::new().reduced_round_collisions(true).filter(f).build();
        h.update(&m);
        println!("{:?}", h.attack());
        let a = *h.attack().unwrap();
        let mut other = m.clone();
        other[a.offset() as usize..][..64].copy_from_slice(a.partner_block());
        println!("{:x?}", a.partner_chaining_value());
        println!("{:x?}", sha1dc::digest(&other));
        let mut h = sha1dc::Builder::new().reduced_round_collisions(true).filter(f).build();
        h.update(&other);
        println!("{:?}", h.attack());
        std::fs::write("/tmp/rr2.bin", &other).unwrap();
    }
}
