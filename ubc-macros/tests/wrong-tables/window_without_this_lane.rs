ubc_macros::filter! {
    form: windows;
    lanes: 4;
    vector: crate::Vector;
    words: ascending;
    step: 1;

    W[30..34] << 5 ^ W[31..35] {
        W[35][1] ^ W[36][6] == 1 : I(46,2);
    }
}

fn main() {}
