//! Reads a program's output line by line with a timeout, in the thread that measures the time, so that no other thread
//! delays it.

use rustix::event::{poll, PollFd, PollFlags, Timespec};
use rustix::io::Errno;
use std::io::{BufRead, BufReader, Read};
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

/// Maximum length of a line in bytes; longer lines are split.
const MAX_LINE: usize = 1000;
/// Size of a read in bytes.
const CHUNK: usize = 4096;

/// Result of waiting for a line.
#[derive(Debug, PartialEq, Eq)]
pub enum Heard {
    /// A line without its line ending.
    Line(String),
    /// The end of the stream after an unfinished line.
    Unfinished(String),
    /// Timeout.
    Nothing,
    /// End of the stream.
    End,
}

/// A stream read by lines. Nothing is read before it is asked for, so a program that writes too much blocks on its full
/// pipe.
pub struct Lines<S> {
    stream: S,
    /// Bytes read but not yet returned.
    bytes: Vec<u8>,
    is_over: bool,
}

impl<S: Read + AsFd> Lines<S> {
    /// Creates a reader of this stream.
    pub fn new(stream: S) -> Lines<S> {
        Lines { stream, bytes: Vec::new(), is_over: false }
    }

    /// Waits for the next line, at most for `patience`.
    pub fn next(&mut self, patience: Duration) -> Heard {
        let started = Instant::now();
        loop {
            if let Some(line) = self.take_line() {
                return Heard::Line(line);
            }
            if self.is_over {
                let rest = std::mem::take(&mut self.bytes);
                return if rest.is_empty() { Heard::End } else { Heard::Unfinished(text(&rest)) };
            }
            let left = patience.saturating_sub(started.elapsed());
            if !self.is_readable(left) {
                return Heard::Nothing;
            }
            self.read_more();
        }
    }

    /// Whether a complete line can be read without waiting.
    pub fn is_line_ready(&mut self) -> bool {
        if !self.is_over && self.is_readable(Duration::ZERO) {
            self.read_more();
        }
        self.bytes.contains(&b'\n')
    }

    /// Returns the bytes that were read but are not part of a returned line.
    pub fn unread(&self) -> String {
        String::from_utf8_lossy(&self.bytes).to_string()
    }

    /// Removes the first line from the bytes read; `None` if it is incomplete.
    fn take_line(&mut self) -> Option<String> {
        let end = self.bytes.iter().take(MAX_LINE).position(|&byte| byte == b'\n');
        let length = match end {
            Some(end) => end + 1,
            None if self.bytes.len() >= MAX_LINE => MAX_LINE,
            None => return None,
        };
        let line: Vec<u8> = self.bytes.drain(..length).collect();
        Some(text(&line))
    }

    /// Waits until data or the end of the stream can be read. Returns false on a timeout.
    fn is_readable(&self, patience: Duration) -> bool {
        let timeout = Timespec::try_from(patience).ok();
        let mut streams = [PollFd::new(&self.stream, PollFlags::IN)];
        match poll(&mut streams, timeout.as_ref()) {
            Ok(ready) => ready > 0,
            // Interrupted by a signal: treated as a timeout, the caller waits again.
            Err(Errno::INTR) => false,
            // The following read returns the error.
            Err(_) => true,
        }
    }

    /// Reads the available bytes.
    fn read_more(&mut self) {
        let mut chunk = [0; CHUNK];
        match self.stream.read(&mut chunk) {
            Ok(length) if length > 0 => self.bytes.extend_from_slice(&chunk[..length]),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            _ => self.is_over = true,
        }
    }
}

/// Decodes a line and removes its line ending.
fn text(line: &[u8]) -> String {
    String::from_utf8_lossy(line).trim_end_matches(['\n', '\r']).to_string()
}

/// Calls `take` for each line of a stream, without line end and truncated to `longest` bytes.
pub fn for_each_line(stream: impl Read, longest: u64, mut take: impl FnMut(&str)) {
    let mut reader = BufReader::new(stream);
    let mut line = Vec::new();
    loop {
        line.clear();
        match reader.by_ref().take(longest).read_until(b'\n', &mut line) {
            Ok(length) if length > 0 => take(String::from_utf8_lossy(&line).trim_end()),
            _ => return,
        }
        if line.last() != Some(&b'\n') && reader.skip_until(b'\n').is_err() {
            return;
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
    fn lines_are_joined_and_split() {
        let (reader, mut writer) = std::io::pipe().expect("a pipe");
        let mut lines = Lines::new(reader);
        assert_eq!(lines.next(SOON), Heard::Nothing);
        writer.write_all(b"one\r\ntwo\nthr").expect("written");
        let line = |text: &str| Heard::Line(text.to_string());
        let unfinished = |text: &str| Heard::Unfinished(text.to_string());
        assert_eq!([lines.next(LATE), lines.next(LATE)], [line("one"), line("two")]);
        assert_eq!(lines.next(SOON), Heard::Nothing);
        writer.write_all(b"ee\n\n").expect("written");
        assert_eq!([lines.next(LATE), lines.next(LATE)], [line("three"), line("")]);
        writer.write_all("x".repeat(MAX_LINE + 1).as_bytes()).expect("written");
        assert_eq!(lines.next(LATE), line(&"x".repeat(MAX_LINE)));
        drop(writer);
        assert_eq!([lines.next(LATE), lines.next(LATE)], [unfinished("x"), Heard::End]);
    }
}
