ubc_macros::filter! {
    form: scalar;
    lanes: 4;
    words: ascending;
    step: 1;

    W[35][1] ^ W[36][6] == 1 : I(46,2);
}

fn main() {}
