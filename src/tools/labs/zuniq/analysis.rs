//! Analysis of a game of Zuniq: the side that is proved to win, or White's probability of winning.

use super::by_hand::{chance_text, proved_text};
use super::evaluation::network;
use super::rules::{game_of, RULES};
use crate::engine::budget::{Budget, Limits};
use crate::engine::clock::Stopwatch;
use crate::games::zuniq::game::{Game, Side};
use crate::games::zuniq::geometry::SIDE as CELLS;
use crate::games::zuniq::position::Position;
use crate::games::zuniq::segment::Segment;
use crate::games::zuniq::solver::{Solver, Verdict};
use crate::games::zuniq::tree::{Params, Tree};
use crate::tools::contracts::analysis::{
    sentence, to_note, Analyse, Analysis, Hint, Mark, Options,
};
use crate::tools::contracts::record::{Outcome, Record};
use crate::tools::contracts::review::{review, Judge, Rating};
use crate::tools::contracts::{End, GameState};
use crate::tools::support::text::count_of;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::fmt::{self, Write};
use std::ops::RangeInclusive;

/// Adapter for `cupbot analyse`.
pub const ANALYSE: Analyse = Analyse {
    run,
    hint,
    scores: "White's probability of winning, or the side that is proved to win, and the best move \
             instead of a line; --blunder in percent of that probability (default: 30)",
};

/// First ply at which the solver is tried; earlier positions can't be solved in the time of a move.
const SOLVE_FROM_PLY: usize = 14;
/// Fraction of the time per move for the solver.
const SOLVE_PART: f64 = 0.6;
/// Number of solver nodes that take about as long as a simulation of the tree search.
const SIMULATION_COST: u64 = 30;
/// Default loss of a blunder, in percent. Unless a result is proved, the search slightly overestimates its best move,
/// so losses below a third of this are noise.
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
    /// A proved result.
    fn proved(wins: bool, best: Option<Segment>) -> Evaluation {
        Evaluation { win_probability: f64::from(u8::from(wins)), proved: true, best }
    }

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
    /// Whether the results with the best move and after the move played are proved.
    #[serde(default, rename = "certain", skip_serializing_if = "std::ops::Not::not")]
    pub is_certain: bool,
}

fn run(record: &Record, options: &Options) -> Result<Analysis> {
    let game = game_of(record)?;
    let (from, to) = options.plies(&game, 1)?;
    let notes = Analyst::new(&game, options)?.notes(from..=to, options);
    // A game that ended by a fault is not over by the rules; its record has the outcome.
    let outcome = Outcome::of(&RULES, &game).or(record.outcome.clone());
    let table = table(&game, outcome.as_ref(), &notes)?;
    Ok(Analysis { notes: notes.iter().map(to_note).collect(), table, outcome })
}

fn hint(record: &Record, options: &Options) -> Result<Hint> {
    let game = game_of(record)?;
    let ply = game.ply() + 1;
    let mut found = review(&mut Analyst::new(&game, options)?, ply..=ply, options);
    let (Stage { evaluation, .. }, _) = found.pop().context("the game is over")?;
    let best = evaluation.best.context("there is no move")?;
    let (side, text) = (game.side(), best.to_string());
    let white = match side {
        Side::White => evaluation.win_probability,
        Side::Black => 1.0 - evaluation.win_probability,
    };
    let score = match evaluation.proved {
        true => proved_text(if evaluation.is_won() { side } else { side.other() }),
        false => chance_text(white),
    };
    Ok(Hint { reason: reason(game.position(), best, evaluation), score, line: text.clone(), text })
}

/// Explains a wall by the zone that it closes and the proof, if there is one.
fn reason(position: &Position, wall: Segment, evaluation: Evaluation) -> String {
    let next = position.make(wall);
    let (before, after) = (position.sizes(), next.sizes());
    let closed: Vec<String> = (1..=CELLS * CELLS)
        .filter(|&size| after.has(size) && !before.has(size))
        .map(|size| {
            format!("it closes a zone of size {size}, so that no other zone of {size} is possible")
        })
        .collect();
    let [walls, left] = [position, &next].map(|at| at.legal().count_ones() as usize);
    let barred = (walls - left).saturating_sub(1);
    let barred = (barred > 0).then(|| format!("it bars {}", count_of(barred, "other wall")));
    let left = format!("{} can still be drawn", count_of(left, "wall"));
    let certain = match evaluation.proved {
        true if evaluation.is_won() => Some("it is proved to win".to_string()),
        true => Some("every wall loses against best play".to_string()),
        false => None,
    };
    let facts: Vec<String> =
        closed.into_iter().chain(barred).chain(certain).chain([left]).collect();
    sentence(&wall.to_string(), &facts, &[])
}

/// Evaluates the positions of a game.
struct Analyst {
    solver: Solver,
    tree: Tree,
    /// Number of simulations of the tree so far.
    simulations: u64,
    game: Game,
    blunder: f64,
}

impl Analyst {
    fn new(game: &Game, options: &Options) -> Result<Analyst> {
        Ok(Analyst {
            solver: Solver::new(options.hash as usize),
            // A tree needs twice the memory for as long a search.
            tree: Tree::new(
                Params::default().with_megabytes(2 * options.hash as usize),
                network(options.net.as_deref())?,
            ),
            simulations: 0,
            game: game.clone(),
            blunder: options.blunder.map_or(DEFAULT_BLUNDER, f64::from),
        })
    }

    /// Returns the notes on moves.
    fn notes(&mut self, plies: RangeInclusive<usize>, options: &Options) -> Vec<ChanceNote> {
        let found = review(self, plies, options);
        found.iter().map(|(at, rating)| self.note(at, *rating)).collect()
    }

    /// Solves or searches a position.
    fn evaluate(&mut self, position: &Position, limits: Limits) -> Evaluation {
        let watch = Stopwatch::start();
        let deadline = |part: f64| limits.hard_time.map(|time| watch.deadline(time.mul_f64(part)));
        // A node is a simulation.
        let mut left = limits.hard_nodes.unwrap_or(u64::MAX);
        if position.ply() >= SOLVE_FROM_PLY || position.legal() == 0 {
            let before = self.solver.nodes();
            let nodes = limits
                .hard_nodes
                .map(|nodes| (SOLVE_PART * nodes.saturating_mul(SIMULATION_COST) as f64) as u64);
            match self.solver.solve(position, Budget::new(nodes, deadline(SOLVE_PART))) {
                Some(Verdict::Won(best)) => return Evaluation::proved(true, Some(best)),
                Some(Verdict::Lost) => {
                    return Evaluation::proved(false, Segment::each(position.legal()).next())
                }
                None => left -= ((self.solver.nodes() - before) / SIMULATION_COST).min(left),
            }
        }
        match self.tree.search(position, &mut self.solver, deadline(1.0), left.max(1)) {
            Some(result) => {
                self.simulations += result.simulations;
                let (win_probability, proved) = (result.value, result.proved);
                Evaluation { win_probability, proved, best: Some(result.best) }
            }
            // Unreachable: positions without moves are solved by the solver.
            None => Evaluation::proved(false, None),
        }
    }

    /// Creates the note on the move in a position.
    fn note(&self, at: &Stage, rating: Option<Rating>) -> ChanceNote {
        let Stage { ply, evaluation, .. } = *at;
        let side = Side::to_move_after(ply - 1);
        let name = |side: Side| RULES.side_name(side.into()).to_string();
        let mark = rating.and_then(|rating| rating.mark);
        ChanceNote {
            ply,
            side: name(side),
            played: self.game.texts().get(ply - 1).cloned(),
            white: if side == Side::White {
                evaluation.win_probability
            } else {
                1.0 - evaluation.win_probability
            },
            proved: evaluation
                .proved
                .then(|| name(if evaluation.is_won() { side } else { side.other() })),
            best: evaluation.best.filter(|_| !evaluation.is_lost()).map(|best| best.to_string()),
            loss: rating.map(|rating| rating.loss),
            mark,
            is_certain: mark.is_some() && rating.is_some_and(|rating| rating.proved),
        }
    }
}

/// A position of the game with its evaluation.
#[derive(Clone, Copy)]
struct Stage {
    /// Number of the next move.
    ply: usize,
    evaluation: Evaluation,
    played: Option<Segment>,
}

impl Judge for Analyst {
    type Found = Stage;

    fn look(&mut self, ply: usize, limits: Limits, after: Option<&Stage>) -> Option<Stage> {
        let mut game = self.game.clone();
        let mut played = None;
        while game.ply() >= ply {
            played = game.pop();
        }
        if game.ply() + 1 < ply {
            return None;
        }
        let evaluation = match after.is_some_and(|after| after.evaluation.is_lost()) {
            true => Evaluation::proved(true, played),
            false => self.evaluate(game.position(), limits),
        };
        Some(Stage { ply, evaluation, played })
    }

    fn nodes(&self) -> u64 {
        self.solver.nodes() / SIMULATION_COST + self.simulations
    }

    fn is_proved(found: &Stage) -> bool {
        found.evaluation.proved
    }

    /// After any move in a lost position the opponent wins, and after the best move in a won one the opponent loses.
    fn carry(before: &Stage, after: &mut Stage) {
        if before.evaluation.is_lost() {
            // The search may not have found the winning move.
            after.evaluation = Evaluation::proved(true, None);
        } else if before.evaluation.best == before.played {
            after.evaluation = Evaluation::proved(false, after.evaluation.best);
        }
    }

    fn rate(&self, before: &Stage, after: Option<&Stage>) -> Option<Rating> {
        let played = before.played?;
        let proved = before.evaluation.proved && after?.evaluation.proved;
        if before.evaluation.best == Some(played) {
            return Some(Rating::default());
        }
        let (loss, mark) = rate_move(before.evaluation, after?.evaluation, self.blunder);
        // Without a known better move the loss may be wrong.
        Some(Rating {
            loss,
            mark: mark.filter(|_| before.evaluation.best.is_some() || proved),
            proved,
        })
    }
}

/// Rates a move by the evaluations before and after it, each for the side to move. Returns the loss in percent and the
/// mark.
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
        let (played, symbol) =
            (note.played.as_deref().unwrap_or("-"), note.mark.map_or("", Mark::symbol));
        let chances = match &note.proved {
            Some(side) => format!("{side} wins"),
            None => format!("{:.1} %", 100.0 * note.white),
        };
        row([
            &note.ply.to_string(),
            &note.side,
            &format!("{played}{symbol}"),
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
        assert_eq!(marks(open(0.6), open(0.6)), Some(Mark::Mistake));
        assert_eq!(marks(open(0.6), open(0.5)), Some(Mark::Inaccuracy));
        assert_eq!(marks(open(0.6), open(0.3)), None, "better than expected");
    }
}
