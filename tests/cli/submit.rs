//! The one-file submission: it compiles alone, plays like the cargo build, and `--check` reports faulty files.

#![cfg(target_os = "linux")]

use crate::common::{cupbot, fails, games, make_program};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// Path of Debian's old compiler, which must compile the playing core, too.
const OLD_RUSTC: &str = "/usr/bin/rustc";
/// Nodes per move of the compared games.
const NODES: &str = "500";

/// A submittable game.
#[derive(Clone, Copy)]
struct Game {
    name: &'static str,
    index: usize,
    /// Depth of the compared perft counts.
    depth: &'static str,
}

const ZERO_POINT_ONE: Game = Game { name: "zero-point-one", index: 0, depth: "4" };
const ZUNIQ: Game = Game { name: "zuniq", index: 1, depth: "1" };
/// The cooperative game: both players get the same points.
const TEAM: Game = Game { name: "6561", index: 2, depth: "3" };
/// The game whose contest limits characters instead of bytes.
const DENSE: Game = Game { name: "chess960", index: 3, depth: "7" };
const GAMES: [Game; 4] = [ZERO_POINT_ONE, ZUNIQ, TEAM, DENSE];
/// The games whose players have a network.
const WITH_NETWORK: [Game; 2] = [ZERO_POINT_ONE, ZUNIQ];

/// Creates a folder for the files of a test.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("submit").join(name);
    fs::create_dir_all(&path).expect("a folder");
    path
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// Runs a command that must succeed and returns its stdout.
fn stdout(command: &mut Command) -> String {
    let Output { status, stdout, stderr } = command.output().expect("the command starts");
    assert!(status.success(), "{command:?}: {}", text(&stderr));
    text(&stdout)
}

/// Returns the submission of this build.
fn submission(game: Game) -> &'static str {
    static SUBMISSIONS: [OnceLock<String>; GAMES.len()] = [const { OnceLock::new() }; GAMES.len()];
    SUBMISSIONS[game.index].get_or_init(|| stdout(&mut cupbot(&format!("submit {}", game.name))))
}

/// Compiles the submission at a low optimisation level and fails on warnings. An unchanged submission is compiled only
/// once.
fn compile(game: Game, rustc: &str, folder: &Path) -> PathBuf {
    let (player, key) = (folder.join("player"), folder.join("key"));
    let made_of = stdout(Command::new(rustc).arg("--version")) + submission(game);
    if player.exists() && fs::read_to_string(&key).is_ok_and(|old| old == made_of) {
        return player;
    }
    let _ = fs::remove_file(&key);
    fs::write(folder.join("player.rs"), submission(game)).expect("a file");
    let arguments = ["-C", "opt-level=1", "--edition", "2021", "player.rs"];
    let output = Command::new(rustc).args(arguments).current_dir(folder).output().expect("rustc");
    assert_eq!((text(&output.stderr).as_str(), output.status.success()), ("", true));
    fs::write(key, made_of).expect("a file");
    player
}

/// Returns the submission compiled by the current compiler.
fn player(game: Game) -> &'static Path {
    static PLAYERS: [OnceLock<PathBuf>; GAMES.len()] = [const { OnceLock::new() }; GAMES.len()];
    let made = || compile(game, "rustc", &folder(&format!("new-{}", game.name)));
    PLAYERS[game.index].get_or_init(made)
}

/// Returns the last line of the cargo build's benchmark.
fn expected_bench(game: Game) -> String {
    bench(&mut cupbot(&format!("bench --game {} --depth {}", game.name, game.depth)))
}

fn bench(command: &mut Command) -> String {
    stdout(command).lines().last().expect("a report").to_string()
}

#[test]
fn the_file_is_within_the_limits_of_size_and_text() {
    for game in GAMES {
        let file = submission(game);
        let size = if game.name == DENSE.name {
            assert!(file.chars().count() <= 100_000);
            format!(", {} characters.", file.chars().count())
        } else {
            assert!(file.len() <= 1_474_560);
            format!(", {} bytes.\n", file.len())
        };
        assert!(file.contains(&size), "{}", &file[..200]);
        for line in file.lines() {
            assert!(line.chars().count() <= 200 && line.trim_end() == line, "{line:?}");
            assert!(!line.chars().any(char::is_control), "{line:?}");
        }
        assert!(!file.contains("#[cfg(test)]"));
    }
}

#[test]
fn files_and_games_that_do_not_exist_are_errors() {
    let path = folder("written").join("player.rs");
    let path = path.display();
    assert_eq!(stdout(&mut cupbot(&format!("submit zero-point-one -o `{path}`"))), "");
    assert_eq!(fs::read_to_string(path.to_string()).expect("a file"), submission(ZERO_POINT_ONE));
    let list = stdout(&mut cupbot("submit --list"));
    let names: Vec<_> = list.lines().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(names, GAMES.map(|game| game.name));
    for unknown in ["checkers", "", "--check /no/file", &format!("checkers --check `{path}`")] {
        fails(Path::new("."), &format!("submit {unknown}"), "");
    }
}

#[test]
fn searches_as_the_cargo_build_does() {
    for game in GAMES {
        let expected = expected_bench(game);
        assert!(expected.starts_with("Bench: "), "{expected}");
        assert_eq!(bench(Command::new(player(game)).args(["bench", game.depth])), expected);
        assert!(stdout(Command::new(player(game)).arg("--version")).starts_with("cupbot "));
        let bad = Command::new(player(game)).args(["bench", "x"]).output().expect("it starts");
        assert_eq!(bad.status.code(), Some(2));
    }
}

/// Start of the text form of a data file.
const MARKER: &[u8] = b"packed:5 32 ";
/// Number of digits to search, and the index of the one to change.
const DIGITS: usize = 2000;
const CHANGED: usize = 1000;

#[test]
fn a_damaged_network_fails_the_benchmark() {
    for game in WITH_NETWORK {
        let mut binary = fs::read(player(game)).expect("the player");
        let is_text = |byte: &u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
        let begins = |at: &usize| {
            let text = &binary[*at..at + DIGITS];
            text.starts_with(MARKER) && text.iter().all(is_text)
        };
        let at = (0..binary.len() - DIGITS).find(begins).expect("a data file");
        let changed = (at + CHANGED..).find(|&at| binary[at].is_ascii_graphic()).expect("a digit");
        binary[changed] = if binary[changed] == b'!' { b'#' } else { b'!' };
        let path = folder(&format!("damaged-{}", game.name)).join("player");
        make_program(&path, &binary);
        let output = Command::new(path).args(["bench", game.depth]).output().expect("it starts");
        let error = text(&output.stderr);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{error}");
        assert!(error.starts_with("cupbot: ") && error.contains("damaged"), "{error}");
        assert!(!error.contains("panicked"), "{error}");
    }
}

#[test]
fn an_old_compiler_makes_the_same_player() {
    let version = Command::new(OLD_RUSTC).arg("--version").output();
    let version = version.map(|output| text(&output.stdout)).unwrap_or_default();
    if !version.starts_with("rustc 1.63.") {
        eprintln!("skipped: no rustc 1.63 as {OLD_RUSTC}");
        return;
    }
    for game in GAMES {
        let old = compile(game, OLD_RUSTC, &folder(&format!("old-{}", game.name)));
        assert_eq!(bench(Command::new(old).args(["bench", game.depth])), expected_bench(game));
    }
}

/// Plays a match without openings and returns the summary.
fn play(game: Game, a: &str, b: &str, options: &str) -> Value {
    let line = format!("match --game {} `{a}` `{b}` -n 2 --time 60m", game.name);
    let line = format!("{line} --openings none --json {options}");
    serde_json::from_str(&stdout(&mut cupbot(&line))).expect("JSON")
}

#[test]
fn plays_the_moves_of_the_cargo_build() {
    for game in GAMES {
        let record = folder("equal").join(game.name);
        // Remove the record of an earlier run, which would be continued.
        let _ = fs::remove_file(&record);
        let file = format!("{} nodes {NODES}", player(game).display());
        let build = env!("CARGO_BIN_EXE_cupbot");
        let build = format!("{build} play {} --nodes {NODES}", game.name);
        // In a two-game match the player keeps state from the first game.
        let single = if game.name == DENSE.name { "--single-games" } else { "" };
        play(game, &file, &build, &format!("--record `{}` {single}", record.display()));
        let games = games(&record);
        assert_eq!(games.len(), 2);
        assert_ne!(games[0]["names"], games[1]["names"]);
        // The same game with swapped colours: each player answers as the other one did.
        assert_eq!(games[0]["moves"], games[1]["moves"]);
        assert!(games[0]["moves"].as_array().expect("moves").len() > 10, "{}", games[0]);
        assert_eq!(games[0]["fault"], Value::Null);
    }
}

#[test]
fn beats_the_random_mover() {
    for game in [ZERO_POINT_ONE, ZUNIQ, DENSE] {
        let file = format!("{} nodes {NODES}", player(game).display());
        let random =
            format!("{} random-mover {} --seed 1", env!("CARGO_BIN_EXE_cupbot"), game.name);
        let summary = play(game, &file, &random, "--no-record");
        assert_eq!(summary["total"]["wins"], 2, "{summary}");
        assert_eq!(summary["a"]["complaints"], 0, "{summary}");
    }
}

/// Returns a program for `--rustc` that copies a compiled player instead of compiling it again.
fn made(game: Game) -> &'static Path {
    static MADE: [OnceLock<PathBuf>; GAMES.len()] = [const { OnceLock::new() }; GAMES.len()];
    MADE[game.index].get_or_init(|| {
        let path = folder(&format!("made-{}", game.name)).join("rustc");
        let player = player(game).display();
        let script = format!("#!/bin/sh\n[ \"$1\" = --version ] || cp '{player}' player\n");
        make_program(&path, script.as_bytes());
        path
    })
}

/// Runs `--check` on a source. Returns whether it succeeded, and whether each limit was kept.
fn check(name: &str, source: &str, rustc: &Path) -> (bool, Vec<(String, bool)>) {
    let path = folder(name).join("player.rs");
    fs::write(&path, source).expect("a file");
    let programs = format!("--rustc `{}` --check `{}`", rustc.display(), path.display());
    let line = format!("submit --json --nodes {NODES} {programs}");
    let output = cupbot(&line).output().expect("the binary starts");
    let findings: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let findings = findings.as_array().expect("a list").iter().map(|finding| {
        let limit = finding["limit"].as_str().expect("a name").to_string();
        (limit, finding["kept"].as_bool().expect("a verdict"))
    });
    (output.status.success(), findings.collect())
}

#[test]
fn the_check_finds_the_submission_good() {
    for game in GAMES {
        let (good, findings) = check(game.name, submission(game), made(game));
        assert!(good && findings.iter().all(|(_, kept)| *kept), "{findings:?}");
        assert_eq!(findings.len(), 10);
    }
}

#[test]
fn the_game_is_found_by_the_header_or_by_name() {
    // Without a game's name, a file is checked as a player of the main game.
    let source = submission(ZUNIQ).replace("Made by", "From");
    let (good, findings) = check("unnamed", &source, made(ZUNIQ));
    assert!(!good, "{findings:?}");
    let path = folder("unnamed").join("player.rs");
    let programs = format!("--rustc `{}` --check `{}`", made(ZUNIQ).display(), path.display());
    let line = format!("submit zuniq --nodes {NODES} --side white {programs}");
    let output = cupbot(&line).output().expect("the binary starts");
    let report = text(&output.stdout);
    assert!(output.status.success() && report.contains("as white, "), "{report}");
}

#[test]
fn the_check_finds_every_broken_limit() {
    let faulty = "
        fn main() {
            let unused = 1;
            eprint!(\"{}\", \"x\".repeat(10_001));
            std::thread::spawn(|| std::thread::sleep(std::time::Duration::from_secs(600)));
            println!(\"pass\");
            std::thread::sleep(std::time::Duration::from_secs(600));
        }\t";
    let (good, findings) = check("faulty", faulty, Path::new("rustc"));
    let broken = findings.iter().filter(|(_, kept)| !kept).map(|(limit, _)| limit.as_str());
    let broken: Vec<&str> = broken.collect();
    assert!(!good);
    assert_eq!(broken, ["text", "compiling", "game", "threads", "log", "Quit"]);
}

#[test]
fn the_check_limits_memory_and_names_errors() {
    let greedy = "fn main() { std::hint::black_box(vec![1u8; 3_000_000_000]); }";
    let (good, findings) = check("greedy", greedy, Path::new("rustc"));
    let game = findings.iter().find(|(limit, _)| limit == "game");
    assert!(!good && game == Some(&("game".to_string(), false)), "{findings:?}");
    let (good, findings) = check("wrong", "fn main() { 1 }", Path::new("rustc"));
    assert!(!good && findings.last() == Some(&("compiling".to_string(), false)), "{findings:?}");
}
