//! Analysis of a game of 6561: the expected points of every position and the loss of each move, by the search's own
//! value, which builds one main colour.

use super::judged_value::aim_of;
use super::reasons::reason;
use super::rules::{game_of, RULES};
use crate::engine::budget;
use crate::engine::clock::Stopwatch;
use crate::games::g6561::game::Game;
use crate::games::g6561::search::{Choice, Limits, Search};
use crate::tools::contracts::analysis::{
    summary, to_note, Analyse, Analysis, Hint, Mark, Options, COUNTS,
};
use crate::tools::contracts::record::{Outcome, Record};
use crate::tools::contracts::review::{review, Judge, Rating};
use crate::tools::contracts::Side;
use anyhow::{ensure, Context, Result};
use serde::{Deserialize, Serialize};
use std::fmt::{self, Write};
use std::ops::RangeInclusive;

/// Adapter for `cupbot analyse`.
pub const ANALYSE: Analyse = Analyse {
    run,
    hint,
    scores: "the final points that the search expects, and the best move instead of a line; \
             --blunder in points (default: 100)",
};

/// Default loss of a blunder, in points.
const DEFAULT_BLUNDER: f64 = 100.0;
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
    let notes = Analyst::new(&game, options).notes(from..=to, options);
    let outcome = Outcome::of(&RULES, &game).or(record.outcome.clone());
    let table = table(&game, &notes)?;
    Ok(Analysis { notes: notes.iter().map(to_note).collect(), table, outcome })
}

fn hint(record: &Record, options: &Options) -> Result<Hint> {
    ensure!(options.net.is_none(), "the analysis of 6561 has no network: --net does not apply");
    let game = game_of(record)?;
    let ply = game.ply() + 1;
    let mut found = review(&mut Analyst::new(&game, options), ply..=ply, options);
    let (Valued { best, depth, .. }, _) = found.pop().context("the game is over")?;
    let text = best.mv.to_string();
    let score = format!("{:.0} points expected at depth {depth}", best.value);
    Ok(Hint { reason: reason(game.position(), best.mv)?, score, line: text.clone(), text })
}

/// Analyses the moves of a game.
struct Analyst<'a> {
    search: Search,
    game: &'a Game,
    blunder: f64,
}

/// Values of the moves of a position.
struct Valued {
    ply: usize,
    sum: u32,
    best: Choice,
    depth: usize,
    /// The value of the move played.
    made: Option<f32>,
}

impl Analyst<'_> {
    fn new<'a>(game: &'a Game, options: &Options) -> Analyst<'a> {
        Analyst {
            search: Search::new(),
            game,
            blunder: options.blunder.map_or(DEFAULT_BLUNDER, f64::from),
        }
    }

    /// Returns the notes on moves.
    fn notes(&mut self, plies: RangeInclusive<usize>, options: &Options) -> Vec<ValueNote> {
        let found = review(self, plies, options);
        found.iter().map(|(valued, rating)| self.note(valued, *rating)).collect()
    }

    fn note(&self, valued: &Valued, rating: Option<Rating>) -> ValueNote {
        ValueNote {
            ply: valued.ply,
            side: RULES.side_name(Side::to_move_after(valued.ply - 1)).to_string(),
            played: self.game.moves().get(valued.ply - 1).map(|mv| mv.to_string()),
            value: f64::from(valued.best.value),
            sum: valued.sum,
            best: Some(valued.best.mv.to_string()),
            loss: rating.map(|rating| rating.loss),
            mark: rating.and_then(|rating| rating.mark),
        }
    }
}

impl Judge for Analyst<'_> {
    type Found = Valued;

    fn look(&mut self, ply: usize, limits: budget::Limits, _: Option<&Valued>) -> Option<Valued> {
        let mut game = Game::new();
        // Can't fail: the moves were made in this game.
        self.game.moves().get(..ply - 1)?.iter().try_for_each(|&mv| game.push(mv)).ok()?;
        let deadline = limits.hard_time.map(|time| Stopwatch::start().deadline(time));
        let limits = Limits { nodes: limits.hard_nodes, deadline, ..Limits::default() };
        let ranking = self.search.rank(game.position(), &aim_of(&game), limits);
        let best = ranking.best()?;
        let played = self.game.moves().get(ply - 1).copied();
        let made = ranking.choices.iter().find(|choice| Some(choice.mv) == played);
        let sum = game.position().board.sum();
        let depth = ranking.depth;
        Some(Valued { ply, sum, best, depth, made: made.map(|made| made.value) })
    }

    fn nodes(&self) -> u64 {
        self.search.nodes()
    }

    /// The partner's moves are never certain.
    fn is_proved(_: &Valued) -> bool {
        false
    }

    fn carry(_: &Valued, _: &mut Valued) {}

    fn rate(&self, before: &Valued, _: Option<&Valued>) -> Option<Rating> {
        let loss = f64::from(before.best.value - before.made?);
        Some(Rating { loss, mark: Mark::of(loss, self.blunder, false, false), proved: false })
    }

    /// One search values all moves of a position.
    fn needed(ply: usize) -> RangeInclusive<usize> {
        ply..=ply
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
    writeln!(text, "{head}")?;
    for note in notes {
        let (played, symbol) =
            (note.played.as_deref().unwrap_or("-"), note.mark.map_or("", Mark::symbol));
        let row = row([
            &note.ply.to_string(),
            &note.side,
            &format!("{played}{symbol}"),
            &note.sum.to_string(),
            &format!("{:.0}", note.value),
            note.best.as_deref().unwrap_or("-"),
            &note.loss.map_or(String::new(), |loss| format!("{loss:.0}")),
            note.mark.map_or("", Mark::text),
        ]);
        writeln!(text, "{row}")?;
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
        let notes = Analyst::new(&game, &options).notes(1..=11, &options);
        assert_eq!(notes.len(), 11);
        assert!(notes.iter().all(|note| note.loss.is_none_or(|loss| loss >= 0.0)));
        let best_made = notes.iter().filter(|note| note.best == note.played);
        assert!(best_made.clone().all(|note| note.loss == Some(0.0)));
        assert!(notes[10].played.is_none() && notes[10].best.is_some());
        let mark_of = |loss| Mark::of(loss, 30.0, false, false);
        assert_eq!((mark_of(41.0), mark_of(28.0)), (Some(Mark::Blunder), Some(Mark::Mistake)));
        assert_eq!((mark_of(14.0), mark_of(13.0)), (Some(Mark::Inaccuracy), None));
        let table = table(&game, &notes).expect("writing to a string can't fail");
        assert!(table.contains("a moves 5") && table.contains(" so far"), "{table}");
    }
}
