ubc_macros::filter! {
    form: windows;
    lanes: 1;
    vector: crate::Vector;
    words: ascending;
    step: 1;

    W[35..36] << 5 ^ W[36..37] {
        W[35][1] ^ W[36][6] == 1 : I(46,2);
    }
}

fn main() {}
