//! What an analysis of a game says of a move.

use super::{replay, rules};
use crate::engine::score::Score;
use crate::tools::contracts::analysis::Mark;
use crate::tools::contracts::record::{for_first, Record};
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What is known of one move of a game, or of the position in which the next one is due.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ScoreNote {
    /// The number of the move in the record, from 1, of both sides' moves.
    pub ply: usize,
    /// The side that moves.
    #[serde(default)]
    pub side: String,
    /// The move played, in SAN; `None` where the record ends here.
    #[serde(rename = "move", default, skip_serializing_if = "Option::is_none")]
    pub mv: Option<String>,
    /// The score of the position before the move from White's view, in hundredths of a pawn; see
    /// [`crate::engine::score`].
    pub score: Score,
    /// The depth of the search that found it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<i32>,
    /// The nodes of that search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The expected line in SAN, its first move being the best one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub line: Vec<String>,
    /// What the move cost the mover, compared with the best one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss: Option<Score>,
    /// What is wrong with the move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<Mark>,
}

/// The notes of a record's analysis, or else those that follow from the scores of a match.
pub fn notes_of(record: &Record) -> Result<Vec<ScoreNote>> {
    let parse = |note: &Map<String, Value>| serde_json::from_value(Value::Object(note.clone()));
    let notes: Result<Vec<ScoreNote>, _> = record.notes.iter().map(parse).collect();
    let notes = notes.context("\"analysis\"")?;
    if !notes.is_empty() || record.scores.is_empty() {
        return Ok(notes);
    }
    let start = rules::begin(record.start.as_deref())?;
    let first = start.position().side();
    let before = replay::texts_before_moves(record);
    let note = |(&number, &score): (&usize, &Score)| {
        let ply = number.checked_sub(before).filter(|&ply| ply > 0)?;
        let side = if ply % 2 == 1 { first } else { !first };
        let score = for_first(score, side.into());
        let side = rules::RULES.sides[side.index()].to_string();
        Some(ScoreNote { ply, side, score, ..ScoreNote::default() })
    };
    Ok(record.scores.iter().filter_map(note).collect())
}
