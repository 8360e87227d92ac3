//! The interface of a game to the tools. The adapter of each game implements [`GameState`] and fills in an
//! [`entry::Entry`]; the modules here define the types of the entry's capabilities.

pub mod alpha_beta;
pub mod analysis;
pub mod bench;
pub mod board;
pub mod by_hand;
pub mod engines;
pub mod entry;
pub mod evaluation;
pub mod format;
pub mod game_files;
pub mod judge;
pub mod lessons;
pub mod levels;
pub mod multi_pv;
pub mod openings;
pub mod opponent;
pub mod params;
pub mod perft;
pub mod record;
pub mod review;
pub mod rules;
pub mod score_judge;
pub mod score_note;
pub mod score_table;
pub mod settings;
pub mod sight;

use crate::engine::rng::Rng;
use serde::{Deserialize, Serialize};
use sight::Sight;
use std::ops::Not;

/// The sides of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The side that begins.
    First,
    /// The other side.
    Second,
}

impl Side {
    /// Both sides, in order.
    pub const ALL: [Side; 2] = [Side::First, Side::Second];

    /// Returns 0 for the side that begins, 1 for the other.
    pub fn index(self) -> usize {
        self as usize
    }

    /// Returns the side to move after `plies` plies, if the sides alternate.
    pub fn to_move_after(plies: usize) -> Side {
        Side::ALL[plies % 2]
    }
}

impl Not for Side {
    type Output = Side;

    fn not(self) -> Side {
        Side::ALL[1 - self.index()]
    }
}

/// Reason why a move is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Whether the text is at least in the form of a move.
    pub is_move: bool,
    /// The reason, in words.
    pub reason: String,
}

/// End of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct End {
    /// The winner; `None` for a draw and in games without a winner.
    pub winner: Option<Side>,
    /// Contest points of both sides.
    pub points: [f64; 2],
    /// The reason, as a word for records.
    pub reason: &'static str,
    /// Other facts that the contest counts, by side.
    pub facts: [Vec<Fact>; 2],
}

impl End {
    /// Creates an end without other facts.
    pub fn new(winner: Option<Side>, points: [f64; 2], reason: &'static str) -> End {
        End { winner, points, reason, facts: [Vec::new(), Vec::new()] }
    }
}

/// A fact that a contest counts in addition to the points, e.g. a claim to win.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fact {
    /// Name; matches add up the values by name.
    pub name: String,
    /// Value.
    pub value: f64,
    /// Whether a correct player never does this.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_fault: bool,
}

impl Fact {
    /// Creates a fact that is not a fault.
    pub fn new(name: &str, value: f64) -> Fact {
        Fact { name: name.to_string(), value, is_fault: false }
    }

    /// Creates a fault with the value 1.
    pub fn fault(name: &str) -> Fact {
        Fact { name: name.to_string(), value: 1.0, is_fault: true }
    }
}

/// A game in progress.
pub trait GameState: Send + Sync {
    /// Returns a copy.
    fn copy(&self) -> Box<dyn GameState>;

    /// Plays a move in the contest's notation.
    fn play(&mut self, text: &str) -> Result<(), Refused>;

    /// Returns all moves in the contest's notation.
    fn texts(&self) -> Vec<String>;

    /// Number of moves made, including those before a start position.
    fn ply(&self) -> usize {
        self.texts().len()
    }

    /// Returns the side to move.
    fn side(&self) -> Side;

    /// Returns a uniformly random legal move, if any.
    fn random_move(&self, rng: &mut Rng) -> Option<String>;

    /// Returns the move of a player who looks one move ahead with this sight, if there is a legal one.
    fn casual_move(&self, sight: &Sight) -> Option<String> {
        self.random_move(&mut sight.rng())
    }

    /// Returns how the game ended by its rules, if it is over.
    fn end(&self) -> Option<End>;

    /// Returns how the game ends if this side fails now (illegal move, crash, time).
    fn forfeit(&self, loser: Side) -> End;

    /// Returns how the game ends if it is adjudicated a draw; `None` if its rules have no draw.
    fn draw(&self) -> Option<End> {
        None
    }
}

impl Clone for Box<dyn GameState> {
    fn clone(&self) -> Box<dyn GameState> {
        self.copy()
    }
}

/// Returns a word with an upper-case first letter.
pub fn capitalised(word: &str) -> String {
    let mut characters = word.chars();
    let first = characters.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + characters.as_str()
}

/// Whether the side to move has a legal move.
pub fn can_move(game: &dyn GameState) -> bool {
    game.random_move(&mut Rng::new(0)).is_some()
}
