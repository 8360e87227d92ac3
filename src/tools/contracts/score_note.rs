//! Notes on moves from the scores of an alpha-beta search, and how they are shown.

use super::analysis::{parse_notes, summary, Mark, Options, COUNTS, DEFAULT_BLUNDER};
use super::page::View;
use super::record::{for_first, Outcome, Record};
use super::rules::Rules;
use super::Side;
use crate::engine::alpha_beta::SearchResult;
use crate::engine::score::{self, Score};
use crate::tools::support::ctrl_c;
use crate::tools::support::progress_bar::moves_bar;
use anyhow::Result;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Write};
use std::ops::RangeInclusive;

/// Scores are clamped to plus or minus this value, in hundredths, before losses are computed: a change of
/// the score within a decided game is not a mistake.
const CLEAR_ADVANTAGE: Score = 1_000;
/// Maximum number of moves of a principal variation in the table.
const LINE_SHOWN: usize = 8;
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
}

/// Returns the notes of a record's analysis or, without one, notes made from the scores of its match.
/// `mover` returns the ply of a numbered move and the side that makes it.
pub fn notes_of(
    record: &Record,
    mover: impl Fn(usize) -> Option<(usize, Side)>,
) -> Result<Vec<ScoreNote>> {
    let notes: Vec<ScoreNote> = parse_notes(&record.notes)?;
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

    /// Returns what a page shows of the position before the move. `text` is the score in words.
    pub fn view(&self, text: String) -> View {
        View {
            height: height(self.score),
            text,
            detail: self.depth.map(|depth| format!("depth {depth}")),
            line: Some(self.line.clone()).filter(|line| !line.is_empty()),
        }
    }

    /// Returns the loss of the move, if there is one.
    pub fn cost(&self) -> Option<Score> {
        self.loss.filter(|loss| *loss > 0)
    }
}

/// Returns the winning chances of a score, from -1 to 1: its height in the score graph.
pub fn height(score: Score) -> f64 {
    2.0 / (1.0 + (-CHANCES_SLOPE * f64::from(score)).exp()) - 1.0
}

/// A position of a game under analysis.
pub enum Looked<M> {
    /// The game is over, with this score for the side to move.
    Over(Score),
    /// The result of a search, the move played, and the note on it without the loss.
    Searched(SearchResult<M>, Option<M>, ScoreNote),
}

/// Returns the notes on moves. Works backwards (retrograde analysis), so that the hash table already contains later
/// positions when an earlier one is searched. `look` searches the position before the move with this number; `None`:
/// there is no such position.
pub fn notes_backwards<M: PartialEq>(
    plies: RangeInclusive<usize>,
    options: &Options,
    look: &mut dyn FnMut(usize) -> Option<Looked<M>>,
) -> Vec<ScoreNote> {
    let blunder = options.blunder.map_or(DEFAULT_BLUNDER, f64::from);
    let (from, to) = plies.into_inner();
    let bar = moves_bar(to + 1 - from);
    let mut notes = Vec::new();
    // Score of the position after the move, for its side to move.
    let mut next: Option<Score> = None;
    // The position after the last move is searched too, to evaluate that move.
    for ply in (from..=to + 1).rev().take_while(|_| !ctrl_c::is_interrupted()) {
        next = match look(ply) {
            None => None,
            Some(Looked::Over(score)) => Some(score),
            Some(Looked::Searched(found, played, note)) => {
                if ply <= to {
                    let (loss, mark) = verdict(&found, played, next, blunder);
                    notes.push(ScoreNote { loss, mark, ..note });
                    bar.inc(1);
                }
                Some(found.score)
            }
        };
    }
    bar.finish_and_clear();
    notes.reverse();
    notes
}

/// Returns the loss and the mark of the move played. `found` is the search of the position before it; `next` is the
/// score of the position after it, from the opponent's point of view; `blunder` is in percent of the probability of
/// winning.
fn verdict<M: PartialEq>(
    found: &SearchResult<M>,
    played: Option<M>,
    next: Option<Score>,
    blunder: f64,
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

/// Converts the opponent's score after a move to the mover's score before it.
fn score_before(next: Score) -> Score {
    // A win in n plies from there is a win in n + 1 plies from here.
    score::from_root(-next, 1)
}

/// Returns the loss of a move worth `after` when the best one is worth `best`, both from the mover's point
/// of view, and its mark.
fn assess(best: Score, after: Score, blunder: f64) -> (Score, Option<Mark>) {
    let within = |score: Score| score.clamp(-CLEAR_ADVANTAGE, CLEAR_ADVANTAGE);
    let loss = (within(best) - within(after)).max(0);
    let won = |score: Score| score > score::MAX_EVAL;
    let percent = 50.0 * (height(best) - height(after));
    (loss, Mark::of(percent, blunder, won(best), won(-after)))
}

/// Table of a game's notes: the parts that differ between games.
pub struct Table {
    /// Legend of the columns.
    pub legend: &'static str,
    /// Names of the sides.
    pub sides: [&'static str; 2],
    /// Width of the column of moves.
    pub move_width: usize,
    /// Formats a score from the first side's point of view.
    pub score: fn(Score) -> String,
    /// Formats a loss or a mean loss in the unit of the game.
    pub loss: fn(f64) -> String,
}

impl Table {
    /// Formats the notes with a legend and a summary. `number` formats the number of a move.
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
            let own = notes.iter().filter(|note| note.side == side);
            let moves = own.filter_map(|note| Some((f64::from(note.loss?), note.mark)));
            writeln!(text, "{}", summary(side, &COUNTS, &moves.collect::<Vec<_>>(), self.loss))?;
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_judged_by_their_loss() {
        let win = score::win_in(5);
        let loss = score::lost_in(4);
        let assess = |best, after| assess(best, after, 15.0);
        assert_eq!(assess(50, 40), (10, None));
        assert_eq!(assess(50, -10), (60, Some(Mark::Inaccuracy)));
        assert_eq!(assess(50, -60), (110, Some(Mark::Mistake)));
        assert_eq!(assess(50, -150), (200, Some(Mark::Blunder)));
        assert_eq!(assess(win, 300).1, Some(Mark::MissedWin));
        assert_eq!(assess(300, loss).1, Some(Mark::AllowedWin));
        assert_eq!(assess(win, loss).1, Some(Mark::AllowedWin));
        // A slower win is still a win, a lost game can't be lost again, and a better move costs nothing.
        assert_eq!(assess(win, score::win_in(9)), (0, None));
        assert_eq!(assess(loss, score::lost_in(2)), (0, None));
        assert_eq!(assess(-100, 100), (0, None));
        // In a decided position a change of the score is not a mistake, nor is a loss that becomes certain.
        assert_eq!(assess(5_000, 2_000), (0, None));
        assert_eq!(assess(win, 1_500).1, None);
        assert_eq!(assess(-1_500, loss).1, None);
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
        let judged = |played, next| verdict(&found, played, next, 15.0);
        assert_eq!(judged(Some(7), Some(400)), (Some(0), None));
        assert_eq!(judged(Some(8), Some(-30)), (Some(20), None));
        assert_eq!(judged(Some(8), Some(170)), (Some(220), Some(Mark::Blunder)));
        assert_eq!(judged(Some(8), None), (Some(0), None));
        assert_eq!(judged(None, Some(10)), (None, None));
    }
}
