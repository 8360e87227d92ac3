//! A player that is a program of its own and speaks the protocol of its contest.

use super::lines::{Heard, Lines};
use super::{overrun, Ending, Fault, FaultKind, Seat, Usage};
use crate::engine::clock::TimeControl;
use crate::tools::contracts::judge::{Answer, Judge, MatchScore, Request};
use crate::tools::contracts::{GameState, Side};
use crate::tools::support::reaper;
use rustix::process::{kill_process_group, Pid, Signal};
use serde_json::{json, Value};
use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Where moves are timed, a player has so much more: what the machine takes to hand lines over
/// and to wake the program and us up, which on a busy one is some milliseconds.
pub const GRACE: Duration = Duration::from_millis(20);
/// While a program thinks, its time limit is checked this often.
const WATCH_EVERY: Duration = Duration::from_millis(100);
/// A program has this long to exit after `Quit` or the end of its output.
const QUIT_PATIENCE: Duration = Duration::from_secs(2);
/// After its end a program's last lines are waited for this long.
const EXIT_PATIENCE: Duration = Duration::from_millis(200);
/// The wait between two looks whether a program has exited.
const EXIT_POLL: Duration = Duration::from_millis(2);
/// What may help where a program ends at lines that it can't know.
const OWN_LINES_HINT: &str =
    ", after lines that only cupbot sends (Time, Opening): plain:COMMAND with \
                              --openings none sends nothing but the contest's";
/// The last lines of stderr that are kept, and the bytes of each.
const STDERR_LINES: usize = 10;
const STDERR_LINE_BYTES: u64 = 500;
/// The status of a shell that has not found its program, or can't run it.
const NOT_FOUND: i32 = 127;
const NOT_RUNNABLE: i32 = 126;

/// Default wall time after which a program is taken for hung, as a multiple of its budget, without [`WALL_EXTRA`].
const WALL_FACTOR: u32 = 3;
/// Addition to the wall time after which a program is taken for hung.
const WALL_EXTRA: Duration = Duration::from_secs(10);

/// The limits of a player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// The contest's time. The wall time of the wait for each answer is charged.
    pub time: TimeControl,
    /// The wall time after which a program is taken for hung: of the whole game by the game, of a move
    /// by the move.
    pub wall: Duration,
    /// Where moves are timed, an overrun that costs the player nothing.
    pub grace: Duration,
    /// Tell the program its budget?
    pub announce: bool,
    /// Suspend the program out of turn, where its contest does so?
    pub suspend: bool,
}

impl Limits {
    /// This time, and as much wall time as a program is waited for that shares the machine and may have to
    /// wait itself.
    pub fn new(time: TimeControl) -> Limits {
        let longest = match time {
            TimeControl::Game(_) => time.budget(),
            TimeControl::Move { first, later, .. } => first.max(later),
        };
        let wall = longest * WALL_FACTOR + WALL_EXTRA;
        Limits { time, wall, grace: GRACE, announce: false, suspend: false }
    }

    /// Those of a program that the contest's time does not limit, but at most one of its own for a move.
    pub fn of_engine(self, longest_move: Option<Duration>) -> Limits {
        let unlimited = Duration::MAX;
        let time =
            TimeControl::Move { first: unlimited, later: unlimited, reserve: Duration::ZERO };
        let needed = longest_move.map_or(Duration::ZERO, |time| time * WALL_FACTOR + WALL_EXTRA);
        Limits { time, wall: self.wall.max(needed), announce: false, ..self }
    }

    /// An error where a player has used more than its time, with `spent` of it for the present answer. `limit`
    /// is the time of this answer where moves are timed.
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

    /// The limits as a record keeps them, in milliseconds.
    pub fn settings(&self) -> Value {
        let mut settings = json!({
            "wall_ms": self.wall.as_millis() as u64,
            "announce": self.announce,
            // Older versions could charge CPU time: such a match can't be resumed.
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

/// Lines that a thread goes on collecting.
type KeptLines = Arc<Mutex<VecDeque<String>>>;

/// A running program.
pub struct Program {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Lines<ChildStdout>,
    stderr: KeptLines,
    /// The characters of stderr so far.
    log_characters: Arc<AtomicU64>,
    limits: Limits,
    judge: Box<dyn Judge>,
    /// The answers given.
    answers: usize,
    /// Has it heard lines that no contest sends?
    knows_own_lines: bool,
    /// Is there still somebody to read stderr?
    stderr_open: Receiver<()>,
    /// The program has failed, and nothing is expected of it any more.
    failed: bool,
    usage: Usage,
}

impl Program {
    /// Starts a shell command for one game under a judge.
    pub fn start(command: &str, limits: Limits, judge: Box<dyn Judge>) -> io::Result<Program> {
        let mut shell = Command::new("/bin/sh");
        reaper::mark(&mut shell);
        let mut child = shell
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
        let lines = Lines::new(stdout);
        let log_characters = Arc::default();
        let (kept, stderr_open) =
            keep_last_lines(Counted { stream: stderr, characters: Arc::clone(&log_characters) });
        Ok(Program {
            child,
            stdin,
            lines,
            stderr: kept,
            log_characters,
            stderr_open,
            failed: false,
            limits,
            judge,
            answers: 0,
            knows_own_lines: false,
            usage: Usage::default(),
        })
    }

    /// The process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The characters that it has said on stderr so far.
    pub fn log_characters(&self) -> u64 {
        self.log_characters.load(Ordering::Relaxed)
    }

    /// Sends lines in one write. A program that no longer reads shows by its silence or its exit.
    fn send(&mut self, lines: &[String]) {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        if let Some(stdin) = self.stdin.as_mut().filter(|_| !text.is_empty()) {
            let _ = stdin.write_all(text.as_bytes());
        }
    }

    /// Sends a request and waits for the line that answers it. The time charged begins with sending the request
    /// and ends with the arrival of the answer.
    fn ask(&mut self, request: &Request) -> Result<String, Fault> {
        let asked = Instant::now();
        self.signal(Signal::CONT);
        self.send(&request.lines);
        let received = self.receive(asked, request.time);
        self.failed = received.is_err();
        received
    }

    /// Waits for the answer to a request sent at `asked`. `time` is its time limit, if it has one of its own.
    fn receive(&mut self, asked: Instant, time: Option<Duration>) -> Result<String, Fault> {
        let waited_before = self.usage.wall;
        // By the move, what earlier ones took does not count.
        let counted_before = match self.limits.time {
            TimeControl::Game(_) => waited_before,
            TimeControl::Move { .. } => Duration::ZERO,
        };
        loop {
            let waited = counted_before + asked.elapsed();
            let patience = self.limits.wall.saturating_sub(waited).min(WATCH_EVERY);
            let heard = self.lines.next(patience);
            let elapsed = asked.elapsed();
            self.usage.wall = waited_before + elapsed;
            self.usage.longest = self.usage.longest.max(elapsed);
            let answer = match heard {
                Heard::End => return Err(self.explain_end()),
                Heard::Line(line) if self.judge.receive(&line) => Some(line),
                Heard::Line(_) | Heard::Nothing => None,
            };
            if answer.is_some() {
                // First of all: it must not think on.
                self.signal(Signal::STOP);
            }
            self.check_time(elapsed, time)?;
            if let Some(line) = answer {
                self.answers += 1;
                return Ok(line);
            }
            let waited = counted_before + elapsed;
            if waited >= self.limits.wall {
                let seconds = waited.as_secs_f64();
                let detail = format!("no answer, {seconds:.2} s of wall time waited in this game");
                return Err(Fault::new(FaultKind::Silence, detail));
            }
        }
    }

    /// Suspends the program or lets it go on, where its judge does so.
    fn signal(&self, signal: Signal) {
        if self.limits.suspend && self.judge.protocol().suspends {
            if let Some(group) = Pid::from_raw(self.child.id() as i32) {
                // It may be gone already.
                let _ = kill_process_group(group, signal);
            }
        }
    }

    /// Fails if the program has used more than its time, `elapsed` of it (wall time) for this request, whose
    /// time limit is `time` if it has one of its own.
    fn check_time(&self, elapsed: Duration, time: Option<Duration>) -> Result<(), Fault> {
        let limit = match self.limits.time {
            TimeControl::Game(budget) => budget,
            TimeControl::Move { first, later, .. } => {
                let limit = if self.answers == 0 { first } else { later };
                time.unwrap_or(limit.saturating_add(self.limits.grace))
            }
        };
        self.limits.check(&self.usage, elapsed, limit)
    }

    /// Why stdout has ended.
    fn explain_end(&mut self) -> Fault {
        let Some(status) = wait(&mut self.child, QUIT_PATIENCE) else {
            return Fault::new(FaultKind::Closed, "closed its stdout");
        };
        let text = describe(status);
        let is_first = self.answers == 0;
        if is_first && matches!(status.code(), Some(NOT_FOUND | NOT_RUNNABLE)) {
            return Fault::new(FaultKind::NotStarted, format!("can't be started: {text}"));
        }
        if is_first && self.knows_own_lines {
            return Fault::new(
                FaultKind::OwnLines,
                format!("{text} before its first answer{OWN_LINES_HINT}"),
            );
        }
        Fault::new(FaultKind::Exit, text)
    }

    /// Ends the dialogue by the judge's last line, and waits for the program to exit.
    pub fn dismiss(&mut self) -> Ending {
        self.end_dialogue(self.judge.protocol().farewell)
    }

    /// Ends the dialogue without a word, and waits for the program to exit.
    pub fn dismiss_silently(&mut self) -> Ending {
        self.end_dialogue(None)
    }

    fn end_dialogue(&mut self, farewell: Option<&str>) -> Ending {
        self.signal(Signal::CONT);
        self.send(&farewell.into_iter().map(str::to_string).collect::<Vec<_>>());
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
        reaper::kill_group(self.child.id());
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
        match self.lines.next(EXIT_PATIENCE) {
            Heard::Line(line) => Some(line),
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
        let budget = self.limits.announce.then(|| self.limits.time.budget());
        let lines = self.judge.start_game(side, opening, budget, score);
        self.knows_own_lines = self.judge.protocol().has_own_lines && !lines.is_empty();
        if !self.judge.expects_greeting() {
            self.send(&lines);
            return Ok(());
        }
        let greeting = self.ask(&Request { lines, time: None })?;
        let accepted = self.judge.accept_greeting(&greeting);
        accepted.map_err(|error| Fault::new(FaultKind::Garbage, error))
    }

    fn answer(&mut self, game: &dyn GameState) -> Result<Answer, Fault> {
        let request = self.judge.request_move(game);
        let line = self.ask(&request)?;
        Ok(self.judge.parse_answer(&line, game))
    }

    fn end(&mut self) -> Ending {
        self.dismiss()
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

/// A stream of text whose characters are counted.
struct Counted<R> {
    stream: R,
    characters: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.stream.read(buffer)?;
        // All bytes of UTF-8 that do not go on with a character.
        let begun = buffer[..length].iter().filter(|&&byte| byte & 0xc0 != 0x80).count();
        self.characters.fetch_add(begun as u64, Ordering::Relaxed);
        Ok(length)
    }
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
