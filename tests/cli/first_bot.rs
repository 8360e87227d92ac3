//! docs/first-bot.md, its example bots, and what the commands say about the faults of beginners.

use crate::common::{cupbot, folder, json, printed, run, stderr, stdout};
use std::path::Path;
use std::process::{Command, Output};

const PYTHON_BOT: &str = include_str!("../../examples/random_mover.py");
/// A time limit that no game exceeds, even on a slow and busy machine.
const LONG: &str = "5000s";
/// Time after which a program that never answers counts as hung.
const HUNG: &str = "--time 5000s --wall 300ms";

fn has_python() -> bool {
    Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Runs a command with players that buffer their output.
fn buffered(folder: &Path, line: &str) -> Output {
    let mut command = cupbot(line);
    command.env_remove("PYTHONUNBUFFERED").current_dir(folder).output().expect("it runs")
}

/// Tests a player.
fn checked(folder: &Path, player: &str, more: &str) -> Output {
    buffered(folder, &format!("check --player `{player}` {more}"))
}

/// Plays two games of a player against random moves.
fn matched(folder: &Path, player: &str, more: &str) -> Output {
    let random = format!("{} random-mover --seed 1", env!("CARGO_BIN_EXE_cupbot"));
    buffered(folder, &format!("match `{player}` `{random}` -n 2 --no-record {more}"))
}

/// Expects that `referee` explains the fault of a player with this text.
fn assert_explained_by_referee(folder: &Path, player: &str, expected: &str) {
    let random = format!("{} random-mover --seed 1", env!("CARGO_BIN_EXE_cupbot"));
    let players = format!("-p1 `{player}` -p2 `{random}`");
    let log = stderr(&run(folder, &format!("referee zero-point-one {players} --time {LONG}")));
    assert!(log.contains(expected), "{expected} in {log}");
}

/// Expects that `check` and `match` explain the fault of a player with this text.
fn assert_explained(folder: &Path, player: &str, options: &str, expected: &str) {
    let check = checked(folder, player, &format!("{options} --games 4"));
    let report = stdout(&check);
    assert_eq!(check.status.code(), Some(1), "{player}: {report}{}", stderr(&check));
    assert!(report.contains(expected), "{expected} in {report}");
    let openings = if player.starts_with("plain:") { "--openings none" } else { "" };
    let log = stderr(&matched(folder, player, &format!("{options} {openings}")));
    assert!(log.contains(expected), "{expected} in {log}");
}

#[test]
fn faults_of_beginners_are_explained() {
    let folder = folder("first-bot", "faults");
    std::fs::write(folder.join("text"), "no program").expect("a file");
    let setup = "read -r line; echo WFNADAAADDFDAAAA";
    let of = |script: &str| format!("plain:{script}");
    let idle = "cat >/dev/null";
    let unknown = "while read -r line; do echo aaaadddaaadaffnw; done";
    let hidden = "while read -r line; do case $line in Start) echo WFNADAAADDFDAAAA;; \
                  *) exit;; esac; done";
    let silent = "no complete line within";
    let long = format!("--time {LONG}");
    for (player, options, expected) in [
        // Reads all input before it answers.
        (of(idle), HUNG, silent),
        (of("read -r line; read -r other; echo WFNADAAADDFDAAAA"), HUNG, silent),
        // No newline.
        (of(&format!("printf WFNADAAADDFDAAAA; {idle}")), HUNG, silent),
        (of("while :; do :; done"), HUNG, silent),
        (of(&format!("echo I think so; {idle}")), "", "text for debugging belongs on stderr"),
        (of(&format!("{setup}; read -r l; echo B5D3; {idle}")), "", "did you mean b5d3?"),
        (
            of(&format!("read -r line; printf 'WFNADAAADDFDAAAA\\nb1d1\\nb1d1\\nb1d1\\n'; {idle}")),
            "",
            "A second line, before it was asked for one: \"b1d1\"",
        ),
        (of(&format!("echo; {idle}")), "", "A blank line"),
        (of(&format!("{setup}; read -r l; echo oh >&2; exit 3")), "", "stderr: oh"),
        (
            of(&format!("{setup}; read -r l; echo oh >&2; exit 3")),
            "",
            "move 3 of red expected: exited with status 3",
        ),
        ("exit 0".to_string(), "", "exited with status 0 before its first answer"),
        ("sh missing.sh".to_string(), "", "missing.sh"),
        ("./missing".to_string(), "", "Is the path right?"),
        ("./text".to_string(), "", "Make it executable"),
        (unknown.to_string(), &long, "It may not know the lines that only cupbot"),
        (hidden.to_string(), &long, "It may not know the lines that only cupbot"),
        (of(unknown), "", "was `Start` taken for the first move of Red?"),
    ] {
        assert_explained(&folder, &player, options, expected);
        if let Some(plain) = player.strip_prefix("plain:").filter(|_| options.is_empty()) {
            assert_explained_by_referee(&folder, plain, expected);
        }
    }
}

/// Faults of a bot in Python: the text to replace in the random mover, its replacement, and the expected message.
const PYTHON_FAULTS: [[&str; 4]; 6] = [
    ["print(move, flush=True)", "print(move)", HUNG, "no complete line within"],
    ["map(str.strip, sys.stdin)", "sys.stdin.read().split()", HUNG, "no complete line within"],
    ["import random\n", "import random, no_such_module\n", "", "No module named 'no_such_module'"],
    [
        "    print(move, flush=True)",
        "    print('best:', move, flush=True)",
        "",
        "text for debugging belongs on stderr",
    ],
    [
        "    play(move)\n    print",
        "    play(move)\n    {}[len(moves) < 14]\n    print",
        "",
        "KeyError",
    ],
    // Ignores drops.
    ["    elif len(move) == 3:  # a drop\n", "    elif len(move) == 0:\n", "", "KeyError: '"],
];

#[test]
fn faults_of_python_bots_are_explained() {
    if !has_python() {
        return;
    }
    let folder = folder("first-bot", "python");
    for [from, to, options, expected] in PYTHON_FAULTS {
        assert_eq!(PYTHON_BOT.matches(from).count(), 1, "{from}");
        // The games are the same in every run.
        let bot =
            PYTHON_BOT.replace(from, to).replace("def main():", "def main():\n    random.seed(1)");
        std::fs::write(folder.join("bot.py"), bot).expect("a file");
        assert_explained(&folder, "plain:python3 bot.py", options, expected);
    }
}

#[test]
fn check_prints_records_and_logs_each_game() {
    let folder = folder("first-bot", "files");
    let setup = "while read -r line; do case $line in Quit) exit;; Start) echo WFNADAAADDFDAAAA;; \
                 [a-z]*) echo b5b6;; *) echo aaaadddaaadaffnw;; esac; done";
    let player = format!("plain:{setup}");
    let files = "--games 2 --record games.jsonl --log log --json";
    for _ in 0..2 {
        let report = stdout(&checked(&folder, &player, files));
        assert!(report.contains("\"part\":\"game 2 as blue\""), "{report}");
        assert!(report.ends_with("{\"parts\":4,\"faults\":2}\n"), "{report}");
    }
    let log = std::fs::read_to_string(folder.join("log")).expect("a log");
    let lines: Vec<&str> = log.lines().collect();
    assert_eq!(lines[0], "# game 1 as red");
    assert!(lines[1].ends_with(" s -> Start") && lines[4].ends_with(" s <- b5b6"), "{log}");
    // Every check appends a match. The page shows the refused move.
    let list = stdout(&run(&folder, "analyse games.jsonl --list"));
    assert_eq!(list.lines().filter(|line| line.contains("blue-illegal")).count(), 2, "{list}");
    let page = printed(&folder, "replay games.jsonl --number 1");
    assert!(page.contains("b5b6 was refused: illegal: an alfil does not"), "{page}");
}

#[test]
fn a_program_that_never_answers_ends_the_check() {
    let folder = folder("first-bot", "mute");
    for (player, options) in [("./missing", ""), ("cat >/dev/null", HUNG)] {
        let check = checked(&folder, player, options);
        let report = stdout(&check);
        assert!(report.ends_with("parts 1 faults 1\n"), "{report}");
        assert!(stderr(&check).contains("stopped: the player never answered"));
    }
}

#[test]
fn a_program_without_a_move_ends_the_match() {
    let folder = folder("first-bot", "unable");
    let random = format!("{} random-mover --seed 1", env!("CARGO_BIN_EXE_cupbot"));
    for [a, b] in [["exit 3", &random], [&random, "exit 3"]] {
        let output = run(&folder, &format!("match `{a}` `{b}` -n 4 --openings none"));
        let log = stderr(&output);
        assert_eq!((output.status.code(), stdout(&output)), (Some(2), String::new()), "{log}");
        assert!(log.contains("exited with status 3 before its first answer"), "{log}");
    }
    assert!(crate::common::games(&folder.join("matches.jsonl")).is_empty());
}

#[test]
fn long_times_without_a_unit_are_refused() {
    let folder = folder("first-bot", "unit");
    let refused = "expected 3000s or 3000ms";
    for line in [
        "match self:nodes=5 self:nodes=6 -n 2 --time 3000",
        "check --player cat --time 3000",
        "referee zuniq -p1 cat -p2 cat --time 3000",
    ] {
        crate::common::fails(&folder, line, refused);
    }
}

#[test]
fn the_example_in_rust_has_no_faults() {
    let folder = folder("first-bot", "rust");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/random_mover.rs");
    let mut compiler = Command::new("rustc");
    compiler.args(["-O", "--edition", "2021", "-o", "bot"]).arg(source).current_dir(&folder);
    assert!(compiler.status().expect("a compiler").success());
    let time = format!("--time {LONG}");
    let report = stdout(&checked(&folder, "plain:./bot", &time));
    assert!(report.ends_with("parts 14 faults 0\n"), "{report}");
    let result = matched(&folder, "plain:./bot", &(time + " --openings none --json"));
    assert_eq!(json(&result)["a"]["faults"], serde_json::json!({}));
}

/// Returns the fenced blocks of a language on the page, in order.
fn blocks(language: &str) -> Vec<&'static str> {
    let blocks = include_str!("../../docs/first-bot.md").split(language).skip(1);
    blocks.map(|rest| rest.split("```").next().expect("a closed block")).collect()
}

/// Runs the commands of the page in order, with fewer games and with the edits that the page describes.
#[test]
fn commands_of_the_page_work_when_pasted() {
    if !has_python() {
        return;
    }
    let folder = folder("first-bot", "page");
    let [lines, choose] = blocks("```python\n")[..] else { panic!("two blocks") };
    let first = PYTHON_BOT.replace("        if line != ", &format!("{lines}        if line != "));
    let (head, rest) = first.split_once("def choose").expect("a function");
    let (_, tail) = rest.split_once("def answer").expect("a function");
    let second = format!("{head}{choose}\n\ndef answer{tail}");
    std::fs::create_dir(folder.join("examples")).expect("a folder");
    for (name, text) in
        [("examples/random_mover.py", PYTHON_BOT), ("v1.py", &first), ("v2.py", &second)]
    {
        std::fs::write(folder.join(name), text).expect("a file");
    }
    let binary = Path::new(env!("CARGO_BIN_EXE_cupbot")).parent().expect("a folder");
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").expect("a path"));
    for script in blocks("```sh\n") {
        let script = script.replace("-n 40", "-n 2").replace("--rounds 5", "--rounds 1");
        let script = script.replace("--time 3s", "--time 5000s");
        let mut shell = Command::new("sh");
        let shell = shell.args(["-ec", &script]).current_dir(&folder).env("PATH", &path);
        let output = shell.output().expect("a shell");
        assert!(output.status.success(), "{script}: {}{}", stdout(&output), stderr(&output));
        assert!(!stdout(&output).contains("FAULT"), "{script}: {}", stdout(&output));
    }
    let page = std::fs::read_to_string(folder.join("game.html")).expect("a page");
    assert!(page.contains("python3 v2.py"));
}
