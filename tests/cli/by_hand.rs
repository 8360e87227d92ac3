//! Play by hand at a pseudo-terminal, created by util-linux's `script`; skipped if that is unavailable.

#![cfg(target_os = "linux")]

use crate::common::at_terminal;
use std::io::{Read, Write};
use std::process::{Command, Stdio};

/// Returns the terminal output, with escape sequences, of a game played with these input lines; `None` if no terminal
/// is available. Without a game the binary runs without a command.
fn raw_terminal(game: &str, lines: &str) -> Option<String> {
    let play = if game.is_empty() { "" } else { "play " };
    at_terminal(&format!("{} {play}{game} --hash 1", env!("CARGO_BIN_EXE_cupbot")), lines)
}

/// Returns the terminal output without escape sequences.
fn terminal(game: &str, lines: &str) -> Option<String> {
    raw_terminal(game, lines).map(|shown| plain(&shown))
}

/// Removes escape sequences and the carriage returns of the pseudo-terminal.
fn plain(shown: &str) -> String {
    anstream::adapter::strip_str(shown).to_string().replace('\r', "")
}

#[test]
fn a_terminal_shows_the_board_and_forgives_mistakes() {
    let lines = "nodes 200\nWFNADAAADDFDAAAA\nb1b2\nb1d1\nhint\nquit\n\n";
    let Some(shown) = terminal("zero-point-one", lines) else { return };
    assert!(shown.contains("Zero Point One by hand"), "{shown}");
    assert!(shown.contains("Not possible: a dabbaba does not leap from b1 to b2."), "{shown}");
    assert!(shown.contains("  d  D  .  .  .  .  .  .  .  d"), "{shown}");
    // The line may be wrapped between any two words.
    let words: Vec<&str> = shown.split_whitespace().collect();
    assert!(words.join(" ").contains(" at depth "), "{shown}");
}

#[test]
fn a_terminal_shows_walls_and_zones() {
    let lines = "nodes 200\nOpening A1h A1v\nboard\nB1h!\nA1h\nhint\nnew\nOpening A1h A1v B1h A2v\nboard\nquit\n\n";
    let Some(shown) = terminal("zuniq", lines) else { return };
    for expected in [
        "Zuniq by hand",
        "A  +---+   +   +   +   +\n   |\nB  +   +",
        "White claimed a win with move 3",
        "Not possible: A1h is drawn already.",
        "(White's chances: ",
        "A  +---+   +   +   +   +\n   | 1 |\nB  +---+",
    ] {
        assert!(shown.contains(expected), "{expected} in {shown}");
    }
}

#[test]
fn pieces_are_in_colour_and_thinking_shows() {
    let lines = "nodes 5\nStart\nhint\nquit\n\n";
    let Some(shown) = raw_terminal("zero-point-one", lines) else { return };
    assert!(shown.contains("cupbot thinks, "), "{shown:?}");
    let lines = "nodes 5\nStart\nStart\nquit\n\n";
    let shown = raw_terminal("zero-point-one", lines).expect("a terminal, as before");
    for piece in ["\u{1b}[91mW\u{1b}[0m", "\u{1b}[94mw\u{1b}[0m"] {
        assert!(shown.replace("\u{1b}[1m", "").contains(piece), "{piece:?} in {shown:?}");
    }
}

#[test]
fn ctrl_c_shows_the_line_that_continues_the_game() {
    if terminal("zuniq", "quit\n").is_none() {
        return;
    }
    let command = format!("stty -echo; exec {} play zuniq --nodes 5", env!("CARGO_BIN_EXE_cupbot"));
    let mut child = Command::new("timeout")
        .args(["600", "script", "-qec", &command, "/dev/null"])
        .env("TERM", "xterm")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a terminal, as before");
    let mut input = child.stdin.take().expect("a pipe");
    let mut output = child.stdout.take().expect("a pipe");
    input.write_all(b"Opening A1h C4v\n").expect("it reads");
    let (mut shown, mut part) = (Vec::new(), [0; 1024]);
    while !String::from_utf8_lossy(&shown).contains("2 moves made") {
        let count = output.read(&mut part).expect("it shows the board");
        assert!(count > 0, "{}", String::from_utf8_lossy(&shown));
        shown.extend(&part[..count]);
    }
    input.write_all(b"\x03").expect("it reads");
    output.read_to_end(&mut shown).expect("it ends");
    assert_eq!(child.wait().expect("a child of ours").code(), Some(130));
    let shown = plain(&String::from_utf8_lossy(&shown));
    let line = "start `cupbot play zuniq` and type `Opening A1h C4v`";
    assert!(shown.contains("to continue the game, ") && shown.contains(line), "{shown}");
}

#[test]
fn lines_are_edited_in_place_and_remembered() {
    // Moves the cursor left to insert a letter; then recalls the previous line twice.
    let lines = "nodes 5\nSart\u{1b}[D\u{1b}[D\u{1b}[Dt\n\u{1b}[A\n\u{1b}[A\u{1b}[A\u{1b}[B\n\u{1}board\u{b}\nquit\n\n";
    let Some(shown) = terminal("zuniq", lines) else { return };
    assert!(shown.contains("3 moves made"), "{shown}");
    assert!(!shown.contains("I don't know"), "{shown}");
}

#[test]
fn without_a_command_the_first_minute_is_easy() {
    let lines = "what\n\n\n\nfoo\nzuniq\nplay zuniq\nno\nb2h\nhint\nexit\nn\n";
    let Some(shown) = terminal("", lines) else { return };
    for expected in [
        "cupbot: board games at five levels (beginner, easy, medium, strong, full).",
        "  2  zuniq ",
        "Type the number or the name of a game, or a level, or quit.",
        "Which side? red (Enter, begins) or blue > ",
        "  D  4 dabbabas  2 squares straight",
        "Level: medium.",
        "You take ",
        "I don't know \"foo\". Type a move like b5d3 or Df8",
        "Type `play zuniq` to change the game.",
        "Save the unfinished game?",
        "Zuniq by hand",
        "white> ",
        "2 moves made",
    ] {
        assert!(shown.contains(expected), "{expected} in {shown}");
    }
}

#[test]
fn the_game_just_played_is_analysed() {
    let lines = "nodes 50\nOpening WFNADAAADDFDAAAA aaaadddaaadaffnw b5d3 h3f3 b3c2 f3d3 c2d3\nanalyse\nquit\n\n";
    let Some(shown) = terminal("zero-point-one", lines) else { return };
    assert!(shown.contains("c2d3??"), "{shown}");
}
