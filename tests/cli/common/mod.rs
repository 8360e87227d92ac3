//! Helpers of tests that run the binary: processes with timeouts, files and records.

pub mod board;
pub mod browser;

use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{channel, Receiver, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Timeout of all waits, far longer than anything takes on a slow and busy machine.
pub const PATIENCE: Duration = Duration::from_secs(600);

/// Options for few nodes per move, so that answers are fast and independent of the clock.
pub const NODES: &str = "--nodes 200";
/// Log limit in characters, with a margin: the judge keeps about 10,000.
pub const KEPT_LOG: usize = 9_000;

/// Environment variables that change the colours and the width of the output.
const LOOKS: [&str; 5] = ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "LINES"];

/// Returns a command that runs the binary under test with the words of a line. Words between backticks may have blanks.
pub fn cupbot(line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cupbot"));
    for name in LOOKS {
        command.env_remove(name);
    }
    for (index, part) in line.split('`').enumerate() {
        match index % 2 {
            0 => command.args(part.split_whitespace()),
            _ => command.arg(part),
        };
    }
    command
}

/// Creates an empty folder for a test of the file `tests`.
pub fn folder(tests: &str, name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{tests}-{name}"));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a new folder");
    path
}

/// Creates an executable file. A separate process writes it: if this process did, a child that another test starts at
/// the same time would inherit the open file for a moment, and the program could not be started ("text file busy").
pub fn make_program(path: &Path, bytes: &[u8]) {
    let mut shell = Command::new("sh");
    shell.args(["-c", r#"cat >"$0" && chmod 755 "$0""#]).arg(path).stdin(Stdio::piped());
    let mut shell = shell.spawn().expect("a shell");
    shell.stdin.take().expect("a pipe").write_all(bytes).expect("the shell takes the program");
    assert!(shell.wait().expect("a child of ours").success());
}

/// Runs cupbot in a folder.
pub fn run(folder: &Path, line: &str) -> Output {
    cupbot(line).current_dir(folder).output().expect("the binary runs")
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

/// Runs a command in a folder, which must succeed.
pub fn succeeds(folder: &Path, line: &str) -> Output {
    let output = run(folder, line);
    assert!(output.status.success(), "{line}: {}", stderr(&output));
    output
}

/// Returns what a command that must succeed prints on stdout.
pub fn printed(folder: &Path, line: &str) -> String {
    stdout(&succeeds(folder, line))
}

/// Expects that a command fails with status 2, prints nothing on stdout, and that `expected` is in the last line of its
/// stderr or in a message about its arguments.
pub fn fails(folder: &Path, line: &str, expected: &str) {
    let output = run(folder, line);
    let message = stderr(&output);
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""), "{message}");
    let last = message.lines().last().unwrap_or_default();
    let reason = if last.starts_with("cupbot: ") { last } else { &message };
    assert!(reason == last || reason.starts_with("error: "), "{line}: {message}");
    assert!(reason.contains(expected), "{line}: {message}");
}

/// Sends a signal to a running child.
#[cfg(unix)]
pub fn signal(child: &Child, signal: rustix::process::Signal) {
    let id = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw);
    rustix::process::kill_process(id.expect("an id"), signal).expect("a running child");
}

/// Whether a process has a handler of a signal, from Linux's /proc (man 5 proc).
#[cfg(target_os = "linux")]
pub fn catches(child: &Child, signal: rustix::process::Signal) -> bool {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal.as_raw() - 1) & 1 == 1)
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

/// Expects that a player rejects this input: it exits with status 2 and explains the reason in one line, the last of
/// its log. Returns this line.
pub fn refused(line: &str, bytes: &[u8]) -> String {
    let mut bot = Bot::start(line);
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

/// A running player.
pub struct Bot {
    child: Running,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    log: Option<JoinHandle<String>>,
}

impl Bot {
    pub fn start(line: &str) -> Bot {
        Bot::of(&mut cupbot(line))
    }

    /// Starts the player of a command.
    pub fn of(command: &mut Command) -> Bot {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = Running::of(command);
        let (sender, lines) = channel();
        let output = BufReader::new(child.0.stdout.take().expect("a pipe"));
        // Ends when the receiver is dropped.
        thread::spawn(move || {
            output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        let mut errors = child.0.stderr.take().expect("a pipe");
        let log = thread::spawn(move || {
            let mut log = String::new();
            errors.read_to_string(&mut log).expect("the log is text");
            log
        });
        let input = child.0.stdin.take();
        Bot { child, input, lines, log: Some(log) }
    }

    /// Starts a player with few nodes and sends it lines.
    pub fn given(command: &str, lines: &[&str]) -> Bot {
        let mut bot = Bot::start(&format!("{command} {NODES}"));
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
        self.child.0.id()
    }

    /// Waits for the end of the player. Returns the status, the remaining lines and the log.
    pub fn end(mut self) -> (ExitStatus, Vec<String>, String) {
        let rest: Vec<String> = std::iter::from_fn(|| self.hear()).collect();
        let status = self.child.wait();
        let log = self.log.take().expect("taken only once").join().expect("the log was read");
        (status, rest, log)
    }

    /// Sends `Quit` and expects status 0 and no more answers. Returns the log.
    pub fn quit(mut self) -> String {
        self.send("Quit");
        let (status, rest, log) = self.end();
        assert_eq!(status.code(), Some(0), "{log}");
        assert!(rest.is_empty(), "{rest:?}");
        log
    }
}

/// A running process. It is killed when dropped.
pub struct Running(pub Child);

impl Running {
    pub fn of(command: &mut Command) -> Running {
        Running(command.spawn().expect("it starts"))
    }

    /// Starts cupbot in a folder and discards its output.
    pub fn start(folder: &Path, line: &str) -> Running {
        let mut command = cupbot(line);
        Running::of(command.current_dir(folder).stdout(Stdio::null()).stderr(Stdio::null()))
    }

    #[cfg(unix)]
    pub fn send(&self, wanted: rustix::process::Signal) {
        signal(&self.0, wanted);
    }

    /// Waits for the end.
    pub fn wait(&mut self) -> ExitStatus {
        let mut status = None;
        wait_until("it ends", || {
            status = self.0.try_wait().expect("a child of ours");
            status.is_some()
        });
        status.expect("it has ended")
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Waits until a condition is true.
pub fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let started = Instant::now();
    while !condition() {
        assert!(started.elapsed() < PATIENCE, "timeout: {what}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Runs a shell command at a pseudo-terminal, created by util-linux's `script`, and returns its output with escape
/// sequences; `None` if no terminal is available. Input is not echoed, since it may arrive while the command prints.
#[cfg(target_os = "linux")]
pub fn at_terminal(command: &str, input: &str) -> Option<String> {
    let run = |command: &str, input: &str| {
        let mut script = Command::new("timeout");
        script.args(["600", "script", "-qec", command, "/dev/null"]);
        for name in LOOKS {
            script.env_remove(name);
        }
        script.env("TERM", "xterm").env("SHELL", "/bin/sh");
        script.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = script.spawn().ok()?;
        // `script` exits with the program, even if input is left.
        let mut pipe = child.stdin.take()?;
        let _ = pipe.write_all(input.as_bytes());
        let output = child.wait_with_output().ok()?;
        drop(pipe);
        output.status.success().then(|| stdout(&output))
    };
    if run("test -t 0", "").is_none() {
        // Written directly, because the test runner hides the output of macros.
        let _ = writeln!(std::io::stderr(), "SKIPPED: no pseudo-terminal by util-linux `script`");
        return None;
    }
    Some(run(&format!("stty -echo; {command}"), input).expect("status 0 at a terminal"))
}
