//! Requests of the page: parsing with limits. Every error is a sentence that the page shows.

use super::http::{Failure, StatusCode};
use crate::engine::score::Score;
use crate::tools::contracts::board::BoardPage;
use crate::tools::contracts::entry::Entry;
use crate::tools::contracts::record::{Annotations, Note, Outcome, Record};
use crate::tools::contracts::Rules;
use crate::tools::labs::registry;
use crate::tools::labs::registry::entry;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Maximum body of a request in bytes; match records may be larger.
pub const MAX_BODY: usize = 2 << 20;
/// Maximum size of a match record, in bytes.
pub const MAX_LOG: usize = 16 << 20;
/// Maximum number of moves of a game, and maximum length of a move (which may be a position) in bytes: more than any
/// game needs.
const MAX_MOVES: usize = 2_000;
const MAX_WORD: usize = 128;
/// Maximum length of a start position, in bytes.
const MAX_START: usize = 400;

/// A game as exchanged between page and server.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameText {
    /// Name of the rules.
    pub game: String,
    /// Start position, if it is not the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// All moves, including setups, in the contest's notation.
    #[serde(default)]
    pub moves: Vec<String>,
    /// Identifier of the game in its file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Recorded outcome.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// Names of the players, the side that begins first.
    #[serde(default)]
    pub players: [Option<String>; 2],
    /// Notes of a review.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
    /// Scores for the mover before the moves, by move number (1: the first of `moves`).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub scores: BTreeMap<usize, Score>,
    /// Other tags, e.g. event and date.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<(String, String)>,
    /// Comments and variations.
    #[serde(default, skip_serializing_if = "Annotations::is_empty")]
    pub annotations: Annotations,
}

impl GameText {
    /// Returns it as a record.
    pub fn record(self) -> Result<Record, Failure> {
        let too_long = |what: &str| Failure::new(StatusCode::PAYLOAD_TOO_LARGE, what);
        if self.moves.len() > MAX_MOVES {
            return Err(too_long("the game has too many moves"));
        }
        if self.moves.iter().any(|word| word.len() > MAX_WORD) {
            return Err(too_long("a move is too long"));
        }
        if self.start.as_ref().is_some_and(|start| start.len() > MAX_START) {
            return Err(too_long("the position is too long"));
        }
        Ok(Record {
            id: self.id,
            outcome: self.outcome,
            players: self.players,
            notes: self.notes,
            scores: self.scores,
            tags: self.tags,
            annotations: self.annotations,
            ..Record::new(game(&self.game)?.rules, self.start, self.moves)
        })
    }

    /// Formats a record as text.
    pub fn of(record: Record) -> GameText {
        GameText {
            game: record.game.name.to_string(),
            start: record.start,
            moves: record.moves,
            id: record.id,
            outcome: record.outcome,
            players: record.players,
            notes: record.notes,
            scores: record.scores,
            tags: record.tags,
            annotations: record.annotations,
        }
    }
}

/// Returns the game with this name, which must have a board.
pub fn game(name: &str) -> Result<&'static Entry, Failure> {
    let found = registry::find(name).filter(|game| game.tools.board.is_some());
    found.ok_or_else(|| {
        Failure::new(StatusCode::NOT_FOUND, format!("no game {name:?} with a board"))
    })
}

/// Returns the board of a game.
pub fn board_page(rules: &Rules) -> Result<&'static BoardPage, Failure> {
    let game = entry(rules);
    Ok(game.require(&game.tools.board, "board in the browser")?)
}
