//! The interface between games and tools. Each game's adapter implements [`GameState`], which uses text for
//! moves and positions, and provides an [`entry::Entry`]; the modules here define the parts of an entry.

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
pub mod openings;
pub mod opponent;
pub mod page;
pub mod params;
pub mod perft;
pub mod record;
pub mod rules;
pub mod score_note;
pub mod settings;

use crate::engine::rng::Rng;
use serde::{Deserialize, Serialize};
use std::ops::Not;

/// A side, independent of its name in the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The side that begins.
    First,
    /// The side that moves second.
    Second,
}

impl Side {
    /// Both sides, in the order of their first moves.
    pub const ALL: [Side; 2] = [Side::First, Side::Second];

    /// Returns 0 for the side that begins, 1 for the other.
    pub fn index(self) -> usize {
        self as usize
    }

    /// Returns the side to move after `plies` moves, if the sides alternate.
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
    /// Whether the text has the form of a move.
    pub is_move: bool,
    /// The reason, in words.
    pub reason: String,
}

/// End of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct End {
    /// The winner; `None` for a draw, and in games without winners.
    pub winner: Option<Side>,
    /// Contest points of both sides.
    pub points: [f64; 2],
    /// Reason, as in records.
    pub reason: &'static str,
    /// Further statistics of both sides.
    pub facts: [Vec<Fact>; 2],
}

impl End {
    /// Creates an end without further statistics.
    pub fn new(winner: Option<Side>, points: [f64; 2], reason: &'static str) -> End {
        End { winner, points, reason, facts: [Vec::new(), Vec::new()] }
    }
}

/// A statistic of a side in one game, e.g. the number of claims to win.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fact {
    /// Name; matches add up the values of each name.
    pub name: String,
    /// Value.
    pub value: f64,
    /// Whether it counts errors that a correct player never makes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_fault: bool,
}

impl Fact {
    /// Creates a statistic that does not count faults.
    pub fn new(name: &str, value: f64) -> Fact {
        Fact { name: name.to_string(), value, is_fault: false }
    }

    /// Creates a statistic that counts one fault.
    pub fn fault(name: &str) -> Fact {
        Fact { name: name.to_string(), value: 1.0, is_fault: true }
    }
}

/// The state of a game, with its rules.
pub trait GameState: Send + Sync {
    /// Clones the game.
    fn copy(&self) -> Box<dyn GameState>;

    /// Plays a move in the contest's notation.
    fn play(&mut self, text: &str) -> Result<(), Refused>;

    /// Returns all moves, including setups, in the contest's notation.
    fn texts(&self) -> Vec<String>;

    /// Returns the number of moves made, including those before the start position.
    fn ply(&self) -> usize {
        self.texts().len()
    }

    /// Returns the side to move.
    fn side(&self) -> Side;

    /// Returns a uniformly random legal move; `None` if there is none.
    fn random_move(&self, rng: &mut Rng) -> Option<String>;

    /// Returns how the game ended by its rules; `None` if it is not over.
    fn end(&self) -> Option<End>;

    /// Returns the end of the game if this side forfeits it now (illegal move, crash, time exceeded).
    fn forfeit(&self, loser: Side) -> End;
}

impl Clone for Box<dyn GameState> {
    fn clone(&self) -> Box<dyn GameState> {
        self.copy()
    }
}

/// Capitalises the first letter.
pub fn capitalised(word: &str) -> String {
    let mut characters = word.chars();
    let first = characters.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + characters.as_str()
}

/// Returns whether the side to move has a legal move.
pub fn can_move(game: &dyn GameState) -> bool {
    game.random_move(&mut Rng::new(0)).is_some()
}
