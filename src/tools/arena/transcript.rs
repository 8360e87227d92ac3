//! The lines exchanged with a program, with their times.

use crate::tools::support::text::{escaped, sanitize, shown};
use std::collections::VecDeque;
use std::fs::File;
use std::io::Write;
use std::time::Instant;

/// Number of last lines that a fault shows.
const KEPT_LINES: usize = 6;
/// Maximum number of lines of a request that are kept; of a longer one only the first is kept.
const MAX_REQUEST: usize = 3;

/// A file to which every line of a dialogue is written.
pub struct Log {
    /// The file, which both players of a game may share.
    pub file: File,
    /// The start of the times in the log.
    pub started: Instant,
    /// Name of the player, written between the time and the arrow.
    pub name: String,
}

impl Log {
    /// Writes a comment.
    pub fn remark(&mut self, text: &str) {
        // Best effort: a full disk must not lose the game.
        let _ = writeln!(self.file, "# {}", escaped(text));
    }

    fn write(&mut self, arrow: &str, line: &str) {
        let _ = writeln!(
            self.file,
            "{} {}{arrow} {}",
            seconds_since(self.started),
            self.name,
            escaped(line)
        );
    }
}

/// The dialogue with a program since its start.
pub struct Transcript {
    started: Instant,
    kept: VecDeque<String>,
    last_sent: Option<String>,
    log: Option<Log>,
}

impl Transcript {
    /// Creates an empty transcript of a program that starts now.
    pub fn new() -> Transcript {
        Transcript { started: Instant::now(), kept: VecDeque::new(), last_sent: None, log: None }
    }

    /// Writes all later lines to a file.
    pub fn log_to(&mut self, log: Log) {
        self.log = Some(log);
    }

    /// Adds lines sent to the program.
    pub fn sent(&mut self, lines: &[String]) {
        let Some(last) = lines.last() else { return };
        self.last_sent = Some(last.clone());
        lines.iter().for_each(|line| self.write("->", line));
        if lines.len() > MAX_REQUEST {
            self.keep("->", &lines[0], &format!(" (and {} more lines)", lines.len() - 1));
        } else {
            lines.iter().for_each(|line| self.keep("->", line, ""));
        }
    }

    /// Adds a line of the program. `is_early` if it was written before it was asked for.
    pub fn received(&mut self, line: &str, is_early: bool) {
        self.write("<-", line);
        self.keep("<-", line, if is_early { " (written before it was asked for)" } else { "" });
    }

    /// Returns the last lines, with the time since the start of the program.
    pub fn last_lines(&self) -> Vec<String> {
        self.kept.iter().cloned().collect()
    }

    /// Returns the last line sent to the program.
    pub fn last_sent(&self) -> &str {
        self.last_sent.as_deref().unwrap_or("its start")
    }

    fn keep(&mut self, arrow: &str, line: &str, note: &str) {
        if self.kept.len() == KEPT_LINES {
            self.kept.pop_front();
        }
        let line = sanitize(&shown(line));
        self.kept.push_back(format!("{} {arrow} {line}{note}", seconds_since(self.started)));
    }

    fn write(&mut self, arrow: &str, line: &str) {
        if let Some(log) = &mut self.log {
            log.write(arrow, line);
        }
    }
}

fn seconds_since(started: Instant) -> String {
    format!("{:8.3} s", started.elapsed().as_secs_f64())
}
