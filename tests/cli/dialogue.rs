//! Runs the player over real pipes, like a judge.

use crate::common::{cupbot, folder, games, succeeds, Bot, KEPT_LOG, NODES};
use std::fs::{self, File};
use std::io::Write;
use std::process::{Command, Stdio};

const RED: &str = "WFNADAAADDFDAAAA";
const BLUE: &str = "aaaadddaaadaffnw";

/// Starts a player with few nodes and sends it lines.
fn player_after(lines: &[&str]) -> Bot {
    Bot::given("", lines)
}

/// Expects that the input is rejected with a message that names the expected input, and returns the message.
fn rejection(bytes: &[u8]) -> String {
    let message = crate::common::refused(NODES, bytes);
    assert!(message.contains("expected") || message.contains("illegal"), "{message}");
    message
}

fn is_setup(text: &str, example: &str) -> bool {
    let sorted = |text: &str| {
        let mut letters: Vec<char> = text.chars().collect();
        letters.sort_unstable();
        letters
    };
    sorted(text) == sorted(example)
}

#[test]
fn plays_red_and_blue() {
    let mut red = player_after(&[]);
    let setup = red.ask("Start");
    assert!(is_setup(&setup, RED), "{setup}");
    let mv = red.ask(BLUE);
    assert!(mv.len() == 4, "no hand yet: {mv}");
    red.quit();

    let mut blue = player_after(&[]);
    let setup = blue.ask(RED);
    assert!(is_setup(&setup, BLUE), "{setup}");
    assert_eq!(blue.ask("b1d1").len(), 4);
    blue.quit();
}

#[test]
fn whole_games_have_short_logs() {
    let folder = folder("dialogue", "whole");
    fs::write(folder.join("opening"), "C3h D3v B2v\n").expect("a file");
    for (game, openings) in [("zero-point-one", "none"), ("zuniq", "none"), ("zuniq", "opening")] {
        let program = format!("{} play {game} --nodes", env!("CARGO_BIN_EXE_cupbot"));
        let players = format!("`{program} 200 2>one` `{program} 50 2>other`");
        let more = format!("--openings {openings} --time 60m --record record --overwrite");
        succeeds(&folder, &format!("match {players} -n 2 --game {game} {more}"));
        // The logs are those of the second game, which the other player begins.
        let last = &games(&folder.join("record"))[1];
        assert!(last["fault"].is_null(), "{last}");
        let count = |key: &str| last[key].as_array().map_or(0, Vec::len);
        let opening = count("moves") - count("scores");
        for (side, name) in ["other", "one"].into_iter().enumerate() {
            let log = fs::read_to_string(folder.join(name)).expect("a log");
            assert!(log.len() < KEPT_LOG, "{} characters", log.len());
            let answers = log.lines().filter(|line| line.contains(" used ")).count();
            assert_eq!(answers, (opening..count("moves")).filter(|ply| ply % 2 == side).count());
        }
    }
}

#[test]
fn a_finished_game_waits_for_quit() {
    // The example game of the rules, one move before its end.
    let line = format!("Opening {RED} {BLUE} b5d3 h3f3 b3c2 f3d3 c2d3 ac3");
    let mut blue = player_after(&[&line]);
    assert_eq!(blue.ask("Df8"), "c3a1");
    let log = blue.quit();
    assert!(log.contains("win in 1"), "{log}");
    // The other side has lost and waits for `Quit`.
    let line = format!("Opening {RED} {BLUE} b5d3 h3f3 b3c2 f3d3 c2d3 ac3 Df8");
    let mut red = player_after(&[&line]);
    red.send("c3a1");
    let log = red.quit();
    assert!(log.contains("over"), "{log}");
}

#[test]
fn blanks_and_line_ends_do_not_matter() {
    let mut bot = player_after(&[]);
    bot.write(b"\r\n  \n Time   200 \r\n\nStart\r\n");
    assert!(is_setup(&bot.hear().expect("a setup"), RED));
    bot.write(format!("\t{BLUE}  \r\n\r\n").as_bytes());
    assert_eq!(bot.hear().expect("a move").len(), 4);
    bot.write(b" Quit ");
    bot.close();
    assert_eq!(bot.end().0.code(), Some(0));
}

#[test]
fn lines_before_the_end_of_the_input_get_no_time() {
    // The line is ignored, and more input follows before its end.
    let opening = format!("Opening {RED} {BLUE}");
    let mut bot = Bot::start("");
    ["Time 86400000", &opening, "Start", "Start"].iter().for_each(|line| bot.send(line));
    bot.close();
    let (status, answers, log) = bot.end();
    assert_eq!((status.code(), answers.len()), (Some(0), 1), "{log}");
    assert!(log.contains("the game has begun already"), "{log}");
}

#[test]
fn a_bad_time_or_opening_is_explained() {
    let expected = [
        ("Time soon\n", "milliseconds"),
        ("Opening x\n", "\"x\""),
        ("Opening WFNADAAADDFDAAAA aaaadddaaadaffnw b1b3\n", "b3"),
    ];
    for (input, part) in expected {
        let line = rejection(input.as_bytes());
        assert!(line.contains(part), "{part} in {line}");
        assert!(line.contains("line "), "{line}");
    }
}

/// Runs a dialogue to the end of its input, which must have status 0. Returns the answers and the log.
fn run_to_end(game: &str, lines: &[&[u8]]) -> (Vec<String>, String) {
    let mut bot = given_game(game, &[]);
    let mut answers = Vec::new();
    for line in lines {
        bot.write(line);
        bot.write(b"\n");
        answers.push(bot.hear().expect("an answer"));
    }
    bot.close();
    let (status, rest, log) = bot.end();
    assert_eq!((status.code(), rest.len()), (Some(0), 0), "{log}");
    assert!(!log.contains("panicked"), "{log}");
    (answers, log)
}

#[test]
fn disputed_lines_are_explained_and_answered() {
    // Blue's setups, and Red's first moves.
    let opening = format!("Opening {RED} {BLUE}");
    for (text, part) in [
        ("hello", "16"),
        ("aaaadddaaadaffn", "15"),
        ("aaaadddaaadaffns", "'s'"),
        ("AAAADDDAAADAFFNW", "'A'"),
        ("aaaadddaaadaffnf", "ferz"),
        ("b1b2", "dabbaba"),
        ("c1d1", "c1"),
        ("Dd4", "in hand"),
        ("b1d11", "not a move"),
        ("b1d1 b2d2", "not a move"),
        ("B1D1", "not a move"),
        ("h1h2", "is not red's"),
    ] {
        let is_setup_text = text.len() > 10 && !text.contains(' ') || text == "hello";
        let before = if is_setup_text { "Start" } else { &opening };
        let mut bot = player_after(&[before]);
        if is_setup_text {
            assert!(is_setup(&bot.hear().expect("a setup"), RED));
        }
        assert_eq!(bot.ask(text).len(), 4, "a board move");
        let log = bot.quit();
        let line = log.lines().find(|line| line.starts_with("continuing despite line 2 "));
        let line = line.unwrap_or_else(|| panic!("{log}"));
        assert!(
            line.contains(part) && (line.contains("expected") || line.contains("illegal")),
            "{line}"
        );
    }
    for (game, lines, parts) in [
        ("zuniq", ["A1h", "A1h", "A2h !"], ["drawn already"; 1]),
        ("zuniq", ["A6h", "B3h", "A2h!!"], ["off the board"; 1]),
        ("6561", ["11", "U", "L"], ["place a gray piece"; 1]),
        ("6561", ["11", "11", "D"], ["11 is occupied"; 1]),
    ] {
        let lines = lines.map(str::as_bytes);
        let (_, log) = run_to_end(game, &lines);
        parts.iter().for_each(|part| assert!(log.contains(part), "{part}: {log}"));
    }
}

#[test]
fn garbage_causes_no_hang_and_no_panic() {
    let inputs: [&[u8]; 5] =
        [&[0; 100], &[0xff; 20_000], b"\x1b[31m", b"\xe2\x82", &[b'a'; 1 << 20]];
    for game in ["zero-point-one", "zuniq", "6561"] {
        for input in inputs {
            let (_, log) = run_to_end(game, &[b"Start", input]);
            assert!(log
                .lines()
                .all(|line| line.len() < 300 && !line.chars().any(char::is_control)));
        }
    }
}

#[test]
fn a_byte_order_mark_and_any_case_are_understood() {
    for (game, line) in
        [("zero-point-one", "\u{feff}START"), ("zuniq", "start"), ("6561", "\u{feff}a")]
    {
        let (_, log) = run_to_end(game, &[line.as_bytes()]);
        assert!(!log.contains("line 1"), "{log}");
    }
    let mut bot = given_game("zuniq", &["A2h !"]);
    assert!(bot.hear().is_some());
    bot.write(b"\n quit\n");
    assert_eq!(bot.end().0.code(), Some(0));
}

#[test]
fn a_game_continues_after_its_end() {
    // In the contest's example game Red's wazir is captured. By our count the game is over, until the judge sends
    // another move.
    let line = format!("Opening {RED} {BLUE} b5d3 h3f3 b3c2 f3d3 c2d3 ac3 Df8");
    let mut red = player_after(&[&line]);
    red.send("c3a1");
    assert!(!red.ask("b1d1").is_empty());
    let log = red.quit();
    assert_eq!(log.matches("the game is over, waiting for Quit").count(), 1, "{log}");
    // Red and Blue move two pieces to and fro until the last move.
    let moves = ["b5d3", "g5e5", "d3b5", "e5g5"].iter().cycle().take(100);
    let opening: Vec<&str> = [RED, BLUE].iter().chain(moves).copied().collect();
    let mut red = player_after(&[&format!("Opening {}", opening.join(" "))]);
    red.send("Start");
    assert_eq!(red.ask("h3f3").len(), 4);
    assert_eq!(red.ask("f3h3").len(), 4);
    let log = red.quit();
    assert_eq!(log.matches("the game is over, waiting for Quit").count(), 1, "{log}");
}

#[test]
fn nothing_is_written_after_quit() {
    for (game, lines) in [
        ("zero-point-one", &[][..]),
        ("zero-point-one", &[RED]),
        ("zero-point-one", &["Start", BLUE]),
        ("zuniq", &["Start"]),
        ("zuniq", &["A1h"]),
        ("6561", &["A"]),
        // The partner leaves the stored game.
        ("6561", &["A", "44", "U"]),
    ] {
        // Thinking takes minutes, and the book's setup and the stored game no time.
        let mut bot = Bot::start(&format!("play {game} --time 600m"));
        let count = lines.len().saturating_sub(1);
        for line in lines.iter().take(count) {
            bot.ask(line);
        }
        lines.iter().skip(count).for_each(|line| bot.send(line));
        if (game, lines.len()) == ("6561", 1) {
            assert!(bot.hear().is_some());
        }
        bot.quit();
    }
}

fn given_game(game: &str, lines: &[&str]) -> Bot {
    Bot::given(&format!("play {game}"), lines)
}

/// A turn of CodinGame: a position in which White has a queen more.
const TURN: &str = "\n2\nh1h2\nf2f3\nnone\n0\n1\n0 0\n";

#[test]
fn the_arenas_constants_take_effect() {
    let score = |constants: &str, number: usize| {
        let position = format!("6k1/8/8/8/8/8/5Q2/7K w - - 0 {number}");
        let input = format!("{constants}{position}{TURN}");
        let (_, log) = answers_of_arena(&input);
        let score = log.split("score ").nth(1).and_then(|text| text.split(' ').next());
        (score.expect(&log).parse::<i32>().unwrap_or(1000), log)
    };
    // The third move is the last one: a queen more is worth nothing.
    for constants in ["1\nmaxMoves 3\n", "3\nunknown x\nmaxMoves 3\ncrazyHouse 0\n"] {
        assert!(score(constants, 3).0.abs() <= 20);
    }
    for constants in
        ["0\n", "2\ncrazyHouse 0\nmaxMoves 125\n", "1\nmaxMoves x\n", "1\nmaxMoves 0\n"]
    {
        assert!(score(constants, 3).0 > 200, "{constants}");
    }
    let (_, log) = score("1\ncrazyHouse 1\n", 3);
    assert!(log.contains("no support for crazyHouse"), "{log}");
}

/// Runs the player of CodinGame. Returns its answers and the log.
fn answers_of_arena(input: &str) -> (Vec<String>, String) {
    let mut bot = given_game("chess960", &[]);
    bot.write(input.as_bytes());
    bot.close();
    let (status, answers, log) = bot.end();
    assert_eq!(status.code(), Some(0), "{log}");
    (answers, log)
}

#[test]
fn a_closed_output_ends_the_player_normally() {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let (log_reader, log_writer) = std::io::pipe().expect("a pipe");
    drop(log_reader);
    for input in ["Start\n", "Time 200\nStart\naaaadddaaadaffnw\n"] {
        let output = writer.try_clone().expect("a second handle");
        let log = log_writer.try_clone().expect("a second handle");
        let mut child =
            cupbot(NODES).stdin(Stdio::piped()).stdout(output).stderr(log).spawn().expect("starts");
        let mut pipe = child.stdin.take().expect("a pipe");
        let _ = pipe.write_all(input.as_bytes());
        // The input stays open, so the player must end by itself.
        let status = child.wait().expect("an end");
        assert_eq!(status.code(), Some(0), "{input:?}");
        drop(pipe);
    }
}

#[test]
fn a_bad_line_exits_with_status_2_without_stderr() {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let mut child = cupbot("")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(writer)
        .spawn()
        .expect("starts");
    child.stdin.take().expect("a pipe").write_all(b"Time soon\n").expect("read");
    assert_eq!(child.wait().expect("an end").code(), Some(2));
}

#[test]
fn the_input_may_be_a_file() {
    let path = folder("dialogue", "file").join("judge.txt");
    // Nothing is written once `Quit` is the next line.
    for (end, answers) in [("", 2), ("Quit\n", 1), ("Quit", 1)] {
        fs::write(&path, format!("Time 200\n{RED}\nb1d1\n{end}")).expect("a file");
        // Without options the player uses the clock.
        let output = cupbot("").stdin(File::open(&path).expect("the file")).output();
        let output = output.expect("it runs");
        assert!(output.status.success());
        assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), answers, "{end:?}");
    }
}

/// Sends a signal to a player.
#[cfg(unix)]
fn signal(bot: &Bot, name: &str) {
    let status = Command::new("kill").args([name, &bot.id().to_string()]).status();
    assert!(status.expect("kill runs").success());
}

/// The amounts charged are tested with a fake clock (`engine/clock/tests.rs`) and by `scripts/soak.sh`.
#[cfg(unix)]
#[test]
fn a_suspended_player_logs_each_charge_first() {
    let games: [(&str, &[&str]); 3] =
        [("zero-point-one", &["Start"]), ("zuniq", &["Start"]), ("6561", &["A", "B"])];
    for (game, lines) in games {
        let path = folder("dialogue", game).join("books.txt");
        let line = format!("play {game} --time 60m --books `{}`", path.display());
        let mut bot = Bot::given(&line, &[]);
        let mut mover = Bot::start(&format!("random-mover {game} --seed 1"));
        lines[1..].iter().for_each(|line| mover.send(line));
        let mut line = lines[0].to_string();
        for answers in 1..=4 {
            bot.send(&line);
            signal(&bot, "-CONT");
            let answer = bot.hear().expect("an answer");
            signal(&bot, "-STOP");
            let charges = fs::read_to_string(&path).expect("the charges");
            let charges = charges.lines().map(|line| line.parse::<f64>().expect("milliseconds"));
            assert_eq!(charges.filter(|ms| *ms >= 0.0).count(), answers, "{game}");
            line = mover.ask(&answer);
        }
        signal(&bot, "-CONT");
        bot.quit();
    }
}
