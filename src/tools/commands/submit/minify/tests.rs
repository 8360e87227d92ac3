use super::*;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A program with all kinds of modules, imports, traits and macros that the steps must handle.
const PROGRAM: &str = include_str!("tests/program.rs");

/// Compiles a program and returns its output.
fn output_of(source: &str, folder: &Path, name: &str) -> String {
    let file = folder.join(name).with_extension("rs");
    fs::write(&file, source).expect("a file");
    let arguments = ["--edition", "2021", "--out-dir"];
    let mut compiler = Command::new("rustc");
    let output = compiler.args(arguments).arg(folder).arg(&file).output().expect("rustc");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let output = Command::new(folder.join(name)).output().expect("the program");
    assert!(output.status.success());
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn a_minified_program_behaves_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let small = format!("#![allow(warnings)]\n{}", minify(PROGRAM).expect("a minified program"));
    let expected = output_of(PROGRAM, folder.path(), "large");
    assert_eq!(expected.lines().count(), 9);
    assert_eq!(output_of(&small, folder.path(), "small"), expected);
    assert!(small.chars().count() * 2 < PROGRAM.chars().count(), "{small}");
    // Items, members, variables and aliases have other names, and what nothing reaches is gone.
    let words: Vec<&str> = small.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    for name in ["Thing", "made", "WIDE", "second", "Valued", "FACTOR", "SIZE", "same"] {
        assert!(!words.contains(&name), "{name}: {small}");
    }
    assert_eq!(words.iter().filter(|word| **word == "mod").count(), 2, "{small}");
}
