//! Colour at the terminal: `--color`, `NO_COLOR` and pipes.

use crate::common::{cupbot, fails};
use std::fs;
use std::path::Path;

/// Start of every escape sequence of a style.
const ESCAPE: &str = "\u{1b}[";
/// A game of seven moves with a blunder on move 7.
const ANALYSIS: &str =
    "analyse --nodes 500 --from 6 WFNADAAADDFDAAAA aaaadddaaadaffnw b5d3 h3f3 b3c2 f3d3 c2d3";
const MATCH: &str = "match self:nodes=20 self:nodes=40 -n 2";
const TOURNAMENT: &str = "tournament self:nodes=20 self:nodes=40";

/// Runs a command and returns its output.
fn run(line: &str) -> String {
    let output = cupbot(line).output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// Removes the styles of a text.
fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

#[test]
fn pipes_have_colour_only_on_request() {
    for line in [ANALYSIS, &format!("{MATCH} --no-record"), &format!("{TOURNAMENT} --no-record")] {
        for (option, is_coloured) in
            [("", false), ("--color never", false), ("--color always", true)]
        {
            let shown = run(&format!("{line} {option}"));
            assert_eq!(shown.contains(ESCAPE), is_coloured, "{line} {option}: {shown}");
        }
    }
    // The same text in colour. An analysis by nodes does not depend on the clock.
    let coloured = run(&format!("{ANALYSIS} --color always"));
    assert_eq!(plain(&coloured), run(ANALYSIS));
    assert!(coloured.contains("c2d3??\u{1b}[0m"), "{coloured}");
}

#[test]
fn the_option_may_precede_or_follow_the_command() {
    let before = run(&format!("--color always {ANALYSIS}"));
    assert!(before.contains(ESCAPE));
    assert_eq!(before, run(&format!("{ANALYSIS} --color=always")));
    fails(Path::new("."), "games --color perhaps", "--color");
}

#[test]
fn json_records_and_pages_have_no_colour() {
    let folder = crate::common::folder("colour", "machines");
    let json = run(&format!("{ANALYSIS} --json --color always"));
    assert!(!json.contains(ESCAPE), "{json}");
    for (name, line) in [("match", MATCH), ("tournament", TOURNAMENT)] {
        let record = folder.join(name);
        let line = format!("{line} --json --color always --record `{}`", record.display());
        assert!(!run(&line).contains(ESCAPE), "{line}");
        assert!(!fs::read_to_string(record).expect("a record").contains(ESCAPE));
    }
    let (_, game) = ANALYSIS.split_once(" 6 ").expect("a game");
    assert!(!run(&format!("replay --color always {game}")).contains(ESCAPE));
}

/// Returns the output of a command at a pseudo-terminal, or `None` if no terminal is available.
#[cfg(target_os = "linux")]
fn at_a_terminal(line: &str, variable: &str) -> Option<String> {
    let binary = env!("CARGO_BIN_EXE_cupbot");
    crate::common::at_terminal(&format!("{variable} {binary} {line}"), "")
}

/// Commands whose output must fit the terminal. The match shows only its progress; the table of a tournament is wider
/// than 40 columns.
#[test]
#[cfg(target_os = "linux")]
fn progress_and_tables_fit_the_terminal() {
    let folder = crate::common::folder("colour", "narrow");
    let long = "tournament self:nodes=20,hash=1,net=handmade,lmr_base=70 self:nodes=40 --no-record";
    let cases = [
        (MATCH, ">/dev/null", "00:00:"),
        ("tune self:nodes=20 --iterations 3", ">/dev/null", "00:00:"),
        ("selfplay -o games --games 30 --nodes 20", "", "30/30 games"),
        (long, "", "rank"),
    ];
    for columns in [80, 40] {
        for (index, (line, redirection, expected)) in cases.into_iter().enumerate() {
            let place = folder.join(format!("{columns}-{index}"));
            fs::create_dir(&place).expect("a folder");
            let before =
                format!("stty rows 24 cols {columns}; cd {}; exec {redirection};", place.display());
            let Some(shown) = at_a_terminal(line, &before) else { return };
            let shown = plain(&shown);
            assert!(shown.contains(expected), "{line}: {shown}");
            if columns == 40 && line == long {
                continue;
            }
            for row in shown.split(['\r', '\n']) {
                assert!(row.chars().count() <= columns, "{columns} {line}: {row:?}");
            }
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_terminal_has_colour_unless_no_color_is_set() {
    let Some(shown) = at_a_terminal(ANALYSIS, "") else { return };
    assert!(shown.contains("c2d3??\u{1b}[0m"), "{shown}");
    // The progress bar uses its own escape sequences.
    let without = at_a_terminal(ANALYSIS, "NO_COLOR=1").expect("a terminal, as before");
    assert!(without.contains("c2d3??") && !without.contains("c2d3??\u{1b}"), "{without}");
    let forced = at_a_terminal(&format!("{ANALYSIS} --color always"), "NO_COLOR=1");
    let forced = forced.expect("a terminal, as before");
    assert!(forced.contains("c2d3??\u{1b}[0m"), "{forced}");
}
