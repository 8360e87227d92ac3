use super::super::tokens::relevant_tokens;
use super::*;

fn layout(source: &str) -> String {
    text_of(&relevant_tokens(source).expect("Rust"))
}

#[test]
fn tokens_that_would_merge_are_separated() {
    let cases = [
        ("let _ = - 1 + - - 2 & & 3 != 4 ;", "let _=-1+--2& &3!=4;"),
        (
            "let x : Vec < Vec < u8 >> = a :: < 'a , u8 > ( 1 .. 2 , 1 ..= 2 ) ;",
            "let x:Vec<Vec<u8>> =a::<'a,u8>(1..2,1..=2);",
        ),
        ("f ( _x as u8 , \"a  // b\" , 'c' , ( 5 , ) )", "f(_x as u8,\"a  // b\",'c',(5,))"),
        ("'outer : loop { break 'outer ; }", "'outer:loop{break 'outer;}"),
        ("if x < - 1 && * y == * * z || w . 0 . 1 > 5 { }", "if x< -1&&*y==**z||w.0.1>5{}"),
        ("return \"text\" ; # [ a ] fn b ( ) { }", "return \"text\";#[a]fn b(){}"),
    ];
    for (source, expected) in cases {
        assert_eq!(layout(source), format!("{expected}\n"));
    }
}

#[test]
fn lines_break_at_spaces_if_possible() {
    let words = layout(&"let a ".repeat(200));
    assert!(words.lines().all(|line| line.chars().count() <= LINE + 3 && line.trim() == line));
    let calls = layout(&"(a)".repeat(200));
    assert!(calls.lines().all(|line| line.chars().count() < MAX_LINE) && calls.lines().count() > 2);
    assert_eq!(calls.replace('\n', ""), "(a)".repeat(200));
    let operators = layout(&"a<<=".repeat(200));
    assert!(operators.lines().all(|line| !line.starts_with(['<', '=']) || line.starts_with("<<=")));
}
