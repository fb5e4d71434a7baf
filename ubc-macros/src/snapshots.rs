//! What each construct of a table becomes, for review: one small table per construct.

use crate::emit;
use ubc_table::Table;

fn expand(rows: &str) -> String {
    expand_with("form: scalar; words: ascending; step: 8;", rows)
}

fn expand_with(keys: &str, rows: &str) -> String {
    let table: Table = syn::parse_str(&format!("{keys} {rows}")).expect("the table is right");
    let file = syn::parse2(emit(&table)).expect("the expansion is a list of items");
    prettyplease::unparse(&file)
}

#[test]
fn scalar_equal_bits_of_one_position() {
    insta::assert_snapshot!(expand("W[44][29] ^ W[45][29] == 0 : I(48,0), II(45,0);"));
}

#[test]
fn scalar_different_bits_of_one_position() {
    insta::assert_snapshot!(expand("W[39][4] ^ W[37][4] == 1 : I(43,0);"));
}

#[test]
fn scalar_bits_of_two_positions() {
    insta::assert_snapshot!(expand("W[35][1] ^ W[36][6] == 1 : I(46,2), I(49,2);"));
}

#[test]
fn scalar_sign_bits() {
    insta::assert_snapshot!(expand("W[0][31] ^ W[79][31] == 0 : II(56,0);"));
}

#[test]
fn scalar_steps_and_exit() {
    insta::assert_snapshot!(expand_with(
        "form: scalar; words: ascending; step: 2;",
        "W[44][29] ^ W[45][29] == 0 : I(48,0);
         W[46][29] ^ W[47][29] == 0 : I(43,0);
         W[49][29] ^ W[50][29] == 0 : I(46,0);
         exit;
         W[37][4] ^ W[38][4] == 1 : I(51,0);"
    ));
}

#[test]
fn scalar_words_descending() {
    insta::assert_snapshot!(expand_with(
        "form: scalar; words: descending; step: 8;",
        "W[35][1] ^ W[36][6] == 1 : I(46,2);"
    ));
}

const WINDOWS: &str = "form: windows; lanes: 4; vector: crate::Vector; words: ascending; step: 1;";

#[test]
fn windows_lanes() {
    insta::assert_snapshot!(expand_with(
        WINDOWS,
        "W[44..48] ^ W[45..49] {
            W[44][29] ^ W[45][29] == 0 : I(48,0), II(45,0);
            W[47][4] ^ W[48][4] == 1 : I(51,0);
        }"
    ));
}

#[test]
fn windows_turns_and_steps() {
    insta::assert_snapshot!(expand_with(
        "form: windows; lanes: 2; vector: a::b; words: ascending; step: 2;",
        "W[35..37] << 5 ^ W[36..38] { W[35][1] ^ W[36][6] == 1 : I(46,2); }
         W[36..38] >> 2 ^ W[40..42] { W[37][6] ^ W[41][4] == 0 : I(50,0); }
         W[60..62] <<< 6 ^ W[64..66] { W[60][28] ^ W[64][2] == 0 : II(56,0); }"
    ));
}

#[test]
fn windows_exit() {
    insta::assert_snapshot!(expand_with(
        "form: windows; lanes: 2; vector: crate::Vector; words: ascending; step: 2;",
        "W[44..46] ^ W[45..47] { W[44][29] ^ W[45][29] == 0 : I(48,0); }
         exit;
         W[37..39] ^ W[38..40] { W[37][4] ^ W[38][4] == 1 : I(51,0); }"
    ));
}

#[test]
fn windows_words_descending() {
    insta::assert_snapshot!(expand_with(
        "form: windows; lanes: 4; vector: crate::Vector; words: descending; step: 1;",
        "W[35..39] << 5 ^ W[36..40] { W[36][1] ^ W[37][6] == 1 : I(47,2); }"
    ));
}

#[test]
fn blocks_shared_xors() {
    insta::assert_snapshot!(expand_with(
        "form: blocks; vector: crate::Blocks; words: ascending;",
        "W[44] ^ W[45] {
            W[44][29] ^ W[45][29] == 0 : I(48,0), II(45,0);
            W[44][4] ^ W[45][4] == 1 : I(51,0);
        }
        W[35] <<< 5 ^ W[36] { W[35][1] ^ W[36][6] == 1 : I(46,2); }
        W[36] >> 2 ^ W[40] { W[36][6] ^ W[40][4] == 0 : I(50,0); }"
    ));
}
