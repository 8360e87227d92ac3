//! The interface of a game to the tools. The adapter of each game implements [`GameState`] and fills in an
//! [`entry::Entry`]; the modules here define the types of the entry's capabilities.

pub mod alpha_beta;
pub mod analysis;
pub mod board;
pub mod by_hand;
pub mod engines;
pub mod entry;
pub mod game_files;
pub mod judge;
pub mod lessons;
pub mod levels;
pub mod openings;
pub mod opponent;
pub mod params;
pub mod record;
pub mod review;
pub mod score_judge;
pub mod score_note;
pub mod score_table;
pub mod sight;

use crate::engine::rng::Rng;
use anyhow::Result;
use serde::{Deserialize, Serialize};
use sight::Sight;
use std::fmt;
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

/// Names, words and start of a game.
pub struct Rules {
    /// Name of its module in `games` and `labs`.
    pub id: &'static str,
    /// Name on the command line and in records.
    pub name: &'static str,
    /// Title of the game.
    pub title: &'static str,
    /// Names of the sides in records and reports, the side that begins first.
    pub sides: [&'static str; 2],
    /// Marks that the rules allow after any move, e.g. a claim to win.
    pub marks: &'static [char],
    /// Reasons for an end by the rules, as written in records.
    pub end_reasons: &'static [&'static str],
    /// Creates a game from the beginning or from a position as written in records.
    pub begin: fn(Option<&str>) -> Result<Box<dyn GameState>>,
}

impl Rules {
    /// Returns the name of a side.
    pub fn side_name(&self, side: Side) -> &'static str {
        self.sides[side.index()]
    }

    /// Returns the side with this name.
    pub fn side(&self, name: &str) -> Option<Side> {
        Side::ALL.into_iter().find(|&side| self.side_name(side) == name)
    }
}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// Rules are equal if their names are.
impl PartialEq for Rules {
    fn eq(&self, other: &Rules) -> bool {
        self.name == other.name
    }
}

/// Settings of a player.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Maximum hash table size in MiB.
    pub hash_mb: usize,
    /// Nodes per move instead of the clock.
    pub nodes: Option<u64>,
}

impl Settings {
    /// Creates a player with these settings. `new` creates one with a hash table of this size in MiB; `with_nodes` sets
    /// its nodes per move.
    pub fn player<P>(self, new: impl Fn(usize) -> P, with_nodes: impl Fn(P, u64) -> P) -> P {
        let player = new(self.hash_mb);
        match self.nodes {
            Some(nodes) => with_nodes(player, nodes),
            None => player,
        }
    }
}
