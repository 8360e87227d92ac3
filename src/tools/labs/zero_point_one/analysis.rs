//! Analysis of games of Zero Point One: searches every position, from the last to the first.

use super::opponent;
use crate::engine::score::{self, Score};
use crate::games::zero_point_one::game::{Game, Outcome};
use crate::games::zero_point_one::search::params::Params;
use crate::games::zero_point_one::search::Searcher;
use crate::games::zero_point_one::types::{Colour, Move};
use crate::tools::contracts::alpha_beta::AlphaBeta;
use crate::tools::contracts::analysis::{to_note, Analyse, Analysis, Options};
use crate::tools::contracts::record::{self, Record};
use crate::tools::contracts::score_note::{notes_backwards, Looked, ScoreNote, Table};
use crate::tools::labs::zero_point_one::rules::{game_of, RULES};
use anyhow::{bail, Result};
use std::ops::RangeInclusive;

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
    let notes = notes(&game, from..=to, options)?;
    // If a fault ended the game, it is not over by the rules: the outcome is in the record.
    let outcome = record::Outcome::of(&RULES, &game).or(record.outcome.clone());
    let table = TABLE.text(outcome.as_ref(), &notes, |_| String::new())?;
    Ok(Analysis { notes: notes.iter().map(to_note).collect(), table, outcome })
}

/// Returns the notes on moves of a game.
fn notes(game: &Game, plies: RangeInclusive<usize>, options: &Options) -> Result<Vec<ScoreNote>> {
    let evaluator = opponent::Game::evaluator(options.net.as_deref())?;
    let hash_mb = options.hash as usize;
    let mut searcher = Searcher::with_evaluator(Params::default(), evaluator, hash_mb);
    let limits = options.limits();
    let mut game = game.clone();
    let mut look = |ply: usize| {
        let mut played = None;
        while game.ply() >= ply {
            played = game.pop();
        }
        if game.ply() + 1 < ply {
            return None;
        }
        let side = game.side();
        if let Some(outcome) = game.outcome() {
            return Some(Looked::Over(final_score(outcome, side)));
        }
        let found = searcher.search(&game, limits);
        let note = ScoreNote {
            mv: played.map(|mv| mv.text(side).to_string()),
            line: line_texts(&found.line, side),
            ..ScoreNote::of(&RULES, ply, side.into(), &found)
        };
        Some(Looked::Searched(found, played, note))
    };
    Ok(notes_backwards(plies, options, &mut look))
}

/// Returns the score of a finished game for a side.
fn final_score(outcome: Outcome, side: Colour) -> Score {
    match outcome {
        Outcome::Drawn => score::DRAW,
        Outcome::Won(winner) if winner == side => score::win_in(0),
        Outcome::Won(_) => score::lost_in(0),
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
