use super::*;

fn texts(source: &str) -> Vec<String> {
    relevant_tokens(source).expect("Rust").into_iter().map(|token| token.text).collect()
}

#[test]
fn documentation_and_lint_attributes_are_removed() {
    let source = "#![allow(x)]\n//! Inner.\n/// Outer.\n#[must_use] #[derive(Debug)] #[derive(Clone, Debug, Copy)] \
                  #[inline(always)] pub(super) fn a() {}";
    let expected = "# [ derive ( Clone , Copy ) ] # [ inline ] pub ( super ) fn a ( ) { }";
    assert_eq!(texts(source).join(" "), expected);
}

#[test]
fn attributes_with_macro_parameters_are_kept() {
    let kept = "# [ doc = $ doc ]";
    assert_eq!(texts("#[doc = $doc]").join(" "), kept);
}

#[test]
fn numbers_are_shortened_but_not_field_numbers() {
    assert_eq!(
        texts("1_000 0xff_ff 1.0 2.50 1.0.max(x) a.0.0 b.1.0 0.0").join(" "),
        "1000 0xffff 1. 2.50 1.0 . max ( x ) a . 0.0 b . 1.0 0."
    );
    assert_eq!(texts("\"1_0.0\" 'a'").join(" "), "\"1_0.0\" 'a'");
}

#[test]
fn meaningless_trailing_commas_are_removed() {
    assert_eq!(texts("f(a, b,) (5,) [1, 2,] m!($($x,)*)").join(""), "f(a,b)(5,)[1,2]m!($($x,)*)");
}
