//! Options of the client, and messages to it.

use super::strength::MAX_ELO;
use crate::tools::contracts::Settings;
use crate::tools::support::text::{io_error_text, sanitize};
use anyhow::{bail, Result};
use std::io::{self, Write};
use std::sync::OnceLock;
use std::time::Duration;

/// Default move overhead: pipe latency and scheduling delay.
const DEFAULT_OVERHEAD: Duration = Duration::from_millis(10);

/// The first error in writing to the client.
static WRITE_ERROR: OnceLock<io::Error> = OnceLock::new();

/// Sends a line and returns whether it could be written. Lines of the two threads do not mix.
pub fn say(text: &str) -> bool {
    let mut output = io::stdout().lock();
    let written = output.write_all(format!("{text}\n").as_bytes()).and_then(|()| output.flush());
    written.map_err(|error| WRITE_ERROR.set(error)).is_ok()
}

/// Fails if a line could not be written, e.g. to a full disk. A closed pipe only means that the client has ended.
pub fn ensure_written() -> Result<()> {
    let error = WRITE_ERROR.get().filter(|error| error.kind() != io::ErrorKind::BrokenPipe);
    error.map_or(Ok(()), |error| bail!("writing to the client: {}", io_error_text(error)))
}

/// Sends an error message.
pub fn complain(text: &str) {
    say(&format!("info string error: {}", sanitize(text)));
}

/// Options set by the client.
#[derive(Clone, Copy)]
pub struct Options {
    pub hash_mb: usize,
    pub overhead: Duration,
    /// Whether castling is written as the squares of king and rook.
    pub is_chess960: bool,
    /// Number of lines to search (multi-PV).
    pub lines: usize,
    /// Whether lines have the probabilities of win, draw and loss.
    pub shows_wdl: bool,
    /// Whether the strength is limited to `elo`.
    pub is_limited: bool,
    pub elo: u64,
    /// Node limit from the command line, used if `go` has only time limits.
    pub nodes: Option<u64>,
}

impl Options {
    /// Returns the options before the client sets any.
    pub fn new(settings: Settings) -> Options {
        Options {
            hash_mb: settings.hash_mb,
            overhead: DEFAULT_OVERHEAD,
            is_chess960: false,
            lines: 1,
            shows_wdl: false,
            is_limited: false,
            elo: MAX_ELO,
            nodes: settings.nodes,
        }
    }
}

/// Returns the beginning of a text, for messages.
pub fn cut(text: &str) -> String {
    text.chars().take(60).collect()
}
