//! Common parts of the protocols between a judge and a player: the player interface, lines of limited length, and
//! errors. Each protocol has its own module.

pub mod codecup;
pub mod codingame;

use super::clock::Clock;
use super::pipes::Input;
use super::score::Score;
use std::fmt;
use std::io::{self, BufRead, Write};
use std::time::Duration;

/// A player of a contest's game.
pub trait Player {
    /// Plays a move for the side to move. Setups count as moves. The error says what is wrong and what was expected.
    fn play(&mut self, text: &str) -> Result<(), String>;

    /// Continues after a line that `play` has rejected, because the judge is right: makes the move as well as possible
    /// although it breaks our rules, or an unknown move if `text` is `None`. Returns false, with the game unchanged, if
    /// the text is not a move or the player does not support this.
    fn force(&mut self, _text: Option<&str>) -> bool {
        false
    }

    /// Updates the game to a turn of a judge that sends the complete state; the next answer is for this turn. The error
    /// says what contradicts the game so far or the rules, or that the player does not support such judges.
    fn follow(&mut self, _turn: &Turn) -> Result<(), String> {
        Err("a position: expected moves".to_string())
    }

    /// Chooses a move for the side to move and plays it; `None` if there is no legal move.
    fn answer(&mut self, clock: &Clock) -> Option<Answer>;

    /// Whether the game is over.
    fn is_over(&self) -> bool;

    /// Returns the report on the last answer.
    fn report(&self) -> Report;

    /// Prepares for the game before the first line, e.g. reads a network, if the time budget allows it.
    fn prepare(&mut self, _clock: &Clock) {}

    /// Whether searches are limited by the clock. If not, games are reproducible.
    fn is_limited_by_clock(&self) -> bool {
        true
    }

    /// Passes a constant to the player, for judges that send constants. Unknown ones have no effect.
    fn set_constant(&mut self, _name: &str, _value: &str) {}
}

/// An answer of a player.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// Text of the move.
    pub mv: String,
    /// Comment for spectators; empty without one, and if the protocol has no comments.
    pub comment: String,
}

/// An answer without a comment.
impl From<String> for Answer {
    fn from(mv: String) -> Answer {
        Answer { mv, comment: String::new() }
    }
}

/// One turn of a multi-game match as sent by the judge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Turn {
    /// Position in the game's notation.
    pub position: String,
    /// Legal moves, at least one.
    pub moves: Vec<String>,
    /// The opponent's last move; `None` if it has not moved yet.
    pub last_move: Option<String>,
    /// Whether the opponent has just offered a draw.
    pub is_draw_offered: bool,
    /// Number of the game in the match, from 1.
    pub game: usize,
    /// Half-points of the player and of the opponent in the match before this game.
    pub score: [i32; 2],
}

/// A player's report on its last answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// A short line for the log.
    pub text: String,
    /// Score for the side that moved; `None` if it was not searched.
    pub score: Option<Score>,
    /// Number of nodes searched; 0 if the player does not count them.
    pub nodes: u64,
    /// Longest time between two clock readings of the search, if the clock limited it: see [`Clock::note_pause`].
    pub longest_pause: Duration,
}

/// A protocol: a function that runs the dialogue of a player with a judge.
pub type Protocol = fn(Session) -> Result<(), DialogueError>;

/// A player and its connection with the judge.
pub struct Session<'a> {
    /// The player.
    pub player: &'a mut dyn Player,
    /// The player's clock.
    pub clock: &'a mut Clock,
    /// Lines from the judge.
    pub input: &'a mut dyn Input,
    /// Lines to the judge.
    pub output: &'a mut dyn Write,
    /// Lines for the author of the player.
    pub log: &'a mut dyn Write,
}

impl Session<'_> {
    /// Pauses the clock if no line has arrived: waiting for it is not charged.
    fn await_line(&mut self) {
        if !self.input.has_input() {
            self.clock.wait_for_line();
        }
    }

    /// Reads the next line.
    fn read_line(&mut self) -> Result<Line, DialogueError> {
        read_line(self.input).map_err(DialogueError::Io)
    }

    /// Sends an answer, with the player's report in the log. Returns false if the judge has closed the output. The log
    /// and the charge are written before the answer, because the judge suspends the process once it has read that.
    fn send(&mut self, text: &str) -> bool {
        let report = self.player.report();
        // The judge keeps a limited log, so an empty report gets no line.
        if !report.text.is_empty() {
            let used = self.clock.spent().as_secs_f64();
            self.note(&format!("{} used {:.3}", report.text, used));
        }
        self.clock.note_pause(report.longest_pause);
        self.clock.answered();
        let line = format!("{}\n", text);
        self.output.write_all(line.as_bytes()).and_then(|()| self.output.flush()).is_ok()
    }

    /// Writes a line to the log in a single write, because several players may share a log. Write errors are ignored: a
    /// game must not fail because the log has no reader.
    fn note(&mut self, text: &str) {
        let _ = self.log.write_all(format!("{}\n", text).as_bytes());
    }
}

/// An error in a dialogue.
#[derive(Debug)]
pub enum DialogueError {
    /// A line is invalid.
    Line {
        /// Line number, from 1.
        number: usize,
        /// The line, truncated if it is long.
        text: String,
        /// The error, including what was expected.
        reason: String,
    },
    /// Reading failed.
    Io(io::Error),
}

impl fmt::Display for DialogueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DialogueError::Line { number, text, reason } => {
                write!(f, "line {} {:?}: {}", number, text, reason)
            }
            DialogueError::Io(error) => write!(f, "reading the dialogue: {}", error),
        }
    }
}

impl std::error::Error for DialogueError {}

/// Maximum line length in bytes. The longest line that a judge has reason to send, the opening of a whole game, has up
/// to 2,600.
pub const MAX_LINE: u64 = 8192;
/// Maximum length of a line in an error message, in characters.
const MAX_QUOTE: usize = 60;

/// The next line of the input.
enum Line {
    /// A line without line end and surrounding white space.
    Text(String),
    /// The beginning of a line of more than [`MAX_LINE`] bytes.
    TooLong(String),
    /// End of the input.
    End,
}

impl Line {
    fn text(&self) -> &str {
        match self {
            Line::Text(text) | Line::TooLong(text) => text,
            Line::End => "",
        }
    }
}

fn read_line(input: &mut dyn Input) -> io::Result<Line> {
    let mut bytes = Vec::new();
    let mut limited = io::Read::take(input, MAX_LINE + 1);
    limited.read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(Line::End);
    }
    let text = String::from_utf8_lossy(&bytes).trim().to_string();
    let complete = bytes.ends_with(b"\n") || bytes.len() as u64 <= MAX_LINE;
    Ok(if complete { Line::Text(text) } else { Line::TooLong(text) })
}

/// Truncates a text for an error message.
fn quote(text: &str) -> String {
    if text.chars().count() <= MAX_QUOTE {
        return text.to_string();
    }
    format!("{:.*}...", MAX_QUOTE, text)
}
