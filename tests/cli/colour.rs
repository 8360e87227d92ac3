//! Colour at the terminal: `--color`, `NO_COLOR` and pipes.

use crate::common::cupbot;
use std::fs;
use std::process::{Command, Output};

/// Start of every escape sequence of a style.
const ESCAPE: &str = "\u{1b}[";
/// A game of seven moves with a blunder on move 7.
const GAME: &str = "WFNADAAADDFDAAAA aaaadddaaadaffnw b5d3 h3f3 b3c2 f3d3 c2d3";

/// Returns a command without environment variables that affect colour.
fn run(command: &mut Command) -> String {
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(name);
    }
    text(command.output().expect("it runs"))
}

fn text(output: Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

fn analysis() -> Vec<&'static str> {
    let words = ["analyse", "--nodes", "500", "--from", "6"].into_iter();
    words.chain(GAME.split(' ')).collect()
}

const MATCH: [&str; 6] = ["match", "self:nodes=20", "self:nodes=40", "-n", "2", "--no-record"];
const TOURNAMENT: [&str; 4] = ["tournament", "self:nodes=20", "self:nodes=40", "--no-record"];

/// Removes the styles of a text.
fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

#[test]
fn pipes_have_colour_only_on_request() {
    for arguments in [&analysis()[..], &MATCH, &TOURNAMENT] {
        let piped = run(&mut cupbot(arguments));
        assert!(!piped.contains(ESCAPE), "{arguments:?}: {piped}");
        let never = run(cupbot(arguments).args(["--color", "never"]));
        assert!(!never.contains(ESCAPE), "{arguments:?}: {never}");
        let always = run(cupbot(arguments).args(["--color", "always"]));
        assert!(always.contains(ESCAPE), "{arguments:?}: {always}");
    }
    // The same text in colour. An analysis by nodes does not depend on the clock.
    let coloured = run(cupbot(&analysis()).args(["--color", "always"]));
    assert_eq!(plain(&coloured), run(&mut cupbot(&analysis())));
    assert!(coloured.contains("c2d3??\u{1b}[0m"), "{coloured}");
}

#[test]
fn the_option_may_precede_or_follow_the_command() {
    let before = run(cupbot(&["--color", "always"]).args(analysis()));
    let behind = run(cupbot(&analysis()).args(["--color=always"]));
    assert!(before.contains(ESCAPE));
    assert_eq!(before, behind);
    let wrong = cupbot(&["games", "--color", "perhaps"]).output().expect("it runs");
    assert_eq!(wrong.status.code(), Some(2));
}

#[test]
fn json_records_and_pages_have_no_colour() {
    let folder = crate::common::folder("colour", "machines");
    let json = run(cupbot(&analysis()).args(["--json", "--color", "always"]));
    assert!(!json.contains(ESCAPE), "{json}");
    for arguments in [&MATCH[..5], &TOURNAMENT[..3]] {
        let record = folder.join(arguments[0]);
        let mut command = cupbot(arguments);
        command.args(["--json", "--color", "always", "--record"]).arg(&record);
        assert!(!run(&mut command).contains(ESCAPE), "{arguments:?}");
        assert!(!fs::read_to_string(record).expect("a record").contains(ESCAPE));
    }
    let page = run(cupbot(&["replay", "--color", "always"]).args(GAME.split(' ')));
    assert!(!page.contains(ESCAPE));
}

/// Returns the output of a command at a pseudo-terminal, or `None` if no terminal is available.
#[cfg(target_os = "linux")]
fn at_a_terminal(arguments: &[&str], variable: &str) -> Option<String> {
    let words: Vec<String> = arguments.iter().map(|word| format!("'{word}'")).collect();
    let binary = env!("CARGO_BIN_EXE_cupbot");
    crate::common::at_terminal(&format!("{variable} {binary} {}", words.join(" ")), "")
}

/// Commands whose output must fit the terminal. The match shows only its progress; the table of a tournament is wider
/// than 40 columns.
#[test]
#[cfg(target_os = "linux")]
fn progress_and_tables_fit_the_terminal() {
    let folder = crate::common::folder("colour", "narrow");
    let long = "self:nodes=20,hash=1,net=handmade,lmr_base=70";
    let cases: [(&[&str], &str, &str); 4] = [
        (&MATCH[..5], ">/dev/null", "00:00:"),
        (&["tune", "self:nodes=20", "--iterations", "3"], ">/dev/null", "00:00:"),
        (&["selfplay", "-o", "games", "--games", "30", "--nodes", "20"], "", "30/30 games"),
        (&["tournament", long, "self:nodes=40", "--no-record"], "", "rank"),
    ];
    for columns in [80, 40] {
        for (index, (arguments, redirection, expected)) in cases.into_iter().enumerate() {
            let place = folder.join(format!("{columns}-{index}"));
            fs::create_dir(&place).expect("a folder");
            let before =
                format!("stty rows 24 cols {columns}; cd {}; exec {redirection};", place.display());
            let Some(shown) = at_a_terminal(arguments, &before) else { return };
            let shown = plain(&shown);
            assert!(shown.contains(expected), "{arguments:?}: {shown}");
            if columns == 40 && arguments[0] == "tournament" {
                continue;
            }
            for line in shown.split(['\r', '\n']) {
                assert!(line.chars().count() <= columns, "{columns} {arguments:?}: {line:?}");
            }
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_terminal_has_colour_unless_no_color_is_set() {
    let Some(shown) = at_a_terminal(&analysis(), "") else { return };
    assert!(shown.contains("c2d3??\u{1b}[0m"), "{shown}");
    // The progress bar uses its own escape sequences.
    let without = at_a_terminal(&analysis(), "NO_COLOR=1").expect("a terminal, as before");
    assert!(without.contains("c2d3??") && !without.contains("c2d3??\u{1b}"), "{without}");
    let forced = [&analysis()[..], &["--color", "always"]].concat();
    let forced = at_a_terminal(&forced, "NO_COLOR=1").expect("a terminal, as before");
    assert!(forced.contains("c2d3??\u{1b}[0m"), "{forced}");
}
