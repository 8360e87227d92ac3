//! The analysis of a game of Zuniq: who is proved to win, or how likely White is to.

use super::{game_of, network, ENTRY};
use crate::engine::clock::{Measure, Stopwatch};
use crate::games::zuniq::game::{Game, Side};
use crate::games::zuniq::position::Position;
use crate::games::zuniq::segment::Segment;
use crate::games::zuniq::solver::{Limits, Solver, Verdict};
use crate::games::zuniq::tree::{Params, Tree};
use crate::tools::game::analysis::{to_note, Analyse, Analysis, Mark, Options, MISTAKE_DIVISOR};
use crate::tools::game::record::{outcome_word, Record};
use crate::tools::game::{End, GameState};
use crate::tools::progress::moves_bar;
use anyhow::Result;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Write};
use std::time::Duration;

/// What the command needs to know.
pub const ANALYSE: Analyse = Analyse {
    run,
    scores:
        "White's probability of winning, or the side that is proved to win, and instead of a line \
             the best move; --blunder in percent of that probability, 30 unless told",
};

/// Earlier positions are not given to the solver: it has no chance.
const SOLVE_FROM_PLY: usize = 14;
/// The part of a move's time that the solver may take.
const SOLVE_PART: f64 = 0.6;
/// What a blunder costs unless told, in percent. Where nothing is proved the search thinks a bit too
/// well of its best move: a third of this means nothing.
const DEFAULT_BLUNDER: f64 = 30.0;

/// What is known of a position, from the view of its side to move.
#[derive(Clone, Copy, Debug, PartialEq)]
struct View {
    /// The probability to win; exactly 0 or 1 where proved.
    chance: f64,
    proved: bool,
    /// The best move known; `None` where there is no move.
    best: Option<Segment>,
}

impl View {
    fn is_won(self) -> bool {
        self.proved && self.chance > 0.5
    }

    fn is_lost(self) -> bool {
        self.proved && self.chance < 0.5
    }
}

/// What is known of a move, or of the position in which the next one is due.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChanceNote {
    /// The number of the move, from 1.
    pub ply: usize,
    /// The side that moves.
    #[serde(default)]
    pub side: String,
    /// The move played; `None` where the record ends here.
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
    /// What the move cost the mover, in percent of the probability to win.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss: Option<f64>,
    /// What is wrong with the move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<Mark>,
}

fn run(record: &Record, options: &Options) -> Result<Analysis> {
    let game = game_of(record)?;
    let (from, to) = options.plies(&game, 1)?;
    let notes = Analyst::new(options)?.game(&game, from, to);
    // A game that a fault ended goes on by the rules; its record has the outcome.
    let outcome = outcome_word(&ENTRY, &game).map(str::to_string).or(record.outcome.clone());
    let table = table(&game, outcome.as_deref(), &notes)?;
    Ok(Analysis { notes: notes.iter().map(to_note).collect(), table, outcome })
}

/// Searches the positions of a game.
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
            tree: Tree::new(Params::default(), network(options.net.as_deref())?),
            nodes: options.nodes,
            time: options.time(),
            blunder: options.blunder.map_or(DEFAULT_BLUNDER, f64::from),
        })
    }

    /// The notes on the moves `from` to `to`. Works backwards, so that the table already knows what
    /// follows when an earlier position is searched.
    fn game(&mut self, game: &Game, from: usize, to: usize) -> Vec<ChanceNote> {
        let mut game = game.clone();
        let texts = game.texts();
        let bar = moves_bar(to + 1 - from);
        let mut notes: Vec<ChanceNote> = Vec::new();
        // What is known of the position after the move, and the move.
        let mut next: Option<(View, Segment)> = None;
        // One position beyond the last move shows what that move was worth.
        let last = game.ply().min(to);
        while game.ply() > last {
            game.pop();
        }
        loop {
            let ply = game.ply() + 1;
            let mut view = self.view(game.position());
            if let Some((after, played)) = next.filter(|(after, _)| after.is_lost()) {
                // The move played proves what the search may have missed.
                let best = if view.is_won() { view.best } else { Some(played) };
                view = View { chance: 1.0 - after.chance, proved: true, best };
            }
            if ply <= to {
                notes.push(self.note(&game, view, next, texts.get(ply - 1)));
                bar.inc(1);
            }
            if ply == from {
                break;
            }
            let Some(played) = game.pop() else { break };
            next = Some((view, played));
        }
        bar.finish_and_clear();
        notes.reverse();
        notes
    }

    /// Solves or searches a position.
    fn view(&mut self, position: &Position) -> View {
        let watch = Stopwatch::start(Measure::Processor);
        let by_time = self.nodes.is_none();
        let deadline = |part: f64| by_time.then(|| watch.deadline(self.time.mul_f64(part)));
        let (solver_deadline, deadline) = (deadline(SOLVE_PART), deadline(1.0));
        if position.ply() >= SOLVE_FROM_PLY || position.legal() == 0 {
            let limits = Limits { deadline: solver_deadline, nodes: self.nodes };
            match self.solver.solve(position, limits) {
                Some(Verdict::Won(best)) => {
                    return View { chance: 1.0, proved: true, best: Some(best) }
                }
                Some(Verdict::Lost) => {
                    let best = Segment::each(position.legal()).next();
                    return View { chance: 0.0, proved: true, best };
                }
                None => {}
            }
        }
        let simulations = self.nodes.unwrap_or(u64::MAX);
        match self.tree.search(position, &mut self.solver, deadline, simulations) {
            Some(found) => {
                View { chance: found.value, proved: found.proved, best: Some(found.best) }
            }
            // Not reached: the solver knows positions without moves.
            None => View { chance: 0.0, proved: true, best: None },
        }
    }

    /// The note on the move that is due in a position, and was played as `text` where it was.
    fn note(
        &self,
        game: &Game,
        view: View,
        next: Option<(View, Segment)>,
        text: Option<&String>,
    ) -> ChanceNote {
        let side = game.side();
        let name = |side: Side| ENTRY.side_name(side.into()).to_string();
        let verdict = next.map(|(after, played)| match view.best == Some(played) {
            true => (0.0, None),
            false => judge(view, after, self.blunder),
        });
        ChanceNote {
            ply: game.ply() + 1,
            side: name(side),
            played: text.cloned(),
            white: if side == Side::White { view.chance } else { 1.0 - view.chance },
            proved: view.proved.then(|| name(if view.is_won() { side } else { side.other() })),
            best: view.best.filter(|_| !view.is_lost()).map(|best| best.to_string()),
            loss: verdict.map(|(loss, _)| loss),
            mark: verdict.and_then(|(_, mark)| mark),
        }
    }
}

/// What a move cost that leads from one view to another, the opponent's, in percent, and how bad that
/// is.
fn judge(before: View, after: View, blunder: f64) -> (f64, Option<Mark>) {
    let loss = (100.0 * (before.chance - (1.0 - after.chance))).max(0.0);
    let mark = if after.is_won() && !before.is_lost() {
        Some(if before.is_won() { Mark::MissedWin } else { Mark::AllowedWin })
    } else if loss >= blunder {
        Some(Mark::Blunder)
    } else if loss >= blunder / f64::from(MISTAKE_DIVISOR) {
        Some(Mark::Mistake)
    } else {
        None
    };
    (loss, mark)
}

/// The notes as a table, with a legend before and the result behind.
fn table(game: &Game, outcome: Option<&str>, notes: &[ChanceNote]) -> Result<String, fmt::Error> {
    let mut text = String::new();
    write_table(&mut text, notes)?;
    write_points(&mut text, game)?;
    writeln!(text, "outcome {}", outcome.unwrap_or("open"))?;
    Ok(text)
}

fn write_table(out: &mut String, notes: &[ChanceNote]) -> fmt::Result {
    writeln!(out, "White's chances are those before the move; the loss is what the move cost its")?;
    writeln!(out, "player, in percent of the probability to win.")?;
    writeln!(out)?;
    writeln!(
        out,
        "{:>3} {:5} {:6} {:>14} {:5} {:>5}  remark",
        "ply", "side", "move", "white's chances", "best", "loss"
    )?;
    for note in notes {
        let sign = note.mark.map_or("", Mark::sign);
        let played = note.played.as_deref().unwrap_or("-");
        let view = match &note.proved {
            Some(side) => format!("{side} wins"),
            None => format!("{:.1} %", 100.0 * note.white),
        };
        let row = format!(
            "{:>3} {:5} {:6} {view:>15} {:5} {:>5}  {}",
            note.ply,
            note.side,
            format!("{played}{sign}"),
            note.best.as_deref().unwrap_or("-"),
            note.loss.map_or(String::new(), |loss| format!("{loss:.0}")),
            note.mark.map_or("", Mark::text)
        );
        writeln!(out, "{}", row.trim_end())?;
    }
    writeln!(out)
}

/// The points of a game that is over, and what the claims were worth.
fn write_points(out: &mut String, game: &Game) -> fmt::Result {
    let Some(End { points, facts, .. }) = game.end() else {
        return Ok(());
    };
    for ((name, points), facts) in ENTRY.sides.iter().zip(points).zip(&facts) {
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
    fn judgement_follows_what_the_move_gave_away() {
        let open = |chance| View { chance, proved: false, best: None };
        let sure = |chance| View { chance, proved: true, best: None };
        let marks = |before, after| judge(before, after, 20.0).1;
        assert_eq!(marks(sure(1.0), sure(1.0)), Some(Mark::MissedWin));
        assert_eq!(marks(open(0.6), sure(1.0)), Some(Mark::AllowedWin));
        assert_eq!(marks(sure(0.0), sure(1.0)), None, "lost before");
        assert_eq!(marks(open(0.6), open(0.7)), Some(Mark::Blunder));
        assert_eq!(marks(open(0.6), open(0.53)), Some(Mark::Mistake));
        assert_eq!(marks(open(0.6), open(0.3)), None, "better than expected");
    }
}
