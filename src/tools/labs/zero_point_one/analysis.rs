//! The analysis of a game of Zero Point One: a search of every position, from the end backwards.

use super::evaluation;
use super::note::{for_red, ScoreNote};
use crate::engine::score::{self, Score};
use crate::games::zero_point_one::game::{Game, Outcome};
use crate::games::zero_point_one::search::params::Params;
use crate::games::zero_point_one::search::{Limits, SearchResult, Searcher};
use crate::games::zero_point_one::types::{Colour, Move};
use crate::tools::contracts::analysis::{
    to_note, Analyse, Analysis, Mark, Options, MISTAKE_DIVISOR,
};
use crate::tools::contracts::record::{outcome_word, Record};
use crate::tools::labs::zero_point_one::rules::{game_of, RULES};
use crate::tools::support::progress_bar::moves_bar;
use anyhow::{bail, Result};
use std::fmt::{self, Write};

/// What the command needs to know.
pub const ANALYSE: Analyse = Analyse {
    run,
    scores:
        "from Red's view in hundredths of a piece; a proved win with the moves of both sides that \
             it still takes; --blunder in hundredths (default: 200)",
};

/// What a blunder costs by default, in hundredths.
const DEFAULT_BLUNDER: Score = 200;
/// Beyond this a game is as good as decided: what a move changes there is no mistake any more.
const CLEAR_ADVANTAGE: Score = 1_000;
/// How many moves of an expected line the table shows.
const LINE_SHOWN: usize = 8;

fn run(record: &Record, options: &Options) -> Result<Analysis> {
    let game = game_of(record)?;
    let Some(first) = game.positions().first() else {
        bail!("expected both setups before there is anything to analyse");
    };
    let (from, to) = options.plies(&game, first.ply() + 1)?;
    let notes = Analyst::new(options)?.game(&game, from, to);
    // A game that a fault ended goes on by the rules; its record has the outcome.
    let outcome = outcome_word(&RULES, &game).map(str::to_string).or(record.outcome.clone());
    let table = table(outcome.as_deref(), &notes)?;
    Ok(Analysis { notes: notes.iter().map(to_note).collect(), table, outcome })
}

/// Searches the positions of a game.
struct Analyst {
    searcher: Searcher,
    limits: Limits,
    blunder: Score,
}

impl Analyst {
    fn new(options: &Options) -> Result<Analyst> {
        let hard_time = options.nodes.is_none().then_some(options.time());
        let limits = Limits { hard_nodes: options.nodes, hard_time, ..Limits::default() };
        let evaluator = evaluation::named(options.net.as_deref())?;
        let hash_mb = options.hash as usize;
        let searcher = Searcher::with_evaluator(Params::default(), evaluator, hash_mb);
        Ok(Analyst { searcher, limits, blunder: options.blunder.unwrap_or(DEFAULT_BLUNDER) })
    }

    /// The notes on the moves `from` to `to`. Works backwards (retrograde analysis), so that the
    /// table already knows what follows when an earlier position is searched.
    fn game(&mut self, game: &Game, from: usize, to: usize) -> Vec<ScoreNote> {
        let mut game = game.clone();
        let bar = moves_bar(to + 1 - from);
        let mut notes: Vec<ScoreNote> = Vec::new();
        // What the position after the move is worth to its side to move.
        let mut next: Option<Score> = None;
        // The last move played in the present position.
        let mut played: Option<Move> = None;
        loop {
            let ply = game.ply() + 1;
            if ply < from {
                break;
            }
            // One position beyond the last move shows what that move was worth.
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

/// What a finished game is worth to a side.
fn final_score(outcome: Outcome, side: Colour) -> Score {
    match outcome {
        Outcome::Drawn => score::DRAW,
        Outcome::Won(winner) if winner == side => score::win_in(0),
        Outcome::Won(_) => score::lost_in(0),
    }
}

/// The note on the move played in the present position of a game. `next` is the score of the
/// position after it, for the opponent who moves there.
fn note(
    game: &Game,
    found: &SearchResult,
    played: Option<Move>,
    next: Option<Score>,
    blunder: Score,
) -> ScoreNote {
    let side = game.side();
    let verdict = match (played, next) {
        (Some(played), Some(next)) if found.best != Some(played) => {
            Some(assess(found.score, score_before(next), blunder))
        }
        (Some(_), _) => Some((0, None)),
        _ => None,
    };
    ScoreNote {
        ply: game.ply() + 1,
        side: side.name().to_string(),
        mv: played.map(|mv| mv.text(side).to_string()),
        score: for_red(found.score, side),
        depth: Some(found.depth),
        nodes: Some(found.nodes),
        line: line_texts(&found.line, side),
        loss: verdict.map(|(loss, _)| loss),
        mark: verdict.and_then(|(_, mark)| mark),
    }
}

/// What a position is worth to the one who moves to it, one move earlier.
fn score_before(next: Score) -> Score {
    // A win in n from there is one in n + 1 from here.
    score::from_root(-next, 1)
}

/// What a move cost that is worth `after` where the best one is worth `best`, both to the mover,
/// and how bad that is.
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

/// The moves of a line as the sides write them, `side` moving first.
pub(super) fn line_texts(line: &[Move], side: Colour) -> Vec<String> {
    let sides = [side, !side].into_iter().cycle();
    line.iter().zip(sides).map(|(mv, side)| mv.text(side).to_string()).collect()
}

/// A score from Red's view: `+120`, `red in 5`, `blue in 4`.
fn score_text(score: Score) -> String {
    match score::plies_to_end(score) {
        Some(plies) if score > 0 => format!("red in {plies}"),
        Some(plies) => format!("blue in {plies}"),
        None => format!("{score:+}"),
    }
}

/// The notes as a table, with a legend before and a summary behind.
fn table(outcome: Option<&str>, notes: &[ScoreNote]) -> Result<String, fmt::Error> {
    let mut text = String::new();
    write_table(&mut text, notes)?;
    for side in Colour::ALL {
        writeln!(text, "{}", summary(side, notes))?;
    }
    writeln!(text, "outcome {}", outcome.unwrap_or("open"))?;
    Ok(text)
}

fn write_table(out: &mut String, notes: &[ScoreNote]) -> fmt::Result {
    writeln!(out, "Scores are from Red's view, in hundredths of a piece; \"red in 5\": Red wins")?;
    writeln!(
        out,
        "by the fifth move from there, of both sides' moves. The score and the best line"
    )?;
    writeln!(out, "are those before the move; the loss is what the move cost its player.")?;
    writeln!(out)?;
    writeln!(
        out,
        "{:>3} {:4} {:6} {:>10} {:>5} {:>5}  {:<50} remark",
        "ply", "side", "move", "score", "depth", "loss", "best line"
    )?;
    for note in notes {
        let sign = note.mark.map_or("", Mark::sign);
        let mv = note.mv.as_deref().unwrap_or("-");
        let line = note.line[..note.line.len().min(LINE_SHOWN)].join(" ");
        let loss = note.loss.map_or(String::new(), |loss| loss.to_string());
        let row = format!(
            "{:>3} {:4} {:6} {:>10} {:>5} {:>5}  {:<50} {}",
            note.ply,
            note.side,
            format!("{mv}{sign}"),
            score_text(note.score),
            note.depth.unwrap_or_default(),
            loss,
            line,
            note.mark.map_or("", Mark::text)
        );
        writeln!(out, "{}", row.trim_end())?;
    }
    writeln!(out)
}

/// What a side did wrong, in one line.
fn summary(side: Colour, notes: &[ScoreNote]) -> String {
    let own = || notes.iter().filter(|note| note.side == side.name());
    let marked = |mark| own().filter(|note| note.mark == Some(mark)).count();
    let losses: Vec<Score> = own().filter_map(|note| note.loss).collect();
    let mean = f64::from(losses.iter().sum::<Score>()) / losses.len().max(1) as f64;
    format!(
        "{} moves {} mistakes {} blunders {} wins missed {} wins allowed {} mean loss {:.0}",
        side.name(),
        losses.len(),
        marked(Mark::Mistake),
        marked(Mark::Blunder),
        marked(Mark::MissedWin),
        marked(Mark::AllowedWin),
        mean
    )
}

#[cfg(test)]
mod tests;
