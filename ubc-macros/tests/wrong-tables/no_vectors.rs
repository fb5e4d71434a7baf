ubc_macros::filter! {
    form: scalar;
    words: ascending;
    step: 8;

    W[35][1] ^ W[36][6] == 1 : ;
}

fn main() {}
