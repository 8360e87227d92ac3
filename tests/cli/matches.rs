//! Tests of `cupbot match`, `cupbot tournament` and `cupbot referee`: faults, resumed matches, SPRT verdicts.

use crate::common::{
    cupbot, fails, games, json as summary, printed, run, signal, stderr, stdout, succeeds,
    wait_until, Running,
};
use serde_json::{json, Value};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

/// A fast player without faults.
const SOUND: &str = "self:nodes=100";
/// A time limit that no game exceeds, even on a slow and busy machine.
const LONG: &str = "5000s";

/// The start of a player that answers with its setup and then reads another line.
const ANSWERED: &str = "read line; case $line in Start) echo WFNADAAADDFDAAAA;; \
                        *) echo aaaadddaaadaffnw;; esac; read line";

fn folder(name: &str) -> PathBuf {
    crate::common::folder("matches", name)
}

/// Plays a match with these further options. Returns its summary.
fn matched(folder: &Path, [a, b]: [&str; 2], options: &str) -> Value {
    summary(&run(folder, &format!("match `{a}` `{b}` --json {options}")))
}

fn assert_no_faults(summary: &Value) {
    for player in ["a", "b"] {
        assert_eq!(summary[player]["faults"], json!({}), "{summary}");
    }
}

/// Plays two games of a faulty player against a sound one and checks that both are lost by this kind of fault, that the
/// match is completed, and that the log names the fault. Returns the games.
fn caught(name: &str, faulty: &str, [kind, cause]: [&str; 2], more: &str) -> Vec<Value> {
    let folder = folder(name);
    let output = run(&folder, &format!("match `{faulty}` {SOUND} --games 2 --json {more}"));
    assert_eq!(output.status.code(), Some(0));
    let summary = summary(&output);
    assert_eq!(summary["a"]["faults"][kind], 2, "{summary}");
    assert_eq!(summary["a"]["contest_points"], 0.0);
    assert_eq!(summary["b"]["contest_points"], 42.0);
    assert_eq!(summary["b"]["faults"], json!({}));
    let log = stderr(&output);
    assert!(log.contains(&format!("lost {cause}:")), "{log}");
    let games = games(&folder.join("matches.jsonl"));
    assert_eq!(games.len(), 2);
    assert!(games.iter().all(|game| game["reason"] == kind && game["fault"]["kind"] == kind));
    games
}

#[test]
fn every_fault_is_caught_and_recorded() {
    let hung = format!("--time {LONG} --wall 300ms");
    let crash = format!("{ANSWERED}; echo first >&2; echo last words >&2; exit 3");
    let killed = format!("{ANSWERED}; kill -9 $$");
    let half = format!("{ANSWERED}; printf d4; kill -SEGV $$");
    let failed = format!("{ANSWERED}; printf d4; exit 1");
    let shell = format!("{ANSWERED}; sh -c 'printf d4; kill -SEGV $$'; exit $?");
    let exit = ["exit", "by an early exit"];
    let none = "--openings none";
    for (faulty, fault, more, detail) in [
        ("echo d4d5; cat > /dev/null", ["illegal", "by an illegal move"], "", "d4d5"),
        ("echo hello; cat > /dev/null", ["garbage", "by an unreadable answer"], "", "hello"),
        (&crash, exit, none, "exited with status 3"),
        (&killed, exit, none, "killed by signal 9"),
        (&half, exit, none, "killed by signal 11 after the unfinished line \"d4\""),
        (&failed, exit, none, "exited with status 1 after the unfinished line \"d4\""),
        (&shell, exit, none, "status 139 (killed by signal 11) after the unfinished line"),
        ("exec >&-; cat > /dev/null", ["closed", "by closing stdout"], "", "closed its stdout"),
        ("exec sleep 5000", ["silence", "without an answer"], &hung, "no complete line"),
    ] {
        let games = caught("faults", faulty, fault, more);
        let found = &games[1]["fault"];
        assert!(found["detail"].as_str().is_some_and(|text| text.contains(detail)), "{found}");
        if faulty == crash {
            assert_eq!(found["stderr"], json!(["first", "last words"]));
        }
    }
}

#[test]
fn wall_time_without_cpu_use_is_charged() {
    // Sleeps before each answer.
    let idle = "while read -r line; do sleep 0.3; echo d4d5; done";
    let limits = format!("--time 200ms --wall {LONG}");
    let games = caught("idle", idle, ["wall_time", "on time"], &limits);
    for (game, side) in games.iter().zip([0, 1]) {
        assert!(game["wall"][side].as_f64().is_some_and(|wall| wall > 0.2), "{game}");
        assert!(game["longest"][side].as_f64() >= game["wall"][side].as_f64(), "{game}");
    }
}

#[test]
fn a_player_that_ignores_quit_keeps_its_points() {
    let folder = folder("quit");
    let deaf = "while :; do sleep 1; done";
    let opening = folder.join("opening");
    fs::write(&opening, "WFNADAAADDFDAAAA aaaadddaaadaffnw\n").expect("a file");
    // The faulty player moves first, so the other one wins.
    let line = format!("match `echo d4d5; cat` `{deaf}` -n 1 --json --openings opening");
    let output = run(&folder, &line);
    let summary = summary(&output);
    assert_eq!(summary["a"]["faults"]["illegal"], 1, "{summary}");
    assert_eq!(summary["b"]["complaints"], 1);
    assert_eq!(summary["b"]["faults"], json!({}), "{summary}");
    let log = stderr(&output);
    assert!(log.contains("ignored Quit"), "{log}");
    assert_eq!(games(&folder.join("matches.jsonl"))[0]["winner"], "blue");
}

#[test]
fn a_program_with_its_own_time_limit_has_no_faults() {
    let folder = folder("clock");
    // The program limits itself to 400 ms; the judge allows the contest's 30 s.
    let program = format!("{} play --time 400ms", env!("CARGO_BIN_EXE_cupbot"));
    let summary = matched(&folder, [&program, SOUND], "-n 2");
    assert_eq!(summary["games"], 2);
    assert_eq!(summary["a"]["faults"], json!({}), "{summary}");
    assert!(summary["a"]["most_wall"].as_f64().is_some_and(|wall| wall > 0.0), "{summary}");
}

#[test]
fn without_openings_games_start_as_in_the_contest() {
    let folder = folder("contest");
    let program = format!("{} --nodes 50", env!("CARGO_BIN_EXE_cupbot"));
    let options = format!("-n 2 --time {LONG} --openings none");
    printed(&folder, &format!("match `{program}` self:nodes=50 {options}"));
    for game in games(&folder.join("matches.jsonl")) {
        assert_eq!(game["opening"], 0);
        assert!(game["fault"].is_null(), "{game}");
        assert!(game["moves"].as_array().is_some_and(|moves| moves.len() > 2));
    }
}

/// Returns the parts of the games that do not depend on the clock.
fn timeless(games: Vec<Value>) -> Vec<[Value; 4]> {
    let parts = |game: Value| ["game", "winner", "moves", "scores"].map(|key| game[key].clone());
    games.into_iter().map(parts).collect()
}

#[test]
fn games_depend_on_the_seed_but_not_on_the_jobs() {
    let folder = folder("seed");
    for (game, other, plies) in
        [("zero-point-one", "self:nodes=60,lmr_base=90", 6), ("zuniq", "self:nodes=40", 4)]
    {
        let played = |jobs: &str, seed: &str| {
            let line = format!("match self:nodes=80 {other} -n 8 --game {game}");
            let more = format!("--record record --overwrite --jobs {jobs} --seed {seed}");
            printed(&folder, &format!("{line} {more}"));
            games(&folder.join("record"))
        };
        let first = played("1", "7");
        for game in &first {
            let count = |key: &str| game[key].as_array().map_or(0, Vec::len);
            // `cupbot replay` relies on one score per move after the opening.
            assert_eq!(Some((count("moves") - count("scores")) as u64), game["opening"].as_u64());
        }
        let one = timeless(first);
        assert_eq!(one, timeless(played("3", "7")));
        assert_ne!(one, timeless(played("1", "8")));
        assert_eq!(one.len(), 8);
        // Both games of a pair have the same opening.
        let opening = |game: usize| one[game][2].as_array().map(|moves| moves[..plies].to_vec());
        assert_eq!(opening(0), opening(1));
        assert_ne!(opening(0), opening(2));
    }
}

/// Returns the summary without the figures that depend on the clock.
fn timeless_summary(output: &Output) -> Value {
    let mut summary = summary(output);
    for key in ["a", "b"] {
        for figure in ["most_wall", "longest"] {
            summary[key][figure] = Value::Null;
        }
    }
    summary["speed"] = Value::Null;
    summary
}

#[test]
fn a_killed_match_resumes_to_the_same_result() {
    let folder = folder("resume");
    let match_of =
        |games: usize| format!("match self:nodes=60 self:nodes=40 --json -n {games} --record");
    let record = folder.join("parts");
    let lines = || fs::read_to_string(&record).map_or(0, |text| text.lines().count());
    // Too long to finish before the kill; the resumed match is short.
    let running = Running::start(&folder, &(match_of(1_000_000) + " parts"));
    wait_until("two pairs are played", || lines() >= 4);
    drop(running);
    // A kill may leave an incomplete line.
    let torn = fs::read_to_string(&record).expect("a record") + "{\"type\":\"game\",\"mat";
    fs::write(&record, torn).expect("written");
    let short = match_of(lines() / 2 * 2 + 4);
    let whole = run(&folder, &format!("{short} whole"));
    let resumed = run(&folder, &format!("{short} parts --resume"));
    assert_eq!(timeless_summary(&resumed), timeless_summary(&whole));
    assert_eq!(timeless(games(&record)), timeless(games(&folder.join("whole"))));
}

#[test]
fn half_a_match_of_two_games_resumes_with_its_seeds() {
    let folder = folder("half");
    let line = "match --game chess960 self:level=easy self:level=beginner -n 2 --record record";
    printed(&folder, line);
    let record = folder.join("record");
    let whole = fs::read_to_string(&record).expect("a record");
    let played = timeless(games(&record));
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    for lost in [1, 2] {
        let kept = lines.iter().enumerate().filter(|&(index, _)| index != lost);
        let kept: String = kept.map(|(_, line)| *line).collect();
        fs::write(&record, kept).expect("written");
        printed(&folder, &format!("{line} --resume"));
        assert_eq!(timeless(games(&record)), played);
    }
}

#[test]
fn games_do_not_depend_on_the_simd_path() {
    let folder = folder("path");
    let played = "match self:nodes=600 self:nodes=400 -n 4 --record";
    for record in ["best", "plain --simd plain"] {
        printed(&folder, &format!("{played} {record}"));
    }
    let [best, plain] = ["best", "plain"].map(|record| folder.join(record));
    let settings = |record: &Path| fs::read_to_string(record).expect("a record");
    assert!(settings(&plain).contains("\"path\":\"Plain\""));
    assert!(!settings(&best).contains("\"path\":\"Plain\""));
    assert_eq!(timeless(games(&plain)), timeless(games(&best)));
    // A match with another SIMD path can't be resumed.
    fails(&folder, &format!("{played} plain --resume"), "");
}

#[test]
fn resuming_with_other_settings_or_files_is_refused() {
    let folder = folder("refused");
    let again = |more: &str| run(&folder, &format!("match {SOUND} {SOUND} -n 2 {more}"));
    let count = || games(&folder.join("matches.jsonl")).len();
    assert_eq!(again("").status.code(), Some(0));
    assert_eq!(again("--seed 2 --resume").status.code(), Some(2));
    // The same match would be played twice.
    let output = again("");
    let error = stderr(&output);
    assert!(error.contains("use --resume to continue it, --overwrite"), "{error}");
    assert_eq!((output.status.code(), count()), (Some(2), 2));
    assert_eq!((again("--seed 2").status.code(), count()), (Some(0), 4));
    assert_eq!((again("--overwrite").status.code(), count()), (Some(0), 2));
    // A damaged line may belong to any match.
    let record = folder.join("matches.jsonl");
    fs::write(&record, fs::read_to_string(&record).expect("a record") + "damaged\n")
        .expect("written");
    let output = again("--seed 3");
    assert!(stderr(&output).contains("line 4"), "{}", stderr(&output));
    assert_eq!(output.status.code(), Some(2));
    fs::write(folder.join("letter"), "Dear reader").expect("written");
    for more in ["--overwrite", ""] {
        assert_eq!(again(&format!("--record letter {more}")).status.code(), Some(2));
        assert_eq!(fs::read_to_string(folder.join("letter")).ok().as_deref(), Some("Dear reader"));
    }
}

#[test]
fn sprt_stops_the_match_and_sets_the_status() {
    let folder = folder("sprt");
    let (weak, strong) = ("self:nodes=20", "self:nodes=800");
    for (a, b, verdict, status) in [(weak, strong, "rejected", 1), (strong, weak, "accepted", 0)] {
        let output = run(&folder, &format!("match {a} {b} --sprt 0 50 -n 2000 --json -j 2"));
        let summary = summary(&output);
        assert_eq!(output.status.code(), Some(status), "{summary}");
        assert_eq!(summary["sprt"]["verdict"], verdict);
        assert!(summary["games"].as_u64().is_some_and(|games| games < 400), "{summary}");
    }
}

#[test]
fn scores_and_lengths_adjudicate_games() {
    let folder = folder("adjudication");
    let players = "match self:nodes=300 self:nodes=10 --game chess960 -n 4";
    let rules = "--resign score=300,moves=2 --draw from=10,score=25,moves=3 --max-moves 40";
    printed(&folder, &format!("{players} {rules} --pgn games.pgn"));
    let record = folder.join("matches.jsonl");
    let games = games(&record);
    assert_eq!(games.len(), 4);
    let mut adjudicated = 0;
    for game in &games {
        let Some(why) = game["adjudication"].as_str() else { continue };
        adjudicated += 1;
        let expected = match why {
            "the loser's score was -300 or less for 2 moves" => ["white", "black"].map(Value::from),
            "both scores were within 25 for 3 moves" | "after 40 moves" => {
                [Value::Null, Value::Null]
            }
            _ => panic!("{why}"),
        };
        assert!(game["reason"] == "adjudication" && expected.contains(&game["winner"]), "{game}");
        assert!(game["fault"].is_null(), "{game}");
    }
    assert!(adjudicated > 1, "{games:?}");
    // The results are neither faults nor wrong, in any format.
    for file in ["matches.jsonl", "games.pgn"] {
        assert!(printed(&folder, &format!("check {file}")).contains("games 4 agree 4"), "{file}");
        let list = printed(&folder, &format!("analyse {file} --list"));
        assert!(!list.contains("adjudication"), "{file}");
    }
    let pgn = fs::read_to_string(folder.join("games.pgn")).expect("a file");
    let count = pgn.matches("[Termination \"adjudication\"]").count();
    assert_eq!(count, adjudicated, "{pgn}");
    assert_eq!(printed(&folder, "replay matches.jsonl --pgn"), pgn);
    // Other rules make another match.
    fails(&folder, &format!("{players} --resume"), "");
}

#[test]
fn a_tournament_ranks_its_players() {
    let folder = folder("tournament");
    let broken = "exit 1";
    let line = format!("tournament `{broken}` self:nodes=20 self:nodes=800 --rounds 2 --json");
    let summary = summary(&run(&folder, &line));
    let names: Vec<&str> =
        (0..3).filter_map(|rank| summary["ranking"][rank]["name"].as_str()).collect();
    assert_eq!(names, ["self:nodes=800", "self:nodes=20", broken]);
    assert_eq!(summary["ranking"][2]["points"], 0.0);
    assert_eq!(summary["ranking"][2]["faults"], 8);
    assert_eq!(summary["ranking"][0]["against"][2]["wins"], 4);
    // The winner has an elo interval from its four pairs; the player without a point is not superior.
    assert!(summary["ranking"][0]["elo"]["low"].is_f64(), "{summary}");
    assert!(
        summary["ranking"][2]["superiority"].as_f64().is_some_and(|los| los < 0.5),
        "{summary}"
    );
    let zuniq = "tournament --game zuniq self:nodes=20 self:nodes=30 `exit 1` --no-record";
    let table = printed(&folder, zuniq);
    assert!(table.contains("as white") && table.lines().count() == 4, "{table}");
    let players = "self:nodes=9 self:nodes=8 self:nodes=7";
    let text = printed(&folder, &format!("tournament {players} --gauntlet --record gauntlet"));
    assert!(text.contains(" LOS ") && text.contains('%'), "{text}");
    let games = games(&folder.join("gauntlet"));
    assert_eq!(games.len(), 4);
    for game in games {
        assert!(game["players"].as_array().is_some_and(|players| players.contains(&0.into())));
    }
}

#[test]
fn the_elo_of_one_game_is_unknown() {
    let folder = folder("one");
    let text = printed(&folder, &format!("match {SOUND} self:nodes=1 -n 1"));
    assert!(text.contains("elo unknown (too few games)") && !text.contains("inf"), "{text}");
    // Players and limits are recorded as options, not as debug output.
    let record = fs::read_to_string(folder.join("matches.jsonl")).expect("a record");
    assert!(record.contains("self:nodes=") && record.contains("\"wall_ms\""), "{record}");
    assert!(!record.contains("Some(") && !record.contains("Limits {"), "{record}");
}

#[test]
fn a_player_that_always_fails_aborts_the_match() {
    let folder = folder("hopeless");
    let bad = format!("{ANSWERED}; exit 5");
    let output = run(&folder, &format!("match {SOUND} `{bad}` -n 50 --openings none"));
    assert_eq!(output.status.code(), Some(2));
    let log = stderr(&output);
    let last = log.lines().last().unwrap_or_default();
    assert!(last.contains("exit 5") && last.contains("status 5"), "{log}");
    assert!(last.contains("first 3 games"), "{log}");
    assert!(games(&folder.join("matches.jsonl")).len() < 10);
    // A player that fails later.
    let flaky = format!(
        "[ -e lost ] && exit 5; touch lost; exec {} play --nodes 20",
        env!("CARGO_BIN_EXE_cupbot")
    );
    let limited = "-n 50 --max-faults 4 --record flaky";
    let output = run(&folder, &format!("match {SOUND} `{flaky}` {limited}"));
    let log = stderr(&output);
    assert!(log.contains("4 games lost by faults, the last one"), "{log}");
    assert_eq!((output.status.code(), games(&folder.join("flaky")).len()), (Some(2), 5));
}

#[test]
fn a_missing_program_aborts_the_match_at_once() {
    let folder = folder("missing");
    fs::write(folder.join("text"), "no program").expect("a file");
    for (missing, game, reason) in [
        ("no-such-program-at-all", "zero-point-one", "not found"),
        ("plain:./nowhere/bot --fast", "zuniq", "not found"),
        ("./text", "6561", "not executable"),
        ("uci:no-such-engine nodes=5", "chess960", "not found"),
    ] {
        for players in [[missing, "self:nodes=5"], ["self:nodes=5", missing]] {
            let [a, b] = players;
            let line = format!("match `{a}` `{b}` -n 2 --openings none --game {game}");
            let expected = format!("cupbot: can't start {missing:?}: {reason}");
            fails(&folder, &format!("{line} --record record"), &expected);
            assert_eq!(games(&folder.join("record")).len(), 0);
        }
    }
}

#[test]
fn a_tournament_continues_without_a_missing_program() {
    let folder = folder("missing-three");
    let missing = "no-such-program-at-all";
    let three = format!("tournament self:nodes=5 {missing} self:nodes=6 --json");
    let output = run(&folder, &three);
    let summary = summary(&output);
    assert_eq!(output.status.code(), Some(0), "{summary}");
    assert_eq!(summary["ranking"][2]["name"], missing);
    assert_eq!(summary["ranking"][2]["faults"], 4);
    assert_eq!(games(&folder.join("matches.jsonl")).len(), 6);
    for other in ["self:nodes=5", "self"] {
        let output = run(&folder, &format!("tournament {other} {missing} also-missing"));
        let log = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{log}");
        assert!(log.contains(missing) && log.contains("also-missing"), "{log}");
    }
}

/// Returns a Zuniq player that exits when it reads a line that is not part of the contest's protocol.
fn plain_zuniq() -> String {
    let random = format!("{} random-mover zuniq --seed 1", env!("CARGO_BIN_EXE_cupbot"));
    let ears = "while read -r line; do case $line in Start|Quit|[A-F][1-6][hv]) echo $line;; \
                *) exit;; esac; done";
    format!("{ears} | {random}")
}

#[test]
fn plain_players_are_sent_only_the_contests_lines() {
    let folder = folder("plain");
    let plain = format!("plain:{}", plain_zuniq());
    // The opponent marks every move as a win claim, which is not forwarded.
    let claimer =
        format!("{} random-mover zuniq --seed 2 | sed -u 's/$/!/'", env!("CARGO_BIN_EXE_cupbot"));
    let options = format!("--game zuniq -n 2 --time {LONG} --openings none");
    assert_no_faults(&matched(&folder, [&plain, &claimer], &options));
    let moves = games(&folder.join("matches.jsonl"))[0]["moves"].to_string();
    assert!(moves.contains('!'), "{moves}");
    // With forwarded marks it exits at the first one.
    let deaf = matched(&folder, [&plain, &claimer], &(options + " --forward-marks"));
    assert_eq!(deaf["a"]["faults"], json!({ "exit": 1, "exit_at_start": 1 }), "{deaf}");
    // Without the prefix it exits at the first line, and the message explains why.
    let hinted = format!("match --game zuniq `{}` self:nodes=5 -n 2", plain_zuniq());
    for more in [&format!("--openings none --time {LONG}"), "--record openings"] {
        let output = run(&folder, &format!("{hinted} {more}"));
        let log = stderr(&output);
        let last = log.lines().last().unwrap_or_default();
        assert_eq!(output.status.code(), Some(2), "{log}");
        assert!(last.contains("plain:COMMAND") && last.contains("Time, Opening"), "{log}");
    }
    assert_eq!(games(&folder.join("openings")).len(), 0);
}

#[test]
#[cfg(target_os = "linux")]
fn the_judge_suspends_programs_out_of_turn() {
    let folder = folder("judge");
    let random = format!("{} random-mover zuniq --seed", env!("CARGO_BIN_EXE_cupbot"));
    let watched = format!("sleep 1000 >/dev/null 2>&1 & echo $! >id; exec {random} 1");
    // At every move it polls the state of the other player's child process until it is WANTED.
    let watcher = format!(
        "while read -r line; do case $line in [A-F]*) while :; do \
         read -r _ _ state _ </proc/$(cat id)/stat; echo $state >>states; \
         [ $state = WANTED ] && break; sleep 0.01; done;; esac; echo $line; done | {random} 2"
    );
    let states = |wanted: &str, more: &str| {
        let _ = fs::remove_file(folder.join("states"));
        let watcher = watcher.replace("WANTED", wanted);
        let options = format!("--game zuniq -n 2 --time {LONG} --openings none --no-record{more}");
        assert_no_faults(&matched(&folder, [&watched, &watcher], &options));
        fs::read_to_string(folder.join("states")).expect("states")
    };
    assert!(!states("S", "").contains('T'));
    // Each move is delayed until the other player is suspended.
    assert!(states("T", " --judge").matches('T').count() > 30);
}

#[test]
fn with_judge_self_is_a_program_with_the_same_moves() {
    let folder = folder("judge-self");
    for (game, players) in [
        ("zero-point-one", "self:nodes=20,hash=2 self:nodes=10,lmr_base=90"),
        ("chess960", "self:nodes=20,hash=2 self:nodes=10,hash=1"),
        ("6561", "self:nodes=10 self:style=random"),
    ] {
        let line = format!("match {players} -n 2 --time {LONG} --openings none --game {game}");
        let played = |name: &str, more: &str| {
            let record = format!("{game}-{name}");
            printed(&folder, &format!("{line} --record {record} {more}"));
            let games = games(&folder.join(&record));
            assert!(games.iter().all(|game| game["fault"].is_null()), "{games:?}");
            games.iter().map(|game| game["moves"].clone()).collect::<Vec<_>>()
        };
        assert_eq!(played("judge", "--judge"), played("free", ""), "{game}");
    }
}

#[test]
fn matches_in_one_file_are_numbered_consecutively() {
    let folder = folder("numbers");
    for seed in ["1", "2"] {
        printed(&folder, &format!("match {SOUND} {SOUND} -n 2 --seed {seed}"));
    }
    let list = printed(&folder, "analyse matches.jsonl --list");
    let ids: Vec<&str> = list.lines().filter_map(|line| line.split_whitespace().nth(1)).collect();
    assert_eq!(ids, ["1", "2", "3", "4"], "{list}");
    let json = printed(&folder, "analyse matches.jsonl --list --json");
    let listed: Vec<Value> =
        json.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let mut played = games(&folder.join("matches.jsonl"));
    played.sort_by_key(|game| game["id"].as_u64());
    for (game, listed) in played.iter().zip(&listed) {
        assert_eq!((&listed["rules"], &listed["players"]), (&game["rules"], &game["names"]));
        assert_eq!(
            listed["moves"].as_u64(),
            game["moves"].as_array().map(|moves| moves.len() as u64)
        );
    }
    assert!(listed.len() == 4 && listed[3]["number"] == 4 && listed[3]["id"] == "4", "{json}");
    // A record of several games: PGN has only those of chess.
    for (number, games) in [(0, 0), (2, 2)] {
        if number > 0 {
            printed(&folder, "match self:nodes=5 self:nodes=6 --game chess960 -n 2");
        }
        let pgn = run(&folder, "replay matches.jsonl --pgn");
        let (out, log) = (stdout(&pgn), stderr(&pgn));
        assert_eq!((out.matches("[Event ").count(), log.lines().count()), (games, 1), "{log}");
        assert!(log.contains("written in PGN: Zero Point One (0.1) (4)"), "{log}");
        assert_eq!(pgn.status.success(), games > 0);
    }
    printed(&folder, "replay matches.jsonl --number 3");
    fails(&folder, "replay matches.jsonl --number 7", "");
}

/// A Chess960 player that answers `random` and logs the match state that it is sent.
const STUB: &str =
    "read n; read a; read b; echo game score; while read -r game; do read -r score; echo \"$game \
                    $score\" >> told; ANSWER; done";

fn stub(answer: &str) -> String {
    STUB.replace("ANSWER", answer)
}

#[test]
fn a_two_game_match_uses_one_process_per_player() {
    let folder = folder("arena");
    let stub = stub("echo random");
    let players = [&stub, "self:nodes=300"];
    let options = format!("--game chess960 -n 4 --time {LONG} --openings none");
    let summary = matched(&folder, players, &options);
    assert_no_faults(&summary);
    assert_eq!(summary["matches"]["losses"], 2, "{summary}");
    let told = fs::read_to_string(folder.join("told")).expect("the log of the stub");
    let mut blocks: Vec<&str> = told.lines().collect();
    blocks.dedup();
    assert_eq!(blocks, ["1 0 0", "2 0 2"].repeat(2));
    let games = games(&folder.join("matches.jsonl"));
    let of_match: Vec<_> = games.iter().map(|game| game["of_match"].as_u64()).collect();
    assert_eq!(of_match, [Some(1), Some(2), Some(1), Some(2)]);
    // The players take turns to begin a match.
    let white: Vec<_> = games.iter().map(|game| game["players"][0].as_u64()).collect();
    assert_eq!(white, [Some(0), Some(1), Some(1), Some(0)]);
    // Random moves differ between matches but are the same for the same seed.
    let moves = |folder: &Path| {
        let games = crate::common::games(&folder.join("matches.jsonl"));
        games.iter().map(|game| game["moves"].to_string()).collect::<Vec<_>>()
    };
    let first = moves(&folder);
    assert_ne!(first[0], first[3]);
    let again = self::folder("arena-again");
    matched(&again, players, &options);
    assert_eq!(moves(&again), first);
}

#[test]
fn a_fault_loses_the_whole_two_game_match() {
    let folder = folder("arena-fault");
    // Fails in the second game only.
    let faulty = stub("if [ $game = 2 ]; then echo a1a1; else echo random; fi");
    let at_once = stub("echo a1a1");
    let options = format!("--game chess960 -n 2 --time {LONG} --openings none");
    for (player, faults) in [(&at_once, 2), (&faulty, 1)] {
        let _ = fs::remove_file(folder.join("record"));
        let summary = matched(&folder, [player, SOUND], &format!("{options} --record record"));
        let count = |kind: &str| summary["a"]["faults"][kind].as_u64().unwrap_or(0);
        assert_eq!(count("garbage") + count("illegal"), faults, "{summary}");
        assert_eq!(summary["matches"]["losses"], 1, "{summary}");
        assert_eq!(games(&folder.join("record")).len(), 2);
    }
    // Single games are all sent as the first game of a match, each with a new process.
    let summary = matched(&folder, [&faulty, SOUND], &(options + " --single-games"));
    assert_eq!(summary["a"]["faults"], json!({}), "{summary}");
    assert!(summary["matches"].is_null(), "{summary}");
}

#[test]
fn grace_tolerates_a_late_answer() {
    let folder = folder("grace");
    let slow = stub("sleep 0.1; echo random");
    let options = "--game chess960 -n 2 --time 50ms --openings none --no-record";
    let strict = matched(&folder, [&slow, SOUND], options);
    assert_eq!(strict["a"]["faults"]["wall_time"], 2, "{strict}");
    let options = format!("{options} --single-games --grace {LONG}");
    let tolerated = matched(&folder, [&slow, SOUND], &options);
    assert_eq!(tolerated["a"]["faults"], json!({}), "{tolerated}");
}

#[test]
fn more_thinking_players_than_cores_cause_a_warning() {
    let folder = folder("cores");
    let warned = |player: &str, more: &str| {
        let line = format!("match `{player}` {SOUND} -n 2 --no-record --time {LONG} {more}");
        stderr(&run(&folder, &line)).contains("think at the same time on")
    };
    let program = format!("{} random-mover", env!("CARGO_BIN_EXE_cupbot"));
    assert!(warned(&program, "--jobs 256"));
    assert!(!warned(SOUND, "--jobs 256"));
    assert!(!warned(&program, ""));
}

#[test]
fn long_forms_of_moves_are_read() {
    let folder = folder("long");
    // Writes moves in the long form, with a piece letter.
    let random = format!("{} random-mover --seed 1", env!("CARGO_BIN_EXE_cupbot"));
    let long = format!("{random} | sed -u -E 's/^([a-h][1-8])([a-h][1-8])$/A\\1-\\2/'");
    let summary = matched(&folder, [&long, SOUND], &format!("-n 2 --time {LONG}"));
    assert_eq!(summary["a"]["faults"], json!({}), "{summary}");
    assert!(!fs::read_to_string(folder.join("matches.jsonl")).expect("a record").contains("-a1\""));
}

#[test]
fn referee_prints_two_scores() {
    let folder = folder("referee");
    let binary = env!("CARGO_BIN_EXE_cupbot");
    let play = |game: &str, players: [&str; 2], seed: &str| {
        let _ = fs::remove_file(folder.join("log"));
        let [p1, p2] = players;
        let line = format!("referee {game} -p1 `{p1}` -p2 `{p2}` -d seed={seed} -l log");
        // The contest's time per move would make the result depend on the load of the machine.
        let output = succeeds(&folder, &format!("{line} --time {LONG}"));
        let (text, log) = (stdout(&output), stderr(&output));
        assert_eq!(text.lines().count(), 1, "{text}");
        let scores: Vec<u64> =
            text.split_whitespace().map(|score| score.parse().expect("a score")).collect();
        succeeds(&folder, "check log");
        let moves = games(&folder.join("log"))[0]["moves"].to_string();
        ((scores[0], scores[1]), moves, log)
    };
    for (game, sums) in [
        ("zero-point-one", 22..=22),
        ("zuniq", 150..=160),
        ("6561", 0..=1_000_000),
        ("chess960", 4..=4),
    ] {
        let random = format!("{binary} random-mover {game} --seed 1");
        let ((one, other), moves, log) = play(game, [&random, &random], "-7");
        assert!(sums.contains(&(one + other)), "{game} {one} {other}");
        assert_eq!(log, "", "{game}");
        assert_eq!(play(game, [&random, &random], "-7"), ((one, other), moves.clone(), log));
        let ((one, other), _, log) = play(game, [&random, "echo rubbish; cat"], "1");
        assert!(
            other == 0 && log.contains("rubbish") && (one > 0 || game == "6561"),
            "{game} {one} {log}"
        );
        if game == "chess960" {
            assert_ne!(play(game, [&random, &random], "8").1, moves);
        }
    }
    fails(&folder, "referee zuniq -p1 cat -p2 cat -d seed=x", "");
}

#[test]
fn a_transcript_has_the_lines_of_both_players() {
    let folder = folder("transcript");
    let bot = format!("name=Bot {} play --nodes 20", env!("CARGO_BIN_EXE_cupbot"));
    let players = format!("match `{bot}` self:nodes=20,name=Own");
    let to_folder = format!("{players} -n 2 --openings none --transcript lines");
    succeeds(&folder, &to_folder);
    let text = |number: usize| {
        let name = folder.join(format!("lines/game-{number:04}.txt"));
        fs::read_to_string(name).expect("a transcript")
    };
    let games = games(&folder.join("matches.jsonl"));
    for (game, [bot, own]) in games.iter().zip([["red", "blue"], ["blue", "red"]]) {
        let text = text(game["game"].as_u64().expect("a number") as usize + 1);
        let remarks = [format!("# {bot}: Bot"), format!("# {own}: Own")];
        assert!(remarks.iter().all(|remark| text.lines().any(|line| line == remark)), "{text}");
        let exchanged: Vec<&str> =
            text.lines().filter_map(|line| Some(line.split_once(" s ")?.1)).collect();
        let moves = game["moves"].as_array().expect("moves");
        let written = exchanged.iter().filter_map(|line| line.split_once("<- "));
        let written: Vec<&str> = written.map(|(_, answer)| answer).collect();
        let own_moves = moves.iter().skip(usize::from(bot == "blue")).step_by(2);
        let own_moves: Vec<&str> = own_moves.map(|text| text.as_str().expect("a move")).collect();
        assert_eq!(written, own_moves);
        let last = exchanged.last().expect("lines").split_whitespace();
        assert_eq!(last.collect::<Vec<_>>(), [bot, "->", "Quit"]);
    }
    fails(&folder, &to_folder, "\"lines\" is not empty");
    succeeds(&folder, &(to_folder + " --resume"));
}

#[test]
fn a_transcript_of_a_two_game_match_has_two_files() {
    let folder = folder("transcripts");
    let bot = format!("{} play chess960 --nodes 20", env!("CARGO_BIN_EXE_cupbot"));
    succeeds(&folder, &format!("match --game chess960 `{bot}` `{bot}` -n 4 --transcript lines"));
    for number in 1..=4 {
        let name = folder.join(format!("lines/game-{number:04}.txt"));
        let text = fs::read_to_string(name).expect("a transcript");
        for side in ["white", "black"] {
            let count = |arrow| {
                text.lines().filter(|line| line.contains(&format!("{side} {arrow}"))).count()
            };
            assert!(count("->") > 1 && count("<-") > 1, "{text}");
        }
    }
}

#[test]
fn a_match_finishes_its_pairs_after_sigusr1() {
    let folder = folder("finish");
    let mut command = cupbot("match self:nodes=30 self:nodes=40 -n 100000 -j 2");
    command.current_dir(&folder).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("the binary runs");
    let record = folder.join("matches.jsonl");
    wait_until("games are played", || {
        fs::read_to_string(&record).is_ok_and(|text| text.lines().count() > 3)
    });
    signal(&child, rustix::process::Signal::USR1);
    let output = child.wait_with_output().expect("the binary runs");
    assert_eq!(output.status.code(), Some(0));
    let games = games(&record);
    let log = stderr(&output);
    let expected =
        format!("stopped by SIGUSR1 after {} of 100000 games; continue with --resume", games.len());
    assert!(log.contains(&expected), "{log}");
    assert!(stdout(&output).contains(&format!("games {}", games.len())));
    for game in &games {
        let twins = games.iter().filter(|other| other["pair"] == game["pair"]).count();
        assert_eq!(twins, 2, "{game}");
    }
}

#[test]
fn names_of_players_are_recorded_and_shown() {
    let folder = folder("names");
    let players = "`name='Old bot' self:nodes=9` self:nodes=9,name=New";
    let table = printed(&folder, &format!("tournament {players} --json"));
    assert!(["Old bot", "New"].iter().all(|name| table.contains(&format!("{name:?}"))), "{table}");
    let names = json!(["New", "Old bot"]);
    let mut recorded = games(&folder.join("matches.jsonl"))[0]["names"].clone();
    recorded.as_array_mut().expect("names").sort_by_key(|name| name.to_string());
    assert_eq!(recorded, names);
    fails(&folder, "tournament self:nodes=9,name=A `name=A self:nodes=8`", "name=NAME");
    fails(&folder, "match `name= self` self", "expected a name");
}
