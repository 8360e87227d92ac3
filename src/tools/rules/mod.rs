//! The games as the referee, the records and the random players see them: texts in, results out.

mod zero_point_one;
mod zuniq;

use crate::engine::rng::Rng;
use crate::games::{zero_point_one as zpo, zuniq as zun};
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

    /// The side of this name in any of the games.
    pub fn named(name: &str) -> Option<Side> {
        let games = [zpo::game::Game::SIDES, zun::game::Game::SIDES];
        Side::ALL.into_iter().find(|side| games.iter().any(|names| names[side.index()] == name))
    }
}

impl Not for Side {
    type Output = Side;

    fn not(self) -> Side {
        Side::ALL[1 - self.index()]
    }
}

/// How a game ended by its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// `None` for a draw.
    pub winner: Option<Side>,
    /// What ended it, in a word for records.
    pub reason: &'static str,
}

/// Why a text is not played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Is it at least a move in form?
    pub is_move: bool,
    /// What is wrong, in words.
    pub reason: String,
}

/// A claim to win, made with a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// The number of the move.
    #[serde(rename = "move")]
    pub number: usize,
    /// The points that it brought; `None` where it turned out false.
    pub bonus: Option<u64>,
}

/// What a game brings a side in its contest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Points {
    /// The points, the bonus of a claim included.
    pub total: u64,
    /// The claim that the side made, in games that know claims.
    pub claim: Option<Claim>,
}

/// A game in progress, by its rules.
pub trait Rules: Clone + Default + Send + Sync {
    /// The name on the command line.
    const NAME: &'static str;
    /// What the sides are called in records and reports, the one that begins first.
    const SIDES: [&'static str; 2];
    /// The mark of a claim behind a move, where the game knows claims.
    const CLAIM_MARK: Option<char>;

    /// Plays a move of the dialogue.
    fn play(&mut self, text: &str) -> Result<(), Refused>;

    /// All that was played, as the dialogue writes it.
    fn texts(&self) -> Vec<String>;

    /// The number of moves played.
    fn ply(&self) -> usize;

    /// The side to move.
    fn to_move(&self) -> Side;

    /// How the game ended, if it has.
    fn end(&self) -> Option<End>;

    /// Is there a move?
    fn can_move(&self) -> bool;

    /// One of the moves, all equally likely; `None` where there is none.
    fn random_move(&self, rng: &mut Rng) -> Option<String>;

    /// The contest's points of both sides. `failed`: the loser lost by a fault of its own.
    fn points(&self, winner: Option<Side>, failed: bool) -> [Points; 2];

    /// The name of a side.
    fn side_name(side: Side) -> &'static str {
        Self::SIDES[side.index()]
    }
}

/// A draw in records.
pub const DRAW: &str = "draw";
/// How wins come about by the rules, in records: the wazir is captured, the loser can't move.
pub const WINS: [&str; 2] = ["wazir", "stuck"];
