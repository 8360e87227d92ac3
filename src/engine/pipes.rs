//! The three pipes of a player. They do what a game needs: tell whether a line is there, are patient where
//! a pipe does not block, and never wait for somebody to read the log.

use super::sys::os::{await_event, Event};
use std::cell::RefCell;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::rc::Rc;
use std::thread;
use std::time::{Duration, Instant};

/// The word that ends a game.
pub const QUIT: &str = "Quit";

/// The numbers of stdin, stdout and stderr.
const INPUT: i32 = 0;
const OUTPUT: i32 = 1;
const LOG: i32 = 2;
/// Where the system can't wait for a pipe, we look at it again after this.
const NAP: Duration = Duration::from_millis(1);
/// How often a search looks for the end of the game.
const LOOK_EVERY: Duration = Duration::from_millis(10);
/// How much is read at once: as much as the buffer of stdin itself, which then stays empty.
const CHUNK: usize = 8192;

/// Tells whether the search that is going on must end.
pub type Watch = Box<dyn FnMut() -> bool>;

/// The judge's lines.
pub trait Input: BufRead {
    /// Is the beginning of a line there, or the end of all? `false` where nobody knows.
    fn is_there(&mut self) -> bool {
        false
    }

    /// What looks now and then, while a search goes on, whether the game has ended meanwhile: by `Quit`,
    /// or by the end of the input if that `ends_at_end`. `None` where nobody can look.
    fn watch(&mut self, _ends_at_end: bool) -> Option<Watch> {
        None
    }
}

/// What is read from elsewhere, as in tests, knows nothing ahead.
impl<R: Read> Input for BufReader<R> {}

impl Input for &[u8] {}

/// What has been read ahead, and whether there is no more.
#[derive(Default)]
struct Ahead {
    bytes: Vec<u8>,
    is_ended: bool,
}

impl Ahead {
    /// Reads what is there without waiting.
    fn look(&mut self) {
        while !self.is_ended && is_ready(INPUT, Event::Readable) {
            let mut chunk = [0; CHUNK];
            match io::stdin().lock().read(&mut chunk) {
                Ok(0) => self.is_ended = true,
                Ok(count) => self.bytes.extend_from_slice(&chunk[..count]),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return,
            }
            // A line is enough: nobody has to store what a file holds.
            if self.bytes.contains(&b'\n') {
                return;
            }
        }
    }

    /// Is `Quit` the next line?
    fn is_quit(&self) -> bool {
        let end = self.bytes.iter().position(|&byte| byte == b'\n');
        let line = String::from_utf8_lossy(&self.bytes[..end.unwrap_or(0)]);
        line.split_whitespace().next() == Some(QUIT)
    }

    fn is_at_end(&self) -> bool {
        self.is_ended && self.bytes.iter().all(u8::is_ascii_whitespace)
    }
}

/// The judge's lines on stdin.
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
                let read = patiently(INPUT, Event::Readable, || io::stdin().lock().read(bytes));
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
    fn is_there(&mut self) -> bool {
        self.used < self.bytes.len()
            || !self.ahead.borrow().bytes.is_empty()
            || is_ready(INPUT, Event::Readable)
    }

    fn watch(&mut self, ends_at_end: bool) -> Option<Watch> {
        let mut ahead = self.ahead.borrow_mut();
        let rest = self.bytes.split_off(self.used);
        ahead.bytes.splice(..0, rest);
        ahead.look();
        // A dialogue that was written before it began: by nodes its answers are searched to the end.
        if !ends_at_end && ahead.is_quit() {
            return None;
        }
        let ahead = self.ahead.clone();
        let mut looked = Instant::now().checked_sub(LOOK_EVERY);
        Some(Box::new(move || {
            if looked.map_or(true, |looked| looked.elapsed() >= LOOK_EVERY) {
                looked = Some(Instant::now());
                let mut ahead = ahead.borrow_mut();
                if !ahead.bytes.contains(&b'\n') {
                    ahead.look();
                }
            }
            let ahead = ahead.borrow();
            ahead.is_quit() || ends_at_end && ahead.is_at_end()
        }))
    }
}

/// The answers on stdout.
pub struct Stdout;

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        patiently(OUTPUT, Event::Writable, || io::stdout().lock().write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        patiently(OUTPUT, Event::Writable, || io::stdout().lock().flush())
    }
}

/// The log on stderr. What nobody can take at once is dropped: a log must never hold up a move.
pub struct Log;

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if await_event(LOG, Event::Writable, 0) != Some(false) {
            // A line goes into a pipe whole or not at all.
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

/// Does something with a pipe again until it is possible: a pipe that does not block refuses what would
/// have to wait.
fn patiently<T>(
    pipe: i32,
    event: Event,
    mut attempt: impl FnMut() -> io::Result<T>,
) -> io::Result<T> {
    loop {
        match attempt() {
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                if await_event(pipe, event, -1).is_none() {
                    thread::sleep(NAP);
                }
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}
