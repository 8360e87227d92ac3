//! A player that is a program of its own and speaks the protocol of its contest.

use super::proctree::tree_cpu_time;
use super::{overrun, Answer, Ending, Fault, FaultKind, Seat, Usage};
use crate::engine::clock::{Measure, TimeControl};
use crate::tools::game::judge::Judge;
use crate::tools::game::{GameState, Side};
use rustix::process::{kill_process_group, Pid, Signal};
use serde_json::{json, Value};
use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Where moves are timed, a program has so much more: what the machine takes to hand lines over
/// and to wake the program and us up, which on a busy one is some milliseconds.
const GRACE: Duration = Duration::from_millis(20);
/// While a program thinks, its CPU time is looked at so often.
const WATCH_EVERY: Duration = Duration::from_millis(100);
/// A program has this long to exit after `Quit`.
const QUIT_PATIENCE: Duration = Duration::from_secs(2);
/// After the end of its output a program has this long to exit, so that its status is known.
const EXIT_PATIENCE: Duration = Duration::from_millis(200);
/// The wait between two looks whether a program has exited.
const EXIT_POLL: Duration = Duration::from_millis(2);
/// The last lines of stderr that are kept, and the bytes of each.
const STDERR_LINES: usize = 10;
const STDERR_LINE_BYTES: u64 = 500;
/// So many lines that a program has said may wait to be asked for.
const WAITING_LINES: usize = 64;
/// A line of the dialogue is no longer than this, in bytes.
const MAX_LINE: u64 = 1000;

/// The wall time that a program is waited for in a game is this multiple of its budget of CPU time ...
const WALL_FACTOR: u32 = 3;
/// ... and so much more.
const WALL_EXTRA: Duration = Duration::from_secs(10);

/// The limits of a program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// The contest's time: CPU time counts for the program and all its children.
    pub time: TimeControl,
    /// The wall time after which a program is taken for hung: of the whole game by the game, of a move
    /// by the move.
    pub wall: Duration,
    /// Where moves are timed, an overrun that costs the program nothing.
    pub grace: Duration,
    /// Tell the program its budget?
    pub announce: bool,
}

impl Limits {
    /// This time, and as much wall time as a program is waited for that shares the machine and may have to
    /// wait itself.
    pub fn new(time: TimeControl, announce: bool) -> Limits {
        let longest = match time {
            TimeControl::Game { budget, .. } => budget,
            TimeControl::Move { first, later, .. } => first.max(later),
        };
        let wall = longest * WALL_FACTOR + WALL_EXTRA;
        Limits { time, wall, grace: GRACE, announce }
    }

    /// Those of a program that the contest's time does not limit, but at most one of its own for a move.
    pub fn of_engine(self, longest_move: Option<Duration>) -> Limits {
        let unlimited = Duration::MAX;
        let time =
            TimeControl::Move { first: unlimited, later: unlimited, reserve: Duration::ZERO };
        let needed = longest_move.map_or(Duration::ZERO, |time| time * WALL_FACTOR + WALL_EXTRA);
        Limits { time, wall: self.wall.max(needed), announce: false, ..self }
    }

    /// The limits as a record keeps them, in milliseconds.
    pub fn settings(&self) -> Value {
        let time = match self.time {
            TimeControl::Game { budget, .. } => json!({ "game": budget.as_millis() as u64 }),
            TimeControl::Move { first, later, .. } => {
                json!({ "first": first.as_millis() as u64, "later": later.as_millis() as u64 })
            }
        };
        json!({
            "time_ms": time,
            "wall_ms": self.wall.as_millis() as u64,
            "announce": self.announce,
        })
    }
}

/// Lines that a thread goes on collecting.
type KeptLines = Arc<Mutex<VecDeque<String>>>;

/// A running program.
pub struct Program {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    stderr: KeptLines,
    side: Side,
    limits: Limits,
    judge: Box<dyn Judge>,
    /// The answers given.
    answers: usize,
    /// Is there still somebody to read stderr?
    stderr_open: Receiver<()>,
    /// The program has failed, and nothing is expected of it any more.
    failed: bool,
    usage: Usage,
}

impl Program {
    /// Starts a shell command for one game under a judge.
    pub fn start(
        command: &str,
        side: Side,
        limits: Limits,
        judge: Box<dyn Judge>,
    ) -> io::Result<Program> {
        let mut child = Command::new("/bin/sh")
            .args(["-c", command])
            // A backtrace would push a panic's message out of the last lines that are kept.
            .env("RUST_BACKTRACE", "0")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()?;
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdout), Some(stderr)) = (stdout, stderr) else {
            return Err(io::Error::other("a program without pipes"));
        };
        let lines = read_lines(stdout);
        let (kept, stderr_open) = keep_last_lines(stderr);
        Ok(Program {
            child,
            stdin,
            lines,
            stderr: kept,
            stderr_open,
            failed: false,
            side,
            limits,
            judge,
            answers: 0,
            usage: Usage::default(),
        })
    }

    /// The process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a line. A program that no longer reads shows by its silence or its exit.
    fn send(&mut self, line: &str) {
        if let Some(stdin) = &mut self.stdin {
            let _ = stdin.write_all(format!("{line}\n").as_bytes());
        }
    }

    /// Waits for the line that answers.
    fn receive(&mut self) -> Result<String, Fault> {
        let started = Instant::now();
        let waited_before = self.usage.wall;
        // By the move, what earlier ones took does not count.
        let counted_before = match self.limits.time {
            TimeControl::Game { .. } => waited_before,
            TimeControl::Move { .. } => Duration::ZERO,
        };
        loop {
            let waited = counted_before + started.elapsed();
            let patience = self.limits.wall.saturating_sub(waited).min(WATCH_EVERY);
            let received = self.lines.recv_timeout(patience);
            let elapsed = started.elapsed();
            self.usage.wall = waited_before + elapsed;
            if let Err(RecvTimeoutError::Disconnected) = received {
                return Err(self.explain_end());
            }
            let waited = counted_before + elapsed;
            let answer =
                received.ok().map(|line| Some(line).filter(|line| self.judge.is_answer(line)));
            if answer != Some(None) {
                // Too slow for every line that a program may say while it thinks.
                self.charge();
            }
            self.check_time(elapsed)?;
            if let Some(Some(line)) = answer {
                self.answers += 1;
                self.judge.hear_answer();
                return Ok(line);
            }
            if waited >= self.limits.wall {
                let seconds = waited.as_secs_f64();
                let detail = format!("no answer, {seconds:.2} s of wall time waited in this game");
                return Err(Fault::new(FaultKind::Silence, detail));
            }
        }
    }

    /// An error where the program has used more than the contest's time, `elapsed` of it in wall time
    /// for this move.
    fn check_time(&self, elapsed: Duration) -> Result<(), Fault> {
        let (used, budget, measure, kind) = match self.limits.time {
            TimeControl::Game { budget, .. } => {
                (self.usage.cpu, budget, Measure::Processor, FaultKind::CpuTime)
            }
            TimeControl::Move { first, later, .. } => {
                let limit = if self.answers == 0 { first } else { later };
                // Engines have a margin of their own.
                let limit = self.judge.time().unwrap_or(limit.saturating_add(self.limits.grace));
                (elapsed, limit, Measure::Wall, FaultKind::WallTime)
            }
        };
        if used > budget {
            return Err(Fault::new(kind, overrun(used, budget, measure)));
        }
        Ok(())
    }

    /// Brings the CPU time up to date. It never falls: descendants that nobody waited for take
    /// theirs with them.
    fn charge(&mut self) {
        if let Some(cpu) = tree_cpu_time(self.child.id()) {
            self.usage.cpu = self.usage.cpu.max(cpu);
        }
    }

    /// Why stdout has ended.
    fn explain_end(&mut self) -> Fault {
        match wait(&mut self.child, EXIT_PATIENCE) {
            Some(status) => Fault::new(FaultKind::Exit, describe(status)),
            None => Fault::new(FaultKind::Closed, "closed its stdout"),
        }
    }

    /// Ends the dialogue, by the judge's last line or without a word, and waits for the program to exit.
    pub fn dismiss(&mut self, quit: bool) -> Ending {
        let farewell = self.judge.farewell().filter(|_| quit);
        farewell.into_iter().for_each(|line| self.send(line));
        let farewell = farewell.unwrap_or("the end of its input");
        self.stdin = None;
        let exited =
            wait(&mut self.child, if self.failed { Duration::ZERO } else { QUIT_PATIENCE });
        let complaint = match exited {
            _ if self.failed => None,
            Some(status) if status.success() => None,
            Some(status) => Some(format!("after {farewell}: {}", describe(status))),
            None => Some(format!("ignored {farewell}")),
        };
        // Children that outlive the program, too.
        if let Some(group) = Pid::from_raw(self.child.id() as i32) {
            let _ = kill_process_group(group, Signal::KILL);
        }
        if exited.is_none() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
        // Until the last line is read, unless a stray descendant holds the pipe open.
        let _ = self.stderr_open.recv_timeout(EXIT_PATIENCE);
        let kept = self.stderr.lock().unwrap_or_else(PoisonError::into_inner);
        Ending { stderr: kept.iter().cloned().collect(), complaint }
    }

    /// A line that the program has said and nobody asked for; to be asked of a program that is gone.
    pub fn stray_line(&mut self) -> Option<String> {
        self.lines.recv_timeout(EXIT_PATIENCE).ok()
    }
}

impl Seat for Program {
    fn begin(&mut self, opening: &dyn GameState) -> Result<(), Fault> {
        let budget = self.limits.announce.then(|| self.limits.time.budget());
        let lines = self.judge.before(self.side, opening, budget);
        lines.iter().for_each(|line| self.send(line));
        if self.judge.is_greeted() {
            let received = self.receive();
            self.failed = received.is_err();
            self.judge.hear_greeting(&received?);
            if let Some(objection) = self.judge.objection() {
                return Err(Fault::new(FaultKind::Garbage, objection));
            }
        }
        Ok(())
    }

    fn answer(&mut self, game: &dyn GameState) -> Result<Answer, Fault> {
        let lines = self.judge.ask(game);
        lines.iter().for_each(|line| self.send(line));
        let received = self.receive();
        self.failed = received.is_err();
        let text = self.judge.text_of(received?);
        Ok(Answer { text, score: self.judge.score() })
    }

    fn end(&mut self) -> Ending {
        self.dismiss(true)
    }

    fn usage(&self) -> Usage {
        self.usage
    }
}

/// Waits for the exit of a program, for a while.
fn wait(child: &mut Child, patience: Duration) -> Option<ExitStatus> {
    let started = Instant::now();
    loop {
        if let Ok(Some(status)) = child.try_wait() {
            return Some(status);
        }
        if started.elapsed() >= patience {
            return None;
        }
        thread::sleep(EXIT_POLL);
    }
}

fn describe(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exited with status {code}"),
        (None, Some(signal)) => format!("killed by signal {signal}"),
        (None, None) => "exited".to_string(),
    }
}

/// The lines of a program's stdout, cut to the longest sensible length. A program that says more than
/// anybody asks for has to wait.
fn read_lines(stream: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = mpsc::sync_channel(WAITING_LINES);
    thread::spawn(move || {
        for_each_line(stream, MAX_LINE, |line| sender.send(line).is_ok());
    });
    receiver
}

/// Reads a program's stderr, so that it never blocks, and keeps the last lines. The receiver
/// disconnects when the stream ends.
fn keep_last_lines(stream: impl Read + Send + 'static) -> (KeptLines, Receiver<()>) {
    let (open, stderr_open) = mpsc::channel();
    let kept = Arc::new(Mutex::new(VecDeque::new()));
    let writer = Arc::clone(&kept);
    thread::spawn(move || {
        let _open = open;
        for_each_line(stream, STDERR_LINE_BYTES, |line| {
            let mut kept = writer.lock().unwrap_or_else(PoisonError::into_inner);
            if kept.len() == STDERR_LINES {
                kept.pop_front();
            }
            kept.push_back(line);
            true
        });
    });
    (kept, stderr_open)
}

/// Hands every line of a stream, without its end, to `take`, until it returns false. A longer line
/// than `longest` bytes comes in parts.
fn for_each_line(stream: impl Read, longest: u64, mut take: impl FnMut(String) -> bool) {
    let mut reader = BufReader::new(stream);
    loop {
        let mut bytes = Vec::new();
        match reader.by_ref().take(longest).read_until(b'\n', &mut bytes) {
            Ok(length) if length > 0 => {
                let line = String::from_utf8_lossy(&bytes);
                if !take(line.trim_end_matches(['\n', '\r']).to_string()) {
                    return;
                }
            }
            _ => return,
        }
    }
}
