//! What all protocols between a judge and a player have in common: the player, lines of limited
//! length, and what can go wrong. Each protocol is a module of its own.

pub mod codecup;
pub mod codingame;

use super::clock::Clock;
use super::pipes::Input;
use super::score::Score;
use std::fmt;
use std::io::{self, BufRead, Write};

/// A player of one game of some contest.
pub trait Player {
    /// Plays a move of the game, of whichever side it is on; setups count as moves. The error says
    /// what is wrong and what was expected.
    fn play(&mut self, text: &str) -> Result<(), String>;

    /// Chooses a move for the side to move, plays it and returns its text; `None` where there is no
    /// move.
    fn answer(&mut self, clock: &Clock) -> Option<String>;

    /// Is the game over?
    fn is_over(&self) -> bool;

    /// What the player thought when it last answered.
    fn report(&self) -> Report;

    /// Gets ready before the first line: does what is done once, such as reading a network, if the budget
    /// allows it.
    fn prepare(&mut self, _clock: &Clock) {}

    /// Does the clock limit it? If not, its games can be repeated exactly.
    fn is_limited_by_clock(&self) -> bool {
        true
    }

    /// Answers a turn of a judge that sends all that there is to know of it; one of its moves, or
    /// `None` where the player does not know the game from such turns.
    fn turn(&mut self, _turn: &Turn, _clock: &Clock) -> Option<String> {
        None
    }
}

/// All that a judge tells of one turn of a match of several games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Turn {
    /// The position, in the game's notation.
    pub position: String,
    /// The legal moves, at least one.
    pub moves: Vec<String>,
    /// The opponent's last move; `None` before the first one.
    pub last_move: Option<String>,
    /// Has the opponent just offered a draw?
    pub is_draw_offered: bool,
    /// The number of the game in the match, from 1.
    pub game: usize,
    /// Our and the opponent's half-points in the match before this game.
    pub score: [i32; 2],
}

/// What a player thought when it last answered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// One short line for the log.
    pub text: String,
    /// The score of the position for the side that moved, where the search found one.
    pub score: Option<Score>,
    /// Nodes searched for this answer; 0 where the player does not count them.
    pub nodes: u64,
}

/// A protocol: plays one game of a player by the judge's lines. Arguments: the player, its clock,
/// the judge's lines, the answers, the log.
pub type Protocol = fn(
    &mut dyn Player,
    &mut Clock,
    &mut dyn Input,
    &mut dyn Write,
    &mut dyn Write,
) -> Result<(), DialogueError>;

/// What went wrong in a dialogue.
#[derive(Debug)]
pub enum DialogueError {
    /// A line can't be obeyed.
    Line {
        /// Counted from 1.
        number: usize,
        /// The line, cut where it is long.
        text: String,
        /// What is wrong with it and what was expected.
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

/// The longest line that is read, in bytes. The longest that a judge has reason to send, an opening
/// of a whole game, has about 600.
pub const MAX_LINE: u64 = 8192;
/// How much of a bad line an error message shows, in characters.
const MAX_QUOTE: usize = 60;

/// What the input holds next.
enum Line {
    /// A line without its end and surrounding blanks.
    Text(String),
    /// The beginning of a line of more than [`MAX_LINE`] bytes.
    TooLong(String),
    /// Nothing more.
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

/// A text cut to what an error message can show.
fn quote(text: &str) -> String {
    if text.chars().count() <= MAX_QUOTE {
        return text.to_string();
    }
    let mut short: String = text.chars().take(MAX_QUOTE).collect();
    short.push_str("...");
    short
}
