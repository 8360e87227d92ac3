//! Analysis of games of Zero Point One: searches every position, from the last to the first.

mod setup_notes;

use super::by_hand::score_in_words;
use super::opponent;
use super::reasons::reason;
use crate::engine::score::{self, Score};
use crate::games::zero_point_one::game::{Game, Outcome};
use crate::games::zero_point_one::search::params::Params;
use crate::games::zero_point_one::search::{Limits, Searcher};
use crate::games::zero_point_one::types::{Colour, Move};
use crate::tools::contracts::alpha_beta::AlphaBeta;
use crate::tools::contracts::analysis::{to_note, Analyse, Analysis, Hint, Options};
use crate::tools::contracts::record::{self, Record};
use crate::tools::contracts::score_judge::{self, Examined};
use crate::tools::contracts::score_note::ScoreNote;
use crate::tools::contracts::score_table::Table;
use crate::tools::labs::zero_point_one::rules::{game_of, RULES};
use crate::tools::support::ctrl_c;
use anyhow::{Context, Result};
use setup_notes::SetupNotes;
use std::ops::RangeInclusive;

/// Adapter for `cupbot analyse`.
pub const ANALYSE: Analyse = Analyse {
    run,
    hint,
    scores:
        "for Red, in hundredths of a piece; a proven win with its distance in plies; --blunder in \
             percent of the probability of winning (default: 15)",
};

/// Number of setups before the first move.
const SETUPS: usize = 2;

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
    let notes = notes(&game, options)?;
    // If a fault ended the game, it is not over by the rules: the outcome is in the record.
    let outcome = record::Outcome::of(&RULES, &game).or(record.outcome.clone());
    let table = TABLE.text(outcome.as_ref(), &notes, |_| String::new())?;
    Ok(Analysis { notes: notes.iter().map(to_note).collect(), table, outcome })
}

fn hint(record: &Record, options: &Options) -> Result<Hint> {
    let game = game_of(record)?;
    let note = notes(&game, &options.at_end(game.ply()))?.pop().context("the game is over")?;
    let text = note.line.first().cloned().context("there is no move")?;
    let score = score_in_words(note.score)
        + &note.depth.map_or(String::new(), |depth| format!(" at depth {depth}"));
    let reason = match game.position() {
        Some(position) => {
            let mv = Move::parse(&text, position.side())?;
            let score = record::for_first(note.score, position.side().into());
            let plies = score::plies_to_end(score).filter(|_| score > 0);
            reason(position, mv, (&note.line, plies.map(|plies| plies.div_ceil(2))))
        }
        None if game.setups().is_empty() => format!("{text}: the setup that did best in games"),
        None => format!("{text}: the best answer found to Red's setup"),
    };
    Ok(Hint { text, reason, score, line: note.line.join(" ") })
}

/// Returns the notes on the moves that the options select, setups included.
fn notes(game: &Game, options: &Options) -> Result<Vec<ScoreNote>> {
    let evaluator = opponent::Game::evaluator(options.net.as_deref())?;
    let mut searcher =
        Searcher::with_evaluator(Params::default(), evaluator, options.hash as usize);
    let begun = game.positions().first().filter(|_| game.setups().is_empty());
    let (from, to) = options.plies(game, begun.map_or(1, |first| first.ply() + 1))?;
    let first_move = from.max(SETUPS + 1);
    let mut notes = Vec::new();
    if begun.is_some() || first_move <= to {
        let first_move = if begun.is_some() { from } else { first_move };
        notes = move_notes(game, first_move..=to, (options, &mut searcher));
    }
    if begun.is_none() && from <= SETUPS {
        let first = notes.first().filter(|note| note.ply == SETUPS + 1).map(|note| note.score);
        let mut setups = SetupNotes { game, searcher: &mut searcher, options }.notes(from, first);
        // Interrupted searches judge nothing.
        setups.retain(|note| (from..=to).contains(&note.ply) && !ctrl_c::is_interrupted());
        notes.splice(..0, setups);
    }
    Ok(notes)
}

/// Returns the notes on moves after the setups.
fn move_notes(
    game: &Game,
    plies: RangeInclusive<usize>,
    (options, searcher): (&Options, &mut Searcher),
) -> Vec<ScoreNote> {
    let mut look = |ply: usize, limits: Limits| {
        let mut game = game.clone();
        let mut played = None;
        while game.ply() >= ply {
            played = game.pop();
        }
        if game.ply() + 1 < ply {
            return None;
        }
        let side = game.side();
        if let Some(outcome) = game.outcome() {
            return Some(Examined::Over(final_score(outcome, side)));
        }
        let found = searcher.search(&game, limits);
        let note = ScoreNote {
            mv: played.map(|mv| mv.text(side).to_string()),
            line: line_texts(&found.line, side),
            ..ScoreNote::of(&RULES, ply, side.into(), &found)
        };
        Some(Examined::Searched { side: side.into(), found, played, note })
    };
    score_judge::notes(plies, options, &mut look)
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
