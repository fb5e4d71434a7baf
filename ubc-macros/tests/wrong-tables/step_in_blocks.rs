ubc_macros::filter! {
    form: blocks;
    vector: crate::Blocks;
    words: ascending;
    step: 1;

    W[35] ^ W[36] { W[35][1] ^ W[36][1] == 1 : I(46,2); }
}

fn main() {}
