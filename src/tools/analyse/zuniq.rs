//! The analysis of a game of Zuniq: who is proved to win, or how likely White is to.

use super::{mark_sign, mark_text, plies, print, progress_bar, Args, MISTAKE_DIVISOR};
use crate::engine::clock::Stopwatch;
use crate::games::zuniq::game::{Game, Side};
use crate::games::zuniq::network::Network;
use crate::games::zuniq::position::Position;
use crate::games::zuniq::segment::Segment;
use crate::games::zuniq::solver::{Limits, Solver, Verdict};
use crate::games::zuniq::tree::{Params, Tree};
use crate::tools::record::{outcome_word, Mark, Record};
use crate::tools::rules::{Points, Rules};
use anyhow::{ensure, Result};
use serde::Serialize;
use std::io::{self, Write};
use std::time::Duration;

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

/// What is known of a move.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Note {
    /// The number of the move, from 1.
    ply: usize,
    side: &'static str,
    /// The move played; `None` where the record ends here.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    played: Option<String>,
    /// White's probability of winning before the move.
    white: f64,
    /// The side that is proved to win.
    #[serde(skip_serializing_if = "Option::is_none")]
    proved: Option<&'static str>,
    /// The best move.
    #[serde(skip_serializing_if = "Option::is_none")]
    best: Option<String>,
    /// What the move cost the mover, in percent of the probability to win.
    #[serde(skip_serializing_if = "Option::is_none")]
    loss: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mark: Option<Mark>,
}

/// The analysis of a game as a record.
#[derive(Serialize)]
struct Report<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    white: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    black: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<String>,
    moves: Vec<String>,
    analysis: &'a [Note],
}

/// Prints the analysis of a game.
pub fn run(record: Record, args: &Args) -> Result<()> {
    ensure!(args.net.is_none(), "--net is for Zero Point One");
    let game = record.replay_zuniq()?;
    let (from, to) = plies(args, &game, 1)?;
    let notes = Analyst::new(args).game(&game, from, to);
    let [white, black] = record.players;
    let outcome = record.outcome.or_else(|| outcome_word(&game).map(str::to_string));
    let report =
        Report { id: record.id, white, black, outcome, moves: record.moves, analysis: &notes };
    print(args, &report, |out| write_table(out, &game, &notes))
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
    fn new(args: &Args) -> Analyst {
        Analyst {
            solver: Solver::new(args.hash as usize),
            tree: Tree::new(Params::default(), Network::built_in()),
            nodes: args.nodes,
            time: args.time(),
            blunder: args.blunder.map_or(DEFAULT_BLUNDER, f64::from),
        }
    }

    /// The notes on the moves `from` to `to`. Works backwards, so that the table already knows what
    /// follows when an earlier position is searched.
    fn game(&mut self, game: &Game, from: usize, to: usize) -> Vec<Note> {
        let mut game = game.clone();
        let texts = game.texts();
        let bar = progress_bar(to + 1 - from);
        let mut notes: Vec<Note> = Vec::new();
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
        let watch = Stopwatch::start();
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
    ) -> Note {
        let side = game.side();
        let name = |side: Side| Game::side_name(side.into());
        let verdict = next.map(|(after, played)| match view.best == Some(played) {
            true => (0.0, None),
            false => judge(view, after, self.blunder),
        });
        Note {
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

fn write_table(out: &mut dyn Write, game: &Game, notes: &[Note]) -> io::Result<()> {
    writeln!(out, "White's chances are those before the move; the loss is what the move cost its")?;
    writeln!(out, "player, in percent of the probability to win.")?;
    writeln!(out)?;
    writeln!(
        out,
        "{:>3} {:5} {:6} {:>14} {:5} {:>5}  remark",
        "ply", "side", "move", "white's chances", "best", "loss"
    )?;
    for note in notes {
        let sign = note.mark.map_or("", mark_sign);
        let played = note.played.as_deref().unwrap_or("-");
        let view = match note.proved {
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
            note.mark.map_or("", mark_text)
        );
        writeln!(out, "{}", row.trim_end())?;
    }
    writeln!(out)?;
    write_end(out, game)
}

/// How the game ended, and what the claims were worth.
fn write_end(out: &mut dyn Write, game: &Game) -> io::Result<()> {
    let Some(end) = game.end() else {
        return writeln!(out, "outcome open");
    };
    let points = Rules::points(game, end.winner, false);
    for (name, Points { total, claim }) in Game::SIDES.iter().zip(points) {
        write!(out, "{name} points {total}")?;
        if let Some(claim) = claim {
            let worth = match claim.bonus {
                Some(bonus) => format!("brought {bonus}"),
                None => "was false".to_string(),
            };
            write!(out, ", the claim of move {} {worth}", claim.number)?;
        }
        writeln!(out)?;
    }
    writeln!(out, "outcome {}", outcome_word(game).unwrap_or("open"))
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
