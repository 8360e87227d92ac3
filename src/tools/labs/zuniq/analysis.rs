//! Analysis of a game of Zuniq: the side that is proved to win, or White's probability of winning.

use super::evaluation::network;
use super::rules::{game_of, RULES};
use crate::engine::budget::Budget;
use crate::engine::clock::Stopwatch;
use crate::games::zuniq::game::{Game, Side};
use crate::games::zuniq::position::Position;
use crate::games::zuniq::segment::Segment;
use crate::games::zuniq::solver::{Solver, Verdict};
use crate::games::zuniq::tree::{Params, Tree};
use crate::tools::contracts::analysis::{to_note, Analyse, Analysis, Mark, Options};
use crate::tools::contracts::record::{Outcome, Record};
use crate::tools::contracts::{End, GameState};
use crate::tools::support::ctrl_c;
use crate::tools::support::progress_bar::moves_bar;
use anyhow::Result;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Write};
use std::time::Duration;

/// Adapter for `cupbot analyse`.
pub const ANALYSE: Analyse = Analyse {
    run,
    scores: "White's probability of winning, or the side that is proved to win, and the best move \
             instead of a line; --blunder in percent of that probability (default: 30)",
};

/// First ply at which the solver is tried; earlier positions can't be solved in the time of a move.
const SOLVE_FROM_PLY: usize = 14;
/// Fraction of the time per move for the solver.
const SOLVE_PART: f64 = 0.6;
/// Default loss of a blunder, in percent. Unless a result is proved, the search slightly
/// overestimates its best move, so losses below a third of this are noise.
const DEFAULT_BLUNDER: f64 = 30.0;

/// The evaluation of a position for its side to move.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Evaluation {
    /// Probability of winning; exactly 0 or 1 if proved.
    win_probability: f64,
    proved: bool,
    /// The best move; `None` if there is no legal move.
    best: Option<Segment>,
}

impl Evaluation {
    fn is_won(self) -> bool {
        self.proved && self.win_probability > 0.5
    }

    fn is_lost(self) -> bool {
        self.proved && self.win_probability < 0.5
    }
}

/// The note on a move, or on the final position of a record that ends early.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChanceNote {
    /// Number of the move, from 1.
    pub ply: usize,
    /// The side to move.
    #[serde(default)]
    pub side: String,
    /// The move played; `None` if the record ends here.
    #[serde(rename = "move", default, skip_serializing_if = "Option::is_none")]
    pub played: Option<String>,
    /// White's probability of winning before the move.
    pub white: f64,
    /// The side that is proved to win.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proved: Option<String>,
    /// The best move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best: Option<String>,
    /// Loss of the move, in percent of the probability of winning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss: Option<f64>,
    /// Mark of a bad move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<Mark>,
}

fn run(record: &Record, options: &Options) -> Result<Analysis> {
    let game = game_of(record)?;
    let (from, to) = options.plies(&game, 1)?;
    let notes = Analyst::new(options)?.game(&game, from, to);
    // A game that ended by a fault is not over by the rules; its record has the outcome.
    let outcome = Outcome::of(&RULES, &game).or(record.outcome.clone());
    let table = table(&game, outcome.as_ref(), &notes)?;
    Ok(Analysis { notes: notes.iter().map(to_note).collect(), table, outcome })
}

/// Evaluates the positions of a game.
struct Analyst {
    solver: Solver,
    tree: Tree,
    nodes: Option<u64>,
    time: Duration,
    blunder: f64,
}

impl Analyst {
    fn new(options: &Options) -> Result<Analyst> {
        Ok(Analyst {
            solver: Solver::new(options.hash as usize),
            // A tree needs twice the memory for as long a search.
            tree: Tree::new(
                Params::default().with_megabytes(2 * options.hash as usize),
                network(options.net.as_deref())?,
            ),
            nodes: options.nodes,
            time: options.time(),
            blunder: options.blunder.map_or(DEFAULT_BLUNDER, f64::from),
        })
    }

    /// Returns the notes on the moves `from` to `to`. Works backwards, so that the tables contain
    /// the later positions when an earlier one is searched.
    fn game(&mut self, game: &Game, from: usize, to: usize) -> Vec<ChanceNote> {
        let mut game = game.clone();
        let texts = game.texts();
        let bar = moves_bar(to + 1 - from);
        let mut notes: Vec<ChanceNote> = Vec::new();
        // The evaluation of the position after the move, and the move itself.
        let mut next: Option<(Evaluation, Segment)> = None;
        // The position after the last move is needed for the loss of that move.
        let last = game.ply().min(to);
        while game.ply() > last {
            game.pop();
        }
        loop {
            let ply = game.ply() + 1;
            let mut evaluation = self.evaluate(game.position());
            if let Some((after, played)) = next.filter(|(after, _)| after.is_lost()) {
                // The played move proves a win that the search may have missed.
                let best = if evaluation.is_won() { evaluation.best } else { Some(played) };
                evaluation =
                    Evaluation { win_probability: 1.0 - after.win_probability, proved: true, best };
            }
            if ply <= to {
                notes.push(self.note(&game, evaluation, next, texts.get(ply - 1)));
                bar.inc(1);
            }
            if ply == from || ctrl_c::is_interrupted() {
                break;
            }
            let Some(played) = game.pop() else { break };
            next = Some((evaluation, played));
        }
        bar.finish_and_clear();
        notes.reverse();
        notes
    }

    /// Solves or searches a position.
    fn evaluate(&mut self, position: &Position) -> Evaluation {
        let watch = Stopwatch::start();
        let by_time = self.nodes.is_none();
        let deadline = |part: f64| by_time.then(|| watch.deadline(self.time.mul_f64(part)));
        let (solver_deadline, deadline) = (deadline(SOLVE_PART), deadline(1.0));
        if position.ply() >= SOLVE_FROM_PLY || position.legal() == 0 {
            let budget = Budget::new(self.nodes, solver_deadline);
            match self.solver.solve(position, budget) {
                Some(Verdict::Won(best)) => {
                    return Evaluation { win_probability: 1.0, proved: true, best: Some(best) }
                }
                Some(Verdict::Lost) => {
                    let best = Segment::each(position.legal()).next();
                    return Evaluation { win_probability: 0.0, proved: true, best };
                }
                None => {}
            }
        }
        let simulations = self.nodes.unwrap_or(u64::MAX);
        match self.tree.search(position, &mut self.solver, deadline, simulations) {
            Some(result) => Evaluation {
                win_probability: result.value,
                proved: result.proved,
                best: Some(result.best),
            },
            // Unreachable: positions without moves are solved by the solver.
            None => Evaluation { win_probability: 0.0, proved: true, best: None },
        }
    }

    /// Creates the note on the move in a position. `text` is the move in the record, if any.
    fn note(
        &self,
        game: &Game,
        evaluation: Evaluation,
        next: Option<(Evaluation, Segment)>,
        text: Option<&String>,
    ) -> ChanceNote {
        let side = game.side();
        let name = |side: Side| RULES.side_name(side.into()).to_string();
        let verdict = next.map(|(after, played)| match evaluation.best == Some(played) {
            true => (0.0, None),
            false => rate_move(evaluation, after, self.blunder),
        });
        ChanceNote {
            ply: game.ply() + 1,
            side: name(side),
            played: text.cloned(),
            white: if side == Side::White {
                evaluation.win_probability
            } else {
                1.0 - evaluation.win_probability
            },
            proved: evaluation
                .proved
                .then(|| name(if evaluation.is_won() { side } else { side.other() })),
            best: evaluation.best.filter(|_| !evaluation.is_lost()).map(|best| best.to_string()),
            loss: verdict.map(|(loss, _)| loss),
            mark: verdict.and_then(|(_, mark)| mark),
        }
    }
}

/// Rates a move by the evaluations before and after it, each for the side to move. Returns the loss
/// in percent and the mark.
fn rate_move(before: Evaluation, after: Evaluation, blunder: f64) -> (f64, Option<Mark>) {
    let loss = (100.0 * (before.win_probability - (1.0 - after.win_probability))).max(0.0);
    (loss, Mark::of(loss, blunder, before.is_won(), after.is_won()))
}

/// Formats the notes as a table, with a legend before it and the result after it.
fn table(
    game: &Game,
    outcome: Option<&Outcome>,
    notes: &[ChanceNote],
) -> Result<String, fmt::Error> {
    let mut text =
        "White's chances are those before the move; the loss is the cost of the move to\n\
                    its player, in percent of the probability of winning.\n\n"
            .to_string();
    let mut row = |[ply, side, mv, chances, best, loss, remark]: [&str; 7]| {
        let row = format!("{ply:>3} {side:5} {mv:6} {chances:>15} {best:5} {loss:>5}  {remark}");
        writeln!(text, "{}", row.trim_end())
    };
    row(["ply", "side", "move", "white's chances", "best", "loss", "remark"])?;
    for note in notes {
        let (played, sign) =
            (note.played.as_deref().unwrap_or("-"), note.mark.map_or("", Mark::sign));
        let chances = match &note.proved {
            Some(side) => format!("{side} wins"),
            None => format!("{:.1} %", 100.0 * note.white),
        };
        row([
            &note.ply.to_string(),
            &note.side,
            &format!("{played}{sign}"),
            &chances,
            note.best.as_deref().unwrap_or("-"),
            &note.loss.map_or(String::new(), |loss| format!("{loss:.0}")),
            note.mark.map_or("", Mark::text),
        ])?;
    }
    writeln!(text)?;
    write_points(&mut text, game)?;
    writeln!(text, "outcome {}", Outcome::text(outcome))?;
    Ok(text)
}

/// Writes the points of a game that is over, and the claims.
fn write_points(out: &mut String, game: &Game) -> fmt::Result {
    let Some(End { points, facts, .. }) = game.end() else {
        return Ok(());
    };
    for ((name, points), facts) in RULES.sides.iter().zip(points).zip(&facts) {
        write!(out, "{name} points {points}")?;
        facts.iter().try_for_each(|fact| write!(out, ", {} {}", fact.name, fact.value))?;
        writeln!(out)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_marked_by_their_loss() {
        let open = |win_probability| Evaluation { win_probability, proved: false, best: None };
        let sure = |win_probability| Evaluation { win_probability, proved: true, best: None };
        let marks = |before, after| rate_move(before, after, 20.0).1;
        assert_eq!(marks(sure(1.0), sure(1.0)), Some(Mark::AllowedWin));
        assert_eq!(marks(sure(1.0), open(0.5)), Some(Mark::MissedWin));
        assert_eq!(marks(open(0.6), sure(1.0)), Some(Mark::AllowedWin));
        assert_eq!(marks(sure(0.0), sure(1.0)), None, "lost before");
        assert_eq!(marks(open(0.003), sure(1.0)), None, "as good as lost before");
        assert_eq!(marks(open(0.6), open(0.7)), Some(Mark::Blunder));
        assert_eq!(marks(open(0.6), open(0.54)), Some(Mark::Mistake));
        assert_eq!(marks(open(0.6), open(0.5)), Some(Mark::Inaccuracy));
        assert_eq!(marks(open(0.6), open(0.3)), None, "better than expected");
    }
}
