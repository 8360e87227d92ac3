//! Ctrl-C during a match, a tournament or a check: the summary is printed and no process is left running.

#![cfg(target_os = "linux")]

use crate::common::{catches, cupbot, folder, living, signal, wait_until, Running, PATIENCE};
use crate::tune::full_pipe;
use rustix::process::Signal;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Output, Stdio};
use std::thread;

/// Exit status after Ctrl-C.
const INTERRUPTED: Option<i32> = Some(130);
/// A player that writes its process id and its child's to a file.
const PLAYER: &str = "echo $$ >>ids; sleep 1000 & echo $! >>ids; exec ";

fn player() -> String {
    format!("{PLAYER} {} play --nodes 100", env!("CARGO_BIN_EXE_cupbot"))
}

/// Starts a command in a folder with stdout and stderr piped.
fn start(folder: &Path, line: &str) -> Child {
    let mut command = cupbot(line);
    command.current_dir(folder).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the command starts")
}

fn interrupt(child: &Child) {
    signal(child, Signal::INT);
}

/// Returns the CPU time of a process in ticks (hundredths of a second).
fn ticks(child: &Child) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{}/stat", child.id())).expect("a process");
    let fields = stat.rsplit_once(") ").map_or("", |(_, rest)| rest).split(' ');
    fields.skip(11).take(2).map(|ticks| ticks.parse::<u64>().expect("a number")).sum()
}

/// Waits for a process to exit.
fn end(child: Child) -> Output {
    let (sender, receiver) = std::sync::mpsc::channel();
    let id = child.id();
    thread::spawn(move || sender.send(child.wait_with_output()));
    match receiver.recv_timeout(PATIENCE) {
        Ok(output) => output.expect("the output"),
        Err(_) => panic!("process {id} is still running after Ctrl-C"),
    }
}

/// Counts the games of a record.
fn games(record: &Path) -> usize {
    let text = fs::read_to_string(record).unwrap_or_default();
    text.lines().filter(|line| line.starts_with("{\"type\":\"game\"")).count()
}

/// Asserts that all processes whose ids are in a file have exited.
fn assert_gone(ids: &Path) {
    let started = fs::read_to_string(ids).expect("the ids of started programs");
    assert!(started.lines().count() >= 4, "{started}");
    wait_until("all programs have exited", || living(ids).is_empty());
}

/// Runs a command in its own folder and interrupts it once its record has two games.
fn interrupted(name: &str, line: &str) -> (PathBuf, Output) {
    let folder = folder("interrupt", name);
    let child = start(&folder, line);
    wait_until("two games are over", || games(&folder.join("matches.jsonl")) >= 2);
    interrupt(&child);
    (folder, end(child))
}

#[test]
fn a_match_prints_its_summary_and_kills_its_programs() {
    let player = player();
    let line = format!("match `{player}` `{player}` -n 100000 -j 2");
    let (folder, output) = interrupted("match", &line);
    let log = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), INTERRUPTED, "{log}");
    let played = games(&folder.join("matches.jsonl"));
    let summary = String::from_utf8_lossy(&output.stdout);
    assert!(summary.contains(&format!("games {played} ")), "{played} games: {summary}");
    assert!(summary.contains("\nelo "), "{summary}");
    // Games interrupted by Ctrl-C are not counted.
    assert!(summary.contains("no faults") && !summary.contains(" lost by "), "{summary}");
    assert!(log.contains(&format!("interrupted after {played} of 100000 games")), "{log}");
    assert!(log.contains("--resume"), "{log}");
    assert_gone(&folder.join("ids"));
}

#[test]
fn a_tournament_prints_and_writes_its_table() {
    let players = format!("`{}` `{} --hash 1`", player(), player());
    let line = format!("tournament {players} --rounds 1000 --html table.html");
    let (folder, output) = interrupted("tournament", &line);
    let log = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), INTERRUPTED, "{log}");
    let table = String::from_utf8_lossy(&output.stdout);
    assert!(table.contains("rank") && table.lines().count() == 3, "{table}");
    let page = fs::read_to_string(folder.join("table.html")).expect("a page");
    assert!(page.contains(&format!("{} games of 2", games(&folder.join("matches.jsonl")))));
    assert_gone(&folder.join("ids"));
}

#[test]
fn a_long_search_is_interrupted() {
    let folder = folder("interrupt", "long");
    // The first moves take minutes.
    let child = start(&folder, "match self self:hash=1 --time 5000s");
    wait_until("the match has begun", || folder.join("matches.jsonl").exists());
    let before = ticks(&child);
    wait_until("the player is searching", || ticks(&child) >= before + 20);
    interrupt(&child);
    let output = end(child);
    assert_eq!(output.status.code(), INTERRUPTED);
    let summary = String::from_utf8_lossy(&output.stdout);
    assert!(summary.contains("games 0 "), "{summary}");
}

#[test]
fn a_second_ctrl_c_exits_immediately() {
    let folder = folder("interrupt", "twice");
    // The pipe of stdout is full and not read, so printing the summary blocks.
    let (reader, writer) = full_pipe(0);
    let mut command = cupbot(&format!("match `{0}` `{0}` -n 100000", player()));
    let log = folder.join("log");
    command
        .current_dir(&folder)
        .stdout(writer)
        .stderr(File::create(&log).expect("a writable folder"));
    let mut running = Running::of(&mut command);
    wait_until("two games are over", || games(&folder.join("matches.jsonl")) >= 2);
    running.send(Signal::INT);
    assert_gone(&folder.join("ids"));
    wait_until("the first Ctrl-C ends the match", || {
        fs::read_to_string(&log).is_ok_and(|log| log.contains("interrupted after"))
    });
    // Now it blocks on printing the summary.
    assert_eq!(running.0.try_wait().expect("a child process"), None, "still blocked");
    running.send(Signal::INT);
    assert_eq!(running.wait().code(), INTERRUPTED);
    drop(reader);
}

/// A player that writes its process id to a file and then hangs.
const SILENT: &str = r#"fn main() {
    std::fs::write("id", std::process::id().to_string()).unwrap();
    std::thread::sleep(std::time::Duration::from_secs(1000));
}
"#;

#[test]
fn an_interrupted_check_leaves_no_files_or_processes() {
    let folder = folder("interrupt", "check");
    fs::write(folder.join("silent.rs"), SILENT).expect("a writable folder");
    let temporary = folder.join("temporary");
    fs::create_dir_all(&temporary).expect("a writable folder");
    let mut command = cupbot("submit --check silent.rs");
    command.current_dir(&folder).env("TMPDIR", &temporary);
    let child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the command starts");
    let id = || fs::read_to_string(folder.join("id")).unwrap_or_default();
    wait_until("the player has started", || !id().is_empty());
    assert_eq!(fs::read_dir(&temporary).expect("a folder").count(), 1);
    interrupt(&child);
    assert_eq!(end(child).status.code(), INTERRUPTED);
    assert_eq!(fs::read_dir(&temporary).expect("a folder").count(), 0);
    wait_until("the player has exited", || living(&folder.join("id")).is_empty());
}

#[test]
fn a_player_killed_by_ctrl_c_is_not_at_fault() {
    let folder = folder("interrupt", "blameless");
    // Its children have left its process group, so killing all of them takes long.
    let children = "for i in $(seq 300); do setsid sleep 1000 <&- >&- 2>&- & done; touch id; wait";
    fs::write(folder.join("player.sh"), children).expect("a writable folder");
    let child = start(&folder, "check --player `sh player.sh` --record games.jsonl");
    wait_until("the player has started", || folder.join("id").exists());
    interrupt(&child);
    let output = end(child);
    let [findings, log] =
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert_eq!((output.status.code(), findings.as_str()), (INTERRUPTED, ""), "{log}");
    assert_eq!(games(&folder.join("games.jsonl")), 0);
}

/// Message of commands that keep nothing.
const START_OVER: &str = "nothing is kept; the same command starts again from the beginning";

#[test]
fn every_long_command_says_how_to_continue() {
    let folder = folder("interrupt", "all");
    let game = "WFNADAAADDFDAAAA aaaadddaaadaffnw b5d3";
    for (line, expected) in [
        ("selfplay -o games --games 1000000", "\"games\"; --resume continues the run"),
        ("zuniq selfplay -o z --games 1000000", "--resume continues the run"),
        ("6561 plan -o plan", "the command with another --seed searches further"),
        ("setups -o setups --nodes 1000000", "last finished round are in \"setups\""),
        ("tune self:nodes=100 --iterations 1000000", "--resume continues the run"),
        (&format!("analyse --nodes 1000000000 {game}"), START_OVER),
        ("perft 20", START_OVER),
        ("bench --depth 20", START_OVER),
        ("check --player `sleep 1000`", START_OVER),
        ("referee 6561 --p1 `sleep 1000` --p2 `sleep 1000`", "plays again"),
        ("6561 train -o network", "--checkpoint FILE lets a run continue"),
        ("board --no-open --port 0", "the browser keeps the games"),
    ] {
        let child = start(&folder, line);
        wait_until("it catches Ctrl-C", || catches(&child, Signal::INT));
        interrupt(&child);
        let output = end(child);
        let log = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), INTERRUPTED, "{line}: {log}");
        assert!(log.contains(expected), "{line}: {log}");
    }
}
