//! Notes on the moves of a game whose positions have scores: what an alpha-beta search says of them, and how that is
//! shown.

use super::analysis::{Mark, MISTAKE_DIVISOR};
use super::page::View;
use super::record::{Outcome, Record};
use crate::engine::score::{self, Score};
use crate::engine::search::SearchResult;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fmt::{self, Write};

/// What a blunder costs by default, in hundredths.
pub const DEFAULT_BLUNDER: Score = 200;
/// Beyond this a game is as good as decided: what a move changes there is no mistake any more.
const CLEAR_ADVANTAGE: Score = 1_000;
/// How many moves of an expected line the table shows.
const LINE_SHOWN: usize = 8;
/// Half of a curve's height shows this score: small differences near zero count most.
const HALF_HEIGHT_SCORE: f64 = 300.0;

/// What is known of one move of a game, or of the position in which the next one is due.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ScoreNote {
    /// The number of the move, from 1, of both sides' moves; setups count.
    pub ply: usize,
    /// The side that moves.
    #[serde(default)]
    pub side: String,
    /// The move played; `None` where the record ends here.
    #[serde(rename = "move", default, skip_serializing_if = "Option::is_none")]
    pub mv: Option<String>,
    /// The score of the position before the move from the first side's view, in hundredths; see
    /// [`crate::engine::score`].
    pub score: Score,
    /// The depth of the search that found it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<i32>,
    /// The nodes of that search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The expected line, its first move being the best one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub line: Vec<String>,
    /// What the move cost the mover, compared with the best one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss: Option<Score>,
    /// What is wrong with the move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<Mark>,
}

/// The notes of a record's analysis, or else those that follow from the scores of its match. `of_score` makes
/// a note from the number of a move in the record and the mover's score.
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

/// The note on the move with this number.
pub fn find(notes: &[ScoreNote], ply: usize) -> Option<&ScoreNote> {
    notes.iter().find(|note| note.ply == ply)
}

impl ScoreNote {
    /// What a page shows of the position before the move. `text` is the score in words.
    pub fn view(&self, text: String) -> View {
        View {
            height: height(self.score),
            text,
            detail: self.depth.map(|depth| format!("depth {depth}")),
            line: Some(self.line.clone()).filter(|line| !line.is_empty()),
        }
    }

    /// What the move cost, where it cost something.
    pub fn cost(&self) -> Option<Score> {
        self.loss.filter(|loss| *loss > 0)
    }
}

/// The height of a score in a curve, -1 to 1.
pub fn height(score: Score) -> f64 {
    let score = f64::from(score);
    score / (score.abs() + HALF_HEIGHT_SCORE)
}

/// What the move played cost its player, and what is wrong with it. `found` is the search of the position before it,
/// `next` the score of the position after it, for the opponent who moves there.
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

/// What a position is worth to the one who moves to it, one move earlier.
fn score_before(next: Score) -> Score {
    // A win in n from there is one in n + 1 from here.
    score::from_root(-next, 1)
}

/// What a move cost that is worth `after` where the best one is worth `best`, both to the mover, and how bad
/// that is.
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

/// The table of a game's notes, as far as the games differ.
pub struct Table {
    /// What the columns mean.
    pub legend: &'static str,
    /// The names of the sides.
    pub sides: [&'static str; 2],
    /// The width of the column of moves.
    pub move_width: usize,
    /// A score from the first side's view, in words.
    pub score: fn(Score) -> String,
    /// A loss, or the mean of some, in the unit of the game.
    pub loss: fn(f64) -> String,
}

impl Table {
    /// The notes with a legend before and a summary after. `number` is written before the move of a note.
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

    /// What a side did wrong, in one line.
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
    fn judgement_follows_the_cost_to_the_mover() {
        let win = score::win_in(5);
        let loss = score::lost_in(4);
        assert_eq!(assess(50, 40, 200), (10, None));
        assert_eq!(assess(50, -60, 200), (110, Some(Mark::Mistake)));
        assert_eq!(assess(50, -150, 200), (200, Some(Mark::Blunder)));
        assert_eq!(assess(win, 300, 200).1, Some(Mark::MissedWin));
        assert_eq!(assess(300, loss, 200).1, Some(Mark::AllowedWin));
        assert_eq!(assess(win, loss, 200).1, Some(Mark::AllowedWin));
        // A slower win is still a win, a lost game can't be lost again, a better move costs nothing.
        assert_eq!(assess(win, score::win_in(9), 200), (0, None));
        assert_eq!(assess(loss, score::lost_in(2), 200), (0, None));
        assert_eq!(assess(-100, 100, 200), (0, None));
        // Nobody cares how much is left of a won game's surplus.
        assert_eq!(assess(5_000, 2_000, 200), (0, None));
    }

    #[test]
    fn distances_count_the_move_itself() {
        assert_eq!(score_before(score::lost_in(2)), score::win_in(3));
        assert_eq!(score_before(score::win_in(1)), score::lost_in(2));
        assert_eq!(score_before(70), -70);
    }

    #[test]
    fn the_best_move_costs_nothing() {
        let found = SearchResult { best: Some(7), score: 50, depth: 3, nodes: 9, line: vec![7] };
        let judged = |played, next| verdict(&found, played, next, 200);
        assert_eq!(judged(Some(7), Some(400)), (Some(0), None));
        assert_eq!(judged(Some(8), Some(-30)), (Some(20), None));
        assert_eq!(judged(Some(8), Some(170)), (Some(220), Some(Mark::Blunder)));
        assert_eq!(judged(Some(8), None), (Some(0), None));
        assert_eq!(judged(None, Some(10)), (None, None));
    }
}
