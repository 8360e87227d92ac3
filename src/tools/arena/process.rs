//! A player that runs as a program and speaks the protocol of its contest.

use super::children::{self, Running};
use super::lines::{for_each_line, Heard, Lines};
use super::transcript::{Log, Transcript};
use super::{overrun, Dialogue, Ending, Fault, FaultKind, Seat, Usage};
use crate::engine::clock::TimeControl;
use crate::tools::contracts::judge::{Answer, Judge, MatchScore, Received, Request};
use crate::tools::contracts::{GameState, Side};
use crate::tools::support::text::shown;
use rustix::process::{Pid, Signal};
use serde_json::{json, Value};
use std::collections::VecDeque;
use std::fs;
use std::io::{self, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Default tolerated overrun per move: pipe latency and wake-up delays of both processes, some milliseconds on a busy
/// machine.
pub const GRACE: Duration = Duration::from_millis(20);
/// Interval between checks of the time limit while a program thinks.
const WATCH_EVERY: Duration = Duration::from_millis(100);
/// Time that a program has to exit after `Quit` or after closing its stdout, and to close its stderr.
const QUIT_PATIENCE: Duration = Duration::from_secs(2);
/// Time to wait for an unrequested line of a program that has exited.
const EXIT_PATIENCE: Duration = Duration::from_millis(200);
/// Interval between checks whether a program has exited.
const EXIT_POLL: Duration = Duration::from_millis(2);
/// Share of the waiting time, in percent, from which a program counts as computing.
const COMPUTING_PERCENT: u32 = 20;
/// Number of last lines of stderr that are kept, and the maximum length of each in bytes.
const STDERR_LINES: usize = 10;
const STDERR_LINE_BYTES: u64 = 500;
/// Exit statuses of a shell that has not found its program or can't execute it.
const NOT_FOUND: i32 = 127;
const NOT_RUNNABLE: i32 = 126;
/// Exit status of a shell whose program was killed by signal N: this plus N.
const EXIT_SIGNAL: i32 = 128;

/// Default wall time after which a program counts as hung: this multiple of its time limit plus [`WALL_EXTRA`].
const WALL_FACTOR: u32 = 3;
/// Constant part of the default wall time after which a program counts as hung.
const WALL_EXTRA: Duration = Duration::from_secs(10);

/// The limits of a player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// The contest's time. The wall time of the wait for each answer is charged.
    pub time: TimeControl,
    /// Wall time after which a program counts as hung: per game or per move, as the time control.
    pub wall: Duration,
    /// Tolerated overrun per move, if there is a time limit per move.
    pub grace: Duration,
    /// Whether the time budget is announced to the program.
    pub announce: bool,
    /// Whether to suspend the program during the opponent's turn, if its contest does so.
    pub suspend: bool,
}

impl Limits {
    /// Creates limits with a default wall time that suits programs on a shared, busy machine.
    pub fn new(time: TimeControl) -> Limits {
        let longest = match time {
            TimeControl::Game(_) => time.budget(),
            TimeControl::Move { first, later, .. } => first.max(later),
        };
        let wall = longest * WALL_FACTOR + WALL_EXTRA;
        Limits { time, wall, grace: GRACE, announce: false, suspend: false }
    }

    /// Returns the limits of an engine that has its own time limits instead of the contest's. `longest_move` is the
    /// maximum time of a move, if it is limited.
    pub fn of_engine(self, longest_move: Option<Duration>) -> Limits {
        let unlimited = Duration::MAX;
        let time =
            TimeControl::Move { first: unlimited, later: unlimited, reserve: Duration::ZERO };
        let needed = longest_move.map_or(Duration::ZERO, |time| time * WALL_FACTOR + WALL_EXTRA);
        Limits { time, wall: self.wall.max(needed), announce: false, ..self }
    }

    /// Fails if a player has exceeded its time: `usage` against the budget of the game, or `spent` (the time of this
    /// answer) against `limit` if there is a time limit per move.
    pub fn check(&self, usage: &Usage, spent: Duration, limit: Duration) -> Result<(), Fault> {
        let (used, budget) = match self.time {
            TimeControl::Game(budget) => (usage.wall, budget),
            TimeControl::Move { .. } => (spent, limit),
        };
        if used > budget {
            return Err(Fault::new(FaultKind::WallTime, overrun(used, budget)));
        }
        Ok(())
    }

    /// Returns the limits for the settings of a record, in milliseconds.
    pub fn settings(&self) -> Value {
        let mut settings = json!({
            "wall_ms": self.wall.as_millis() as u64,
            "announce": self.announce,
            // Matches of older versions that charged CPU time can't be resumed.
            "clock": "wall",
        });
        match self.time {
            TimeControl::Game(budget) => {
                settings["time_ms"] = json!({ "game": budget.as_millis() as u64 });
            }
            TimeControl::Move { first, later, .. } => {
                let [first, later] = [first, later].map(|time| time.as_millis() as u64);
                settings["time_ms"] = json!({ "first": first, "later": later });
                settings["grace_ms"] = json!(self.grace.as_millis() as u64);
            }
        }
        if self.suspend {
            settings["judge"] = json!(true);
        }
        settings
    }
}

/// The last lines of stderr, collected by a thread.
type KeptLines = Arc<Mutex<VecDeque<String>>>;

/// A running program.
pub struct Program {
    running: Running,
    stdin: Option<ChildStdin>,
    lines: Lines<ChildStdout>,
    stderr: KeptLines,
    /// Number of characters written to stderr.
    log_characters: Arc<AtomicU64>,
    limits: Limits,
    judge: Box<dyn Judge>,
    transcript: Transcript,
    /// Files for the lines of the next games.
    logs: VecDeque<Log>,
    dialogue: Dialogue,
    /// Disconnects when stderr is closed.
    stderr_open: Receiver<()>,
    /// Whether the program has failed; then its exit is not checked.
    failed: bool,
    usage: Usage,
}

impl Program {
    /// Starts a shell command.
    pub fn start(command: &str, limits: Limits, judge: Box<dyn Judge>) -> io::Result<Program> {
        let mut shell = Command::new("/bin/sh");
        // A backtrace would push the panic message out of the kept lines. As in a contest, where a bot without a flush
        // fails.
        shell.args(["-c", command]).env("RUST_BACKTRACE", "0").env_remove("PYTHONUNBUFFERED");
        shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut running = children::spawn(&mut shell)?;
        let child = &mut running.process;
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdout), Some(stderr)) = (stdout, stderr) else {
            return Err(io::Error::other("program has no pipes"));
        };
        let lines = Lines::new(stdout);
        let log_characters = Arc::default();
        let (kept, stderr_open) =
            keep_last_lines(Counted { stream: stderr, characters: Arc::clone(&log_characters) })?;
        Ok(Program {
            running,
            stdin,
            lines,
            stderr: kept,
            log_characters,
            stderr_open,
            failed: false,
            limits,
            judge,
            transcript: Transcript::new(),
            logs: VecDeque::new(),
            dialogue: Dialogue::default(),
            usage: Usage::default(),
        })
    }

    /// Returns the process id.
    pub fn id(&self) -> u32 {
        self.running.process.id()
    }

    /// Returns the id of its process group.
    pub fn group(&self) -> Pid {
        self.running.group()
    }

    /// Returns the number of characters written to stderr so far.
    pub fn log_characters(&self) -> u64 {
        self.log_characters.load(Ordering::Relaxed)
    }

    /// Returns the last lines of stderr so far.
    pub fn log(&self) -> Vec<String> {
        let kept = self.stderr.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().cloned().collect()
    }

    /// Sends lines in one write. Errors are ignored: a program that no longer reads will time out or exit.
    fn send(&mut self, lines: &[String]) {
        self.transcript.sent(lines);
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        if let Some(stdin) = self.stdin.as_mut().filter(|_| !text.is_empty()) {
            let _ = stdin.write_all(text.as_bytes());
        }
    }

    /// Sends a request and waits for the line that answers it. The time charged begins with sending the request and
    /// ends with the arrival of the answer.
    fn ask(&mut self, request: &Request) -> Result<String, Fault> {
        self.dialogue.is_early = self.lines.is_line_ready();
        let asked = Instant::now();
        self.signal(Signal::CONT);
        self.send(&request.lines);
        let received = self.receive(asked, request.time);
        self.failed = received.is_err();
        received
    }

    /// Waits for the answer to a request sent at `asked`. `time` is the request's own time limit, if any.
    fn receive(&mut self, mut asked: Instant, time: Option<Duration>) -> Result<String, Fault> {
        let waited_before = self.usage.wall;
        // With a time limit per move, earlier moves do not count.
        let counted_before = match self.limits.time {
            TimeControl::Game(_) => waited_before,
            TimeControl::Move { .. } => Duration::ZERO,
        };
        let mut watch = None;
        loop {
            let waited = counted_before + asked.elapsed();
            let patience = self.limits.wall.saturating_sub(waited).min(WATCH_EVERY);
            let heard = self.lines.next(patience);
            let elapsed = asked.elapsed();
            self.usage.wall = waited_before + elapsed;
            self.usage.longest = self.usage.longest.max(elapsed);
            let answer = match heard {
                Heard::End => return Err(self.explain_end(None)),
                Heard::Unfinished(part) if self.has_crashed() => {
                    return Err(self.explain_end(Some(&part)));
                }
                Heard::Line(line) | Heard::Unfinished(line) => {
                    self.transcript.received(&line, self.dialogue.is_early);
                    match self.judge.receive(&line) {
                        Received::Answer => Some(line),
                        Received::Nothing => None,
                        Received::Reply(lines) => {
                            asked = Instant::now();
                            self.send(&lines);
                            continue;
                        }
                    }
                }
                Heard::Nothing => {
                    watch.get_or_insert_with(|| CpuWatch::start(self.id()));
                    None
                }
            };
            if answer.is_some() {
                // Immediately, so that the program can't think on.
                self.signal(Signal::STOP);
            }
            let in_time = self.check_time(elapsed, time);
            if let Some(line) = answer {
                self.dialogue.answers += 1;
                self.dialogue.answer_time += elapsed;
                return in_time.map(|()| line);
            }
            let is_hung = counted_before + elapsed >= self.limits.wall;
            if is_hung || in_time.is_err() {
                self.dialogue.is_unanswered = true;
                self.dialogue.is_computing = watch.and_then(|watch| watch.is_computing());
                return Err(self.unanswered(elapsed, in_time));
            }
        }
    }

    /// Returns the fault of a program that has not answered for `elapsed`.
    fn unanswered(&self, elapsed: Duration, in_time: Result<(), Fault>) -> Fault {
        let (seconds, sent) = (elapsed.as_secs_f64(), shown(self.transcript.last_sent()));
        let silence = format!("no complete line within {seconds:.2} s after {sent:?}");
        match in_time {
            Ok(()) => {
                let all = self.usage.wall.as_secs_f64();
                Fault::new(FaultKind::Silence, format!("{silence}; {all:.2} s of wall time in all"))
            }
            Err(fault) => Fault::new(fault.kind, format!("{silence}; {}", fault.detail)),
        }
    }

    /// Suspends or resumes the program, if its judge does so.
    fn signal(&self, signal: Signal) {
        if self.limits.suspend && self.judge.protocol().suspends {
            self.running.signal(signal);
        }
    }

    /// Fails if the program has used more than its time, `elapsed` of it (wall time) for this request, whose own time
    /// limit, if any, is `time`.
    fn check_time(&self, elapsed: Duration, time: Option<Duration>) -> Result<(), Fault> {
        let limit = match self.limits.time {
            TimeControl::Game(budget) => budget,
            TimeControl::Move { first, later, .. } => {
                let limit = if self.dialogue.answers == 0 { first } else { later };
                time.unwrap_or(limit.saturating_add(self.limits.grace))
            }
        };
        self.limits.check(&self.usage, elapsed, limit)
    }

    /// Whether the program exits unsuccessfully now that its stdout has ended.
    fn has_crashed(&mut self) -> bool {
        wait(&mut self.running.process, QUIT_PATIENCE).is_some_and(|status| !status.success())
    }

    /// Returns the fault of a program whose stdout has ended, after an unfinished line if there is one.
    fn explain_end(&mut self, unfinished: Option<&str>) -> Fault {
        let Some(status) = wait(&mut self.running.process, QUIT_PATIENCE) else {
            return Fault::new(FaultKind::Closed, "closed its stdout");
        };
        let mut text = describe(status);
        if let Some(part) = unfinished {
            text += &format!(" after the unfinished line {:?}", shown(part));
        }
        let is_first = self.dialogue.answers == 0;
        match status.code() {
            Some(NOT_FOUND) if is_first => return Fault::new(FaultKind::NotStarted, "not found"),
            Some(NOT_RUNNABLE) if is_first => {
                return Fault::new(FaultKind::NotStarted, "not executable");
            }
            _ => {}
        }
        if is_first {
            return Fault::new(FaultKind::ExitAtStart, format!("{text} before its first answer"));
        }
        Fault::new(FaultKind::Exit, text)
    }

    /// Sends the judge's last line and waits for the program to exit.
    pub fn dismiss(&mut self) -> Ending {
        self.end_dialogue(self.judge.protocol().farewell)
    }

    /// Closes the program's input without a last line and waits for the program to exit.
    pub fn dismiss_silently(&mut self) -> Ending {
        self.end_dialogue(None)
    }

    fn end_dialogue(&mut self, farewell: Option<&str>) -> Ending {
        let last_lines = self.transcript.last_lines();
        self.signal(Signal::CONT);
        self.send(&farewell.into_iter().map(str::to_string).collect::<Vec<_>>());
        let farewell = farewell.unwrap_or("the end of its input");
        self.stdin = None;
        let exited = wait(
            &mut self.running.process,
            if self.failed { Duration::ZERO } else { QUIT_PATIENCE },
        );
        let complaint = match exited {
            _ if self.failed => None,
            Some(status) if status.success() => None,
            Some(status) => Some(format!("after {farewell}: {}", describe(status))),
            None => Some(format!("ignored {farewell}")),
        };
        // Also kills children that outlive the program.
        self.running.kill();
        if exited.is_none() {
            let _ = self.running.process.kill();
            let _ = self.running.process.wait();
        }
        // Waits until stderr is read to its end; the timeout is for a descendant that keeps the pipe open.
        let _ = self.stderr_open.recv_timeout(QUIT_PATIENCE);
        let dialogue =
            Dialogue { last_lines, unread: shown(&self.lines.unread()), ..self.dialogue.clone() };
        Ending { stderr: self.log(), complaint, dialogue }
    }

    /// Returns an unrequested output line of a program that has exited, if any.
    pub fn stray_line(&mut self) -> Option<String> {
        match self.lines.next(EXIT_PATIENCE) {
            Heard::Line(line) | Heard::Unfinished(line) => Some(line),
            Heard::Nothing | Heard::End => None,
        }
    }
}

impl Seat for Program {
    fn begin(
        &mut self,
        side: Side,
        opening: &dyn GameState,
        score: MatchScore,
    ) -> Result<(), Fault> {
        self.usage.longest = Duration::ZERO;
        if let Some(log) = self.logs.pop_front() {
            self.transcript.log_to(log);
        }
        let budget = self.limits.announce.then(|| self.limits.time.budget());
        let lines = self.judge.start_game(side, opening, budget, score);
        self.dialogue.has_own_lines = self.judge.protocol().has_own_lines && !lines.is_empty();
        if !self.judge.expects_greeting() {
            self.send(&lines);
            return Ok(());
        }
        let greeting = self.ask(&Request { lines, time: None })?;
        let accepted = self.judge.accept_greeting(&greeting);
        accepted.map_err(|error| Fault::new(FaultKind::NotStarted, error))
    }

    fn answer(&mut self, game: &dyn GameState) -> Result<Answer, Fault> {
        let request = self.judge.request_move(game);
        let line = self.ask(&request)?;
        Ok(self.judge.parse_answer(&line, game))
    }

    fn log_games(&mut self, logs: Vec<Log>) {
        self.logs = logs.into();
    }

    fn end(&mut self) -> Ending {
        self.dismiss()
    }

    fn usage(&self) -> Usage {
        self.usage
    }
}

/// Waits for a program to exit, at most for `patience`.
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

/// Measures whether a process group uses the processor.
struct CpuWatch {
    group: u32,
    started: Instant,
    used_before: Option<Duration>,
}

impl CpuWatch {
    fn start(group: u32) -> CpuWatch {
        CpuWatch { group, started: Instant::now(), used_before: cpu_time(group) }
    }

    fn is_computing(&self) -> Option<bool> {
        let used = cpu_time(self.group)?.saturating_sub(self.used_before?);
        Some(used * 100 > self.started.elapsed() * COMPUTING_PERCENT)
    }
}

/// Returns the CPU time of the processes of a group, from Linux's /proc (man 5 proc); `None` on other systems.
fn cpu_time(group: u32) -> Option<Duration> {
    const TICK: Duration = Duration::from_millis(10);
    let processes = fs::read_dir("/proc").ok()?.flatten();
    let ticks = processes.filter_map(|process| {
        let stat = fs::read_to_string(process.path().join("stat")).ok()?;
        // After the name: state, parent, group, ..., and as numbers 11 and 12 the time of user and system.
        let fields: Vec<&str> = stat.rsplit_once(") ")?.1.split(' ').collect();
        let ticks = |field: usize| fields.get(field)?.parse::<u32>().ok();
        (ticks(2)? == group).then(|| Some(ticks(11)? + ticks(12)?))?
    });
    Some(TICK * ticks.sum::<u32>())
}

fn describe(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        // The convention of shells for a program that they have started.
        (Some(code), _) if Signal::from_named_raw(code - EXIT_SIGNAL).is_some() => {
            format!("exited with status {code} (killed by signal {})", code - EXIT_SIGNAL)
        }
        (Some(code), _) => format!("exited with status {code}"),
        (None, Some(signal)) => format!("killed by signal {signal}"),
        (None, None) => "exited".to_string(),
    }
}

/// A reader that counts UTF-8 characters.
struct Counted<R> {
    stream: R,
    characters: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.stream.read(buffer)?;
        // Counts the bytes that are not UTF-8 continuation bytes.
        let begun = buffer[..length].iter().filter(|&&byte| byte & 0xc0 != 0x80).count();
        self.characters.fetch_add(begun as u64, Ordering::Relaxed);
        Ok(length)
    }
}

/// Reads a program's stderr on a thread, so that the program never blocks, and keeps the last lines. The receiver
/// disconnects when the stream ends.
fn keep_last_lines(stream: impl Read + Send + 'static) -> io::Result<(KeptLines, Receiver<()>)> {
    let (open, stderr_open) = mpsc::channel();
    let kept = Arc::new(Mutex::new(VecDeque::new()));
    let writer = Arc::clone(&kept);
    thread::Builder::new().spawn(move || {
        let _open = open;
        for_each_line(stream, STDERR_LINE_BYTES, |line| {
            let mut kept = writer.lock().unwrap_or_else(PoisonError::into_inner);
            if kept.len() == STDERR_LINES {
                kept.pop_front();
            }
            kept.push_back(line.to_string());
        });
    })?;
    Ok((kept, stderr_open))
}
