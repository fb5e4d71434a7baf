ubc_macros::filter! {
    form: windows;
    lanes: 4;
    vector: crate::Vector;
    words: ascending;
    step: 1;

    W[70..74] ^ W[77..81] {
        W[70][1] ^ W[77][1] == 1 : I(46,2);
    }
}

fn main() {}
