ubc_macros::filter! {
    form: scalar;
    words: ascending;
    step: 8;

    W[35][1] ^ W[36][6] == 1 : I(46,2), I(49,2);
    W[37][4] ^ W[38][4] == 1 : I(51,0);
    W[36][6] ^ W[35][1] == 1 : I(47,2);
}

fn main() {}
