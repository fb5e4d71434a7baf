ubc_macros::filter! {
    form: scalar;
    words: ascending;
    step: 8;

    W[35][1] ^ W[35][1] == 0 : I(46,2);
}

fn main() {}
