//! A game as it was recorded.

use super::entry::Entry;
use super::{GameState, Side};
use crate::engine::score::Score;
use anyhow::Result;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fmt;

/// A draw.
pub const DRAW: &str = "draw";

/// What is known of a move or a position, in the game's own form. Each has at least a `ply`, the number
/// of the move in the game.
pub type Note = Map<String, Value>;

/// A game as it was recorded: nothing of it is checked before it is replayed.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// What was played.
    pub game: &'static Entry,
    /// The name of this one game.
    pub id: Option<String>,
    /// The winning side or `draw`; `SIDE-WHY` where the other side failed.
    pub outcome: Option<String>,
    /// Who played, the one that begins first.
    pub players: [Option<String>; 2],
    /// The position where the moves begin, if not at the beginning.
    pub start: Option<String>,
    /// The moves, as written.
    pub moves: Vec<String>,
    /// How many of them were given as an opening.
    pub opening: usize,
    /// The notes of an analysis, in no particular order.
    pub notes: Vec<Note>,
    /// The movers' scores of the positions before their moves, by the number of the move (1: the first
    /// of `moves`), each from its mover's view.
    pub scores: BTreeMap<usize, Score>,
}

/// A move of a record that can't be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayError {
    /// The number of the move in the game.
    pub ply: usize,
    /// The move as written.
    pub text: String,
    /// What is wrong with it.
    pub reason: String,
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ply {} {:?}: {}", self.ply, self.text, self.reason)
    }
}

impl std::error::Error for ReplayError {}

impl Record {
    /// A record of nothing but moves, perhaps from a position on.
    pub fn new(game: &'static Entry, start: Option<String>, moves: Vec<String>) -> Record {
        Record {
            game,
            id: None,
            outcome: None,
            players: [None, None],
            start,
            moves,
            opening: 0,
            notes: Vec::new(),
            scores: BTreeMap::new(),
        }
    }

    /// Plays all moves by the rules.
    pub fn replay(&self) -> Result<Box<dyn GameState>> {
        let mut game = (self.game.begin)(self.start.as_deref())?;
        self.play_on(game.as_mut())?;
        Ok(game)
    }

    /// Plays all moves in a game that stands at the record's beginning.
    pub fn play_on(&self, game: &mut dyn GameState) -> Result<(), ReplayError> {
        for text in &self.moves {
            game.play(text).map_err(|refused| ReplayError {
                ply: game.ply() + 1,
                text: text.clone(),
                reason: refused.reason,
            })?;
        }
        Ok(())
    }
}

/// The outcome of a game in the words of a record; `None` while it goes on.
pub fn outcome_word(entry: &Entry, game: &dyn GameState) -> Option<&'static str> {
    Some(game.end()?.winner.map_or(DRAW, |side| entry.side_name(side)))
}

/// A mover's score from the view of the side that begins.
pub fn for_first(score: Score, side: Side) -> Score {
    match side {
        Side::First => score,
        Side::Second => -score,
    }
}
