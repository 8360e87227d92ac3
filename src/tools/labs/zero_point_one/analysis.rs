//! Analysis of games of Zero Point One: searches every position, from the last to the first.

use super::opponent;
use crate::engine::score::{self, Score};
use crate::games::zero_point_one::game::{Game, Outcome};
use crate::games::zero_point_one::search::params::Params;
use crate::games::zero_point_one::search::{Limits, SearchResult, Searcher};
use crate::games::zero_point_one::types::{Colour, Move};
use crate::tools::contracts::alpha_beta::AlphaBeta;
use crate::tools::contracts::analysis::{to_note, Analyse, Analysis, Options, DEFAULT_BLUNDER};
use crate::tools::contracts::record::{self, for_first, Record};
use crate::tools::contracts::score_note::{verdict, ScoreNote, Table};
use crate::tools::labs::zero_point_one::rules::{game_of, RULES};
use crate::tools::support::ctrl_c;
use crate::tools::support::progress_bar::moves_bar;
use anyhow::{bail, Result};

/// Adapter for `cupbot analyse`.
pub const ANALYSE: Analyse = Analyse {
    run,
    scores:
        "for Red, in hundredths of a piece; a proven win with its distance in plies; --blunder in \
             percent of the probability of winning (default: 15)",
};

/// Format of the table of notes.
const TABLE: Table = Table {
    legend: "Scores are for Red, in hundredths of a piece; \"red in 5\": Red wins in 5 plies.\n\
             Score and best line are those before the move. The loss is how much worse the\n\
             move is than the best one; for it, scores are limited to 1,000.",
    sides: RULES.sides,
    move_width: 6,
    score: score_text,
    loss: |loss| format!("{loss:.0}"),
};

fn run(record: &Record, options: &Options) -> Result<Analysis> {
    let game = game_of(record)?;
    let Some(first) = game.positions().first() else {
        bail!("expected both setups before there is anything to analyse");
    };
    let (from, to) = options.plies(&game, first.ply() + 1)?;
    let notes = Analyst::new(options)?.game(&game, from, to);
    // If a fault ended the game, it is not over by the rules: the outcome is in the record.
    let outcome = record::Outcome::of(&RULES, &game).or(record.outcome.clone());
    let table = TABLE.text(outcome.as_ref(), &notes, |_| String::new())?;
    Ok(Analysis { notes: notes.iter().map(to_note).collect(), table, outcome })
}

/// Searches the positions of a game.
struct Analyst {
    searcher: Searcher,
    limits: Limits,
    blunder: f64,
}

impl Analyst {
    fn new(options: &Options) -> Result<Analyst> {
        let hard_time = options.nodes.is_none().then_some(options.time());
        let limits = Limits { hard_nodes: options.nodes, hard_time, ..Limits::default() };
        let evaluator = opponent::Game::evaluator(options.net.as_deref())?;
        let hash_mb = options.hash as usize;
        let searcher = Searcher::with_evaluator(Params::default(), evaluator, hash_mb);
        Ok(Analyst {
            searcher,
            limits,
            blunder: options.blunder.map_or(DEFAULT_BLUNDER, f64::from),
        })
    }

    /// Returns notes on the moves `from` to `to`. Works backwards (retrograde analysis), so that the table
    /// already holds later positions when an earlier one is searched.
    fn game(&mut self, game: &Game, from: usize, to: usize) -> Vec<ScoreNote> {
        let mut game = game.clone();
        let bar = moves_bar(to + 1 - from);
        let mut notes: Vec<ScoreNote> = Vec::new();
        // Score of the position after the move, for the side to move there.
        let mut next: Option<Score> = None;
        // Move played in the current position.
        let mut played: Option<Move> = None;
        loop {
            let ply = game.ply() + 1;
            if ply < from || ctrl_c::is_interrupted() {
                break;
            }
            // The position after the last move is searched too, to evaluate that move.
            if ply <= to + 1 {
                let value = match game.outcome() {
                    Some(outcome) => final_score(outcome, game.side()),
                    None => {
                        let found = self.searcher.search(&game, self.limits);
                        if ply <= to {
                            notes.push(note(&game, &found, played, next, self.blunder));
                            bar.inc(1);
                        }
                        found.score
                    }
                };
                next = Some(value);
            }
            played = game.pop();
            if played.is_none() {
                break;
            }
        }
        bar.finish_and_clear();
        notes.reverse();
        notes
    }
}

/// Returns the score of a finished game for a side.
fn final_score(outcome: Outcome, side: Colour) -> Score {
    match outcome {
        Outcome::Drawn => score::DRAW,
        Outcome::Won(winner) if winner == side => score::win_in(0),
        Outcome::Won(_) => score::lost_in(0),
    }
}

/// Creates the note on the move played in the current position of a game. `next` is the score of the
/// position after it, for the side to move there.
fn note(
    game: &Game,
    found: &SearchResult,
    played: Option<Move>,
    next: Option<Score>,
    blunder: f64,
) -> ScoreNote {
    let side = game.side();
    let (loss, mark) = verdict(found, played, next, blunder);
    ScoreNote {
        ply: game.ply() + 1,
        side: side.name().to_string(),
        mv: played.map(|mv| mv.text(side).to_string()),
        score: for_first(found.score, side.into()),
        depth: Some(found.depth),
        nodes: Some(found.nodes),
        line: line_texts(&found.line, side),
        loss,
        mark,
    }
}

/// Formats the moves of a line that begins with a move of `side`.
pub(super) fn line_texts(line: &[Move], side: Colour) -> Vec<String> {
    let sides = [side, !side].into_iter().cycle();
    line.iter().zip(sides).map(|(mv, side)| mv.text(side).to_string()).collect()
}

/// Formats a score for Red, e.g. `+120`, `red in 5`, `blue in 4`.
fn score_text(score: Score) -> String {
    match score::plies_to_end(score) {
        Some(plies) if score > 0 => format!("red in {plies}"),
        Some(plies) => format!("blue in {plies}"),
        None => format!("{score:+}"),
    }
}

#[cfg(test)]
mod tests;
