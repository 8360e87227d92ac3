use super::*;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Modules, imports, traits and macros of all kinds that the steps must follow.
const PROGRAM: &str = include_str!("tests/program.rs");

/// What a program prints, compiled as a contest does.
fn printed(source: &str, folder: &Path, name: &str) -> String {
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
fn a_small_program_does_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let small = format!("#![allow(warnings)]\n{}", minified(PROGRAM).expect("a small program"));
    let expected = printed(PROGRAM, folder.path(), "large");
    assert_eq!(expected.lines().count(), 8);
    assert_eq!(printed(&small, folder.path(), "small"), expected);
    assert!(small.chars().count() * 2 < PROGRAM.chars().count(), "{small}");
}
