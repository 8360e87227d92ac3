//! The UCI server over real pipes and with an independent client, and matches with UCI engines.

use crate::common::{fails, folder, games, json, printed, run, stderr, stdout, Bot};
use serde_json::Value;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::Command;

const SERVER: &str = "play chess960 --uci";

/// Starts a server and waits for `uciok`.
fn server() -> Bot {
    let mut bot = Bot::start(SERVER);
    bot.send("uci");
    until(&mut bot, "uciok");
    bot
}

/// Returns the lines up to one with this text.
fn until(bot: &mut Bot, part: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    while lines.last().is_none_or(|line| !line.contains(part)) {
        lines.push(bot.hear().expect("an answer"));
    }
    lines
}

/// Returns the lines up to `bestmove` and its move, which must be the first move of the last PV.
fn answer(bot: &mut Bot) -> (Vec<String>, String) {
    let mut lines = until(bot, "bestmove ");
    let last = lines.pop().unwrap_or_default();
    let mv = last.split(' ').nth(1).unwrap_or_default().to_string();
    let told = first_move(&lines);
    assert!(told.is_none_or(|told| told == mv), "{mv}: {lines:?}");
    (lines, mv)
}

/// Searches a position.
fn go(bot: &mut Bot, position: &str, limit: &str) -> (Vec<String>, String) {
    bot.send(&format!("position {position}"));
    bot.send(&format!("go {limit}"));
    answer(bot)
}

/// Returns the first move of the last PV.
fn first_move(lines: &[String]) -> Option<&str> {
    let last = lines.iter().rfind(|line| line.contains(" multipv 1 score "))?;
    last.split(" pv ").nth(1)?.split(' ').next()
}

/// Runs a script of tests/data and returns its output; `None` if Python or its package `chess` is missing.
fn python(script: &str, arguments: &[&str]) -> Option<String> {
    let has_package = Command::new("python3").args(["-c", "import chess.engine"]).output();
    if !has_package.is_ok_and(|output| output.status.success()) {
        // Written directly, because the test runner hides the output of macros.
        let _ = writeln!(io::stderr(), "SKIPPED {script}: no python3 with the package chess");
        return None;
    }
    let path = format!("{}/tests/data/{script}", env!("CARGO_MANIFEST_DIR"));
    let output = Command::new("python3").arg(path).args(arguments).output().expect("python runs");
    assert!(output.status.success(), "{}{}", stdout(&output), stderr(&output));
    Some(stdout(&output))
}

/// Quits a server, which must print nothing more.
fn quit(mut bot: Bot) {
    bot.send("quit");
    let (status, rest, log) = bot.end();
    assert_eq!((status.code(), rest.len(), log.as_str()), (Some(0), 0, ""), "{rest:?}");
}

#[test]
fn uci_identifies_itself_and_accepts_every_limit() {
    let mut bot = Bot::start(SERVER);
    bot.send("uci");
    let said = until(&mut bot, "uciok");
    assert!(said[0].starts_with("id name cupbot"), "{said:?}");
    for name in ["Hash type spin", "Threads type spin", "UCI_Chess960 type check default false"] {
        assert!(said.iter().any(|line| line.contains(&format!("option name {name}"))), "{name}");
    }
    bot.send("setoption name Hash value 2");
    assert_eq!(bot.ask("isready"), "readyok");
    bot.send("ucinewgame");
    for limit in
        ["nodes 400", "depth 3", "movetime 20", "wtime 300 btime 300 winc 10", "wtime -5 btime 0"]
    {
        let (lines, mv) = go(&mut bot, "startpos moves e2e4 e7e5", limit);
        assert_eq!(mv.len(), 4, "{limit}: {mv}");
        for line in &lines {
            let words: Vec<&str> = line.split(' ').collect();
            assert_eq!(words[..2], ["info", "depth"], "{line}");
            for word in ["seldepth", "hashfull", "score", "nodes", "nps", "time", "pv"] {
                assert!(words.contains(&word), "{word}: {line}");
            }
        }
        let is_deep = lines.last().is_some_and(|line| line.starts_with("info depth 3 "));
        assert!(is_deep || limit != "depth 3", "{lines:?}");
    }
    quit(bot);
}

#[test]
fn an_infinite_search_ends_only_by_a_command() {
    let mut bot = server();
    // A mate in one is found at once, but `bestmove` waits for `stop`.
    let searches =
        [("startpos", " depth 3 "), ("fen 7k/6pp/8/8/8/8/8/K3R3 w - - 0 40", " mate 1 ")];
    for (position, found) in searches {
        bot.send(&format!("position {position}"));
        bot.send("go infinite");
        let before = until(&mut bot, found);
        // `readyok` comes during a search.
        bot.send("isready");
        let lines = [before, until(&mut bot, "readyok")].concat();
        assert!(lines.iter().all(|line| !line.starts_with("bestmove")), "{lines:?}");
        bot.send("stop");
        assert_eq!(answer(&mut bot).1.len(), 4);
    }
    // A second `stop` is ignored; another `go` ends the previous search.
    bot.send("stop");
    bot.send("go infinite");
    bot.send("go nodes 100");
    assert!(answer(&mut bot).1.len() == 4 && answer(&mut bot).1.len() == 4);
    bot.send("go infinite");
    bot.send("quit");
    let (status, rest, _) = bot.end();
    assert_eq!(status.code(), Some(0));
    assert_eq!(rest.iter().filter(|line| line.starts_with("bestmove")).count(), 1);
}

#[test]
fn the_end_of_the_input_ends_searches_that_use_time() {
    // At the end of the input, a search by nodes or depth is completed, any other one is stopped.
    let until_end = |lines: &[&str]| {
        let mut bot = server();
        lines.iter().for_each(|line| bot.send(line));
        bot.close();
        let (status, rest, _) = bot.end();
        assert_eq!(status.code(), Some(0));
        assert!(rest.last().is_some_and(|line| line.starts_with("bestmove")), "{rest:?}");
        rest
    };
    let without_times = |lines: &[String]| -> Vec<String> {
        lines.iter().filter_map(|line| line.split(" nps ").next()).map(str::to_owned).collect()
    };
    for limit in ["go nodes 20000", "go depth 6"] {
        let mut bot = server();
        bot.send(limit);
        let completed = until(&mut bot, "bestmove ");
        quit(bot);
        assert_eq!(without_times(&until_end(&[limit])), without_times(&completed));
    }
    for (lines, count) in [
        (&["go infinite"][..], 1),
        (&["go movetime 3600000", "go wtime 3600000000 btime 3600000000"], 2),
    ] {
        let rest = until_end(lines);
        assert_eq!(rest.iter().filter(|line| line.starts_with("bestmove")).count(), count);
    }
}

#[test]
fn probabilities_follow_the_score_on_request() {
    let mut bot = server();
    for (is_on, lines) in [(true, 1), (true, 3), (false, 1)] {
        bot.send(&format!("setoption name UCI_ShowWDL value {is_on}"));
        bot.send(&format!("setoption name MultiPV value {lines}"));
        for line in go(&mut bot, "fen 4k3/8/8/8/8/8/4P3/R3K3 w Q - 0 1", "depth 4").0 {
            let numbers = line.split_once(" wdl ").map(|(_, rest)| rest.split(' ').take(3));
            let numbers: Option<Vec<u32>> =
                numbers.map(|numbers| numbers.map(|n| n.parse().expect("a number")).collect());
            assert_eq!(numbers.is_some(), is_on, "{line}");
            let is_whole = |n: &Vec<u32>| n.iter().sum::<u32>() == 1000 && n[0] > n[2];
            assert!(numbers.as_ref().is_none_or(is_whole), "{line}");
        }
    }
    quit(bot);
}

#[test]
fn a_limited_strength_limits_the_nodes() {
    let mut bot = server();
    let nodes = |bot: &mut Bot| {
        let (lines, _) = go(bot, "startpos", "movetime 3600000");
        let last = lines.last().expect("a line").clone();
        let nodes = last.split_once(" nodes ").and_then(|(_, rest)| rest.split(' ').next());
        nodes.and_then(|nodes| nodes.parse::<u64>().ok()).expect("a number")
    };
    bot.send("setoption name UCI_LimitStrength value true");
    let mut counts = Vec::new();
    for elo in ["1200", "1700", "2000"] {
        bot.send(&format!("setoption name UCI_Elo value {elo}"));
        counts.push(nodes(&mut bot));
    }
    assert!(counts.is_sorted() && counts[0] < counts[2] && counts[2] < 1_000_000, "{counts:?}");
    assert!(bot.ask("setoption name UCI_Elo value 9999").contains("invalid value"));
    quit(bot);
}

#[test]
fn bad_commands_are_errors_and_change_nothing() {
    let mut bot = server();
    bot.send("position fen 7k/P7/8/8/8/8/8/K7 w - - 0 1");
    let bad = [
        "hello",
        "position",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position fen 7k/8/8/8/8/8/8/K6Q w - - 0 1",
        "position startpos moves e2e5",
        "position startpos moves e2e4 xyz",
        "position fen ÄÖÜ",
        "position fen",
        "position e2e4",
        "go perft 99",
        "go perft",
        "setoption",
        "setoption Hash",
        "setoption name",
        "setoption name Nothing value 3",
        "setoption name Hash value 0",
        "setoption name Hash value 99999999999999999999",
        "setoption name UCI_Chess960 value maybe",
        "setoption name Hash",
    ];
    for line in bad {
        let answer = bot.ask(line);
        assert!(answer.starts_with("info string error: "), "{line}: {answer}");
    }
    bot.write(b"\xff\xfe\x00position\n");
    assert!(bot.hear().expect("an answer").starts_with("info string error: "));
    bot.write(b"\n \n\r\n");
    bot.send(&format!("position startpos moves {}", "g1f3 g8f6 f3g1 f6g8 ".repeat(500)));
    let (_, mv) = go(&mut bot, "fen 7k/P7/8/8/8/8/8/K7 w - - 0 1", "depth 2 searchmoves a7a8q");
    assert_eq!(mv, "a7a8q");
    for (position, score) in [
        ("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", "info depth 0 score mate 0"),
        ("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1", "info depth 0 score cp 0"),
    ] {
        let (lines, mv) = go(&mut bot, &format!("fen {position}"), "nodes 10");
        assert_eq!((lines.last().map(String::as_str), mv.as_str()), (Some(score), "(none)"));
    }
    quit(bot);
}

#[test]
fn go_is_always_answered_even_without_a_position() {
    let mut bot = server();
    for limit in ["depth 0", "nodes 0", "mate 0", "movetime 50 foo", "MoveTime 20", "frobnicate"] {
        assert_eq!(go(&mut bot, "startpos", limit).1.len(), 4, "{limit}");
    }
    bot.send("position startpos moves e2e4");
    for bad in ["fen 8/8/8/8/8/8/8/8 w - - 0 1", "fen 7k/8/8/8/8/8/8/K6Q w - - 0 1", "xyz"] {
        assert!(bot.ask(&format!("position {bad}")).starts_with("info string error: "), "{bad}");
        bot.send("go nodes 50");
        let (lines, mv) = answer(&mut bot);
        assert!(lines.iter().all(|line| line.starts_with("info string")), "{lines:?}");
        assert_eq!(mv, "0000", "{bad}");
    }
    // An overlong line may have been a `position`.
    bot.send("position startpos");
    bot.send(&format!("position startpos moves {}", "g1f3 g8f6 f3g1 f6g8 ".repeat(250_000)));
    assert!(bot.hear().expect("an answer").contains("too long"));
    bot.send("go nodes 50");
    assert_eq!(answer(&mut bot).1, "0000");
    // Read up to the first error.
    let (lines, mv) = go(&mut bot, "fen 4k3/8/8/8/8/8/4P3/4K3 W KQkq e6 - -;", "depth 2");
    assert!(lines.iter().any(|line| line.contains("castling")) && mv.len() == 4, "{lines:?}");
    quit(bot);
}

#[test]
fn multipv_reports_the_requested_lines() {
    let mut bot = server();
    bot.send("setoption name MultiPV value 3");
    let (lines, mv) = go(&mut bot, "startpos", "depth 3");
    let last: Vec<&String> = lines.iter().filter(|line| line.contains(" depth 3 ")).collect();
    assert_eq!(last.len(), 3, "{lines:?}");
    let moves: Vec<&str> =
        last.iter().filter_map(|line| line.split(" pv ").nth(1)?.split(' ').next()).collect();
    assert!(moves[0] != moves[1] && moves[1] != moves[2] && moves[0] != moves[2], "{moves:?}");
    assert_eq!(moves[0], mv);
    assert!(last[1].contains(" multipv 2 "), "{last:?}");
    bot.send("go depth 2 searchmoves e2e4 d2d4 e2e4 e2e4");
    let (lines, _) = answer(&mut bot);
    let last: Vec<&String> = lines.iter().filter(|line| line.contains(" depth 2 ")).collect();
    assert_eq!(last.len(), 2, "{lines:?}");
    // All legal moves, and the answer comes in time.
    bot.send("setoption name MultiPV value 256");
    bot.send("go movetime 60");
    assert_eq!(answer(&mut bot).1.len(), 4);
    bot.send("go infinite");
    bot.send("stop");
    assert_eq!(answer(&mut bot).1.len(), 4);
    quit(bot);
}

#[test]
fn a_move_always_follows_a_line_with_its_score() {
    let mut bot = server();
    let wild = "fen 1q2B2q/2q1B1q1/3qkq2/qrr1rRRQ/3QKQ2/2Q3Q1/1Q2n2Q/Q3n3 w - - 0 10";
    for lines in [1, 3] {
        bot.send(&format!("setoption name MultiPV value {lines}"));
        // `answer` compares the move with the last line. Such limits often end an iteration that has changed the move.
        for nodes in (1..20).chain((20..3000).step_by(97)) {
            let told = go(&mut bot, "startpos moves e2e4 e7e5 g1f3", &format!("nodes {nodes}")).0;
            assert!(first_move(&told).is_some(), "{lines} {nodes}");
        }
        assert!(first_move(&go(&mut bot, wild, "movetime 1").0).is_some(), "{lines}");
    }
    quit(bot);
}

#[test]
fn pondering_ends_by_the_clock_after_a_hit() {
    let mut bot = server();
    assert!(bot.ask("setoption name Threads value 4").starts_with("info string"));
    bot.send("setoption name Ponder value true");
    bot.send("position startpos moves e2e4");
    bot.send("go nodes 3000");
    let told = until(&mut bot, " ponder ");
    assert!(told.last().and_then(|line| line.split(' ').nth(3)).is_some_and(|mv| mv.len() == 4));
    // `bestmove` waits for `ponderhit` or `stop` even if the search has ended.
    for (limit, end) in [
        ("depth 2", "ponderhit"),
        ("wtime 60 btime 60", "ponderhit"),
        ("movetime 30", "ponderhit"),
        ("wtime 3600000 btime 3600000", "stop"),
        ("infinite", "stop"),
    ] {
        bot.send("position startpos moves e2e4");
        bot.send(&format!("go ponder {limit}"));
        bot.send("isready");
        let lines = until(&mut bot, "readyok");
        assert!(!lines.iter().any(|line| line.starts_with("bestmove")), "{limit}: {lines:?}");
        bot.send(end);
        until(&mut bot, "bestmove ");
    }
    // Without a time limit the search continues to its depth limit.
    bot.send("position startpos moves e2e4");
    bot.send("go ponder depth 12");
    bot.send("ponderhit");
    let lines = until(&mut bot, "bestmove ");
    assert!(lines.iter().any(|line| line.starts_with("info depth 12 ")), "{lines:?}");
    quit(bot);
}

#[test]
fn castling_is_written_as_the_program_asks() {
    let mut bot = server();
    let ask = |bot: &mut Bot, position: &str, mv: &str| {
        go(bot, position, &format!("nodes 50 searchmoves {mv}")).1
    };
    let classical = "fen 4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    let other = "fen 2k5/8/8/8/8/8/8/1RK3R1 w GB - 0 1";
    assert_eq!(ask(&mut bot, classical, "e1h1"), "e1g1");
    assert_eq!(ask(&mut bot, other, "c1g1"), "c1g1");
    bot.send("setoption name UCI_Chess960 value true");
    assert_eq!(ask(&mut bot, classical, "e1g1"), "e1h1");
    assert_eq!(ask(&mut bot, other, "c1b1"), "c1b1");
    // By FIDE's rules, unlike the arena's, the king may not jump over the knight.
    bot.send("position fen 4k3/8/8/8/8/8/8/1KR1N3 w C - 0 1 moves b1c1");
    assert!(bot.hear().expect("an answer").contains("illegal"));
    // The position is read up to the first invalid move.
    bot.send("go perft 1");
    until(&mut bot, "Nodes searched: 16");
    assert_eq!(bot.ask(""), "");
    quit(bot);
}

#[test]
fn an_independent_client_can_drive_it() {
    let Some(out) = python("uci_client.py", &[env!("CARGO_BIN_EXE_cupbot")]) else { return };
    assert_eq!(out.lines().filter(|line| line.starts_with("ok ")).count(), 8, "{out}");
}

/// Our own server as a player.
fn own(limits: &str) -> String {
    format!("uci:{} play chess960 --uci {limits}", env!("CARGO_BIN_EXE_cupbot"))
}

/// Plays a match in a new folder. Returns its summary, its stderr and the folder.
fn matched(name: &str, [a, b]: [&str; 2], more: &str) -> (Value, String, PathBuf) {
    let folder = folder("uci", name);
    let line = format!("match `{a}` `{b}` --game chess960 --json -n 2 {more}");
    let output = run(&folder, &line);
    (json(&output), stderr(&output), folder)
}

#[test]
fn engines_play_matches_by_every_limit() {
    let players =
        [own("nodes=80 option.Hash=1"), own("movetime=3 margin=3600000 'option.Move Overhead=0'")];
    let players = players.each_ref().map(String::as_str);
    let (summary, log, folder) = matched("limits", players, "--wall 60m --pgn games.pgn");
    assert_eq!(summary["games"], 2, "{summary} {log}");
    assert_eq!(summary["a"]["faults"], serde_json::json!({}), "{log}");
    assert_eq!(summary["b"]["faults"], serde_json::json!({}), "{log}");
    let game = &games(&folder.join("matches.jsonl"))[0];
    // The engine by nodes scores every move except those of the opening.
    let scores = game["scores"].as_array().expect("a list");
    assert!(scores.iter().filter(|score| score.is_i64()).count() >= 5, "{game}");
    // All tools can read the games.
    let told = |line: &str| printed(&folder, line);
    assert!(told("check games.pgn").contains("games 2 agree 2"));
    let written = std::fs::read_to_string(folder.join("games.pgn")).expect("a file");
    assert_eq!(told("replay matches.jsonl --pgn"), written);
    assert!(written.contains("[Variant \"Chess960\"]") && written.contains("[FEN \""), "{written}");
    told("replay games.pgn --number 2");
    assert!(told("analyse games.pgn --number 1 --nodes 50 --to 4").contains("white moves 2"));
}

#[test]
fn engines_that_fail_lose_with_the_reason_on_record() {
    // A built-in player: a program may be too slow on a busy machine.
    let good = "self:nodes=5,hash=1";
    // Answers `go` by the output of the test case.
    let engine = |answer: &str| {
        format!(
            "uci:while read line; do case $line in uci) echo 'option name UCI_Chess960 \
             type check'; echo uciok;; isready) echo readyok;; go*) {answer};; quit) exit 0;; esac; done # nodes=5"
        )
    };
    let cases = [
        ("illegal", engine("echo bestmove a1a8")),
        ("garbage", engine("echo bestmove")),
        ("exit", engine("exit 3")),
        ("silence", engine("sleep 1200")),
    ];
    for (index, (kind, bad)) in cases.iter().enumerate() {
        let wall = if *kind == "silence" { "1s" } else { "60m" };
        let more = format!("--wall {wall} --no-record");
        let (summary, log, _) = matched(&format!("bad-{index}"), [good, bad], &more);
        assert_eq!(summary["b"]["faults"][kind], 2, "{bad}: {summary} {log}");
        assert_eq!(summary["a"]["faults"], serde_json::json!({}), "{bad}: {log}");
    }
    // Without an engine there is no match.
    let none = format!("match --game chess960 {good} `uci:exit 7` -n 2 --no-record");
    fails(&folder("uci", "none"), &none, "exited with status 7 before its first answer");
    let slow = engine("sleep 2; echo bestmove e2e4").replace("nodes=5", "movetime=10 margin=20");
    let (summary, log, _) = matched("slow", [good, &slow], "--wall 60m --no-record");
    assert_eq!(summary["b"]["faults"]["wall_time"], 2, "{summary} {log}");
}

/// Our own server, whose output passes through a script of `sed`, and which prints a line before it starts.
fn with_habit(first: &str, script: &str) -> String {
    let program = env!("CARGO_BIN_EXE_cupbot");
    format!("uci:(echo '{first}'; {program} play chess960 --uci) | sed -u '{script}' # nodes=9")
}

#[test]
fn habits_of_engines_change_no_result() {
    // Output that means nothing: two lines of a search with several lines, bounds, text, second answers, and so on.
    let before_move = |text: &str| format!("s/^bestmove/{text}\\n&/");
    let long = before_move(&format!("info string {}", "x".repeat(5_000)));
    let habits = [
        before_move("info depth 9 multipv 2 score cp -9000 pv a2a3"),
        before_move("info multipv 3 depth 9 score mate -1"),
        before_move("info depth 9 score cp -9000 upperbound nodes 7"),
        before_move("info depth 9 score cp -9000 lowerbound nodes 7"),
        before_move("info string best line multipv 1 score cp -9000"),
        before_move("info depth 1 string score cp -9000"),
        before_move("info score cp\\ninfo score mate x\\ninfo score\\ninfo"),
        before_move("copyprotection ok\\ntelluser hello\\nreadyok\\nuciok"),
        long,
        "/^option/d".to_string(),
        "s/UCI_Chess960/uci_CHESS960/".to_string(),
        "s/^readyok/info string loading\\n\\ninfo string loaded\\n&/".to_string(),
        "s/^readyok/&\\n&/".to_string(),
        "s/^uciok/&\\n&/".to_string(),
        r"s/^bestmove \([^ ]*\).*/bestmove \1 ponder a1a1/".to_string(),
        r"s/^bestmove \([^ ]*\).*/bestmove \U\1/".to_string(),
        r"s/^bestmove */  bestmove\t/".to_string(),
        "s/^bestmove.*/&\\n&/".to_string(),
        "s/^bestmove.*/&\\nbestmove a1a8/".to_string(),
        r"s/$/\r/".to_string(),
        r"s/^/\n/".to_string(),
    ];
    let more = "--wall 60m --max-moves 12 --resign score=5000,moves=1 --openings \
                random:start=518,plies=4";
    let play = |index: usize, engine: &str| {
        let (summary, log, folder) =
            matched(&format!("habit-{index}"), ["self:nodes=5,hash=1", engine], more);
        (summary, log, games(&folder.join("matches.jsonl")))
    };
    for (index, habit) in habits.iter().enumerate() {
        let engine = with_habit("A banner, and option name Style type string", habit);
        let (summary, log, games) = play(index, &engine);
        for player in ["a", "b"] {
            assert_eq!(summary[player]["faults"], serde_json::json!({}), "{habit}: {log}");
        }
        for game in games {
            let scores = game["scores"].as_array().expect("a list");
            let is_bad = |score: &Value| score.as_i64().is_some_and(|score| score < -5000);
            assert!(!scores.iter().any(is_bad), "{habit}: {game}");
        }
    }
    // No move, and no legal one.
    for (index, answer) in ["(none)", "0000", "e9e4", ""].iter().enumerate() {
        let engine = with_habit("", &format!("s/^bestmove.*/bestmove {answer}/"));
        let (summary, log, _) = play(100 + index, &engine);
        assert_eq!(summary["b"]["faults"]["garbage"], 2, "{answer}: {summary} {log}");
    }
}

#[test]
fn unknown_options_of_an_engine_end_the_match() {
    let folder = folder("uci", "options");
    for (player, error) in [
        (own("nodes=5 option.hash=999999999"), "option Hash=999999999: the engine expects 1 to "),
        (own("nodes=5 option.Nothing=1"), "the engine has no option \"Nothing\""),
        (with_habit("", "/^option/d"), "the engine has no option UCI_Chess960"),
    ] {
        let line = format!("match self:nodes=5 `{player}` --game chess960 -n 2 --no-record");
        fails(&folder, &format!("{line} --openings random:start=0"), error);
    }
}

#[test]
fn pgn_of_a_match_has_players_time_controls_and_date() {
    let players = [own("name=Ann nodes=5 tc=100+1"), own("nodes=5 'name=Bob B.' movetime=5000")];
    let players = players.each_ref().map(String::as_str);
    let more = "--max-moves 5 --pgn games.pgn --wall 60m";
    let (_, log, folder) = matched("tags", players, more);
    let written = std::fs::read_to_string(folder.join("games.pgn")).expect("a file");
    for part in [
        "[Event \"?\"]",
        "[White \"Ann\"]",
        "[Black \"Bob B.\"]",
        "[WhiteTimeControl \"100+1\"]",
        "[BlackTimeControl \"1/5\"]",
        "[PlyCount \"10\"]",
        "[Termination \"adjudication\"]",
        "{[%emt 0:00:0",
    ] {
        assert!(written.contains(part), "{part}: {written} {log}");
    }
    let is_date = |line: &str| {
        let date = line.strip_prefix("[Date \"20").and_then(|rest| rest.strip_suffix("\"]"));
        date.is_some_and(|date| date.len() == 8 && date.matches('.').count() == 2)
    };
    assert_eq!(written.lines().filter(|line| is_date(line)).count(), 2, "{written}");
    let same = [own("nodes=5"), own("nodes=6")];
    let (_, _, folder) = matched("same-tags", same.each_ref().map(String::as_str), more);
    let written = std::fs::read_to_string(folder.join("games.pgn")).expect("a file");
    assert_eq!(written.matches("[TimeControl \"-\"]").count(), 2, "{written}");
}

#[test]
fn a_mate_is_searched_until_proved_or_refuted() {
    let mut bot = server();
    for (position, moves, expected) in [
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2, Some(2)),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 1, None),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 2, None),
        ("r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1", 3, Some(3)),
    ] {
        let (lines, _) = go(&mut bot, &format!("fen {position}"), &format!("mate {moves}"));
        let last = lines.iter().rfind(|line| line.contains(" score ")).expect("a score");
        let found = last.split(" score mate ").nth(1).and_then(|rest| rest.split(' ').next());
        let found = found.and_then(|number| number.parse::<i32>().ok()).filter(|n| *n <= moves);
        assert_eq!(found, expected, "{position} {moves}: {lines:?}");
        let is_refuted = lines.contains(&format!("info string there is no mate in {moves}"));
        assert_eq!(is_refuted, expected.is_none(), "{position} {moves}: {lines:?}");
    }
    // A search that would take too long ends at once.
    bot.send("position startpos");
    bot.send("go mate 40");
    bot.send("stop");
    assert_eq!(answer(&mut bot).1.len(), 4);
    assert_eq!(go(&mut bot, "startpos", "mate 40 nodes 500").1.len(), 4);
    quit(bot);
}

#[test]
fn players_that_make_no_sense_are_refused() {
    let folder = folder("uci", "refused");
    for player in ["uci:", "uci:engine nodes=x", "uci:engine 'open"] {
        let line = format!("match `{player}` self:nodes=5 --game chess960 -n 2");
        fails(&folder, &line, "player \"uci:");
    }
    fails(&folder, "match uci:engine self:nodes=5 --game zuniq -n 2", "Zuniq has no players");
    fails(&folder, "play zuniq --uci", "has no UCI");
}

#[test]
fn pgn_round_trips_through_another_program() {
    let folder = folder("uci", "pgn");
    let line = "match self:nodes=40,hash=1 self:nodes=20,hash=1 --game chess960 -n 6";
    let more = "--openings random:start=534,plies=8 --pgn games.pgn";
    printed(&folder, &format!("{line} {more}"));
    let [ours, theirs] = ["games.pgn", "theirs.pgn"].map(|name| folder.join(name));
    let [ours, theirs] = [&ours, &theirs].map(|path| path.to_str().expect("UTF-8"));
    let Some(found) = python("pgn_client.py", &[ours, theirs]) else { return };
    let games = games(&folder.join("matches.jsonl"));
    assert_eq!((games.len(), found.lines().count()), (6, 6));
    for (game, line) in games.iter().zip(found.lines()) {
        let moves = game["moves"].as_array().expect("a list").iter().filter_map(|mv| mv.as_str());
        let moves: Vec<&str> = moves.skip(1).collect();
        assert_eq!(line.split(' ').skip(1).collect::<Vec<_>>(), moves);
    }
    assert!(printed(&folder, "check theirs.pgn").contains("games 6 agree 6"));
}
