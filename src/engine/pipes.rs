//! The stdin, stdout and stderr of a player: input that can be polled for a line, support for non-blocking pipes, and a
//! log that never blocks.

use super::sys::os::{await_event, Event};
use std::cell::RefCell;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::process;
use std::rc::Rc;
use std::thread;
use std::time::{Duration, Instant};

/// The word that ends a game, in any case.
pub const QUIT: &str = "Quit";

/// File descriptor of stdin.
const INPUT: i32 = 0;
/// File descriptor of stdout.
const OUTPUT: i32 = 1;
/// File descriptor of stderr.
const LOG: i32 = 2;
/// Polling interval if the system can't wait for a pipe.
const RETRY_INTERVAL: Duration = Duration::from_millis(1);
/// How often a search checks for the end of the game.
const CHECK_INTERVAL: Duration = Duration::from_millis(10);
/// Maximum number of bytes that are read ahead, far more than a game has.
const MAX_AHEAD: usize = 1 << 16;
/// Bytes per read: the size of the buffer of [`io::Stdin`], so that nothing remains in that buffer.
const CHUNK: usize = 8192;

/// Returns whether the current search must stop.
pub type Watch = Box<dyn FnMut() -> bool>;

/// Input from the judge.
pub trait Input: BufRead {
    /// Whether a read would not block: bytes of a line or the end of the input are available. `false` if unknown.
    fn has_input(&mut self) -> bool {
        false
    }

    /// Ends the process with status 0 if the next line is `Quit`, as contests demand. Has no effect if the input can't
    /// be polled.
    fn exit_on_quit(&mut self) {}

    /// Returns a watch for long work, which ends the process at `Quit`. If `stops_at_end`, it also stops searches at
    /// the end of the input, even if unread lines precede it. `None` if the input can't be polled.
    fn watch(&mut self, _stops_at_end: bool) -> Option<Watch> {
        None
    }
}

/// Other sources, e.g. in tests, can't be polled.
impl<R: Read> Input for BufReader<R> {}

impl Input for &[u8] {}

/// Input that was read ahead.
#[derive(Default)]
struct Ahead {
    bytes: Vec<u8>,
    /// Whether the end of the input was reached.
    is_ended: bool,
}

impl Ahead {
    /// Reads available bytes without waiting, until the end of the input is known.
    fn fill(&mut self) {
        while !self.is_ended && self.bytes.len() < MAX_AHEAD && is_ready(INPUT, Event::Readable) {
            let mut chunk = [0; CHUNK];
            match io::stdin().lock().read(&mut chunk) {
                Ok(0) => self.is_ended = true,
                Ok(count) => self.bytes.extend_from_slice(&chunk[..count]),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return,
            }
        }
    }

    /// Reads available bytes, and ends the process if the next line is `Quit`. Blank lines do not count.
    fn exit_on_quit(&mut self) {
        self.fill();
        let line_end = self.bytes.iter().rposition(|&byte| byte == b'\n').unwrap_or(0);
        let end = if self.is_ended { self.bytes.len() } else { line_end };
        let text = String::from_utf8_lossy(&self.bytes[..end]);
        let word = text.split_whitespace().next();
        if word.map_or(false, |word| word.eq_ignore_ascii_case(QUIT)) {
            process::exit(0);
        }
    }
}

/// The judge's input on stdin.
#[derive(Default)]
pub struct Stdin {
    ahead: Rc<RefCell<Ahead>>,
    bytes: Vec<u8>,
    used: usize,
}

impl Read for Stdin {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for Stdin {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.used == self.bytes.len() {
            self.used = 0;
            let mut ahead = self.ahead.borrow_mut();
            self.bytes = std::mem::take(&mut ahead.bytes);
            if self.bytes.is_empty() && !ahead.is_ended {
                self.bytes.resize(CHUNK, 0);
                let bytes = &mut self.bytes;
                let read = retry(INPUT, Event::Readable, || io::stdin().lock().read(bytes));
                self.bytes.truncate(*read.as_ref().unwrap_or(&0));
                read?;
            }
        }
        Ok(&self.bytes[self.used..])
    }

    fn consume(&mut self, count: usize) {
        self.used += count;
    }
}

impl Input for Stdin {
    fn has_input(&mut self) -> bool {
        self.used < self.bytes.len()
            || !self.ahead.borrow().bytes.is_empty()
            || is_ready(INPUT, Event::Readable)
    }

    fn exit_on_quit(&mut self) {
        let mut ahead = self.ahead.borrow_mut();
        ahead.bytes.splice(..0, self.bytes.split_off(self.used));
        ahead.exit_on_quit();
    }

    fn watch(&mut self, stops_at_end: bool) -> Option<Watch> {
        self.exit_on_quit();
        let ahead = self.ahead.clone();
        let mut checked_at = Instant::now();
        Some(Box::new(move || {
            if checked_at.elapsed() >= CHECK_INTERVAL {
                checked_at = Instant::now();
                ahead.borrow_mut().exit_on_quit();
            }
            stops_at_end && ahead.borrow().is_ended
        }))
    }
}

/// The player's output on stdout.
pub struct Stdout;

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        retry(OUTPUT, Event::Writable, || io::stdout().lock().write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        retry(OUTPUT, Event::Writable, || io::stdout().lock().flush())
    }
}

/// The player's log on stderr. Lines that can't be written at once are dropped, so that logging never delays a move.
pub struct Log;

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if await_event(LOG, Event::Writable, 0) != Some(false) {
            // Short writes to a pipe are atomic: a line is written whole or not at all.
            let _ = io::stderr().lock().write(bytes);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn is_ready(pipe: i32, event: Event) -> bool {
    await_event(pipe, event, 0) == Some(true)
}

/// Retries an operation on a pipe until it succeeds or fails for good. A non-blocking pipe returns `WouldBlock` instead
/// of waiting.
fn retry<T>(pipe: i32, event: Event, mut attempt: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match attempt() {
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                if await_event(pipe, event, -1).is_none() {
                    thread::sleep(RETRY_INTERVAL);
                }
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}
