ubc_macros::filter! {
    form: windows;
    lanes: 4;
    vector: crate::Vector;
    words: ascending;
    step: 1;

    exit;
}

fn main() {}
