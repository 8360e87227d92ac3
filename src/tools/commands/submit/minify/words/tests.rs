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
    let found = abbreviated(&"#[inline]fn f(&mut self){}".repeat(9));
    let body = "#$a fn f$b{}".repeat(9);
    assert!(found.contains(&body) && found.ends_with("z!{[inline](&mut self)} "), "{found}");
}

#[test]
fn groups_with_names_of_variables_are_kept() {
    let found = abbreviated(&"x(&mut y,z)".repeat(30));
    assert!(found.contains("x(&mut y,z)x(&mut y,z)"), "{found}");
}

#[test]
fn a_parameter_saves_the_space_before_it() {
    let found = abbreviated(&"x as y;".repeat(20));
    assert!(found.contains("x$a y;x$a y;"), "{found}");
}
