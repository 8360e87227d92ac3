use super::super::layout::text_of;
use super::super::tokens::flat;
use super::*;

fn short(source: &str) -> String {
    text_of(&abbreviated(flat(source).expect("Rust"))).replace('\n', " ")
}

#[test]
fn words_that_are_met_often_stand_once() {
    let found = short(&"fn f(){return 1}".repeat(9));
    assert_eq!(
        found,
        format!("macro_rules!z{{($a:tt)=>{{{}}}}}z!{{return}} ", "fn f(){$a 1}".repeat(9))
    );
}

#[test]
fn words_that_save_nothing_stay() {
    assert_eq!(short("fn f(){return 1}"), "macro_rules!z{()=>{fn f(){return 1}}}z!{} ");
}

#[test]
fn lifetimes_stay() {
    let found = short(&"f::<'static>(static)".repeat(9));
    assert!(found.contains("f::<'static>($a)f::<'static>($a)"), "{found}");
}

#[test]
fn own_macros_get_their_mark_by_a_parameter() {
    let found = short("macro_rules!m{($x:expr)=>{$x+1}}");
    assert_eq!(found, "macro_rules!z{($a:tt)=>{macro_rules!m{($a x:expr)=>{$a x+1}}}}z!{$} ");
}
