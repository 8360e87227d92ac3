//! A game as the instruments see it: texts in, results out. Each game's adapter implements [`GameState`]
//! and fills in an [`entry::Entry`]; the modules here are the types of the entry's capabilities.

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

/// The sides of a game, whatever they are called in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The side that begins.
    First,
    /// The side that answers.
    Second,
}

impl Side {
    /// Both, the one that begins first.
    pub const ALL: [Side; 2] = [Side::First, Side::Second];

    /// 0 for the side that begins, 1 for the other.
    pub fn index(self) -> usize {
        self as usize
    }

    /// The side to move after `plies` moves, where the sides take turns.
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

/// Why a text is not played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Is it at least a move in form?
    pub is_move: bool,
    /// What is wrong, in words.
    pub reason: String,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq)]
pub struct End {
    /// `None` for a draw, and for games that nobody wins.
    pub winner: Option<Side>,
    /// The contest's points of both sides.
    pub points: [f64; 2],
    /// What ended it, in a word for records.
    pub reason: &'static str,
    /// What else the contest counts of both sides.
    pub facts: [Vec<Fact>; 2],
}

impl End {
    /// An end of which nothing else is counted.
    pub fn new(winner: Option<Side>, points: [f64; 2], reason: &'static str) -> End {
        End { winner, points, reason, facts: [Vec::new(), Vec::new()] }
    }
}

/// Something that a contest counts of a side beside its points, such as a claim to win.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fact {
    /// What is counted; matches add up the values of each name.
    pub name: String,
    /// How much of it.
    pub value: f64,
    /// Does a sound player never do this?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_fault: bool,
}

impl Fact {
    /// A fact that is no fault.
    pub fn new(name: &str, value: f64) -> Fact {
        Fact { name: name.to_string(), value, is_fault: false }
    }

    /// One more of what a sound player never does.
    pub fn fault(name: &str) -> Fact {
        Fact { name: name.to_string(), value: 1.0, is_fault: true }
    }
}

/// A game in progress, by its rules.
pub trait GameState: Send + Sync {
    /// The same game once more.
    fn copy(&self) -> Box<dyn GameState>;

    /// Plays a move, as the contest writes it.
    fn play(&mut self, text: &str) -> Result<(), Refused>;

    /// All that was played, as the contest writes it.
    fn texts(&self) -> Vec<String>;

    /// The number of moves made, those before a start position included.
    fn ply(&self) -> usize {
        self.texts().len()
    }

    /// The side to move.
    fn side(&self) -> Side;

    /// One of the moves, all equally likely; `None` where there is none.
    fn random_move(&self, rng: &mut Rng) -> Option<String>;

    /// How the game ended by its rules, if it has.
    fn end(&self) -> Option<End>;

    /// How it ends if this side fails now: an illegal move, a crash, too much time.
    fn forfeit(&self, loser: Side) -> End;
}

impl Clone for Box<dyn GameState> {
    fn clone(&self) -> Box<dyn GameState> {
        self.copy()
    }
}

/// A word at the head of a sentence.
pub fn capitalised(word: &str) -> String {
    let mut characters = word.chars();
    let first = characters.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + characters.as_str()
}

/// Does the side to move have a move?
pub fn can_move(game: &dyn GameState) -> bool {
    game.random_move(&mut Rng::new(0)).is_some()
}
