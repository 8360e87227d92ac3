//! A minimal referee for tests that run the binary: processes with timeouts, and just enough rules to know
//! when a game is over (each player checks the other's moves).

pub mod board;
pub mod browser;
pub mod zuniq;

use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{channel, Receiver, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Timeout of all waits, far longer than anything takes on a slow and busy machine.
pub const PATIENCE: Duration = Duration::from_secs(300);
/// Maximum number of moves of a game, including the setups.
const MAX_PLIES: usize = 102;

/// Options for few nodes per move, so that answers are fast and independent of the clock.
pub const NODES: [&str; 2] = ["--nodes", "200"];
/// Log limit in characters, with a margin: the judge keeps about 10,000.
pub const KEPT_LOG: usize = 9_000;

/// Returns a command that runs the binary under test.
pub fn cupbot(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cupbot"));
    command.args(arguments);
    command
}

/// Creates an empty folder for a test of the file `tests`.
pub fn folder(tests: &str, name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{tests}-{name}"));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a new folder");
    path
}

/// Creates an executable file. A separate process writes it: if this process did, a child that another test
/// starts at the same time would inherit the open file for a moment, and the program could not be started
/// ("text file busy").
pub fn make_program(path: &Path, bytes: &[u8]) {
    let mut shell = Command::new("sh");
    shell.args(["-c", r#"cat >"$0" && chmod 755 "$0""#]).arg(path).stdin(Stdio::piped());
    let mut shell = shell.spawn().expect("a shell");
    shell.stdin.take().expect("a pipe").write_all(bytes).expect("the shell takes the program");
    assert!(shell.wait().expect("a child of ours").success());
}

/// Runs cupbot in a folder.
pub fn run(folder: &Path, arguments: &[&str]) -> Output {
    cupbot(arguments).current_dir(folder).output().expect("the binary runs")
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Parses the JSON printed by a run.
pub fn json(output: &Output) -> Value {
    let text = stdout(output);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}{}", stderr(output)))
}

/// Reads the games of a match record, in schedule order.
pub fn games(record: &Path) -> Vec<Value> {
    let text = fs::read_to_string(record).expect("a record");
    let lines = text.lines().map(|line| serde_json::from_str(line).expect("JSON"));
    let mut games: Vec<Value> = lines.filter(|line: &Value| line["type"] == "game").collect();
    games.sort_by_key(|game| game["game"].as_u64());
    games
}

/// Expects that a command fails with status 2 and that the last line of its stderr contains `expected`.
pub fn fails(folder: &Path, arguments: &[&str], expected: &str) {
    let output = run(folder, arguments);
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
    let last = message.lines().last().unwrap_or_default();
    assert!(last.starts_with("cupbot: ") && last.contains(expected), "{arguments:?}: {message}");
}

/// Sends a signal to a running child.
#[cfg(unix)]
pub fn signal(child: &Child, signal: rustix::process::Signal) {
    let id = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw);
    rustix::process::kill_process(id.expect("an id"), signal).expect("a running child");
}

/// Returns the processes of a file of ids that are alive.
pub fn living(ids: &Path) -> Vec<String> {
    let ids = fs::read_to_string(ids).unwrap_or_default();
    let lives = |id: &&str| {
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        let state = stat.rsplit_once(") ").map(|(_, rest)| rest.chars().next());
        // A zombie has ended, but its parent has not waited for it yet.
        state.is_some_and(|state| state != Some('Z'))
    };
    ids.lines().filter(lives).map(str::to_string).collect()
}

/// Expects that a player rejects this input: it exits with status 2 and explains the reason in one line, the
/// last of its log. Returns this line.
pub fn refused(arguments: &[&str], bytes: &[u8]) -> String {
    let mut bot = Bot::start(arguments);
    bot.write(bytes);
    bot.close();
    let (status, _, log) = bot.end();
    assert_eq!(status.code(), Some(2), "{log}");
    let messages: Vec<&str> = log.lines().filter(|line| line.starts_with("cupbot:")).collect();
    assert_eq!(messages.len(), 1, "{log}");
    assert_eq!(log.lines().last(), Some(messages[0]));
    assert!(!log.contains("panicked"), "{log}");
    messages[0].to_string()
}

/// A running player. It is killed when dropped.
pub struct Bot {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    log: Option<JoinHandle<String>>,
}

impl Bot {
    pub fn start(arguments: &[&str]) -> Bot {
        Bot::of(&mut cupbot(arguments))
    }

    /// Starts the player of a command.
    pub fn of(command: &mut Command) -> Bot {
        let piped =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let mut child = piped.expect("the binary starts");
        let (sender, lines) = channel();
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        // Ends when the receiver is dropped.
        thread::spawn(move || {
            output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        let mut errors = child.stderr.take().expect("a pipe");
        let log = thread::spawn(move || {
            let mut log = String::new();
            errors.read_to_string(&mut log).expect("the log is text");
            log
        });
        let input = child.stdin.take();
        Bot { child, input, lines, log: Some(log) }
    }

    /// Starts a player with few nodes and sends it lines.
    pub fn given(arguments: &[&str], lines: &[&str]) -> Bot {
        let mut bot = Bot::start(&[arguments, &NODES].concat());
        lines.iter().for_each(|line| bot.send(line));
        bot
    }

    /// Writes bytes to the player. Write errors are ignored, because the player may have ended.
    pub fn write(&mut self, bytes: &[u8]) {
        if let Some(input) = &mut self.input {
            let _ = input.write_all(bytes).and_then(|()| input.flush());
        }
    }

    pub fn send(&mut self, line: &str) {
        self.write(format!("{line}\n").as_bytes());
    }

    /// Waits for the next line of the player; `None` if it has closed its output.
    pub fn hear(&mut self) -> Option<String> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("no answer in {PATIENCE:?}"),
        }
    }

    /// Sends a line and returns the answer.
    pub fn ask(&mut self, line: &str) -> String {
        self.send(line);
        self.hear().unwrap_or_else(|| panic!("no answer to {line:?}"))
    }

    /// Closes the player's input.
    pub fn close(&mut self) {
        self.input = None;
    }

    /// Returns the process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits for the end of the player. Returns the status, the remaining lines and the log.
    pub fn end(mut self) -> (ExitStatus, Vec<String>, String) {
        let rest: Vec<String> = std::iter::from_fn(|| self.hear()).collect();
        let started = Instant::now();
        let status = loop {
            match self.child.try_wait().expect("a child of ours") {
                Some(status) => break status,
                None => assert!(started.elapsed() < PATIENCE, "still running"),
            }
            thread::sleep(Duration::from_millis(1));
        };
        let log = self.log.take().expect("taken only once").join().expect("the log was read");
        (status, rest, log)
    }

    /// Sends `Quit` and expects status 0 and no further answer. Returns the log.
    pub fn quit(mut self) -> String {
        self.send("Quit");
        let (status, rest, log) = self.end();
        assert_eq!(status.code(), Some(0), "{log}");
        assert!(rest.is_empty(), "{rest:?}");
        log
    }
}

impl Drop for Bot {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The side with this index (0: Red) captured the wazir.
    Won(usize),
    Drawn,
}

/// A game between two players.
pub struct Game {
    pub bots: [Bot; 2],
    pub moves: Vec<String>,
    board: BTreeMap<String, char>,
}

impl Game {
    /// Starts two players, Red first, each with its arguments, and sends them the lines before the game.
    pub fn start(arguments: [&[&str]; 2], before: &[&str]) -> Game {
        let mut bots = arguments.map(Bot::start);
        for bot in &mut bots {
            before.iter().for_each(|line| bot.send(line));
        }
        Game { bots, moves: Vec::new(), board: BTreeMap::new() }
    }

    /// Plays to the end and calls `after_answer` after every answer.
    pub fn play(&mut self, mut after_answer: impl FnMut(&Game)) -> Outcome {
        let mut line = "Start".to_string();
        for ply in 0..MAX_PLIES {
            line = self.bots[ply % 2].ask(&line);
            let captured = self.record(&line);
            after_answer(self);
            if let Some('W' | 'w') = captured {
                return Outcome::Won(ply % 2);
            }
        }
        Outcome::Drawn
    }

    /// Records a setup or a move and returns the captured piece.
    fn record(&mut self, text: &str) -> Option<char> {
        let ply = self.moves.len();
        self.moves.push(text.to_string());
        match text.len() {
            16 if ply < 2 => {
                let rows = ["ab", "gh"][ply];
                let squares = rows
                    .chars()
                    .flat_map(|row| (1..=8).map(move |column| format!("{row}{column}")));
                self.board.extend(squares.zip(text.chars()));
                None
            }
            3 => self.board.insert(text[1..].to_string(), text.chars().next()?),
            4 => {
                let piece = self.board.remove(&text[..2]).expect("a piece to move");
                self.board.insert(text[2..].to_string(), piece)
            }
            _ => panic!("{text:?} is neither a setup nor a move"),
        }
    }

    /// Quits both players and returns their logs.
    pub fn quit(self) -> [String; 2] {
        self.bots.map(Bot::quit)
    }
}

/// Starts a program and kills it once `ready` returns true.
pub fn kill_when(command: &mut Command, ready: impl Fn() -> bool) {
    let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = quiet.spawn().expect("the program starts");
    let started = Instant::now();
    while !ready() {
        assert!(started.elapsed() < PATIENCE, "never ready to be killed");
        thread::sleep(Duration::from_millis(1));
    }
    child.kill().expect("a program to kill");
    child.wait().expect("killed");
}
