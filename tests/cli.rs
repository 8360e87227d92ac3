//! The commands as a user types them.

mod common;

use common::{cupbot, Game, Outcome};
use std::process::{Output, Stdio};

fn run(arguments: &[&str]) -> Output {
    cupbot(arguments).output().expect("it runs")
}

fn stdout(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn help_and_version_are_there() {
    assert_eq!(stdout(&["--version"]), concat!("cupbot ", env!("CARGO_PKG_VERSION"), "\n"));
    let help = stdout(&["--help"]);
    for part in ["Zero Point One", "perft", "bench", "check", "--hash"] {
        assert!(help.contains(part), "{part} in {help}");
    }
}

#[test]
fn bad_arguments_have_status_2() {
    let cases: [&[&str]; 7] = [
        &["no-such-command"],
        &["--hash", "0"],
        &["--nodes", "200", "play"],
        &["perft", "0"],
        &["perft", "2", "WFNADAAADDFDAAAA"],
        &["perft", "2", "WFNADAAADDFDAAAA", "aaaadddaaadaffnw", "b1b2"],
        &["check", "no/such/file"],
    ];
    for arguments in cases {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{arguments:?}");
    }
}

#[test]
fn perft_counts_as_the_rules_do() {
    let cases = include_str!("data/perft.txt");
    for case in cases.lines().filter(|line| !line.starts_with('#')) {
        let mut words = case.split_whitespace();
        let safe = words.next() == Some("safe");
        let counts: Vec<&str> = words.next().expect("counts").split(',').collect();
        let depth = counts.len().to_string();
        let mut arguments = vec!["perft", &depth];
        arguments.extend(words);
        arguments.extend(safe.then_some("--option=safe"));
        let found = stdout(&arguments);
        let leaves = |line: &str| line.split_whitespace().nth(3).map(String::from);
        let found: Vec<String> = found.lines().filter_map(leaves).collect();
        assert_eq!(found, counts, "{case}");
    }
}

#[test]
fn check_tells_agreement_by_its_status() {
    let games = include_str!("data/games.txt");
    let path = std::env::temp_dir().join(format!("cupbot-check-{}.txt", std::process::id()));
    let file = path.to_str().expect("a plain path");
    std::fs::write(&path, games).expect("a temporary file");
    assert_eq!(stdout(&["check", file]), "games 9 agree 9 disagree 0\n");
    std::fs::write(&path, games.replace(" draw ", " red ")).expect("a temporary file");
    let output = run(&["check", file]);
    std::fs::remove_file(&path).expect("the file");
    assert_eq!(output.status.code(), Some(1));
    let report = String::from_utf8_lossy(&output.stdout);
    assert_eq!(report.lines().count(), 2, "{report}");
    assert!(report.ends_with("games 9 agree 8 disagree 1\n"), "{report}");
}

#[test]
fn bench_ends_with_its_count() {
    let report = stdout(&["bench", "--depth", "2"]);
    let last = report.lines().last().and_then(|line| line.strip_prefix("Bench: "));
    assert!(last.is_some_and(|count| count.parse::<u64>().is_ok_and(|n| n > 1000)), "{report}");
}

#[test]
fn a_reader_that_goes_ends_a_report_in_peace() {
    // Its last line comes long after the reader has gone.
    let mut command = cupbot(&["perft", "6"]);
    let mut running =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
    drop(running.stdout.take());
    let output = running.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(141));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn a_random_mover_is_beaten() {
    for side in 0..2 {
        let mut players: [&[&str]; 2] = [&["random-mover", "--seed", "7"]; 2];
        players[side] = &[];
        let mut game = Game::start(players, &["Time 1000"]);
        assert_eq!(game.play(|_| {}), Outcome::Won(side), "{:?}", game.moves);
        game.quit();
    }
}
