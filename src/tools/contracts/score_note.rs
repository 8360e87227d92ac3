//! Notes on moves from the scores of an alpha-beta search.

use super::analysis::{parse_notes, Mark};
use super::board::{Finding, Line, View};
use super::record::{clamped, for_first, Record};
use super::{Rules, Side};
use crate::engine::alpha_beta::SearchResult;
use crate::engine::score::Score;
use anyhow::Result;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// Slope of the winning chances per hundredth: the value that lichess has fitted to games of chess.
const CHANCES_SLOPE: f64 = 0.003_682_08;

/// Note on a move, or on the last position if no move follows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ScoreNote {
    /// Number of the move, from 1, over both sides; setups count.
    pub ply: usize,
    /// The side to move.
    #[serde(default)]
    pub side: String,
    /// The move played; `None` at the end of the record.
    #[serde(rename = "move", default, skip_serializing_if = "Option::is_none")]
    pub mv: Option<String>,
    /// Score of the position before the move from the first side's point of view, in hundredths; see
    /// [`crate::engine::score`].
    pub score: Score,
    /// Depth of the search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<i32>,
    /// Nodes of the search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Principal variation, beginning with the best move.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub line: Vec<String>,
    /// Loss of the move compared with the best one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss: Option<Score>,
    /// Mark of a bad move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<Mark>,
    /// Whether the results with the best move and after the move played are proved.
    #[serde(default, rename = "certain", skip_serializing_if = "std::ops::Not::not")]
    pub is_certain: bool,
    /// Why the move is bad, if the line alone does not show it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// Returns the notes of a record's analysis or, without one, notes made from the scores of its match. `mover` returns
/// the ply of a numbered move and the side that makes it.
pub fn notes_of(
    record: &Record,
    mover: impl Fn(usize) -> Option<(usize, Side)>,
) -> Result<Vec<ScoreNote>> {
    let mut notes: Vec<ScoreNote> = parse_notes(&record.notes)?;
    notes.iter_mut().for_each(|note| note.score = clamped(note.score));
    if !notes.is_empty() {
        return Ok(notes);
    }
    let note = |(&number, &score): (&usize, &Score)| {
        let (ply, side) = mover(number)?;
        let (score, side) = (for_first(score, side), record.game.side_name(side).to_string());
        Some(ScoreNote { ply, side, score, ..ScoreNote::default() })
    };
    Ok(record.scores.iter().filter_map(note).collect())
}

/// Returns the note on the move with this number.
pub fn find(notes: &[ScoreNote], ply: usize) -> Option<&ScoreNote> {
    notes.iter().find(|note| note.ply == ply)
}

impl ScoreNote {
    /// Creates a note on the search of a position with this side to move, without moves.
    pub fn of<M>(rules: &Rules, ply: usize, side: Side, found: &SearchResult<M>) -> ScoreNote {
        ScoreNote {
            ply,
            side: rules.side_name(side).to_string(),
            score: for_first(found.score, side),
            depth: Some(found.depth),
            nodes: Some(found.nodes),
            ..ScoreNote::default()
        }
    }

    /// Returns the loss of the move, if there is one.
    fn cost(&self) -> Option<Score> {
        self.loss.filter(|loss| *loss > 0)
    }
}

/// Returns what notes say about the positions after these numbers of moves and about the moves that led to them.
/// `score` formats a score for the side that begins, `loss` a loss.
pub fn views(
    notes: &[ScoreNote],
    plies: RangeInclusive<usize>,
    score: fn(Score) -> String,
    loss: fn(Score) -> String,
) -> Vec<View> {
    let view = |ply: usize| {
        let (made, next) = (find(notes, ply), find(notes, ply + 1));
        View {
            ply,
            height: next.map(|note| height(note.score)),
            text: next.map(|note| score(note.score)),
            detail: next.and_then(|note| Some(format!("depth {}", note.depth?))),
            line: next.map(|note| note.line.clone()).filter(|line| !line.is_empty()),
            mark: made.and_then(|note| note.mark),
            cost: made.and_then(ScoreNote::cost).map(loss),
            certain: made.is_some_and(|note| note.is_certain),
            why: made.and_then(|note| note.why.clone()),
        }
    };
    plies.map(view).collect()
}

/// Returns the winning chances of a score, from -1 to 1: its height in the score graph.
pub fn height(score: Score) -> f64 {
    2.0 / (1.0 + (-CHANCES_SLOPE * f64::from(score)).exp()) - 1.0
}

/// Converts the lines of a search for `side` to what the board shows. `texts` writes the moves of a line, `score_text`
/// a score for the side that begins.
pub fn finding<'a, M: 'a>(
    found: impl IntoIterator<Item = &'a SearchResult<M>>,
    side: Side,
    texts: impl Fn(&[M]) -> Vec<String>,
    score_text: fn(Score) -> String,
) -> Finding {
    let mut finding = Finding::default();
    let mut depth = 0;
    for line in found {
        let score = for_first(line.score, side);
        depth = depth.max(line.depth);
        finding.nodes = finding.nodes.max(line.nodes);
        let moves = texts(&line.line);
        finding.lines.push(Line { height: height(score), score: score_text(score), moves });
    }
    Finding { depth: format!("depth {depth}"), ..finding }
}
