//! Analysis of a game of 6561: the expected points of every position and the loss of each move, by
//! the search's own value, which builds one main colour.

use super::rules::{game_of, RULES};
use crate::engine::clock::Stopwatch;
use crate::games::g6561::board::Colour;
use crate::games::g6561::game::{Game, Move};
use crate::games::g6561::partner_model::main_by_units;
use crate::games::g6561::search::{Evaluation, Limits, ReplyModel, Search};
use crate::games::g6561::value::MAIN;
use crate::tools::contracts::analysis::{
    summary, to_note, Analyse, Analysis, Mark, Options, COUNTS,
};
use crate::tools::contracts::record::{Outcome, Record};
use crate::tools::contracts::GameState;
use crate::tools::support::ctrl_c;
use crate::tools::support::progress_bar::moves_bar;
use crate::tools::support::style::{self, painted, painted_if};
use anyhow::{ensure, Result};
use serde::{Deserialize, Serialize};
use std::fmt::{self, Write};
use std::time::Duration;

/// Adapter for `cupbot analyse`.
pub const ANALYSE: Analyse = Analyse {
    run,
    scores: "the final points that the search expects, and the best move instead of a line; \
             --blunder in points (default: 100)",
};

/// Default loss of a blunder, in points.
const DEFAULT_BLUNDER: f64 = 100.0;
/// Model of the other side's replies. Both sides are treated alike, as players who make errors.
const REPLIES: ReplyModel = ReplyModel { best: 0.5, ..ReplyModel::RANDOM };

/// The note on a move, or on the last position of a record that ends early.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ValueNote {
    /// Number of the move, from 1.
    pub ply: usize,
    /// The side to move.
    #[serde(default)]
    pub side: String,
    /// The move played; `None` if the record ends here.
    #[serde(rename = "move", default, skip_serializing_if = "Option::is_none")]
    pub played: Option<String>,
    /// Expected points with the best move.
    pub value: f64,
    /// Sum of the board before the move.
    #[serde(default)]
    pub sum: u32,
    /// The best move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best: Option<String>,
    /// Loss of the move, in points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss: Option<f64>,
    /// Mark of a bad move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<Mark>,
}

fn run(record: &Record, options: &Options) -> Result<Analysis> {
    ensure!(options.net.is_none(), "the analysis of 6561 has no network: --net does not apply");
    let game = game_of(record)?;
    let (from, to) = options.plies(&game, 1)?;
    let notes = Analyst::new(options).game(&game, from, to);
    let outcome = Outcome::of(&RULES, &game).or(record.outcome.clone());
    let table = table(&game, &notes)?;
    Ok(Analysis { notes: notes.iter().map(to_note).collect(), table, outcome })
}

/// Analyses the moves of a game.
struct Analyst {
    search: Search,
    nodes: Option<u64>,
    time: Duration,
    blunder: f64,
}

impl Analyst {
    fn new(options: &Options) -> Analyst {
        Analyst {
            search: Search::new(Evaluation::hand_made()),
            nodes: options.nodes,
            time: options.time(),
            blunder: options.blunder.map_or(DEFAULT_BLUNDER, f64::from),
        }
    }

    /// Returns the notes on the moves `from` to `to`.
    fn game(&mut self, game: &Game, from: usize, to: usize) -> Vec<ValueNote> {
        let bar = moves_bar(to + 1 - from);
        let mut main = MAIN;
        let mut now = Game::new();
        let mut notes = Vec::new();
        for ply in (1..=to).take_while(|_| !ctrl_c::is_interrupted()) {
            let played = game.moves().get(ply - 1).copied();
            main = main_by_units(now.position().board, main);
            if ply >= from {
                notes.extend(self.note(&now, main, played));
                bar.inc(1);
            }
            // Can't fail: the move was replayed before.
            played.and_then(|mv| now.push(mv).ok());
        }
        bar.finish_and_clear();
        notes
    }

    /// Creates the note on a move in the current position of a game, or `None` if there is no legal
    /// move.
    fn note(&mut self, game: &Game, main: Colour, played: Option<Move>) -> Option<ValueNote> {
        let deadline = match self.nodes {
            Some(_) => None,
            None => Some(Stopwatch::start().deadline(self.time)),
        };
        let limits = Limits { nodes: self.nodes, deadline, ..Limits::default() };
        let ranking = self.search.rank(game.position(), main, REPLIES, limits);
        let best = ranking.best()?;
        let made = ranking.choices.iter().find(|choice| Some(choice.mv) == played);
        let loss = made.map(|made| f64::from(best.value - made.value));
        Some(ValueNote {
            ply: game.ply() + 1,
            side: RULES.side_name(GameState::side(game)).to_string(),
            played: played.map(|mv| mv.to_string()),
            value: f64::from(best.value),
            sum: game.position().board.sum(),
            best: Some(best.mv.to_string()),
            loss,
            mark: loss.and_then(|loss| Mark::of(loss, self.blunder, false, false)),
        })
    }
}

/// Formats the notes as a table, with a legend before it and the losses of each side after it.
fn table(game: &Game, notes: &[ValueNote]) -> Result<String, fmt::Error> {
    let mut text =
        "The value is the expected final score before the move, in points; the loss is\n\
                    the cost of the move, in points.\n\n"
            .to_string();
    let row = |[ply, side, mv, sum, value, best, loss, remark]: [&str; 8]| {
        let row =
            format!("{ply:>4} {side:4} {mv:4} {sum:>5} {value:>6} {best:4} {loss:>5}  {remark}");
        row.trim_end().to_string()
    };
    let head = row(["ply", "side", "move", "sum", "value", "best", "loss", "remark"]);
    writeln!(text, "{}", painted(head, style::HEAD))?;
    for note in notes {
        let (played, sign) =
            (note.played.as_deref().unwrap_or("-"), note.mark.map_or("", Mark::sign));
        let row = row([
            &note.ply.to_string(),
            &note.side,
            &format!("{played}{sign}"),
            &note.sum.to_string(),
            &format!("{:.0}", note.value),
            note.best.as_deref().unwrap_or("-"),
            &note.loss.map_or(String::new(), |loss| format!("{loss:.0}")),
            note.mark.map_or("", Mark::text),
        ]);
        let style = note.mark.map_or_else(Default::default, Mark::style);
        writeln!(text, "{}", painted_if(note.mark.is_some(), row, style))?;
    }
    writeln!(text)?;
    for side in RULES.sides {
        let own = notes.iter().filter(|note| note.side == side && note.played.is_some());
        let moves: Vec<_> = own.filter_map(|note| Some((note.loss?, note.mark))).collect();
        let line = summary(side, &COUNTS[..3], &moves, |loss| format!("{loss:.1}"));
        writeln!(text, "{line}")?;
    }
    let end = if game.ending().is_some() { "" } else { " so far" };
    writeln!(text, "points {}{end}", game.score())?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::contracts::analysis::tests::options;

    #[test]
    fn a_missed_merge_costs_points() {
        let mut game = Game::new();
        for text in ["11", "44", "43", "R", "D", "12", "42", "31", "L", "D"] {
            game.play(text).expect("legal");
        }
        let options = options(&["--nodes", "2000", "--blunder", "10"]);
        let notes = Analyst::new(&options).game(&game, 1, 11);
        assert_eq!(notes.len(), 11);
        assert!(notes.iter().all(|note| note.loss.is_none_or(|loss| loss >= 0.0)));
        let best_made = notes.iter().filter(|note| note.best == note.played);
        assert!(best_made.clone().all(|note| note.loss == Some(0.0)));
        assert!(notes[10].played.is_none() && notes[10].best.is_some());
        let mark_of = |loss| Mark::of(loss, 30.0, false, false);
        assert_eq!((mark_of(30.0), mark_of(20.0)), (Some(Mark::Blunder), Some(Mark::Mistake)));
        assert_eq!((mark_of(10.0), mark_of(9.0)), (Some(Mark::Inaccuracy), None));
        let table = table(&game, &notes).expect("writing to a string can't fail");
        assert!(table.contains("a moves 5") && table.contains(" so far"), "{table}");
    }
}
