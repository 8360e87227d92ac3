//! The examples of the README and the manual must work as printed.

#![cfg(unix)]

use std::path::Path;
use std::process::Command;
use std::{env, fs};

const README: &str = include_str!("../../README.md");
const MANUAL: &str = include_str!("../../docs/manual.md");

/// Returns the fenced `sh` blocks of a page, in order.
fn scripts(page: &'static str) -> Vec<&'static str> {
    let blocks = page.split("```sh\n").skip(1);
    blocks.map(|rest| rest.split("```").next().expect("a closed block")).collect()
}

#[test]
fn the_first_commands_run_and_test() {
    assert_eq!(scripts(README)[..2], ["cargo run --release\n", "cargo test --release\n"]);
}

#[test]
fn the_readme_has_at_most_120_lines() {
    assert!(README.lines().count() <= 120);
}

#[test]
fn versions_of_cargo_and_changelog_are_equal() {
    let changelog = include_str!("../../CHANGELOG.md");
    let headings = changelog.lines().filter_map(|line| line.strip_prefix("## [")?.split_once(']'));
    let newest = headings.map(|(version, _)| version).find(|version| *version != "Unreleased");
    assert_eq!(newest, Some(env!("CARGO_PKG_VERSION")));
    let output = Command::new(env!("CARGO_BIN_EXE_cupbot")).arg("--version").output();
    let stdout = output.expect("it starts").stdout;
    assert_eq!(stdout, format!("cupbot {}\n", env!("CARGO_PKG_VERSION")).as_bytes());
}

#[test]
fn two_copies_play_by_the_script() {
    let mut scripts = scripts(MANUAL).into_iter();
    let script = scripts.find(|script| script.contains("mkfifo")).expect("a script");
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

/// Returns the samples: a command after `$ ` and the shown lines of its output.
fn samples() -> Vec<(&'static str, Vec<&'static str>)> {
    let commands = README.split("\n$ ").skip(1);
    let sample = |rest: &'static str| {
        let mut lines = rest.lines().take_while(|line| !line.starts_with("```"));
        (lines.next().expect("a command"), lines.collect())
    };
    commands.map(sample).collect()
}

/// `UPDATE_README=1 cargo test --release --test cli readme` rewrites the samples.
#[test]
fn samples_are_what_their_commands_print() {
    let samples = samples();
    assert!(!samples.is_empty());
    let mut page = README.to_string();
    for (command, shown) in samples {
        let arguments = command.strip_prefix("cupbot ").expect("our command").split(' ');
        let output = Command::new(env!("CARGO_BIN_EXE_cupbot")).args(arguments).output();
        let output = output.expect("it starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let report = String::from_utf8_lossy(&output.stdout).to_string();
        // Compare from the head of the table, as many lines as the sample shows.
        let head = report.lines().position(|line| line.starts_with(&shown[0][..8]));
        let found = report.lines().skip(head.expect("the head of the table")).take(shown.len());
        let found: Vec<&str> = found.map(str::trim_end).collect();
        assert!(shown.len() > 3, "{command}");
        if env::var_os("UPDATE_README").is_some() {
            page = page.replace(&shown.join("\n"), &found.join("\n"));
        } else {
            assert_eq!(shown, found, "{command}: see UPDATE_README in tests/cli/readme.rs");
        }
    }
    if page != README {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
        fs::write(path, page).expect("a page of ours");
    }
}

#[test]
fn no_example_plays_a_player_against_itself() {
    let pages = [
        README,
        MANUAL,
        include_str!("../../docs/training.md"),
        include_str!("../../docs/6561.md"),
        include_str!("../../docs/chess960.md"),
        include_str!("../../docs/zuniq.md"),
        include_str!("../../docs/zero-point-one.md"),
    ];
    let lines = pages.iter().flat_map(|page| page.lines());
    let players = |line: &str| -> Option<[String; 2]> {
        let rest = line.trim_start().strip_prefix("cupbot match ")?;
        let words: Vec<&str> = rest.split(' ').filter(|word| word.starts_with("self")).collect();
        let [a, b] = words[..] else { return None };
        Some([a.to_string(), b.to_string()])
    };
    let mut count = 0;
    for line in lines {
        let Some([a, b]) = players(line) else { continue };
        count += 1;
        assert_ne!(description(&a), description(&b), "{line}");
    }
    assert!(count > 3, "only {count} examples found");
}

/// Returns the options that affect how a built-in player plays, without those that state a default.
fn description(player: &str) -> String {
    let defaults = include_str!("../../src/games/zero_point_one/search/params.rs");
    let options = player.split_once(':').map_or("", |(_, options)| options);
    let is_default = |option: &&str| {
        let (name, value) = option.split_once('=').expect("key=value");
        defaults.lines().any(|line| line.contains(&format!("{name} = {value},")))
    };
    options.split(',').filter(|option| !option.is_empty() && !is_default(option)).collect()
}
