use super::*;

/// Returns the flattened source with single spaces.
fn flat(source: &str) -> String {
    let text = flatten(source).expect("a source that can be flattened");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn items_of_all_modules_move_into_the_root() {
    let source = "use a::b::deep; fn main() { deep(); a::f(); } \
                  mod a { pub mod b { pub(crate) fn deep() { super::f(); self::own(); crate::main() } fn own() {} } \
                  pub fn f() { b::deep() } pub struct S(pub u8); }";
    let expected = "fn main() { deep(); f(); } fn deep() { f(); own(); main() } fn own() {} fn f() { deep() } \
                    struct S( u8);";
    assert_eq!(flat(source), expected);
}

#[test]
fn items_with_the_same_name_are_renamed() {
    let source = "fn main() { a::run(a::SIZE); b::run(); } \
                  mod a { pub const SIZE: u8 = 1; pub fn run(x: u8) { run(SIZE) } } \
                  mod b { use super::a; const SIZE: u8 = a::SIZE; pub fn run() { a::run(SIZE); [0; SIZE] } }";
    let expected =
        "fn main() { run(SIZE); run_2(); } const SIZE: u8 = 1; fn run(x: u8) { run(SIZE) } \
                    const SIZE_2: u8 = SIZE; fn run_2() { run(SIZE_2); [0; SIZE_2] }";
    assert_eq!(flat(source), expected);
}

#[test]
fn variables_fields_and_methods_are_not_items() {
    let source = "fn main() {} mod a { pub fn score() -> u8 { 1 } pub struct Move; } \
                  mod b { use super::a; struct T { score: u8 } enum E { Move } impl T { fn score(&self) -> u8 { \
                  let score = a::score(); let again = a::score(); T { score }.score() + self.score + score } } \
                  fn f() { E::Move; let x = T { score: a::score() }; g(|score| score + 1..score) } }";
    let found = flat(source);
    let expected = "fn main() {} fn score_2() -> u8 { 1 } struct Move; \
                    struct T { score: u8 } enum E { Move } impl T { fn score(&self) -> u8 { \
                    let score = score_2(); let again = score_2(); T { score }.score() + self.score + score } } \
                    fn f() { E::Move; let x = T { score: score_2() }; g(|score| score + 1..score) }";
    assert_eq!(found, expected);
}

#[test]
fn renamed_and_chained_imports_are_resolved() {
    let source = "extern crate self as itself; fn main() { m::g() } use types::Thing; \
                  mod types { pub use inner::Thing; mod inner { pub struct Thing; pub fn of() {} } pub use self::inner::of as made; } \
                  mod m { use crate::types::{self, Thing as Other, made}; use itself::Thing; \
                  pub fn g() -> Other { made(); types::made(); types::Thing; Thing } }";
    let expected =
        "fn main() { g() } struct Thing; fn of() {} fn g() -> Thing { of(); of(); Thing; Thing }";
    assert_eq!(flat(source), expected);
}

#[test]
fn foreign_imports_are_merged_at_the_start() {
    let source = "fn main() {} mod a { use std::fmt::{self, Write}; use std::io; fn f(w: &mut dyn Write) -> fmt::Result {} } \
                  mod b { use std::io::{self, Write}; use std::cmp::max; fn g(w: &mut dyn Write) -> io::Result<u8> { w.write(max(1, 2)) } }";
    let expected =
        "use std::{cmp::max,fmt::{self,Write},io::{self,Write as Write_2}};fn main() {} \
                    fn f(w: &mut dyn Write) -> fmt::Result {} \
                    fn g(w: &mut dyn Write_2) -> io::Result<u8> { w.write(max(1, 2)) }";
    assert_eq!(flat(source), expected);
}

#[test]
fn frequent_foreign_names_get_aliases() {
    let source = format!(
        "#[repr(u64)] enum E {{ Some }} fn main() {{ E::Some; {} }}",
        "Some(1 as u64);".repeat(20)
    );
    let found = flat(&source);
    assert!(
        found.starts_with(
            "use std::{prelude::v1::Some as Some_2,primitive::u64 as u64_2};#[repr(u64)]"
        ),
        "{found}"
    );
    assert!(
        found.contains("enum E { Some } fn main() { E::Some; Some_2(1 as u64_2);Some_2("),
        "{found}"
    );
}

#[test]
fn conditional_and_macro_named_modules_are_kept() {
    let source = "fn main() { m::run() } mod m { const LIMIT: u8 = 1; const OTHER: u8 = 2; pub(super) fn run() { call!(f()); fast::f(); } \
                  macro_rules! call { ($($c:tt)*) => { plain::$($c)* } } \
                  #[cfg(unix)] mod fast { use super::{LIMIT, OTHER as WIDE}; use std::cmp::max; pub fn f() { max(LIMIT, WIDE); own() } fn own() {} } \
                  mod plain { pub fn f() { super::run(); super::super::main() } } } mod n { fn own() {} }";
    let found = flat(source);
    assert!(found.contains("fn run() { call!(f()); fast::f(); }"), "{found}");
    assert!(
        found.contains("#[cfg(unix)] mod fast {use super::*;use super::OTHER as WIDE;use std::cmp::max; pub(crate) fn f() { max(LIMIT, WIDE); own() } fn own() {} }"),
        "{found}"
    );
    assert!(
        found.contains("mod plain {use super::*; pub(crate) fn f() { run(); main() } }"),
        "{found}"
    );
    assert!(found.ends_with("} fn own() {}"), "{found}");
}

#[test]
fn items_defined_by_a_macro_are_resolved_by_path() {
    let source = "fn main() { p::Made::new(); } mod p { macro_rules! m { ($n:ident) => { pub struct $n; } } m!(Made); } \
                  mod q { use super::p::Made; fn f() -> Made {} }";
    let found = flat(source);
    assert!(
        found.contains("fn main() { Made::new(); }") && found.ends_with("fn f() -> Made {}"),
        "{found}"
    );
    assert!(found.contains("pub(crate) struct $n"), "{found}");
}

#[test]
fn imports_of_macros_are_removed() {
    let source = "mod p { macro_rules! m { ($n:ident) => { pub fn $n() -> $crate::p::Made { $crate::p::Made } } } \
                  pub(crate) use m; pub struct Made; } \
                  mod q { use crate::p::m; struct Made; m!(own); m!(other); fn f(m: u8) { own(m) } } fn main() {}";
    let expected =
        "macro_rules! m { ($n:ident) => { pub(crate) fn $n() -> Made { Made } } } struct Made; \
                    struct Made_2; m!(own); m!(other); fn f(m: u8) { own(m) } fn main() {}";
    assert_eq!(flat(source), expected);
}

#[test]
fn unsupported_sources_are_rejected() {
    let called = "fn main() { let f = m::f(1); } mod m { macro_rules! call { ($f:ident) => { plain::$f } } pub fn f() {} mod plain { pub fn f() {} } }";
    let same_names = "#[cfg(a)] mod m {} mod n { #[cfg(b)] mod m {} } fn main() {}";
    let macros =
        "mod a { macro_rules! m { () => {} } } mod b { macro_rules! m { () => {} } } fn main() {}";
    let sources = [
        (same_names, "two modules that must be kept are named \"m\""),
        (macros, "two macros are named \"m\""),
        (called, "named in a macro"),
        (
            "mod a { use super::b::*; } mod b {} fn main() {}",
            "the module \"a\": it has a glob import",
        ),
        ("fn main() { use crate::a::f; } mod a { pub fn f() {} }", "a function imports an item"),
        ("fn main() { a::<u8>; } mod a {}", "the path a"),
    ];
    for (source, expected) in sources {
        let error = flatten(source).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn kept_modules_keep_their_names() {
    let source = "fn main() { let fast = fast::f(); let x = y as *const a::Same; } struct Same; \
                  #[cfg(a)] mod fast { pub fn f() {} } mod a { pub struct Same; }";
    let expected = "fn main() { let fast = fast::f(); let x = y as *const Same_2; } struct Same; \
                    #[cfg(a)] mod fast {use super::*; pub(crate) fn f() {} } struct Same_2;";
    assert_eq!(flat(source), expected);
}
