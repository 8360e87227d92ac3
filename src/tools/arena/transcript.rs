//! The lines exchanged with a program, with their times.

use crate::tools::support::text::{sanitize, shown};
use std::collections::VecDeque;
use std::fs::File;
use std::io::Write;
use std::time::Instant;

/// Number of last lines that a fault shows.
const KEPT_LINES: usize = 6;
/// Maximum number of lines of a request that are kept; of a longer one only the first is kept.
const MAX_REQUEST: usize = 3;

/// The dialogue with a program since its start.
pub struct Transcript {
    started: Instant,
    kept: VecDeque<String>,
    last_sent: Option<String>,
    /// File to which every line is written.
    log: Option<File>,
}

impl Transcript {
    /// Creates an empty transcript of a program that starts now.
    pub fn new() -> Transcript {
        Transcript { started: Instant::now(), kept: VecDeque::new(), last_sent: None, log: None }
    }

    /// Writes all later lines to a file.
    pub fn log_to(&mut self, file: File) {
        self.log = Some(file);
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
        self.kept.push_back(format!("{} {arrow} {line}{note}", self.time()));
    }

    fn write(&mut self, arrow: &str, line: &str) {
        let time = self.time();
        if let Some(log) = &mut self.log {
            // Best effort: a full disk must not lose the game.
            let _ = writeln!(log, "{time} {arrow} {}", sanitize(line));
        }
    }

    fn time(&self) -> String {
        format!("{:8.3} s", self.started.elapsed().as_secs_f64())
    }
}
