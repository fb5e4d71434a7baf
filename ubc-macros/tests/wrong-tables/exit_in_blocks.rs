ubc_macros::filter! {
    form: blocks;
    vector: crate::Blocks;
    words: ascending;

    exit;
}

fn main() {}
