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
fn all_names_are_shortened_except_foreign_ones() {
    let source = "use std::io::{self, Read, Write as Other};\nmod kept { use super::aa as bb; }\n\
                  struct Type<Param, const SIZE: usize> { field: Param }\nenum Kind { First { io: u8 } }\n\
                  const Read: u8 = 1; static STATIC: u8 = 1; type Alias = u8; trait Trait { fn method(); }\n\
                  fn function<'life>(parameter: &'life u8) { let variable = |closure| 2; }\n\
                  fn aa() {}\n";
    let found = renamed_text(source);
    for name in ["std", "io", "Read", "Write", "u8", "usize", "'life"] {
        assert!(found.replace("' life", "'life").contains(name), "{name}: {found}");
    }
    let shortened = [
        "Other",
        "kept",
        "bb",
        "Type",
        "Param",
        "SIZE",
        "field",
        "Kind",
        "First",
        "STATIC",
        "Alias",
        "Trait",
        "method",
        "function",
        "parameter",
        "variable",
        "closure",
        "aa",
    ];
    for name in shortened {
        assert!(!found.split(' ').any(|word| word == name), "{name}: {found}");
    }
}

#[test]
fn names_that_may_be_foreign_are_kept() {
    let source = "use std::io::Error as Other; struct Own { count: u8 } \
                  impl Iterator for Own { type Item = u8; fn next(&mut self) {} } \
                  impl Own { const MAX: u8 = 1; fn len(&self) {} fn is_empty(&self) {} fn two_words(&self) {} fn made() {} } \
                  extern { fn poll(); } macro_rules! new { ($x:expr) => { impl Default for $x { fn default() {} } } } \
                  fn f(count: u8, next: u8, len: u8, expr: u8, default: u8) { \
                  count.count(); x.count; len.len(); x.is_empty(); x.two_words(); u8::MAX; Own::MAX; Own::made(); \
                  Other::made(); Vec::made(); poll(next, expr) }";
    let found = renamed_text(source);
    let stays = [
        (". count (", 1),
        ("count", 1),
        (" len", 2),
        (" is_empty", 2),
        ("two_words", 0),
        (": MAX", 1),
        (" MAX", 1),
        (": made", 2),
        ("made", 2),
        ("expr", 1),
        ("poll", 2),
        ("next", 3),
        ("default", 2),
    ];
    for (name, count) in stays {
        assert_eq!(found.matches(name).count(), count, "{name}: {found}");
    }
}

#[test]
fn fields_named_in_a_macro_call_are_shortened() {
    let source = "m! { long_name = 5; }\nfn main() { A { long_name: 1 }; }";
    assert_eq!(renamed_text(source), "m ! { a = 5 ; } fn main ( ) { A { a : 1 } ; }");
}

#[test]
fn names_in_format_strings_are_rejected() {
    let error = |source: &str| shorten_names(source).is_err();
    assert!(error("fn f(size: u8) { print!(\"{} {size:3}\", 1) }"));
    assert!(error("fn f(size: u8) { print!(\"{size}\") }"));
    assert!(error("fn f(size: u8) { stringify!(size) }"));
    assert!(!error("fn f(size: u8) { print!(\"{} {{x}} size {:3}\", size, 1) }"));
}
