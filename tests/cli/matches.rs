//! Drives `cupbot match` and `cupbot tournament`: planted faults, resumed matches, verdicts.

use crate::common::{cupbot, kill_when, run};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

/// A player that is strong enough to play on, and quick.
const SOUND: &str = "self:nodes=100";
/// So often an interruption is tried.
const ATTEMPTS: usize = 5;

fn folder(name: &str) -> PathBuf {
    crate::common::folder("matches", name)
}

/// The JSON that a finished run has printed.
fn summary(output: &Output) -> Value {
    let text = String::from_utf8_lossy(&output.stdout);
    let log = String::from_utf8_lossy(&output.stderr);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}{log}"))
}

/// The games of a record, in the order of their numbers.
fn games(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).expect("a record");
    let lines = text.lines().map(|line| serde_json::from_str(line).expect("JSON"));
    let mut games: Vec<Value> = lines.filter(|line: &Value| line["type"] == "game").collect();
    games.sort_by_key(|game| game["game"].as_u64());
    games
}

/// Two games of a faulty player against a sound one: each is lost by this kind of fault, the match
/// goes on to its end, and the log names the fault. Returns the record.
fn caught(name: &str, faulty: &str, kind: &str, more: &[&str]) -> Vec<Value> {
    let folder = folder(name);
    let mut arguments = vec!["match", faulty, SOUND, "--games", "2", "--json"];
    arguments.extend(more);
    let output = run(&folder, &arguments);
    assert_eq!(output.status.code(), Some(0));
    let summary = summary(&output);
    assert_eq!(summary["a"]["faults"][kind], 2, "{summary}");
    assert_eq!(summary["a"]["contest_points"], 0.0);
    assert_eq!(summary["b"]["contest_points"], 42.0);
    assert_eq!(summary["b"]["faults"].as_object().map(|faults| faults.len()), Some(0));
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(log.contains(&format!("lost by {kind}:")), "{log}");
    let games = games(&folder.join("matches.jsonl"));
    assert_eq!(games.len(), 2);
    assert!(games.iter().all(|game| game["reason"] == kind && game["fault"]["kind"] == kind));
    games
}

#[test]
fn an_illegal_move_is_caught() {
    let games = caught("illegal", "echo d4d5; cat > /dev/null", "illegal", &[]);
    assert!(games[0]["fault"]["detail"].as_str().is_some_and(|detail| detail.contains("d4d5")));
}

#[test]
fn garbage_is_caught() {
    let games = caught("garbage", "echo hello; cat > /dev/null", "garbage", &[]);
    assert!(games[0]["fault"]["detail"].as_str().is_some_and(|detail| detail.contains("hello")));
}

#[test]
fn a_crash_is_caught_with_the_last_words() {
    let games =
        caught("crash", "read line; echo first >&2; echo last words >&2; exit 3", "exit", &[]);
    let fault = &games[1]["fault"];
    assert_eq!(fault["detail"], "exited with status 3");
    assert_eq!(fault["stderr"], serde_json::json!(["first", "last words"]));
}

#[test]
fn a_signal_is_named() {
    let games = caught("signal", "kill -9 $$", "exit", &[]);
    assert_eq!(games[0]["fault"]["detail"], "killed by signal 9");
}

#[test]
fn closed_output_is_caught() {
    caught("closed", "exec >&-; cat > /dev/null", "closed", &[]);
}

#[test]
fn sleep_is_caught_by_the_wall_clock() {
    caught("sleep", "exec sleep 600", "silence", &["--wall", "300ms"]);
}

#[test]
fn a_child_that_burns_cpu_is_charged() {
    let burner = "sh -c 'while :; do :; done' & cat > /dev/null";
    let games = caught("burn", burner, "cpu_time", &["--time", "200ms", "--wall", "60s"]);
    for (game, side) in games.iter().zip([0, 1]) {
        assert!(game["cpu"][side].as_f64().is_some_and(|cpu| cpu > 0.2), "{game}");
    }
}

#[test]
fn a_player_that_ignores_quit_keeps_its_points_and_is_named() {
    let folder = folder("quit");
    let deaf = "while :; do sleep 1; done";
    let arguments = ["match", "echo d4d5; cat", deaf, "-n", "2", "--json"];
    let opening = folder.join("opening");
    fs::write(&opening, "WFNADAAADDFDAAAA aaaadddaaadaffnw\n").expect("a file");
    // In the first game the faulty player moves first, so that the deaf one wins.
    let mut arguments = arguments.to_vec();
    arguments.extend(["--openings", "opening", "--wall", "300ms"]);
    let output = run(&folder, &arguments);
    let summary = summary(&output);
    assert_eq!(summary["a"]["faults"]["illegal"], 1, "{summary}");
    assert_eq!(summary["b"]["complaints"], 1);
    assert_eq!(summary["b"]["faults"]["silence"], 1);
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(log.contains("ignored Quit"), "{log}");
    assert_eq!(games(&folder.join("matches.jsonl"))[0]["winner"], "blue");
}

#[test]
fn programs_and_the_built_in_player_play_by_the_clock() {
    let folder = folder("clock");
    let program = env!("CARGO_BIN_EXE_cupbot");
    let arguments = ["match", program, "self", "-n", "2", "--time", "400ms", "--json"];
    let summary = summary(&run(&folder, &arguments));
    assert_eq!(summary["games"], 2);
    for player in ["a", "b"] {
        assert_eq!(summary[player]["faults"].as_object().map(|faults| faults.len()), Some(0));
        let cpu = summary[player]["most_cpu"].as_f64().unwrap_or_default();
        assert!(cpu > 0.0 && cpu <= 0.4, "{summary}");
    }
}

#[test]
fn the_contest_begins_without_an_opening() {
    let folder = folder("contest");
    let program = env!("CARGO_BIN_EXE_cupbot");
    let arguments =
        ["match", program, "self:nodes=50", "-n", "2", "--time", "300ms", "--openings", "none"];
    assert_eq!(run(&folder, &arguments).status.code(), Some(0));
    for game in games(&folder.join("matches.jsonl")) {
        assert_eq!(game["opening"], 0);
        assert!(game["fault"].is_null(), "{game}");
        assert!(game["moves"].as_array().is_some_and(|moves| moves.len() > 2));
    }
}

/// The parts of a record that the clock has no part in.
fn timeless(games: Vec<Value>) -> Vec<[Value; 4]> {
    let parts = |game: Value| ["game", "winner", "moves", "scores"].map(|key| game[key].clone());
    games.into_iter().map(parts).collect()
}

#[test]
fn games_are_the_same_for_the_same_seed_whatever_the_jobs() {
    let folder = folder("seed");
    for (record, jobs, seed) in [("one", "1", "7"), ("three", "3", "7"), ("other", "1", "8")] {
        let players = ["match", "self:nodes=80", "self:nodes=60,lmr_base=90"];
        let mut arguments = players.to_vec();
        arguments.extend(["-n", "8", "--record", record, "--jobs", jobs, "--seed", seed]);
        assert_eq!(run(&folder, &arguments).status.code(), Some(0));
    }
    let [one, three, other] =
        ["one", "three", "other"].map(|name| timeless(games(&folder.join(name))));
    assert_eq!(one, three);
    assert_ne!(one, other);
    assert_eq!(one.len(), 8);
    for game in games(&folder.join("one")) {
        let count = |key: &str| game[key].as_array().map_or(0, Vec::len);
        // As `cupbot replay` reads them.
        assert_eq!(Some((count("moves") - count("scores")) as u64), game["opening"].as_u64());
    }
    // Both games of a pair have one opening.
    let opening = |game: usize| one[game][2].as_array().map(|moves| moves[..6].to_vec());
    assert_eq!(opening(0), opening(1));
    assert_ne!(opening(0), opening(2));
}

/// The summary of a match without what the clock decides.
fn timeless_summary(output: &Output) -> Value {
    let mut summary = summary(output);
    for key in ["a", "b"] {
        summary[key]["most_cpu"] = Value::Null;
    }
    summary["speed"] = Value::Null;
    summary
}

#[test]
fn a_killed_match_resumes_to_the_same_result() {
    let folder = folder("resume");
    let players = ["match", "self:nodes=600", "self:nodes=400", "-n", "40", "--json"];
    let with = |more: &[&'static str]| [&players[..], more].concat();
    let whole = run(&folder, &with(&["--record", "whole"]));
    let record = folder.join("parts");
    let lines = || fs::read_to_string(&record).map_or(0, |text| text.lines().count());
    // On a busy machine a match may be over before the kill comes.
    let interrupted = (0..ATTEMPTS).any(|_| {
        let _ = fs::remove_file(&record);
        let mut command = cupbot(&with(&["--record", "parts"]));
        kill_when(command.current_dir(&folder), || lines() >= 4);
        games_so_far(&record) < 40
    });
    assert!(interrupted, "the match is always over before the kill");
    // A kill may come in the middle of a line.
    let torn = fs::read_to_string(&record).expect("a record") + "{\"type\":\"game\",\"mat";
    fs::write(&record, torn).expect("written");
    let resumed = run(&folder, &with(&["--record", "parts", "--resume"]));
    assert_eq!(timeless_summary(&resumed), timeless_summary(&whole));
    assert_eq!(timeless(games(&record)), timeless(games(&folder.join("whole"))));
}

#[test]
fn other_instructions_play_the_same_games_and_are_recorded() {
    let folder = folder("path");
    let players = ["match", "self:nodes=600", "self:nodes=400", "-n", "4"];
    for (record, path) in [("best", &[][..]), ("plain", &["--path", "plain"])] {
        let output = run(&folder, &[&players[..], &["--record", record], path].concat());
        assert_eq!(output.status.code(), Some(0));
    }
    let [best, plain] = ["best", "plain"].map(|record| folder.join(record));
    let settings = |record: &Path| fs::read_to_string(record).expect("a record");
    assert!(settings(&plain).contains("\"path\":\"Plain\""));
    assert!(!settings(&best).contains("\"path\":\"Plain\""));
    assert_eq!(timeless(games(&plain)), timeless(games(&best)));
    // A match on another path is another match.
    let resumed = [&players[..], &["--record", "plain", "--resume"]].concat();
    assert_eq!(run(&folder, &resumed).status.code(), Some(2));
}

fn games_so_far(record: &Path) -> usize {
    let text = fs::read_to_string(record).expect("a record");
    text.lines().filter(|line| line.contains("\"winner\"")).count()
}

#[test]
fn resuming_another_match_is_refused() {
    let folder = folder("refused");
    assert_eq!(run(&folder, &["match", SOUND, SOUND, "-n", "2"]).status.code(), Some(0));
    let output = run(&folder, &["match", SOUND, SOUND, "-n", "2", "--seed", "2", "--resume"]);
    assert_eq!(output.status.code(), Some(2));
    fs::write(folder.join("letter"), "Dear reader").expect("written");
    let output = run(&folder, &["match", SOUND, SOUND, "-n", "2", "--record", "letter"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(fs::read_to_string(folder.join("letter")).ok().as_deref(), Some("Dear reader"));
}

#[test]
fn sprt_stops_the_match_and_sets_the_status() {
    let folder = folder("sprt");
    let (weak, strong) = ("self:nodes=20", "self:nodes=800");
    for (a, b, verdict, status) in [(weak, strong, "rejected", 1), (strong, weak, "accepted", 0)] {
        let output =
            run(&folder, &["match", a, b, "--sprt", "0", "50", "-n", "2000", "--json", "-j", "2"]);
        let summary = summary(&output);
        assert_eq!(output.status.code(), Some(status), "{summary}");
        assert_eq!(summary["sprt"]["verdict"], verdict);
        assert!(summary["games"].as_u64().is_some_and(|games| games < 400), "{summary}");
    }
}

#[test]
fn bad_arguments_are_refused_in_a_line() {
    let folder = folder("bad");
    let cases: [&[&str]; 9] = [
        &["match", "self:nodes=0", "self"],
        &["match", "self:colour=1", "self"],
        &["match", "self", "self", "--openings", "nowhere"],
        &["match", "self", "self", "--sprt", "5", "0"],
        &["match", "self", "self", "--openings", "random:good-setups=2"],
        &["match", "self", "self", "--openings", "random:balance=0"],
        &["match", "self", "self", "--resume"],
        &["match", "self", "self", "--time", "0"],
        &["tournament", "self", "self"],
    ];
    for arguments in cases {
        let output = run(&folder, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty());
    }
}

#[test]
fn a_tournament_ranks_its_players() {
    let folder = folder("tournament");
    let broken = "exit 1";
    let arguments =
        ["tournament", broken, "self:nodes=20", "self:nodes=800", "--rounds", "2", "--json"];
    let summary = summary(&run(&folder, &arguments));
    let names: Vec<&str> =
        (0..3).filter_map(|rank| summary["ranking"][rank]["name"].as_str()).collect();
    assert_eq!(names, ["self:nodes=800", "self:nodes=20", broken]);
    assert_eq!(summary["ranking"][2]["points"], 0.0);
    assert_eq!(summary["ranking"][2]["faults"], 8);
    assert_eq!(summary["ranking"][0]["against"][2]["wins"], 4);
}

#[test]
fn one_game_says_nothing_of_the_elo() {
    let folder = folder("one");
    let output = run(&folder, &["match", SOUND, "self:nodes=1", "-n", "1"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("elo unknown (too few games)") && !text.contains("inf"), "{text}");
    // What the record says of the players and the limits are options, no debug text.
    let record = fs::read_to_string(folder.join("matches.jsonl")).expect("a record");
    assert!(record.contains("self:nodes=") && record.contains("\"wall_ms\""), "{record}");
    assert!(!record.contains("Some(") && !record.contains("Limits {"), "{record}");
}

#[test]
fn a_player_that_never_plays_ends_the_match_with_the_reason() {
    let folder = folder("hopeless");
    let output = run(&folder, &["match", SOUND, "no-such-program-at-all", "-n", "50"]);
    assert_eq!(output.status.code(), Some(2));
    let log = String::from_utf8_lossy(&output.stderr);
    let last = log.lines().last().unwrap_or_default();
    assert!(last.contains("no-such-program-at-all") && last.contains("status 127"), "{log}");
    assert!(last.contains("first 3 games"), "{log}");
    assert!(games(&folder.join("matches.jsonl")).len() < 10);
}

#[test]
fn games_of_several_matches_in_one_file_have_numbers_of_their_own() {
    let folder = folder("numbers");
    for _ in 0..2 {
        assert!(run(&folder, &["match", SOUND, SOUND, "-n", "2", "--json"]).status.success());
    }
    let list = run(&folder, &["analyse", "matches.jsonl", "--list"]);
    let list = String::from_utf8_lossy(&list.stdout).into_owned();
    let ids: Vec<&str> = list.lines().filter_map(|line| line.split_whitespace().nth(1)).collect();
    assert_eq!(ids, ["1", "2", "3", "4"], "{list}");
    let replay = run(&folder, &["replay", "matches.jsonl", "--game", "3"]);
    assert!(replay.status.success());
    assert!(!run(&folder, &["replay", "matches.jsonl", "--game", "5"]).status.success());
}
