//! `cupbot analyse` as a user runs it.

use crate::common::{cupbot, fails, folder};
use serde_json::Value;
use std::io::Write;
use std::process::{Output, Stdio};

/// A real game that Red lost by moving an alfil away and then back.
const GAME: &str =
    "DDAFFANAAADAWAAD addndffdaaaaaawa b1d3 g4e5 a1c1 g1e3 a3c5 e5d3 c5a3 ad7 a3c5 d7b5";

fn analyse(options: &str, input: &str) -> Output {
    let line = format!("analyse {options}");
    let mut command = cupbot(&line);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("starts");
    // A run that rejects its arguments may not read stdin.
    let _ = child.stdin.take().expect("piped").write_all(input.as_bytes());
    child.wait_with_output().expect("ends")
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn json(options: &str, input: &str) -> Value {
    let output = analyse(&format!("{options} --json"), input);
    serde_json::from_str(&stdout(&output)).expect("one JSON object")
}

#[test]
fn the_losing_move_is_marked_and_the_end_is_proved() {
    let report = json("- --nodes 500 --from 3", &format!("g1 blue {GAME}\n"));
    let notes = report["analysis"].as_array().expect("a list");
    let plies: Vec<u64> = notes.iter().filter_map(|note| note["ply"].as_u64()).collect();
    assert_eq!(plies, (3..=12).collect::<Vec<_>>());
    assert_eq!(report["id"], "g1");
    // Red moves back into the reach of a dropped alfil, which forces the capture. Red was lost before.
    assert_eq!((&notes[6]["move"], &notes[6]["mark"]), (&"c5a3".into(), &Value::Null));
    // The last moves: Blue wins in 3, 2, 1, for either side to move; these are losses from Red's point of view.
    let scores: Vec<i64> = notes[7..].iter().filter_map(|note| note["score"].as_i64()).collect();
    assert_eq!(scores, [-29_997, -29_998, -29_999]);
    // Drops in the expected line have the letter case of their side.
    assert_eq!(notes[7]["line"][0], "ad7");
    // In a game that is not yet lost, a move that allows a forced capture is marked.
    let game = "WFNADAAADDFDAAAA aaaadddaaadaffnw b5d3 h3f3 b3c2 f3d3 c2d3";
    let report = json("- --nodes 500 --from 3", &format!("g2 blue {game}\n"));
    let note = &report["analysis"][4];
    assert_eq!((&note["move"], &note["mark"]), (&"c2d3".into(), &"allowed-win".into()));
}

#[test]
fn an_illegal_game_is_named_by_its_file_and_id() {
    let folder = folder("analyse", "illegal");
    std::fs::write(folder.join("games.txt"), format!("g7 blue {GAME} b1d9\n")).expect("written");
    for named in ["games.txt", "game g7", "ply 13 \"b1d9\""] {
        fails(&folder, "analyse games.txt --nodes 10", named);
    }
}

#[test]
fn a_game_ended_by_a_fault_has_its_outcome() {
    let moves: Vec<&str> = GAME.split(' ').take(6).collect();
    let line = format!("g1 blue-crash {}\n", moves.join(" "));
    let table = stdout(&analyse("- --nodes 100", &line));
    assert!(table.ends_with("outcome blue-crash\n"), "{table}");
    let open = stdout(&analyse("- --nodes 100", &format!("{}\n", moves.join(" "))));
    assert!(open.ends_with("outcome open\n"), "{open}");
    let line = "g1 white-illegal A1h A1v\n";
    let table = stdout(&analyse("- --nodes 100", line));
    assert!(table.ends_with("outcome white-illegal\n"), "{table}");
}

#[test]
fn every_form_of_input_gives_the_same_analysis() {
    let options = "--nodes 2000 --from 7 --to 9";
    let by_words = json(&format!("{GAME} {options}"), "");
    let from_stdin = format!("- {options}");
    let by_stdin = json(&from_stdin, &format!("# a comment\n{GAME}\n"));
    assert_eq!(by_words, by_stdin);
    // The output is a valid record.
    let again = json(&from_stdin, &format!("{by_words}\n"));
    assert_eq!(again, by_words);
    assert_eq!(by_words["analysis"].as_array().map(Vec::len), Some(3));
}

#[test]
fn a_position_is_analysed_for_its_side_to_move() {
    // Blue to move captures the wazir on a2 at once.
    let text = stdout(&analyse("1W6/8/1d6/8/8/8/8/w7 - 41 --nodes 1000", ""));
    let row = text.lines().find(|line| line.trim_start().starts_with("42 blue")).expect("a row");
    assert!(row.contains("blue in 1") && row.contains("c2a2"), "{row}");
}

#[test]
fn bad_input_is_refused_in_one_line() {
    for (options, input, expected) in [
        ("-", "hello\n", "line 1"),
        ("-", "", "no record"),
        ("no-such-file", "", "no-such-file"),
        ("- --from 40", GAME, "from 40"),
        ("WFNADAAADDFDAAAA aaaadddaaadaffnw b5d4", "", "ply 3"),
    ] {
        let output = analyse(options, input);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{options}: {message}");
        assert!(message.contains(expected) && message.lines().count() == 1, "{options}: {message}");
        assert!(output.stdout.is_empty(), "{options}");
    }
}
