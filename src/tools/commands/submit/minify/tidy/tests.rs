use super::*;

#[test]
fn last_semicolons_go_where_the_value_is_none() {
    let cases = [
        ("fn f() { a = 1; }", "fn f() { a = 1 }"),
        ("fn f() { if x { return 1; } a <<= 2; }", "fn f() { if x { return 1 } a <<= 2 }"),
        ("fn f() { loop { break; } }", "fn f() { loop { break } }"),
        // Its value may be some.
        ("fn f() { g(); }", "fn f() { g(); }"),
        ("fn f() { a = 1; g() }", "fn f() { a = 1; g() }"),
    ];
    for (source, expected) in cases {
        assert_eq!(tidied(source).unwrap(), expected);
    }
}

#[test]
fn arms_lose_their_braces() {
    let source =
        "fn f() { match x { 1 => { a }, 2 => { b = 3; } 3 => { let c = 1; c } _ => 'l: { 4 } } }";
    let expected =
        "fn f() { match x { 1 =>  a , 2 =>  b = 3 , 3 => { let c = 1; c } _ => 'l: { 4 } } }";
    assert_eq!(tidied(source).unwrap(), expected);
}
