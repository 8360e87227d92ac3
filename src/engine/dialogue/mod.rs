//! Common parts of the protocols between a judge and a player: the player interface, lines of limited length, and
//! errors. Each protocol has its own module.

pub mod codecup;
pub mod codingame;

use super::clock::Clock;
use super::pipes::Input;
use super::score::Score;
use std::fmt;
use std::io::{self, BufRead, Write};

/// A player of a contest's game.
pub trait Player {
    /// Plays a move for the side to move. Setups count as moves. The error says what is wrong and what was expected.
    fn play(&mut self, text: &str) -> Result<(), String>;

    /// Continues after a line that `play` has rejected, because the judge is right: makes the move as well as possible
    /// although it breaks our rules, or an unknown move if `text` is `None`. Returns false, with the game unchanged, if
    /// the text is no move or the player does not support this.
    fn force(&mut self, _text: Option<&str>) -> bool {
        false
    }

    /// Chooses a move for the side to move, plays it and returns its text; `None` if there is no legal move.
    fn answer(&mut self, clock: &Clock) -> Option<String>;

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

    /// Tells the player a constant of a judge that sends constants. Unknown ones have no effect.
    fn set_constant(&mut self, _name: &str, _value: &str) {}

    /// Returns the answer to a turn for which the judge has sent the complete state: one of its moves, or `None` if the
    /// player does not support such judges.
    fn turn(&mut self, _turn: &Turn, _clock: &Clock) -> Option<String> {
        None
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
}

/// A protocol: a function that runs the dialogue of a player with a judge. Arguments: player, clock, input from the
/// judge, output to the judge, log.
pub type Protocol = fn(
    &mut dyn Player,
    &mut Clock,
    &mut dyn Input,
    &mut dyn Write,
    &mut dyn Write,
) -> Result<(), DialogueError>;

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

/// Maximum line length in bytes. The longest line that a judge has reason to send, the opening of a whole game, has
/// about 600.
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
    let mut short: String = text.chars().take(MAX_QUOTE).collect();
    short.push_str("...");
    short
}
