ubc_macros::filter! {
    form: scalar;
    words: ascending;
    step: 8;

}

fn main() {}
