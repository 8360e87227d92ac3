//! Notes on moves by an alpha-beta search: scores, mistakes, and how they are shown.

use super::analysis::{Mark, MISTAKE_DIVISOR};
use super::page::View;
use super::record::{Outcome, Record};
use crate::engine::score::{self, Score};
use crate::engine::search::SearchResult;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fmt::{self, Write};

/// Default minimum cost of a blunder, in hundredths.
pub const DEFAULT_BLUNDER: Score = 200;
/// Scores are clamped to plus or minus this value, in hundredths, before losses are computed: changes
/// within a decided game are not mistakes.
const CLEAR_ADVANTAGE: Score = 1_000;
/// Number of moves of a principal variation in the table.
const LINE_SHOWN: usize = 8;
/// Score, in hundredths, at half the maximum height of the evaluation graph; the graph is steepest at 0.
const HALF_HEIGHT_SCORE: f64 = 300.0;

/// A note on a move, or on the final position of a record.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ScoreNote {
    /// Number of the move, from 1, counting both sides and setups.
    pub ply: usize,
    /// Name of the side to move.
    #[serde(default)]
    pub side: String,
    /// The move played; `None` at the end of the record.
    #[serde(rename = "move", default, skip_serializing_if = "Option::is_none")]
    pub mv: Option<String>,
    /// Score of the position before the move from the first side's view, in hundredths (see
    /// [`crate::engine::score`]).
    pub score: Score,
    /// Search depth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<i32>,
    /// Nodes searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Principal variation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub line: Vec<String>,
    /// Loss compared with the best move, in hundredths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss: Option<Score>,
    /// Judgement, if the move is bad.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<Mark>,
}

/// Returns the notes of a record's analysis. If it has none, the notes are made from the scores of its match:
/// `of_score` makes a note from the number of a move in the record and the mover's score.
pub fn notes_of(
    record: &Record,
    of_score: impl Fn(usize, Score) -> Option<ScoreNote>,
) -> Result<Vec<ScoreNote>> {
    let parse = |note: &Map<String, Value>| serde_json::from_value(Value::Object(note.clone()));
    let notes: Result<Vec<ScoreNote>, _> = record.notes.iter().map(parse).collect();
    let notes = notes.context("\"analysis\"")?;
    if !notes.is_empty() {
        return Ok(notes);
    }
    let scores = record.scores.iter();
    Ok(scores.filter_map(|(&number, &score)| of_score(number, score)).collect())
}

/// Returns the note on the move with this number.
pub fn find(notes: &[ScoreNote], ply: usize) -> Option<&ScoreNote> {
    notes.iter().find(|note| note.ply == ply)
}

impl ScoreNote {
    /// Returns the page's view of the position before the move. `text` is the score in words.
    pub fn view(&self, text: String) -> View {
        View {
            height: height(self.score),
            text,
            detail: self.depth.map(|depth| format!("depth {depth}")),
            line: Some(self.line.clone()).filter(|line| !line.is_empty()),
        }
    }

    /// Returns the loss if it is above 0.
    pub fn cost(&self) -> Option<Score> {
        self.loss.filter(|loss| *loss > 0)
    }
}

/// Returns the height of a score in the evaluation graph, from -1 to 1.
pub fn height(score: Score) -> f64 {
    let score = f64::from(score);
    score / (score.abs() + HALF_HEIGHT_SCORE)
}

/// Returns the loss and the judgement of the move played. `found` is the search result for the position
/// before it, `next` the score of the position after it from the opponent's view.
pub fn verdict<M: PartialEq>(
    found: &SearchResult<M>,
    played: Option<M>,
    next: Option<Score>,
    blunder: Score,
) -> (Option<Score>, Option<Mark>) {
    match (played, next) {
        (Some(played), Some(next)) if found.best.as_ref() != Some(&played) => {
            let (loss, mark) = assess(found.score, score_before(next), blunder);
            (Some(loss), mark)
        }
        (Some(_), _) => (Some(0), None),
        _ => (None, None),
    }
}

/// Converts the score after a move to the mover's score before the move.
fn score_before(next: Score) -> Score {
    // A win in n plies after the move is a win in n + 1 before it.
    score::from_root(-next, 1)
}

/// Returns the loss and the judgement of a move with score `after` if the best move has score `best`, both
/// from the mover's view.
fn assess(best: Score, after: Score, blunder: Score) -> (Score, Option<Mark>) {
    let within = |score: Score| score.clamp(-CLEAR_ADVANTAGE, CLEAR_ADVANTAGE);
    let loss = (within(best) - within(after)).max(0);
    let won = |score: Score| score > score::MAX_EVAL;
    let mark = if won(-after) && !won(-best) {
        Some(Mark::AllowedWin)
    } else if won(best) && !won(after) {
        Some(Mark::MissedWin)
    } else if loss >= blunder {
        Some(Mark::Blunder)
    } else if loss >= (blunder / MISTAKE_DIVISOR).max(1) {
        Some(Mark::Mistake)
    } else {
        None
    };
    (loss, mark)
}

/// Game-specific parts of the table of notes.
pub struct Table {
    /// Meaning of the columns.
    pub legend: &'static str,
    /// Names of the sides.
    pub sides: [&'static str; 2],
    /// Width of the column of moves, in characters.
    pub move_width: usize,
    /// Formats a score from the first side's view.
    pub score: fn(Score) -> String,
    /// Formats a loss or a mean loss, given in hundredths, in the game's unit.
    pub loss: fn(f64) -> String,
}

impl Table {
    /// Formats the notes with a legend before and a summary after them. `number` returns the text before a
    /// note's move.
    pub fn text(
        &self,
        outcome: Option<&Outcome>,
        notes: &[ScoreNote],
        number: impl Fn(&ScoreNote) -> String,
    ) -> Result<String, fmt::Error> {
        let mut text = format!("{}\n\n", self.legend);
        let head = ["ply", "side", "move", "score", "depth", "loss", "best line", "remark"];
        self.write_row(&mut text, head.map(str::to_string))?;
        for note in notes {
            let mv = note.mv.as_deref().unwrap_or("-");
            let row = [
                note.ply.to_string(),
                note.side.clone(),
                format!("{}{mv}{}", number(note), note.mark.map_or("", Mark::sign)),
                (self.score)(note.score),
                note.depth.unwrap_or_default().to_string(),
                note.loss.map_or(String::new(), |loss| (self.loss)(f64::from(loss))),
                note.line[..note.line.len().min(LINE_SHOWN)].join(" "),
                note.mark.map_or("", Mark::text).to_string(),
            ];
            self.write_row(&mut text, row)?;
        }
        writeln!(text)?;
        for side in self.sides {
            writeln!(text, "{}", self.summary(side, notes))?;
        }
        writeln!(text, "outcome {}", Outcome::text(outcome))?;
        Ok(text)
    }

    fn write_row(&self, text: &mut String, row: [String; 8]) -> fmt::Result {
        let [ply, side, mv, score, depth, loss, line, remark] = row;
        let (widest, width) = (self.sides.map(str::len).into_iter().max(), self.move_width);
        let side_width = widest.unwrap_or_default();
        let row = format!(
            "{ply:>3} {side:side_width$} {mv:width$} {score:>10} {depth:>5} {loss:>5}  {line:<50} {remark}"
        );
        writeln!(text, "{}", row.trim_end())
    }

    /// Formats the number of mistakes and the mean loss of a side in one line.
    fn summary(&self, side: &str, notes: &[ScoreNote]) -> String {
        let own = || notes.iter().filter(|note| note.side == side);
        let marked = |mark| own().filter(|note| note.mark == Some(mark)).count();
        let losses: Vec<Score> = own().filter_map(|note| note.loss).collect();
        let mean = f64::from(losses.iter().sum::<Score>()) / losses.len().max(1) as f64;
        format!(
            "{side} moves {} mistakes {} blunders {} wins missed {} wins allowed {} mean loss {}",
            losses.len(),
            marked(Mark::Mistake),
            marked(Mark::Blunder),
            marked(Mark::MissedWin),
            marked(Mark::AllowedWin),
            (self.loss)(mean)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_judged_by_their_loss() {
        let win = score::win_in(5);
        let loss = score::lost_in(4);
        assert_eq!(assess(50, 40, 200), (10, None));
        assert_eq!(assess(50, -60, 200), (110, Some(Mark::Mistake)));
        assert_eq!(assess(50, -150, 200), (200, Some(Mark::Blunder)));
        assert_eq!(assess(win, 300, 200).1, Some(Mark::MissedWin));
        assert_eq!(assess(300, loss, 200).1, Some(Mark::AllowedWin));
        assert_eq!(assess(win, loss, 200).1, Some(Mark::AllowedWin));
        // No loss: a slower win, a faster loss, a move that is better than expected.
        assert_eq!(assess(win, score::win_in(9), 200), (0, None));
        assert_eq!(assess(loss, score::lost_in(2), 200), (0, None));
        assert_eq!(assess(-100, 100, 200), (0, None));
        // Both scores are beyond the clear advantage.
        assert_eq!(assess(5_000, 2_000, 200), (0, None));
    }

    #[test]
    fn win_distances_include_the_move_itself() {
        assert_eq!(score_before(score::lost_in(2)), score::win_in(3));
        assert_eq!(score_before(score::win_in(1)), score::lost_in(2));
        assert_eq!(score_before(70), -70);
    }

    #[test]
    fn the_best_move_has_no_loss() {
        let found = SearchResult { best: Some(7), score: 50, depth: 3, nodes: 9, line: vec![7] };
        let judged = |played, next| verdict(&found, played, next, 200);
        assert_eq!(judged(Some(7), Some(400)), (Some(0), None));
        assert_eq!(judged(Some(8), Some(-30)), (Some(20), None));
        assert_eq!(judged(Some(8), Some(170)), (Some(220), Some(Mark::Blunder)));
        assert_eq!(judged(Some(8), None), (Some(0), None));
        assert_eq!(judged(None, Some(10)), (None, None));
    }
}
