//! Play by hand at a pseudo-terminal, created by util-linux's `script`; skipped if that is unavailable.

#![cfg(target_os = "linux")]

use crate::common::at_terminal;
use std::io::{Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

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
fn a_terminal_shows_the_board_and_explains_mistakes() {
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

/// Someone who types at a pseudo-terminal and waits for what it shows.
struct Typist {
    child: Child,
    keys: ChildStdin,
    output: ChildStdout,
    /// The output that no expectation has passed yet, with escape sequences.
    shown: String,
}

impl Typist {
    /// Runs a shell command in which `$CUPBOT` is cupbot; `None` if no terminal is available.
    fn start(command: &str) -> Option<Typist> {
        at_terminal("true", "")?;
        let mut script = Command::new("timeout");
        script.args(["600", "script", "-qec", &format!("stty -echo; {command}"), "/dev/null"]);
        script
            .env("TERM", "xterm")
            .env("SHELL", "/bin/sh")
            .env("CUPBOT", env!("CARGO_BIN_EXE_cupbot"));
        script.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = script.spawn().expect("a terminal, as before");
        let keys = child.stdin.take().expect("a pipe");
        let output = child.stdout.take().expect("a pipe");
        Some(Typist { child, keys, output, shown: String::new() })
    }

    fn types(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("it reads");
    }

    /// Reads until the terminal has shown this text.
    fn sees(&mut self, text: &str) {
        let mut part = [0; 1024];
        while !plain(&self.shown).contains(text) {
            let count = self.output.read(&mut part).expect("it writes");
            assert!(count > 0, "{text:?} in {:?}", self.shown);
            self.shown += &String::from_utf8_lossy(&part[..count]);
        }
        let end = self.shown.rfind(text).map_or(self.shown.len(), |start| start + text.len());
        self.shown.drain(..end);
    }

    /// Returns the exit status.
    fn leaves(mut self) -> Option<i32> {
        self.output.read_to_string(&mut self.shown).expect("it ends");
        self.child.wait().expect("a child of ours").code()
    }
}

#[test]
fn ctrl_c_shows_the_line_that_continues_the_game() {
    let options = "--level easy --seed 7";
    let Some(mut user) = Typist::start(&format!("exec $CUPBOT play zuniq --hash 1 {options}"))
    else {
        return;
    };
    user.types("Opening A1h C4v\n");
    user.sees("2 moves made");
    user.types("\x03");
    user.sees("to continue the game, ");
    user.sees(&format!("start `cupbot play zuniq {options}` and type `Opening A1h C4v`"));
    assert_eq!(user.leaves(), Some(130));
}

/// Shows whether the terminal is in its usual mode, `icanon`, or in raw mode, `-icanon`.
const MODE: &str = "echo mode=$(stty -a | grep -o -e '-*icanon')";

#[test]
fn ctrl_z_suspends_and_the_prompt_returns() {
    let script = format!("$CUPBOT play zuniq --hash 1; echo stopped; {MODE}; fg");
    let Some(mut user) = Typist::start(&format!("sh -mc \"{}\"", script.replace('$', "\\$")))
    else {
        return;
    };
    user.sees("white> ");
    user.types("hel");
    user.sees("white> hel");
    user.types("\x1a");
    user.sees("stopped");
    user.sees("mode=icanon");
    user.sees("white> hel");
    // Only in raw mode each key is read at once.
    user.types("\x7f\x7f\x7fboard");
    user.sees("white> board");
    user.types("\rquit\r");
    assert_eq!(user.leaves(), Some(0));
}

#[test]
fn the_end_at_a_prompt_restores_the_terminal() {
    for keys in ["\x03", "\x04"] {
        let Some(mut user) = Typist::start(&format!("$CUPBOT play zuniq --hash 1; {MODE}")) else {
            return;
        };
        user.sees("white> ");
        user.types(keys);
        user.sees("mode=icanon");
        assert_eq!(user.leaves(), Some(0));
    }
}

#[test]
fn keys_without_a_meaning_insert_nothing() {
    for keys in ["\x1bOP", "\x1b[15~", "\x1b[24;2~", "\x1b[1;3A", "\x1b[200~", "\x1b[[A"] {
        let Some(shown) = terminal("zuniq", &format!("bo{keys}ard\nquit\n")) else { return };
        assert!(shown.contains("white> board") && !shown.contains("I don't know"), "{shown}");
    }
    let shown = terminal("zuniq", "\x1b[200~board\x1b[201~\noard\x1b[1;5Db\nquit\n");
    let shown = shown.expect("a terminal, as before");
    assert!(shown.contains("white> board") && !shown.contains("I don't know"), "{shown}");
}

#[test]
fn wide_letters_stay_in_one_row() {
    let lines = format!("{}\nquit\n", "\u{6f22}".repeat(60));
    let Some(shown) = raw_terminal("zuniq", &lines) else { return };
    let prompts: Vec<&str> = shown.split("\x1b[2K").filter(|row| row.contains("white> ")).collect();
    assert!(prompts.iter().any(|row| row.contains("\u{6f22}")), "{shown:?}");
    for row in prompts {
        let row = plain(row.lines().next().unwrap_or_default());
        let columns: usize = row.chars().map(|letter| if letter.is_ascii() { 1 } else { 2 }).sum();
        assert!(columns < 80, "{columns} columns: {row}");
    }
}

#[test]
fn words_stay_whole_in_a_narrow_terminal() {
    let shown = |columns: usize| {
        let cupbot = env!("CARGO_BIN_EXE_cupbot");
        let lines = "\n2\nhelp\nOpening\nrules\nWFNADAAADDFDAAAA\nquit\n\n";
        at_terminal(&format!("stty rows 24 cols {columns}; {cupbot} --hash 1 --seed 1"), lines)
    };
    let (Some(narrow), Some(wide)) = (shown(40), shown(80)) else { return };
    assert!(wide.contains("blue> ") && plain(&wide).contains("`Opening` needs moves."), "{wide}");
    let words = |shown: &str| -> Vec<String> {
        plain(shown).split_whitespace().map(str::to_string).collect()
    };
    assert!(words(&wide).iter().all(|word| words(&narrow).contains(word)), "{narrow}");
    for row in narrow.split(['\n', '\r']).map(plain) {
        assert!(row.chars().count() <= 40, "{row:?}");
    }
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
fn without_a_command_the_user_chooses_a_game() {
    let lines = "what\n\n\n\nfoo\nzuniq\nplay zuniq\nno\nb2h\nhint\nexit\nn\n";
    let Some(shown) = terminal("", lines) else { return };
    for expected in [
        "cupbot: board games; levels beginner, easy, medium, strong, expert, full.",
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
