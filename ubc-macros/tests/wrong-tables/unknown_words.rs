ubc_macros::filter! {
    form: scalar;
    words: shuffled;
    step: 8;

    W[35][1] ^ W[36][6] == 1 : I(46,2), I(49,2);
}

fn main() {}
