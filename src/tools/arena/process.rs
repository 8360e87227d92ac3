//! A player that is a program of its own and speaks the judge's dialogue.

use super::proctree::tree_cpu_time;
use super::{overrun, Answer, Ending, Fault, FaultKind, Seat, Usage};
use crate::tools::rules::{Rules, Side};
use rustix::process::{kill_process_group, Pid, Signal};
use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// While a program thinks, its CPU time is looked at so often.
const WATCH_EVERY: Duration = Duration::from_millis(100);
/// A program has this long to exit after `Quit`.
const QUIT_PATIENCE: Duration = Duration::from_secs(2);
/// After the end of its output a program has this long to exit, so that its status can be told.
const EXIT_PATIENCE: Duration = Duration::from_millis(200);
/// The wait between two looks whether a program has exited.
const EXIT_POLL: Duration = Duration::from_millis(2);
/// The last lines of stderr that are kept, and the bytes of each.
const STDERR_LINES: usize = 10;
const STDERR_LINE_BYTES: u64 = 500;
/// So many lines that a program has said may wait to be asked for.
const WAITING_LINES: usize = 64;
/// A line of the dialogue is no longer than this, in bytes.
const LONGEST_LINE: u64 = 1000;

/// The wall time that a program is waited for in a game is this multiple of its CPU time ...
const WALL_FACTOR: u32 = 3;
/// ... and so much more.
const WALL_EXTRA: Duration = Duration::from_secs(10);

/// The limits of a program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProcessLimits {
    /// CPU time of the whole game, for the program and all its children.
    pub cpu: Duration,
    /// Wall time of the whole game.
    pub wall: Duration,
    /// Tell the program its budget (the line `Time`)?
    pub announce: bool,
}

impl ProcessLimits {
    /// This CPU time, and as much wall time as a program is waited for that shares the machine and may
    /// have to wait itself.
    pub fn of(cpu: Duration, announce: bool) -> ProcessLimits {
        ProcessLimits { cpu, wall: cpu * WALL_FACTOR + WALL_EXTRA, announce }
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
    limits: ProcessLimits,
    /// Is there still somebody to read stderr?
    stderr_open: Receiver<()>,
    /// Nothing but `Time` and `Opening` has been sent.
    fresh: bool,
    /// The program has failed, and nothing is expected of it any more.
    failed: bool,
    /// The side that moves first after the opening.
    first_mover: Side,
    usage: Usage,
}

impl Program {
    /// Starts a shell command for one game.
    pub fn start(command: &str, side: Side, limits: ProcessLimits) -> io::Result<Program> {
        let mut child = Command::new("/bin/sh")
            .args(["-c", command])
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
            fresh: true,
            first_mover: Side::First,
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

    /// Waits for a line.
    fn receive(&mut self) -> Result<String, Fault> {
        let started = Instant::now();
        let waited_before = self.usage.wall;
        loop {
            let patience = self.limits.wall.saturating_sub(self.usage.wall).min(WATCH_EVERY);
            let received = self.lines.recv_timeout(patience);
            self.usage.wall = waited_before + started.elapsed();
            if let Err(RecvTimeoutError::Disconnected) = received {
                return Err(self.explain_end());
            }
            self.charge();
            if self.usage.cpu > self.limits.cpu {
                let detail = overrun(self.usage.cpu, self.limits.cpu);
                return Err(Fault::new(FaultKind::CpuTime, detail));
            }
            if let Ok(line) = received {
                return Ok(line);
            }
            if self.usage.wall >= self.limits.wall {
                let seconds = self.usage.wall.as_secs_f64();
                let detail = format!("no answer, {seconds:.2} s of wall time waited in this game");
                return Err(Fault::new(FaultKind::Silence, detail));
            }
        }
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

    /// Ends the dialogue, by `Quit` or without a word, and waits for the program to exit.
    pub fn dismiss(&mut self, quit: bool) -> Ending {
        let farewell = if quit { "Quit" } else { "the end of its input" };
        if quit {
            self.send(farewell);
        }
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

impl<G: Rules> Seat<G> for Program {
    fn begin(&mut self, opening: &G) -> Result<(), Fault> {
        if self.limits.announce {
            self.send(&format!("Time {}", self.limits.cpu.as_millis()));
        }
        let moves = opening.texts();
        if !moves.is_empty() {
            self.send(&format!("Opening {}", moves.join(" ")));
        }
        self.first_mover = opening.to_move();
        Ok(())
    }

    fn answer(&mut self, game: &G) -> Result<Answer, Fault> {
        let first = std::mem::replace(&mut self.fresh, false);
        if first && self.side == self.first_mover {
            self.send("Start");
        } else if let Some(text) = game.texts().last() {
            self.send(text);
        }
        let received = self.receive();
        self.failed = received.is_err();
        Ok(Answer { text: received?, score: None })
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
        for_each_line(stream, LONGEST_LINE, |line| sender.send(line).is_ok());
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
