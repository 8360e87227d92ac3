use super::*;

fn without_unreachable(source: &str) -> String {
    remove_unreachable(source).expect("Rust")
}

#[test]
fn unreachable_items_are_removed() {
    let source = "fn main() { used(1); }\nfn used(a: A) {}\nfn dead() { by_dead(); dead(); }\nfn by_dead() { dead() }\n\
                  const C: u8 = 1;\nstatic D: u8 = C;\ntype A = B;\nstruct B;\nenum E {}\nimpl Clone for E {}\n\
                  impl Clone for B {}\ntrait T {}\nimpl T for E {}\nmacro_rules! m { () => { C } }\n";
    let found: Vec<String> = without_unreachable(source)
        .lines()
        .filter(|line| !line.is_empty())
        .map(String::from)
        .collect();
    let expected = [
        "fn main() { used(1); }",
        "fn used(a: A) {}",
        "type A = B;",
        "struct B;",
        "impl Clone for B {}",
    ];
    assert_eq!(found, expected);
}

#[test]
fn associated_functions_are_reached_by_name() {
    let source = "fn main() { A::new().called(); A::LIMIT; }\nstruct A;\nstruct B;\n\
                  impl A { const LIMIT: B = 1; fn new() -> A { Self::inner() } fn inner() {} fn dead() {} }\n\
                  impl B { fn new() {} fn called(self) {} fn inner() {} }\nstruct C;\nimpl C { fn called(self) {} }\n\
                  impl Debug for A {}\n";
    let found = without_unreachable(source);
    let expected = "fn main() { A::new().called(); A::LIMIT; }\nstruct A;\nstruct B;\n\
                    impl A { const LIMIT: B = 1; fn new() -> A { Self::inner() } fn inner() {}  }\n\
                    impl B { fn new() {} fn called(self) {} fn inner() {} }\n\n\n\n";
    assert_eq!(found, expected);
}

#[test]
fn uncalled_functions_of_a_trait_are_removed() {
    let source = "fn main() { (&A as &dyn T).called(); A::by_path(); Self::ask(); }\nstruct A;\n\
                  trait T { fn called(&self); fn dead(&self) {} fn by_path(); }\n\
                  impl T for A { fn called(&self) {} fn dead(&self) {} fn by_path() {} }\n\
                  impl Iterator for A { fn next(&mut self) {} }\n";
    let found = without_unreachable(source);
    assert_eq!(found.matches("called").count(), 3, "{found}");
    assert_eq!(found.matches("by_path").count(), 3, "{found}");
    assert!(!found.contains("dead") && found.contains("next"), "{found}");
}

#[test]
fn unreachable_items_of_a_macro_are_removed() {
    let source = "macro_rules! m { ($a:ident = $b:expr) => { struct S { $a: u8 } \
                  impl Default for S { fn default() -> S { S { $a: $b } } } \
                  impl S { const DEAD: &'static [u8] = &[$b]; pub fn dead(&self) { loop {} } fn live(&self) {} } \
                  const fn gone() {} fn here() {} } }\nm!(a = 1);\nfn main() { S::default().live(); here(); }\n";
    let found = without_unreachable(source);
    for (name, count) in
        [("DEAD", 0), ("dead", 0), ("live", 2), ("default", 2), ("gone", 0), ("here", 2)]
    {
        assert_eq!(found.matches(name).count(), count, "{name}: {found}");
    }
}

#[test]
fn items_of_kept_modules_are_reached_by_name() {
    let source = "fn main() { kept::used(); call!(by_macro(1)); }\nmod kept { pub fn used() {} pub fn by_macro() {} pub fn dead() {} }\n";
    let found = without_unreachable(source);
    assert!(
        found.contains("fn used") && found.contains("fn by_macro") && !found.contains("dead"),
        "{found}"
    );
}

#[test]
fn a_field_does_not_reach_a_function_of_the_same_name() {
    let source = "fn main() { A; a.field.called::<u8>(); (a.function)(1); a.last }\nstruct A;\n\
                  impl A { fn field(&self) {} fn called<T>(&self) {} fn function(&self) {} fn last(&self) {} }\n";
    let found = without_unreachable(source);
    assert!(found.contains("impl A {  fn called<T>(&self) {}   }"), "{found}");
}

#[test]
fn items_and_members_of_one_name_are_distinguished() {
    let source = "fn main() { A.called(); other(); }\nfn called() {}\nstruct A;\n\
                  impl A { fn called(&self) { A } fn other() {} }\nconst fn other() {}\n";
    let expected = "fn main() { A.called(); other(); }\n\nstruct A;\nimpl A { fn called(&self) { A }  }\nconst fn other() {}\n";
    assert_eq!(without_unreachable(source), expected);
}

#[test]
fn a_method_does_not_reach_a_function_of_its_name() {
    let source =
        "fn main() { a.called(); }\nstruct A;\nimpl A { fn called(&self) {} }\nfn called() {}\n";
    assert!(!without_unreachable(source).contains("fn called() {}"));
}
