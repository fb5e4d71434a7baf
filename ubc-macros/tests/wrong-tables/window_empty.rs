ubc_macros::filter! {
    form: windows;
    lanes: 4;
    vector: crate::Vector;
    words: ascending;
    step: 1;

    W[35..39] << 5 ^ W[36..40] {
    }
}

fn main() {}
