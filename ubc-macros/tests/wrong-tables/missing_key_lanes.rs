ubc_macros::filter! {
    form: windows;
    vector: crate::Vector;
    words: ascending;
    step: 1;

    W[35..39] << 5 ^ W[36..40] {
        W[35][1] ^ W[36][6] == 1 : I(46,2);
    }
}

fn main() {}
