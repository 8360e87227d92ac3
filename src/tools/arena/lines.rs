//! The lines that a program says, read by whoever waits for them: no other thread stands between the
//! arrival of a line and the clock.

use rustix::event::{poll, PollFd, PollFlags, Timespec};
use rustix::io::Errno;
use std::io::Read;
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

/// A line of the dialogue is no longer than this, in bytes; a longer one comes in parts.
const MAX_LINE: usize = 1000;
/// So much is read at a time.
const CHUNK: usize = 4096;

/// What has been heard.
#[derive(Debug, PartialEq, Eq)]
pub enum Heard {
    /// A line without its end.
    Line(String),
    /// Nothing in time.
    Nothing,
    /// Nothing, and nothing more will come.
    End,
}

/// The lines of a stream. What nobody waits for stays in the pipe, so that a program which says more than
/// anybody asks for has to wait.
pub struct Lines<S> {
    stream: S,
    /// What has been read, but not been asked for.
    bytes: Vec<u8>,
    is_over: bool,
}

impl<S: Read + AsFd> Lines<S> {
    /// The lines of this stream.
    pub fn new(stream: S) -> Lines<S> {
        Lines { stream, bytes: Vec::new(), is_over: false }
    }

    /// Waits for the next line, but not longer than this.
    pub fn next(&mut self, patience: Duration) -> Heard {
        let started = Instant::now();
        loop {
            if let Some(line) = self.take_line() {
                return Heard::Line(line);
            }
            if self.is_over {
                return Heard::End;
            }
            let left = patience.saturating_sub(started.elapsed());
            if !self.is_readable(left) {
                return Heard::Nothing;
            }
            self.read_more();
        }
    }

    /// Takes a line off what has been read.
    fn take_line(&mut self) -> Option<String> {
        let end = self.bytes.iter().take(MAX_LINE).position(|&byte| byte == b'\n');
        let length = match end {
            Some(end) => end + 1,
            None if self.bytes.len() >= MAX_LINE => MAX_LINE,
            None if self.is_over && !self.bytes.is_empty() => self.bytes.len(),
            None => return None,
        };
        let line: Vec<u8> = self.bytes.drain(..length).collect();
        Some(String::from_utf8_lossy(&line).trim_end_matches(['\n', '\r']).to_string())
    }

    /// Waits until there is something to read, or the end of the stream.
    fn is_readable(&self, patience: Duration) -> bool {
        let timeout = Timespec::try_from(patience).ok();
        let mut streams = [PollFd::new(&self.stream, PollFlags::IN)];
        match poll(&mut streams, timeout.as_ref()) {
            Ok(ready) => ready > 0,
            // A signal is no line: the caller asks again.
            Err(Errno::INTR) => false,
            // Reading says what is wrong.
            Err(_) => true,
        }
    }

    /// Reads what is there.
    fn read_more(&mut self) {
        let mut chunk = [0; CHUNK];
        match self.stream.read(&mut chunk) {
            Ok(length) if length > 0 => self.bytes.extend_from_slice(&chunk[..length]),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            _ => self.is_over = true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    const SOON: Duration = Duration::from_millis(1);
    const LATE: Duration = Duration::from_secs(60);

    #[test]
    fn lines_come_whole_in_parts_and_at_the_end() {
        let (reader, mut writer) = std::io::pipe().expect("a pipe");
        let mut lines = Lines::new(reader);
        assert_eq!(lines.next(SOON), Heard::Nothing);
        writer.write_all(b"one\r\ntwo\nthr").expect("written");
        let line = |text: &str| Heard::Line(text.to_string());
        assert_eq!([lines.next(LATE), lines.next(LATE)], [line("one"), line("two")]);
        assert_eq!(lines.next(SOON), Heard::Nothing);
        writer.write_all(b"ee\n\n").expect("written");
        assert_eq!([lines.next(LATE), lines.next(LATE)], [line("three"), line("")]);
        writer.write_all("x".repeat(MAX_LINE + 1).as_bytes()).expect("written");
        assert_eq!(lines.next(LATE), line(&"x".repeat(MAX_LINE)));
        drop(writer);
        assert_eq!([lines.next(LATE), lines.next(LATE)], [line("x"), Heard::End]);
    }
}
