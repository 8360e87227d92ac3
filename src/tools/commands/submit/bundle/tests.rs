use super::*;

fn bundled(root: &str, files: &[(&str, &str)]) -> Result<String> {
    let mut sources = vec![("a/mod.rs", root.as_bytes())];
    sources.extend(files.iter().map(|(path, text)| (*path, text.as_bytes())));
    bundle(&sources, "a/mod.rs", Form::Ascii)
}

#[test]
fn modules_of_both_kinds_of_path_are_inlined() {
    let files = [
        ("a/b.rs", "//! About b.\n\nmod c;\n"),
        ("a/b/c.rs", "pub fn c() {}\n"),
        ("a/d/mod.rs", "/// E.\npub(super) mod e;\n"),
        ("a/d/e.rs", "static E: u8 = 1;\n"),
    ];
    let expected = "\
//! The root.
pub mod b {
    //! About b.

    mod c {
        pub fn c() {}
    }
}
mod d {
    /// E.
    pub(super) mod e {
        static E: u8 = 1;
    }
}
";
    assert_eq!(bundled("//! The root.\npub mod b;\nmod d;\n", &files).unwrap(), expected);
}

#[test]
fn submodules_of_an_inline_module_are_in_its_folder() {
    let text = bundled("mod b { mod c; }\n", &[("a/b/c.rs", "fn c() {}\n")]).unwrap();
    assert!(text.contains("fn c() {}"), "{text}");
}

#[test]
fn a_missing_module_is_reported() {
    let error = bundled("mod b;\n", &[]).unwrap_err();
    assert_eq!(format!("{error:#}"), "a/mod.rs: neither a/b.rs nor a/b/mod.rs exists");
}

#[test]
fn tests_are_removed() {
    let root = "\
use x::y;
/// Only for tests.
#[cfg(test)]
pub(crate) use x::{z, w};

#[derive(Clone)]
#[cfg(test)]
struct T {
    a: u8,
}

fn f() {
    #[cfg(test)]
    let a = T { a: 1 };
    g();
}

impl A {
    fn g() {}

    #[cfg(test)]
    const fn h() -> [u8; 2] {
        [0; 2]
    }
}

#[cfg(test)]
mod tests;
";
    let expected = "\
use x::y;

fn f() {
    g();
}

impl A {
    fn g() {}
}
";
    assert_eq!(bundled(root, &[]).unwrap(), expected);
}

#[test]
fn comments_and_strings_are_not_parsed_as_code() {
    let root = "// mod b;\n/* mod c; */\nconst X: &str = \"mod d; include_str!(\\\"e\\\")\";\n";
    assert_eq!(bundled(root, &[]).unwrap(), root);
}

#[test]
fn included_data_becomes_literals() {
    let root =
        "const T: &str = include_str!(\"t.txt\");\nfn n() { f(include_bytes!(\"../n.bin\")) }\n";
    let text = bundled(root, &[("a/t.txt", "one\n two\n"), ("n.bin", "1234")]).unwrap();
    let (first, second) = text.split_once(";\n").unwrap();
    assert_eq!(first, "const T: &str = \"\\\none\\n\\\n\\x20two\\n\\\n\"");
    let data = second.strip_prefix("fn n() { f(b\"").unwrap().strip_suffix("\") }\n").unwrap();
    assert_eq!(crate::engine::embedded::unpack(data.as_bytes()).unwrap(), &b"1234"[..]);
}

#[test]
fn lines_within_literals_are_not_indented() {
    let source = "const A: &str = \"one\n  two\";\n\n// comment\nconst B: u8 = 1;\n";
    let expected = "    const A: &str = \"one\n  two\";\n\n    // comment\n    const B: u8 = 1;\n";
    assert_eq!(indented(source).unwrap(), expected);
}

#[test]
fn unsupported_constructs_are_rejected() {
    for root in [
        "#[path = \"x.rs\"]\nmod b;\n",
        "include!(\"x.rs\");\n",
        "const F: &str = f(include_str!(concat!(\"x\")));\n",
        "m! { x => include_str!(\"x.rs\") }\n",
    ] {
        assert!(bundled(root, &[("a/b.rs", ""), ("a/x.rs", "")]).is_err(), "{root}");
    }
    assert!(bundled("fn f( {\n", &[]).is_err());
}
