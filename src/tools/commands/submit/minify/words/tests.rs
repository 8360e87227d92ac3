use super::super::layout::text_of;
use super::super::tokens::relevant_tokens;
use super::*;

fn abbreviated(source: &str) -> String {
    text_of(&abbreviate(relevant_tokens(source).expect("Rust"))).replace('\n', " ")
}

#[test]
fn frequent_words_become_macro_arguments() {
    let found = abbreviated(&"fn f(){return 1}".repeat(9));
    assert_eq!(
        found,
        format!("macro_rules!z{{($a:tt)=>{{{}}}}}z!{{return}} ", "fn f(){$a 1}".repeat(9))
    );
}

#[test]
fn words_that_save_nothing_are_kept() {
    assert_eq!(abbreviated("fn f(){return 1}"), "macro_rules!z{()=>{fn f(){return 1}}}z!{} ");
}

#[test]
fn lifetimes_are_kept() {
    let found = abbreviated(&"f::<'static>(static)".repeat(9));
    assert!(found.contains("f::<'static>($a)f::<'static>($a)"), "{found}");
}

#[test]
fn macros_get_their_dollar_from_a_parameter() {
    let found = abbreviated("macro_rules!m{($x:expr)=>{$x+1}}");
    assert_eq!(found, "macro_rules!z{($a:tt)=>{macro_rules!m{($a x:expr)=>{$a x+1}}}}z!{$} ");
}

#[test]
fn frequent_groups_become_macro_arguments() {
    let found = abbreviated(&"#[inline]fn f(&mut self){}".repeat(40));
    assert!(
        found.contains("#$a$b f$c{}#$a$b f$c{}") || found.contains("#$b$c f$a{}#$b$c f$a{}"),
        "{found}"
    );
    assert!(found.contains("(&mut self)") && found.contains("[inline]"), "{found}");
}

#[test]
fn groups_with_names_of_variables_are_kept() {
    let found = abbreviated(&"x(&y,z)".repeat(30));
    assert!(found.contains("x(&y,z)x(&y,z)"), "{found}");
}

#[test]
fn a_parameter_saves_the_space_before_it() {
    let found = abbreviated(&"x as y;".repeat(20));
    assert!(found.contains("x$a y;x$a y;"), "{found}");
}
