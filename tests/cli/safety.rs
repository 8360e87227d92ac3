//! Safety of files and processes: conflicting file names, killed runs, two runs with one file, full disks, and programs
//! that must not outlive their match.

#![cfg(target_os = "linux")]

use crate::common::{
    cupbot, fails as refused, folder, living, make_program, run, stderr, stdout, succeeds,
    wait_until, Running,
};
use rustix::process::Signal;
use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::symlink;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs a command that must succeed and returns its stderr.
fn done(folder: &Path, line: &str) -> String {
    stderr(&succeeds(folder, line))
}

fn read(folder: &Path, name: &str) -> Vec<u8> {
    fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn no_command_overwrites_its_input() {
    let folder = folder("safety", "apart");
    let inner = folder.join("inner");
    fs::create_dir(&inner).expect("a writable folder");
    let contents = b"hours of work";
    fs::write(folder.join("games"), contents).expect("a writable folder");
    symlink("games", folder.join("soft")).expect("a link");
    symlink("soft", folder.join("softer")).expect("a link");
    symlink(&folder, folder.join("round")).expect("a link");
    fs::hard_link(folder.join("games"), folder.join("hard")).expect("a link");
    let whole = folder.join("games").display().to_string();
    let commands = [
        "train games -o @",
        "train games -o new --log @",
        "train games -o new --checkpoint @",
        "train other -o @ --start-from games",
        "chess960 train other games -o @",
        "chess960 train games -o new --log @",
        "chess960 train games -o new --checkpoint @",
        "zuniq train games -o @",
        "zuniq train other --late games -o @",
        "zuniq train other --start-from games -o @",
        "selfplay --net games -o @ --resume",
        "chess960 selfplay --net games -o @ --resume",
        "zuniq selfplay --net games -o @ --resume",
        "merge other games -o @",
        "match self:params=games self --record @",
        "match self self --openings games --record @",
        "match self self --openings games --pgn @ --game chess960",
        "match ./games self --record @",
        "tournament self self:nodes=9 --openings games --html @",
        "tune self:params=games --state @ --resume",
        "play --as self:params=games --books @",
    ];
    for command in commands {
        for name in
            ["games", "./games", "inner/../games", "soft", "softer", "round/soft", "hard", &whole]
        {
            refused(&folder, &command.replace('@', name), "would overwrite the input file");
            assert_eq!(read(&folder, "games"), contents, "{command} {name}");
        }
    }
    let found = fs::read_dir(&folder).expect("a folder").count();
    assert_eq!(found, 6, "no file was created");
}

#[test]
fn no_command_writes_two_outputs_to_one_file() {
    let folder = folder("safety", "twins");
    symlink(&folder, folder.join("round")).expect("a link");
    for command in [
        "match self self --record @ --pgn new --game chess960",
        "tournament self self:nodes=9 --record new --html @",
        "tournament self self:nodes=9 --pgn new --html @ --game chess960",
        "train games -o new --log @",
        "train games -o new --checkpoint @",
        "chess960 train games -o other --checkpoint new --log @",
        "6561 train -o new --report @",
        "6561 train -o new --checkpoint @",
    ] {
        for name in ["new", "./new", "round/new"] {
            let line = command.replace('@', name);
            refused(&folder, &line, "are the same file");
        }
    }
    assert!(!folder.join("new").exists());
    // Without a record its default name may be used for another output.
    let line =
        "match self:nodes=9 self:nodes=9 -n 2 --game chess960 --no-record --pgn matches.jsonl";
    done(&folder, line);
    assert!(read(&folder, "matches.jsonl").starts_with(b"[Event "));
    // Devices may be given twice.
    let devices = "--record /dev/null --pgn /dev/null --game chess960";
    done(&folder, &format!("match self:nodes=9 self:nodes=9 -n 2 {devices}"));
}

#[test]
fn an_output_is_not_appended_to_its_own_input() {
    let folder = folder("safety", "stdout");
    let games = include_str!("../data/games.txt");
    fs::write(folder.join("games"), games).expect("written");
    let mut shell = Command::new("sh");
    shell.env("CUPBOT", env!("CARGO_BIN_EXE_cupbot")).current_dir(&folder);
    let output = shell.args(["-c", "$CUPBOT check games >>games"]).output().expect("a shell");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("stdout"), "{}", stderr(&output));
    assert_eq!(read(&folder, "games"), games.as_bytes());
}

/// Returns the games of a PGN text, sorted.
fn games_in_pgn(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8(bytes.to_vec()).expect("UTF-8");
    let mut games: Vec<String> =
        text.split("[Event ").skip(1).map(|game| game.trim_end().to_string()).collect();
    games.sort();
    games
}

#[test]
fn a_resumed_match_completes_its_games_in_pgn() {
    let folder = folder("safety", "pgn");
    let line = "match self:nodes=30 self:nodes=40 -n 6 --game chess960 --record r --pgn p";
    done(&folder, line);
    let (record, whole) = (read(&folder, "r"), read(&folder, "p"));
    let expected = games_in_pgn(&whole);
    assert_eq!(expected.len(), 6);
    let resumed = format!("{line} --resume");
    let last = whole.windows(7).rposition(|part| part == b"[Event ").expect("a game");
    // As after a kill between writing the record and the PGN, or in the middle of a game.
    let cuts =
        [0, 1, 5, 100, last - 2, last - 1, last, last + 1, last + 4, last + 90, whole.len() - 1];
    for cut in cuts {
        fs::write(folder.join("p"), &whole[..cut]).expect("written");
        done(&folder, &resumed);
        assert_eq!(games_in_pgn(&read(&folder, "p")), expected, "cut at {cut}");
        assert_eq!(read(&folder, "r"), record, "cut at {cut}");
    }
    // A complete file and games of other matches are left unchanged.
    fs::write(folder.join("p"), &whole).expect("written");
    done(&folder, &resumed);
    assert_eq!(read(&folder, "p"), whole);
    let others = "[Event \"Another\"]\n\n1. e4 e5 *";
    fs::write(folder.join("p"), others).expect("written");
    done(&folder, &resumed);
    let all = read(&folder, "p");
    assert!(all.starts_with(others.as_bytes()) && games_in_pgn(&all).len() == 7);
    // A game missing in the record is played again and not duplicated.
    let lines: Vec<&[u8]> = record.split_inclusive(|&byte| byte == b'\n').collect();
    fs::write(folder.join("r"), lines[..lines.len() - 2].concat()).expect("written");
    fs::write(folder.join("p"), &whole[..last]).expect("written");
    done(&folder, &resumed);
    assert_eq!(games_in_pgn(&read(&folder, "p")).len(), 6);
}

#[test]
fn only_one_run_resumes_a_file() {
    let folder = folder("safety", "locks");
    for (name, command) in [
        ("main", "selfplay --nodes 20 --games 1000000 -o"),
        ("zuniq", "zuniq selfplay --simulations 2 --games 1000000 -o"),
        ("chess", "chess960 selfplay --nodes 20 --games 1000000 -o"),
        ("match", "match self:nodes=300 self:nodes=400 -n 100000 --record"),
        ("tune", "tune self:nodes=20 --iterations 1000000 --pairs 1 --state"),
        ("pgn", "match self:nodes=300 self:nodes=400 -n 100000 --game chess960 --record"),
    ] {
        let line = format!("{command} {name}");
        let first = Running::start(&folder, &line);
        let size = || fs::metadata(folder.join(name)).map_or(0, |data| data.len());
        wait_until("the file has been started", || size() > 60);
        let resumed = format!("{line} --resume");
        refused(&folder, &resumed, "is being written to by another process");
        // A killed run releases the file.
        drop(first);
        let second = Running::start(&folder, &resumed);
        let before = size();
        wait_until("the second run continues", || size() > before);
        refused(&folder, &resumed, "is being written to by another process");
        drop(second);
    }
    // Different matches may share a record.
    let first = Running::start(&folder, "match self:nodes=300 self:nodes=400 -n 100000");
    wait_until("the match has started", || folder.join("matches.jsonl").exists());
    done(&folder, "match self:nodes=30 self:nodes=40 -n 2");
    drop(first);
}

#[test]
fn duplicate_games_are_reported() {
    let folder = folder("safety", "duplicates");
    done(&folder, "selfplay --games 4 --nodes 20 -o main");
    done(&folder, "chess960 selfplay --games 3 --nodes 20 -o chess");
    done(&folder, "zuniq selfplay --games 5 --simulations 2 -o zuniq");
    for (command, games) in [
        ("train --batch 16 --epochs 1 -o net main", 4),
        ("chess960 train --batch 16 --epochs 1 -o chess-net chess", 3),
        ("zuniq train --epochs 1 -o zuniq-net zuniq", 5),
    ] {
        let file = command.rsplit(' ').next().expect("a file");
        assert!(!done(&folder, command).contains("second time"), "{command}");
        let message = done(&folder, &format!("{command} ./{file}"));
        let expected = format!("duplicate games: {games} of {}", 2 * games);
        assert!(message.contains(&expected), "{command}: {message}");
    }
    done(&folder, "zuniq selfplay --games 4 --simulations 2 --shard 1/2 -o one");
    done(&folder, "zuniq selfplay --games 4 --simulations 2 --shard 2/2 -o two");
    assert!(!done(&folder, "merge one two -o all").contains("second time"));
    // The second game of the shard is replaced by the first one.
    let bytes = read(&folder, "one");
    let marks = bytes.windows(4).enumerate().filter(|(_, window)| window == b"blok");
    let marks: Vec<usize> = marks.map(|(at, _)| at).collect();
    let twice = [&bytes[..marks[1]], &bytes[marks[0]..marks[1]]].concat();
    fs::write(folder.join("one"), twice).expect("written");
    let message = done(&folder, "merge one two -o other");
    assert!(message.contains("duplicate games: 1 of 4"), "{message}");
}

#[test]
fn no_file_of_another_kind_is_replaced_or_appended_to() {
    let folder = folder("safety", "kinds");
    for command in [
        "train none -o @",
        "chess960 train none -o @",
        "zuniq train none -o @",
        "6561 train --games 1 -o @",
        "6561 train --games 1 -o new --report @",
        "train none -o new --log @",
        "zuniq train none -o new --log @",
        "tournament self:nodes=9 self:nodes=8 --no-record --html @",
        "check --player cat --log @",
        "referee zuniq -p1 cat -p2 cat -l @",
        "submit -o @ zuniq",
        "match self:nodes=9 self:nodes=9 -n 2 --game chess960 --no-record --pgn @",
    ] {
        fs::write(folder.join("other"), "cupbot games").expect("a writable folder");
        refused(&folder, &command.replace('@', "other"), "\"other\" exists but is not ");
        assert_eq!(read(&folder, "other"), b"cupbot games", "{command}");
    }
    fs::create_dir(folder.join("inner")).expect("a writable folder");
    for command in
        ["selfplay -o inner", "selfplay --resume -o inner", "match self self --record inner"]
    {
        refused(&folder, command, "\"inner\" is not a regular file");
    }
    let made = Command::new("mkfifo").arg(folder.join("pipe")).status();
    assert!(made.expect("mkfifo").success());
    for command in [
        "selfplay -o pipe --resume",
        "chess960 selfplay -o pipe --resume",
        "match self self --record pipe",
        "match self self --record pipe --resume",
        "train none -o new --checkpoint pipe",
        "tune --state pipe",
        "tune --state pipe --resume",
    ] {
        refused(&folder, command, "\"pipe\" is not a regular file");
    }
}

#[test]
fn a_closed_terminal_does_not_end_a_job() {
    let folder = folder("safety", "deaf");
    for line in [
        "selfplay --games 70 --nodes 20 -o main",
        "chess960 selfplay --games 20 --nodes 20 -o chess",
        "zuniq selfplay --games 8 --simulations 2 -o zuniq",
        "train --batch 16 --epochs 1 -o net main",
        "chess960 train --batch 16 --epochs 1 -o chess-net chess",
        "zuniq train --epochs 1 -o zuniq-net zuniq",
        "6561 train --games 2 -o learned",
        "match self:nodes=9 self:nodes=9 -n 2",
    ] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a device");
        let status = cupbot(line).current_dir(&folder).stderr(full).stdout(Stdio::null()).status();
        assert!(status.expect("the binary runs").success(), "{line}");
    }
    assert!(read(&folder, "chess-net").len() > 1000);
}

#[test]
fn a_full_disk_leaves_the_old_file() {
    let folder = folder("safety", "full");
    for game in ["zero-point-one", "zuniq"] {
        let _ = fs::remove_file(folder.join("bot.rs"));
        done(&folder, &format!("submit {game} -o bot.rs"));
        let old = read(&folder, "bot.rs");
        let mut shell = Command::new("bash");
        shell.env("CUPBOT", env!("CARGO_BIN_EXE_cupbot")).current_dir(&folder);
        // The shell limits the file size to 64 KiB, and may ignore the signal.
        let trap = if game == "zuniq" { "trap '' XFSZ;" } else { "" };
        let script = format!("{trap} ulimit -f 64; exec $CUPBOT submit {game} -o bot.rs");
        let output = shell.args(["-c", &script]).output().expect("a shell");
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(stderr(&output).contains("writing \"bot.rs\""), "{}", stderr(&output));
        assert_eq!(read(&folder, "bot.rs"), old);
        assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 1);
    }
    let full = run(&folder, "submit zuniq -o /dev/full");
    assert_eq!(full.status.code(), Some(2));
    for (line, input) in [
        ("--help", ""),
        ("help match", ""),
        ("--version", ""),
        ("games", ""),
        ("completions bash", ""),
        ("play --nodes 20", "Start\n"),
        ("play zuniq --nodes 20", "Start\n"),
        (
            "play chess960 --nodes 20",
            "0\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n1\na2a3\n",
        ),
        ("play chess960 --uci", "isready\nisready\n"),
        ("play chess960 --uci", "uci\nquit\n"),
    ] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a device");
        let mut command = cupbot(line);
        command.stdin(Stdio::piped()).stdout(full).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the binary runs");
        let mut stdin = child.stdin.take().expect("a pipe");
        // The program may have ended already.
        let _ = stdin.write_all(input.as_bytes());
        drop(stdin);
        let output = child.wait_with_output().expect("the binary runs");
        assert_eq!(output.status.code(), Some(2), "{line}");
        assert!(stderr(&output).contains("no space left"), "{line}: {}", stderr(&output));
    }
    done(&folder, "submit zuniq -o bot.rs");
    assert!(read(&folder, "bot.rs").len() > 100_000);
}

#[test]
fn folders_of_outputs_are_created() {
    let folder = folder("safety", "folders");
    done(&folder, "selfplay --games 4 --nodes 20 --shard 1/2 -o games/main/1");
    done(&folder, "selfplay --games 4 --nodes 20 --shard 2/2 -o games/main/2");
    done(&folder, "merge games/main/1 games/main/2 -o merged/main/all");
    done(&folder, "zuniq selfplay --games 8 --simulations 2 -o games/zuniq/1");
    done(&folder, "chess960 selfplay --games 1 --nodes 20 -o games/chess/1");
    done(
        &folder,
        "match self:nodes=9 self:nodes=9 -n 2 --game chess960 --record match/1 --pgn pgn/games/1",
    );
    done(
        &folder,
        "zuniq train games/zuniq/1 -o nets/1 --epochs 1 --log logs/1 --checkpoint states/1",
    );
    refused(&folder, "submit zuniq -o bots/1.rs", "writing \"bots/1.rs\": no such folder");
    for file in [
        "merged/main/all",
        "games/zuniq/1",
        "games/chess/1",
        "match/1",
        "pgn/games/1",
        "nets/1",
        "logs/1",
        "states/1",
    ] {
        assert!(!read(&folder, file).is_empty(), "{file}");
    }
    refused(
        &folder,
        "match self:nodes=9 self -n 2 --record none/record --resume",
        "opening \"none/record\"",
    );
    assert!(!folder.join("none").exists() && !folder.join("bots").exists());
}

/// Players that write their process ids to a file: one with a child, one that is stopped like its child, one that
/// ignores signals like its child, and one with a child in a new session.
const PLAYERS: [(&str, &str); 4] = [
    ("child", "sleep 1000 & echo $! >>ids"),
    ("stopped", "sleep 1000 & echo $! >>ids; kill -STOP $!; kill -STOP $$"),
    ("deaf", "trap '' TERM HUP INT; (trap '' TERM HUP INT; exec sleep 1000) & echo $! >>ids"),
    ("session", "setsid sleep 1000 & echo $! >>ids; until read -r _ _ _ _ _ sid _ </proc/$!/stat && [ $sid = $! ]; do sleep 0.01; done"),
];

/// Returns signals that end a run, each with the run's exit status. SIGHUP is left out if the caller of the tests
/// ignores it, as `nohup` does: then the run ignores it, too.
fn ending_signals() -> Vec<(Signal, Option<i32>)> {
    let status = fs::read_to_string("/proc/self/status").expect("the process has a status");
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).expect("a mask");
    let ignored = u64::from_str_radix(ignored.trim(), 16).expect("a hexadecimal number");
    let mut signals = vec![(Signal::TERM, Some(143)), (Signal::HUP, Some(129))];
    signals.retain(|(signal, _)| ignored >> (signal.as_raw() - 1) & 1 == 0);
    signals
}

#[test]
fn no_player_outlives_its_match() {
    for (name, script) in PLAYERS {
        for (signal, status) in ending_signals() {
            let folder = folder("safety", &format!("players-{name}-{}", signal.as_raw()));
            let ids = folder.join("ids");
            let player = format!("echo $$ >>ids; {script}; echo ready >>ready; sleep 1000");
            let line = format!("match `{player}` `{player}` -n 2 --time 60m");
            let mut running = Running::start(&folder, &line);
            wait_until("both players have started", || living(&ids).len() == 4);
            if name != "stopped" {
                wait_until("a player is ready", || folder.join("ready").exists());
            }
            running.send(signal);
            assert_eq!(running.wait().code(), status, "{name}");
            wait_until(&format!("{name} is gone after {signal:?}"), || living(&ids).is_empty());
        }
    }
}

#[test]
fn players_see_the_end_of_input_after_a_kill() {
    let folder = folder("safety", "killed");
    let ids = folder.join("ids");
    // The second process starts a new session.
    let player =
        "exec 3<&0; setsid sh -c 'echo $$ >>ids; cat >&2' <&3 & echo $$ >>ids; exec cat >&2";
    let mut running =
        Running::start(&folder, &format!("match `{player}` `{player}` -n 2 --time 60m"));
    wait_until("both players have started", || living(&ids).len() == 4);
    running.send(Signal::KILL);
    running.wait();
    wait_until("the players are gone", || living(&ids).is_empty());
}

/// Starts a process in a new session, as a child of the player and as an orphan.
const SESSIONS: &str = "setsid sleep 1000 & echo $! >>ids; (setsid sleep 1000 & echo $! >>ids)";

#[test]
fn processes_of_a_player_end_with_its_game() {
    let folder = folder("safety", "strays");
    let bot = env!("CARGO_BIN_EXE_cupbot");
    let look = "touch ids; for id in $(cat ids); do kill -0 $id && echo $id >>alive; done";
    let player = format!("{look}; {SESSIONS}; exec {bot} play --nodes 20");
    done(&folder, &format!("match `{player}` self:nodes=20 -n 4"));
    let ids = fs::read_to_string(folder.join("ids")).expect("ids");
    assert_eq!(ids.lines().count(), 8);
    assert!(!folder.join("alive").exists());
    assert_eq!(living(&folder.join("ids")), [""; 0]);
}

#[test]
fn the_end_of_a_game_spares_other_players() {
    let folder = folder("safety", "parallel");
    let bot = env!("CARGO_BIN_EXE_cupbot");
    // The helper must live until its player ends.
    let helper = "(setsid sleep 1000 & echo $! >>ids; echo $! >helper-$$)";
    let look = "kill -0 $(cat helper-$$) || echo $$ >>dead";
    let player = format!("{helper}; {bot} play --nodes 20; {look}");
    done(&folder, &format!("match `{player}` self:nodes=20 -n 8 --jobs 2"));
    let ids = fs::read_to_string(folder.join("ids")).expect("ids");
    assert_eq!(ids.lines().count(), 8);
    assert!(!folder.join("dead").exists());
    assert_eq!(living(&folder.join("ids")), [""; 0]);
}

#[test]
fn processes_of_the_caller_are_spared() {
    let folder = folder("safety", "caller");
    let bot = env!("CARGO_BIN_EXE_cupbot");
    let with_program = format!("match '{bot} play --nodes 20' self:nodes=20 -n 2");
    for line in [&with_program, "games"] {
        // `exec` makes the shell's child a child of cupbot.
        let script = format!("sleep 1000 & echo $! >ids; exec {bot} {line}");
        let mut shell = Command::new("sh");
        shell.args(["-c", &script]).current_dir(&folder);
        let status = shell.stdout(Stdio::null()).stderr(Stdio::null()).status();
        assert!(status.expect("a shell").success());
        let [id] = &living(&folder.join("ids"))[..] else { panic!("{line}: the process is gone") };
        let id = id.parse().ok().and_then(rustix::process::Pid::from_raw).expect("an id");
        rustix::process::kill_process(id, Signal::KILL).expect("a running process");
    }
}

#[test]
fn no_program_outlives_other_commands() {
    // Some commands append options to the command line: they go to `:`, which ignores them.
    let script = "echo $$ >>ids; sleep 1000 & echo $! >>ids; sleep 1000; :";
    for (name, line) in [
        ("tournament", format!("tournament `{script}` self:nodes=9")),
        ("check", format!("check --player `{script}`")),
        ("uci", format!("match --game chess960 `uci:{script}` self:nodes=9")),
    ] {
        let folder = folder("safety", &format!("others-{name}"));
        let mut running = Running::start(&folder, &line);
        wait_until("a program has started", || living(&folder.join("ids")).len() >= 2);
        running.send(Signal::TERM);
        running.wait();
        assert_eq!(living(&folder.join("ids")), [""; 0], "{name}");
    }
}

#[test]
fn a_signal_that_the_caller_ignores_stays_ignored() {
    let folder = folder("safety", "nohup");
    let mut shell = Command::new("sh");
    shell.env("CUPBOT", env!("CARGO_BIN_EXE_cupbot")).current_dir(&folder);
    let script = "trap '' HUP; exec $CUPBOT match self:nodes=50 self:nodes=60 -n 100000";
    shell.args(["-c", script]).stdout(Stdio::null()).stderr(Stdio::null());
    let mut running = Running::of(&mut shell);
    let size = || fs::metadata(folder.join("matches.jsonl")).map_or(0, |data| data.len());
    wait_until("the match has started", || size() > 1000);
    running.send(Signal::HUP);
    let before = size();
    wait_until("the match continues", || size() > before + 10_000);
    running.send(Signal::TERM);
    assert_eq!(running.wait().code(), Some(143));
}

#[test]
fn a_check_leaves_no_compiler_and_no_folder() {
    for (signal, _) in ending_signals() {
        let folder = folder("safety", &format!("compiler-{}", signal.as_raw()));
        let temporary = folder.join("temporary");
        fs::create_dir(&temporary).expect("a writable folder");
        fs::write(folder.join("bot.rs"), "fn main() {}").expect("written");
        let ids = folder.join("ids").display().to_string();
        let compiler = folder.join("compiler");
        let script = format!(
            "#!/bin/sh\nif [ $1 = --version ]; then echo slow 1; exit; fi\n\
             echo $$ >>{ids}; sleep 1000 & echo $! >>{ids}; wait\n"
        );
        make_program(&compiler, script.as_bytes());
        let mut command = cupbot("submit --check bot.rs --rustc");
        command.arg(&compiler).current_dir(&folder).env("TMPDIR", &temporary);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut running = Running::of(&mut command);
        wait_until("the compiler has started", || living(Path::new(&ids)).len() == 2);
        let left = || fs::read_dir(&temporary).expect("a folder").count();
        assert_eq!(left(), 1);
        running.send(signal);
        running.wait();
        wait_until("the compiler is gone", || living(Path::new(&ids)).is_empty());
        wait_until("the folder is gone", || left() == 0);
    }
}

/// A player that writes 100 MB without a line end to stderr and exits.
const LOUD: &str = r#"use std::io::Write;
fn main() {
    let part = [b'x'; 1 << 16];
    for _ in 0..1600 {
        std::io::stderr().write_all(&part).unwrap();
    }
    std::process::exit(3);
}
"#;

#[test]
fn a_huge_line_on_stderr_is_bounded() {
    let folder = folder("safety", "loud");
    let temporary = folder.join("temporary");
    fs::create_dir(&temporary).expect("a writable folder");
    fs::write(folder.join("loud.rs"), LOUD).expect("written");
    let mut shell = Command::new("sh");
    shell.env("CUPBOT", env!("CARGO_BIN_EXE_cupbot")).env("TMPDIR", &temporary);
    // The script polls the peak memory of cupbot and prints it as its last word.
    let script =
        "$CUPBOT submit --check loud.rs & id=$!; peak=0; while kill -0 $id 2>/dev/null; do \
                  now=$(grep VmHWM /proc/$id/status 2>/dev/null | tr -dc 0-9); \
                  [ ${now:-0} -gt $peak ] && peak=$now; sleep 0.05; done; echo peak $peak";
    let output = shell.args(["-c", script]).current_dir(&folder).output().expect("a shell");
    let report = stdout(&output);
    assert!(report.len() < 6000, "{} bytes", report.len());
    let expected = format!("{} of ", 1600 << 16);
    assert!(report.contains(&expected) && report.contains("exited with status 3"), "{report}");
    let peak = report.rsplit(' ').next().and_then(|peak| peak.trim().parse::<u64>().ok());
    assert!(peak.is_some_and(|peak| peak > 1000 && peak < 200_000), "{peak:?} KiB");
}

#[test]
fn without_threads_commands_end_with_an_error() {
    // Root is exempt from the limit, so it runs them as another user, who may not have access to the program.
    let script = r#"ulimit -u 1; exec "$0" "$@""#;
    for arguments in [
        "match self:nodes=5 self:nodes=5 -n 4 --no-record --jobs 2",
        "tournament self:nodes=5 self:nodes=6 --no-record",
        "referee zuniq -p1 cat -p2 cat",
        "bench --depth 1",
        "board --no-open --port 0",
    ] {
        let mut command = Command::new("bash");
        command.args(["-c", script, env!("CARGO_BIN_EXE_cupbot")]).args(arguments.split(' '));
        if rustix::process::geteuid().is_root() {
            command.uid(65_534);
        }
        let output = command.current_dir("/").output().expect("a shell");
        let log = stderr(&output);
        if output.status.code() == Some(126) {
            let _ = writeln!(io::stderr(), "SKIPPED {arguments}: {log}");
            return;
        }
        assert_eq!(output.status.code(), Some(2), "{arguments}: {log}");
        assert!(log.starts_with("cupbot: starting a thread: "), "{arguments}: {log}");
        assert_eq!(log.lines().count(), 1, "{arguments}: {log}");
    }
}
