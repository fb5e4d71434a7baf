//! Every wrong table is a compile error on the token that is wrong, saying what was expected.
//!
//! The expected messages lie beside the tables; `TRYBUILD=overwrite cargo test -p ubc-macros`
//! rewrites them for review.

#[test]
fn wrong_tables_do_not_compile() {
    trybuild::TestCases::new().compile_fail("tests/wrong-tables/*.rs");
}
