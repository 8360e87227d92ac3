//! The commands as a user types them.

use crate::common::{cupbot, fails, folder, json, printed, run, stdout as told, succeeds};
use std::path::Path;
use std::process::Stdio;

fn stdout(line: &str) -> String {
    printed(Path::new("."), line)
}

#[test]
fn bad_arguments_have_status_2() {
    let folder = folder("cli", "bad");
    std::fs::write(folder.join("letter"), "Dear reader").expect("written");
    std::fs::write(folder.join("empty"), "").expect("written");
    for line in [
        "no-such-command",
        "completions no-shell",
        "tactics empty --nodes 0",
        "--hash 0",
        "--nodes 200 play",
        "perft 0",
        "perft 2 WFNADAAADDFDAAAA",
        "perft 2 WFNADAAADDFDAAAA aaaadddaaadaffnw b1b2",
        "check no/such/file",
        "match self:nodes=0 self",
        "match self:colour=1 self",
        "match self self --openings nowhere",
        "match self self --sprt 5 0",
        "match self self --sprt 0 1001",
        "match self self --sprt -201 0 --normalized",
        "match self self --openings random:good-setups=2",
        "match self self --openings random:balance=0",
        "match self self --resume",
        "match self self --time 0",
        "match self self --resign score=600",
        "match self self --max-moves 0",
        "match self self --game zuniq --max-moves 9",
        "match self self --game 6561 --resign score=6,moves=4",
        "tournament self self",
        "match self self --judge --jobs 2",
        "match self self --grace 5ms",
        "match self plain:cat",
        "match self plain:",
        "match self self --game chess960 -n 3",
        "match self self --game chess960 --grace 5ms",
        "play chess960 --time 50",
        "submit chess960 --check empty --time 50",
        "tune ./program",
        "tune --only colour",
        "tune --rate -1",
        "tune --resume",
        "tune --resume --state letter",
    ] {
        fails(&folder, line, "");
    }
    fails(&folder, "tactics empty", "contains no positions");
}

#[test]
fn perft_counts_as_the_rules_do() {
    let cases = include_str!("../data/perft.txt");
    for case in cases.lines().filter(|line| !line.starts_with('#')) {
        let mut words = case.split_whitespace();
        let safe = words.next() == Some("safe");
        let counts: Vec<&str> = words.next().expect("counts").split(',').collect();
        let (moves, option) = (words.collect::<Vec<_>>(), if safe { "--option=safe" } else { "" });
        let found = stdout(&format!("perft {} {} {option}", counts.len(), moves.join(" ")));
        let leaves = |line: &str| line.split_whitespace().nth(3).map(String::from);
        let found: Vec<String> = found.lines().filter_map(leaves).collect();
        assert_eq!(found, counts, "{case}");
    }
}

#[test]
fn perft_divides_by_moves() {
    for line in ["perft 3 --option safe", "perft --game zuniq 3 A1h A1v"] {
        let whole = stdout(line);
        let total = whole.lines().last().and_then(|line| line.split_whitespace().nth(3));
        let divided = stdout(&format!("{line} --divide"));
        let (moves, summary) = divided.trim_end().rsplit_once('\n').expect("moves and a summary");
        let leaves = |line: &str| line.split_whitespace().nth(1).expect("a count").parse::<u64>();
        let sum: u64 = moves.lines().map(|line| leaves(line).expect("a number")).sum();
        let expected = format!("moves {} leaves {sum}", moves.lines().count());
        assert_eq!(summary, expected, "{line}");
        assert_eq!(Some(sum.to_string().as_str()), total, "{line}");
    }
}

#[test]
fn parameters_are_listed_and_errors_point_there() {
    let list = stdout("params");
    let rows: Vec<&str> = list.lines().skip(1).collect();
    assert!(rows.len() > 30 && list.contains("lmr_base"), "{list}");
    let folder = folder("cli", "params");
    let json = json(&succeeds(&folder, "params --json"));
    let specs = json.as_array().expect("a list");
    assert_eq!(specs.len(), rows.len());
    for spec in specs {
        let [min, default, max] = ["min", "default", "max"].map(|key| spec[key].as_i64());
        assert!(min <= default && default <= max && min < max, "{spec}");
        assert!(spec["meaning"].as_str().is_some_and(|text| text.len() > 10), "{spec}");
    }
    for player in ["self:lmr_bas=1", "self:lmr_base=100000"] {
        fails(&folder, &format!("match {player} self:nodes=1 --no-record"), "`cupbot params`");
    }
}

#[test]
fn every_shell_gets_a_script_of_completions() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = stdout(&format!("completions {shell}"));
        for word in ["cupbot", "tournament", "selfplay", "zuniq"] {
            assert!(script.contains(word), "no {word} for {shell}");
        }
    }
}

#[test]
fn the_status_of_check_states_agreement() {
    let folder = folder("cli", "check");
    let games = include_str!("../data/games.txt");
    std::fs::write(folder.join("games"), games).expect("written");
    assert_eq!(printed(&folder, "check games"), "games 9 agree 9 disagree 0\n");
    std::fs::write(folder.join("games"), games.replace(" draw ", " red ")).expect("written");
    let output = run(&folder, "check games");
    assert_eq!(output.status.code(), Some(1));
    let report = told(&output);
    assert_eq!(report.lines().count(), 2, "{report}");
    assert!(report.ends_with("games 9 agree 8 disagree 1\n"), "{report}");
}

#[test]
fn a_closed_pipe_ends_a_report_without_an_error() {
    // The last line is printed long after the reader has exited.
    let mut command = cupbot("perft 6");
    let mut running =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
    drop(running.stdout.take());
    let output = running.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(141));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn reports_are_json_lines_on_request() {
    let values = |line: &str| -> Vec<serde_json::Value> {
        let text = stdout(line);
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    };
    let perft = values("perft 2 --game chess960 --json");
    let divided = values("perft 2 --game chess960 --json --divide");
    let sum: u64 = divided.iter().filter_map(|mv| mv["leaves"].as_u64()).sum();
    assert_eq!((perft.len(), perft[1]["leaves"].as_u64()), (2, Some(sum)));
    let checked = values("check tests/data/games.txt --json");
    let last = checked.last().expect("the numbers");
    assert!(last["games"].as_u64() > Some(0) && last["games"] == last["agree"], "{last}");
}

#[test]
fn the_list_of_games_fits_into_80_columns() {
    let folder = folder("commands", "games");
    let shown = printed(&folder, "games");
    assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
    let names = printed(&folder, "games --names");
    assert!(names.lines().all(|name| shown.lines().next().is_some_and(|row| row.contains(name))));
}

#[test]
fn a_binary_file_is_refused_at_once() {
    let folder = folder("commands", "binary");
    // Some 10 MB: read line by line it would take long.
    let binary = env!("CARGO_BIN_EXE_cupbot");
    for command in ["analyse", "replay", "check"] {
        fails(&folder, &format!("{command} {binary}"), "a binary file: expected text");
    }
    let openings = format!("match self:nodes=9 self --openings {binary}");
    fails(&folder, &openings, "a binary file");
}
