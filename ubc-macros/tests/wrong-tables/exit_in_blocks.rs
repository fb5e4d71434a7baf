ubc_macros::filter! {
    form: blocks;
    vector: crate::Blocks;
    words: ascending;
    step: 1;

    exit;
}

fn main() {}
