//! The benchmarks: pinned node counts, equal with every instruction set, and an error if the network is damaged.

use crate::common::{cupbot, folder, json, make_program, stderr, stdout};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// One line per game: its name and the node count of its benchmark. Commits that change search, evaluation or network
/// change these counts and say so.
const PINNED: &str = include_str!("../data/bench.txt");
/// Names of the instruction sets.
const PATHS: [&str; 3] = ["plain", "sse41", "avx2"];

/// Returns the games with their pinned counts.
fn pinned() -> Vec<(&'static str, u64)> {
    let parse = |line: &'static str| {
        let (game, nodes) = line.split_once(' ')?;
        Some((game, nodes.parse().ok()?))
    };
    PINNED.lines().map(|line| parse(line).expect(line)).collect()
}

fn run(line: &str) -> Output {
    cupbot(line).output().expect("it starts")
}

/// Returns the last line of a benchmark's report.
fn count(output: &Output) -> String {
    assert!(output.status.success(), "{}", stderr(output));
    stdout(output).lines().last().expect("a report").to_string()
}

#[test]
fn benchmarks_search_the_pinned_nodes() {
    let games = json(&run("games --json"));
    let has_bench = |game: &&Value| {
        let capabilities = game["capabilities"].as_array().expect("a list");
        capabilities.contains(&Value::from("bench"))
    };
    let games = games.as_array().expect("a list").iter().filter(has_bench);
    let names: Vec<&str> = games.map(|game| game["name"].as_str().expect("a name")).collect();
    assert_eq!(names, pinned().iter().map(|(game, _)| *game).collect::<Vec<_>>());
    for (game, nodes) in pinned() {
        let found = count(&run(&format!("bench --game {game}")));
        assert_eq!(found, format!("Bench: {nodes}"), "{game}");
    }
}

#[test]
fn totals_are_json_on_request() {
    for (game, _) in pinned() {
        let line = format!("bench --game {game} --depth 1");
        let totals = json(&run(&format!("{line} --json")));
        assert_eq!(format!("Bench: {}", totals["nodes"]), count(&run(&line)), "{game}");
        assert!(totals["game"] == game && totals["seconds"].is_number(), "{totals}");
    }
}

/// Whether this CPU supports an instruction set.
fn has(path: &str) -> bool {
    match path {
        "plain" => true,
        #[cfg(target_arch = "x86_64")]
        "sse41" => is_x86_feature_detected!("sse4.1") && is_x86_feature_detected!("popcnt"),
        #[cfg(target_arch = "x86_64")]
        "avx2" => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2"),
        _ => false,
    }
}

#[test]
fn every_path_of_instructions_searches_the_same_nodes() {
    for (game, nodes) in pinned() {
        for path in PATHS {
            let found = run(&format!("bench --game {game} --simd {path}"));
            if !has(path) {
                assert_eq!(found.status.code(), Some(2), "{game} {path}");
            } else {
                assert_eq!(count(&found), format!("Bench: {nodes}"), "{game} {path}");
            }
        }
    }
}

/// Bytes that identify a built-in network in the binary, and the offset of the byte that a test changes.
const SAMPLE: std::ops::Range<usize> = 5_000..5_064;

/// Creates a copy of the binary with one changed byte in a game's built-in network.
fn damaged(game: &str, network: &str) -> PathBuf {
    let network = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(network)).expect("a file");
    let sample = &network[SAMPLE];
    let mut binary = fs::read(env!("CARGO_BIN_EXE_cupbot")).expect("the binary");
    let places: Vec<usize> = (0..binary.len() - sample.len())
        .filter(|&at| binary[at] == sample[0] && binary[at..].starts_with(sample))
        .collect();
    assert!(!places.is_empty(), "the binary has no network of {game}");
    places.iter().for_each(|&at| binary[at] ^= 1);
    let path = folder("bench", game).join("cupbot");
    make_program(&path, &binary);
    path
}

const NETWORK: &str = "src/games/zero_point_one/eval/network.bin";

#[test]
fn a_damaged_network_fails_the_benchmark() {
    let path = damaged("fails", NETWORK);
    for options in [&[][..], &["--path", "plain"]] {
        let found = Command::new(&path).arg("bench").args(options).output().expect("it starts");
        let error = stderr(&found);
        assert_eq!((found.status.code(), stdout(&found).as_str()), (Some(2), ""), "{error}");
        assert_eq!(error, "cupbot: the network file is damaged: wrong checksum\n");
    }
}

#[test]
fn a_damaged_network_plays_on_and_says_so_once() {
    let path = damaged("plays", NETWORK);
    let mut bot = crate::common::Bot::of(&mut Command::new(path));
    for line in ["Time 2000", "Start"] {
        bot.send(line);
    }
    assert_eq!(bot.hear().expect("a setup").len(), 16);
    bot.send("aaaadddaaadaffnw");
    assert!(bot.hear().expect("a move").len() >= 3);
    bot.send("Quit");
    let (status, _, log) = bot.end();
    assert!(status.success(), "{log}");
    assert_eq!(log.matches("wrong checksum; continuing").count(), 1, "{log}");
}
