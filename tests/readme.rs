//! What the README shows must work as printed.

#![cfg(unix)]

use std::process::Command;

const README: &str = include_str!("../README.md");

/// The fenced `sh` blocks, in order.
fn scripts() -> Vec<&'static str> {
    let blocks = README.split("```sh\n").skip(1);
    blocks.map(|rest| rest.split("```").next().expect("a closed block")).collect()
}

#[test]
fn the_first_commands_run_and_test() {
    assert_eq!(scripts()[..2], ["cargo run --release\n", "cargo test --release\n"]);
}

#[test]
fn two_copies_play_by_the_script() {
    let script = scripts().into_iter().find(|script| script.contains("mkfifo")).expect("a script");
    let output = Command::new("sh")
        .args(["-c", script])
        .env("CUPBOT", env!("CARGO_BIN_EXE_cupbot"))
        .output()
        .expect("a shell");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let log = String::from_utf8_lossy(&output.stdout);
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(log.lines().filter(|line| line.starts_with("ply ")).count() > 4, "{log}");
    assert!(log.trim_end().ends_with("the game is over, waiting for Quit"), "{log}");
}
