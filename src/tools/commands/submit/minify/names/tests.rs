use super::super::tokens::relevant_tokens;
use super::*;

fn renamed_text(source: &str) -> String {
    let tokens =
        relevant_tokens(&shorten_names(source).expect("strings without names")).expect("Rust");
    tokens.into_iter().map(|token| token.text).collect::<Vec<_>>().join(" ")
}

#[test]
fn short_names_have_one_character_and_are_distinct() {
    let names: Vec<String> = short_names().collect();
    let distinct: HashSet<&String> = names.iter().collect();
    assert_eq!(distinct.len(), names.len());
    assert!(names.len() > 20_000 && names.iter().all(|name| name.chars().count() == 1));
}

#[test]
fn the_most_frequent_names_become_letters() {
    let found = renamed_text("fn seldom() {} fn often() { often(); often(); seldom() }");
    assert_eq!(found, "fn b ( ) { } fn a ( ) { a ( ) ; a ( ) ; b ( ) }");
}

#[test]
fn fields_named_in_a_macro_call_are_shortened() {
    let source = "m! { long_name = 5; }\nfn main() { A { long_name: 1 }; }";
    assert_eq!(renamed_text(source), "m ! { a = 5 ; } fn main ( ) { A { a : 1 } ; }");
}
