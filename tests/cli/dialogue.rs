//! Runs the player over real pipes, like a judge.

use crate::common::{cupbot, folder, games, run, Bot, KEPT_LOG, NODES};
use std::fs::{self, File};
use std::io::Write;
use std::process::{Command, Stdio};

const RED: &str = "WFNADAAADDFDAAAA";
const BLUE: &str = "aaaadddaaadaffnw";

/// Starts a player with few nodes and sends it lines.
fn player_after(lines: &[&str]) -> Bot {
    Bot::given(&[], lines)
}

/// Expects that the input is rejected with a message that names the expected input, and returns the message.
fn rejection(bytes: &[u8]) -> String {
    let message = crate::common::refused(&NODES, bytes);
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
        let players = [format!("{program} 200 2>one"), format!("{program} 50 2>other")];
        let arguments = ["match", &players[0], &players[1], "-n", "2", "--game", game];
        let more = ["--openings", openings, "--time", "60m", "--record", "record", "--overwrite"];
        assert!(run(&folder, &[&arguments[..], &more].concat()).status.success());
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
    let mut bot = Bot::start(&[]);
    ["Time 86400000", &opening, "Start", "Start"].iter().for_each(|line| bot.send(line));
    bot.close();
    let (status, answers, log) = bot.end();
    assert_eq!((status.code(), answers.len()), (Some(0), 1), "{log}");
    assert!(log.contains("the game has begun already"), "{log}");
}

#[test]
fn bad_lines_are_explained() {
    let expected = [
        ("hello\n", "16"),
        ("WFNADAAADDFDAAA\n", "15"),
        ("WFNADAAADDFDAAAS\n", "'S'"),
        ("wfnadaaaddfdaaaa\n", "'w'"),
        ("WFNADAAADDFDAAAF\n", "ferz"),
        ("Time soon\n", "milliseconds"),
        ("Start\naaaadddaaadaffn\n", "15"),
        ("Start\nWFNADAAADDFDAAAA\n", "'W'"),
        ("Opening x\n", "\"x\""),
        ("Opening WFNADAAADDFDAAAA aaaadddaaadaffnw b1b3\n", "b3"),
        ("Opening WFNADAAADDFDAAAA aaaadddaaadaffnw\nb1d1 b2d2\n", "one word"),
        ("Opening WFNADAAADDFDAAAA aaaadddaaadaffnw\nB1D1\n", "not a move"),
        ("Opening WFNADAAADDFDAAAA aaaadddaaadaffnw\nb1b2\n", "dabbaba"),
        ("Opening WFNADAAADDFDAAAA aaaadddaaadaffnw\nc1d1\n", "c1"),
        ("Opening WFNADAAADDFDAAAA aaaadddaaadaffnw\nDd4\n", "in hand"),
        ("Opening WFNADAAADDFDAAAA aaaadddaaadaffnw\nb1d\n", "not a move"),
        ("Opening WFNADAAADDFDAAAA aaaadddaaadaffnw\nb1d11\n", "not a move"),
    ];
    for (input, part) in expected {
        let line = rejection(input.as_bytes());
        assert!(line.contains(part), "{part} in {line}");
        assert!(line.contains("line "), "{line}");
    }
}

#[test]
fn garbage_causes_no_hang_and_no_panic() {
    let inputs: [&[u8]; 5] =
        [&[0; 100], &[0xff; 20_000], b"Start\n\x1b[31m\n", b"\xe2\x82\n", &[b'a'; 1 << 20]];
    for input in inputs {
        let line = rejection(input);
        assert!(line.len() < 300, "{line}");
        assert!(!line.chars().any(char::is_control), "{line:?}");
    }
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
        let mut child = cupbot(&NODES)
            .stdin(Stdio::piped())
            .stdout(output)
            .stderr(log)
            .spawn()
            .expect("starts");
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
    let mut child = cupbot(&[])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(writer)
        .spawn()
        .expect("starts");
    child.stdin.take().expect("a pipe").write_all(b"nonsense\n").expect("read");
    assert_eq!(child.wait().expect("an end").code(), Some(2));
}

#[test]
fn the_input_may_be_a_file() {
    let path = folder("dialogue", "file").join("judge.txt");
    fs::write(&path, format!("Time 200\n{RED}\nb1d1\nQuit\n")).expect("a file");
    // Without options the player uses the clock.
    let output = cupbot(&[]).stdin(File::open(&path).expect("the file")).output().expect("it runs");
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 2);
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
        let books = path.to_str().expect("text");
        let mut bot = Bot::given(&["play", game, "--time", "60m", "--books", books], &[]);
        let mut mover = Bot::start(&["random-mover", game, "--seed", "1"]);
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
