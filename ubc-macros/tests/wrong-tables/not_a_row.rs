ubc_macros::filter! {
    form: scalar;
    words: ascending;
    step: 8;

    V[35][1] ^ W[36][6] == 1 : I(46,2);
}

fn main() {}
