//! The suite of tactical positions, for the puzzles of the board and for tests.

use super::solver::Solver;
use crate::games::zero_point_one::position::Position;
use crate::games::zero_point_one::types::Move;
use anyhow::{bail, Result};

/// The suite, one position per line: `position; task; moves` with all moves that solve the task. The task is `win N`
/// (capture the wazir with the N-th move), followed by `drop` if all solutions are drops, or by `quiet` if none
/// captures or gives check; or `defend N` (the only safe move after which the opponent has no win in N moves).
pub const SUITE: &str = include_str!("../../../games/zero_point_one/tactics.txt");
/// Maximum length, in moves, of wins that are proved and refuted with all moves.
pub const FULL_WIDTH: usize = 3;
/// Number of final moves of longer wins that are solved with all moves; before them the solver tries only checks.
const FULL_WIDTH_OF_LONG_WINS: usize = 2;

/// The task of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Task {
    /// Capture the wazir with at most this many moves.
    Win(usize),
    /// Prevent a win of the opponent in this many moves.
    Defend(usize),
}

/// A position of a suite.
pub struct Tactic {
    /// The position.
    pub position: Position,
    /// The task, if it is of a known kind.
    pub task: Option<Task>,
    /// All first moves that solve it.
    pub solutions: Vec<Move>,
}

impl Tactic {
    /// Parses a line. The task may be any text.
    pub fn parse(line: &str) -> Result<Tactic> {
        let fields: Vec<&str> = line.split(';').collect();
        let [position, task, moves] = fields[..] else { bail!("expected `position; task; moves`") };
        let position: Position = position.parse()?;
        let words: Vec<&str> = task.split_whitespace().collect();
        let number = words.get(1).and_then(|number| number.parse().ok());
        let task = match words.first().copied() {
            Some("win") => number.map(Task::Win),
            Some("defend") => number.map(Task::Defend),
            _ => None,
        };
        let moves = moves.split_whitespace().map(|text| Move::parse(text, position.side()));
        Ok(Tactic { position, task, solutions: moves.collect::<Result<_, _>>()? })
    }
}

/// Creates a solver for wins in at most `moves` moves.
pub fn solver_for(moves: usize) -> Solver {
    Solver::new(if moves > FULL_WIDTH { FULL_WIDTH_OF_LONG_WINS } else { FULL_WIDTH })
}

#[cfg(test)]
mod tests;
