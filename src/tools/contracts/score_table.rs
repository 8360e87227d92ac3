//! The table of notes from an alpha-beta search.

use super::analysis::{summary, Mark, COUNTS};
use super::record::Outcome;
use super::score_note::ScoreNote;
use crate::engine::score::Score;
use std::fmt::{self, Write};

/// Maximum number of moves of a principal variation in the table.
const LINE_SHOWN: usize = 8;

/// Table of a game's notes: the parts that differ between games.
pub struct Table {
    /// Legend of the columns.
    pub legend: &'static str,
    /// Names of the sides.
    pub sides: [&'static str; 2],
    /// Minimum width of the column of moves.
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
        let mut rows = vec![head.map(str::to_string)];
        for note in notes {
            let mv = note.mv.as_deref().unwrap_or("-");
            rows.push([
                note.ply.to_string(),
                note.side.clone(),
                format!("{}{mv}{}", number(note), note.mark.map_or("", Mark::symbol)),
                (self.score)(note.score),
                note.depth.map_or("-".to_string(), |depth| depth.to_string()),
                note.loss.map_or(String::new(), |loss| (self.loss)(f64::from(loss))),
                note.line[..note.line.len().min(LINE_SHOWN)].join(" "),
                note.mark.map_or("", Mark::text).to_string(),
            ]);
        }
        let widest = rows.iter().map(|row| row[2].len()).max().unwrap_or_default();
        let width = widest.max(self.move_width);
        rows.into_iter().try_for_each(|row| self.write_row(&mut text, row, width))?;
        writeln!(text)?;
        for side in self.sides {
            let own = notes.iter().filter(|note| note.side == side);
            let moves = own.filter_map(|note| Some((f64::from(note.loss?), note.mark)));
            writeln!(text, "{}", summary(side, &COUNTS, &moves.collect::<Vec<_>>(), self.loss))?;
        }
        writeln!(text, "outcome {}", Outcome::text(outcome))?;
        Ok(text)
    }

    /// Writes a row whose column of moves has this width.
    fn write_row(&self, text: &mut String, row: [String; 8], width: usize) -> fmt::Result {
        let [ply, side, mv, score, depth, loss, line, remark] = row;
        let side_width = self.sides.map(str::len).into_iter().max().unwrap_or_default();
        let row = format!(
            "{ply:>3} {side:side_width$} {mv:width$} {score:>10} {depth:>5} {loss:>5}  {line:<50} {remark}"
        );
        writeln!(text, "{}", row.trim_end())
    }
}
