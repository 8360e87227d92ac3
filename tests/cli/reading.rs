//! Files of others, with what goes wrong in them.

use crate::common::{folder, refused, run};
use std::fs;
use std::path::Path;
use std::process::Output;

const PGN: &str = "[Event \"one\"]\n[White \"Anna\"]\n\n1. e4 e5 2. d4 1-0\n\n\
                   [Event \"two\"]\n[FEN \"nonsense\"]\n\n1. e4 *\n\n\
                   [Event \"three\"]\n\n1. d4 d5 2. Zz9 c4 0-1\n\n\
                   [Event \"four\"]\n[White \"Bert\"]\n\n1. c4 (1. Nf3 {quiet}) c5 *\n";

fn texts(output: &Output) -> [String; 2] {
    [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned())
}

fn cupbot(folder: &Path, arguments: &[&str]) -> [String; 2] {
    let output = run(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {:?}", texts(&output));
    texts(&output)
}

#[test]
fn a_bad_game_is_named_and_the_others_are_used() {
    let folder = folder("reading", "bad-game");
    fs::write(folder.join("games.pgn"), PGN).expect("written");
    let [list, said] = cupbot(&folder, &["analyse", "games.pgn", "--list"]);
    assert_eq!(list.lines().count(), 3, "{list}");
    assert!(said.contains("game 2, line 9: tag FEN"), "{said}");
    assert!(said.contains("line 13: move 2. \"Zz9\""), "{said}");
    let [written, _] = cupbot(&folder, &["replay", "games.pgn", "--pgn", "--game", "4"]);
    assert!(written.contains("1. c4 (1. Nf3 {quiet}) 1... c5 *"), "{written}");
    let [all, _] = cupbot(&folder, &["replay", "games.pgn", "--pgn"]);
    assert_eq!(all.matches("[Event ").count(), 3, "{all}");
    let [_, said] = cupbot(&folder, &["replay", "games.pgn", "--game", "3"]);
    assert!(said.contains("Zz9"), "{said}");
    let output = run(&folder, &["replay", "games.pgn", "--game", "2"]);
    assert!(!output.status.success() && texts(&output)[1].contains("tag FEN"));
    let output = run(&folder, &["check", "games.pgn"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(texts(&output)[0].contains("games 4 agree 2 disagree 2"), "{:?}", texts(&output));
}

#[test]
fn a_torn_record_is_read_up_to_its_last_line() {
    let folder = folder("reading", "torn");
    let line = |name: &str| {
        format!("{{\"rules\":\"chess960\",\"moves\":[\"e2e4\"],\"names\":[\"{name}\",\"b\"]}}\n")
    };
    let whole = line("Müller");
    let torn = [whole.as_bytes(), &line("Mü").as_bytes()[..46]].concat();
    for length in whole.len() + 1..=torn.len() {
        fs::write(folder.join("log"), &torn[..length]).expect("written");
        let [list, said] = cupbot(&folder, &["replay", "log", "--list"]);
        assert!(list.contains("Müller") && list.lines().count() == 1, "{list}");
        assert!(
            said.contains("line 2: the line is incomplete") && !said.contains("UTF-8"),
            "{said}"
        );
        assert_eq!(run(&folder, &["check", "log"]).status.code(), Some(1));
    }
}

#[test]
fn files_without_end_are_given_up() {
    let folder = folder("reading", "endless");
    let long = format!("{}\u{1b}[31m", "x".repeat(100_000));
    fs::write(folder.join("long"), &long).expect("written");
    for arguments in [&["check", "long"][..], &["replay", "long"], &["analyse", "long"]] {
        let output = run(&folder, arguments);
        let [said, error] = texts(&output);
        assert!(!output.status.success());
        let said = said + &error;
        assert!(said.len() < 1500 && !said.contains('\u{1b}'), "{}", said.len());
    }
    for command in ["check", "replay", "analyse"] {
        let error = refused(&[command, "/dev/zero"], b"");
        assert!(error.contains("no end") && error.contains("/dev/zero"), "{error}");
        let error = texts(&run(&folder, &[command, "."]))[1].clone();
        assert!(error.contains("\".\"") && error.contains("directory"), "{error}");
    }
}

#[test]
fn no_reader_waits_for_the_end_of_what_has_none() {
    let folder = folder("reading", "devices");
    for line in [
        "match self:params=/dev/zero self -n 2",
        "match self:net=/dev/zero self -n 2",
        "match self self -n 2 --openings /dev/zero",
        "match self self -n 2 --openings random:setups=/dev/zero",
        "match self self -n 2 --game chess960 --openings /dev/zero",
        "match self self -n 2 --record /dev/zero --resume",
        "tactics /dev/zero",
        "setups -o setups --answer /dev/zero",
        "merge /dev/zero -o all",
        "train /dev/zero -o net",
        "chess960 train /dev/zero -o net",
        "zuniq train /dev/zero -o net",
        "chess960 selfplay -o /dev/zero --resume",
        "zuniq selfplay -o /dev/zero --resume",
        "submit --check /dev/zero",
    ] {
        let mut shell = std::process::Command::new("sh");
        // Far less memory than such a file has.
        let script = format!("ulimit -v 4000000; exec $CUPBOT {line}");
        shell.env("CUPBOT", env!("CARGO_BIN_EXE_cupbot")).current_dir(&folder);
        let output = shell.args(["-c", &script]).output().expect("a shell");
        let [_, said] = texts(&output);
        assert_eq!(output.status.code(), Some(2), "{line}: {said}");
        assert!(said.contains("/dev/zero") && !said.contains("panicked"), "{line}: {said}");
    }
}

#[test]
fn what_is_left_out_of_a_position_is_said() {
    let folder = folder("reading", "positions");
    let fen = "4k3/8/8/8/8/8/4P3/4K2R w KQkq - 0 1";
    let [_, said] = cupbot(&folder, &["analyse", "--nodes", "20", fen]);
    assert!(said.contains("castling \"KQkq\""), "{said}");
    let [_, said] = cupbot(&folder, &["analyse", "--nodes", "20", &fen.replace("KQkq", "K")]);
    assert!(!said.contains("castling"), "{said}");
    let option = format!("fen={fen}");
    let [counted, said] = cupbot(&folder, &["perft", "1", "--game", "chess960", "-o", &option]);
    assert!(said.contains("castling") && counted.contains("leaves 16"), "{counted}{said}");
    fs::write(folder.join("fens"), format!("# some\n{fen}\n\n{fen} e4 Ke7\n")).expect("written");
    let [list, said] = cupbot(&folder, &["replay", "fens", "--list"]);
    assert_eq!(list.lines().count(), 2, "{list}");
    assert!(said.contains("line 2: castling") && said.contains("line 4: castling"), "{said}");
    let line = ["match", "self:nodes=9", "self:nodes=9", "-n", "2", "--game", "chess960"];
    let more = ["--openings", "fens", "--pgn", "pgn", "--record", "r"];
    let [_, said] = cupbot(&folder, &[&line[..], &more].concat());
    assert!(said.contains("line 2: castling"), "{said}");
    let pgn = fs::read_to_string(folder.join("pgn")).expect("games");
    assert!(pgn.contains("[FEN \"4k3/8/8/8/8/8/4P3/4K2R w K - 0 1\"]"), "{pgn}");
    let checked =
        cupbot(&folder, &["check", "pgn"])[0].clone() + &cupbot(&folder, &["check", "r"])[0];
    assert_eq!(checked.matches("games 2 agree 2").count(), 2, "{checked}");
}
