//! Positions with one right idea: forced wins and only defences. An exhaustive solver proves every
//! solution, then the searcher has to find it.

use super::super::game::Game;
use super::super::position::{Position, MAX_PLIES};
use super::super::search::params::Params;
use super::super::search::{Limits, SearchResult, Searcher};
use super::super::types::Move;
use super::forced::{reference, Verifier};
use crate::engine::score;
use crate::tools::labs::zero_point_one::solver::{safe_moves, Solver};

/// One position a line: `position; task; moves`. The task is `win N` (the wazir falls by the own
/// N-th move), followed by `drop` or `quiet` where every solution is a drop, or neither captures
/// nor gives check; or `defend N` (the one safe move after which the opponent has no win in N).
const TACTICS: &str = include_str!("../tactics.txt");
/// The nodes in which the searcher must find a solution.
const NODES: u64 = 50_000;
const HASH_MB: usize = 4;
/// Wins by at most so many own moves are proved and refuted with all moves; longer ones are proved
/// by checks with the last so many free.
const FULL_WIDTH: usize = 3;
const FREE_MOVES_OF_LONG_WINS: usize = 2;

/// What is to be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Task {
    Win(usize),
    Defend(usize),
}

/// What the solutions of a win have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    Any,
    Drop,
    Quiet,
}

struct Tactic {
    position: Position,
    task: Task,
    manner: Manner,
    solutions: Vec<Move>,
}

impl Tactic {
    fn parse(line: &str) -> Option<Tactic> {
        let mut fields = line.split(';');
        let position: Position = fields.next()?.parse().ok()?;
        let mut words = fields.next()?.split_whitespace();
        let (name, number) = (words.next()?, words.next()?.parse().ok()?);
        let task = match name {
            "win" => Task::Win(number),
            "defend" => Task::Defend(number),
            _ => return None,
        };
        let manner = match words.next() {
            None => Manner::Any,
            Some("drop") => Manner::Drop,
            Some("quiet") => Manner::Quiet,
            Some(_) => return None,
        };
        let parse = |text: &str| Move::parse(text, position.side()).ok();
        let solutions = fields.next()?.split_whitespace().map(parse).collect::<Option<_>>()?;
        Some(Tactic { position, task, manner, solutions })
    }

    /// All solutions, by the solver.
    fn solve(&self) -> Vec<Move> {
        let position = &self.position;
        match self.task {
            Task::Win(n) => {
                let width = if n > FULL_WIDTH { FREE_MOVES_OF_LONG_WINS } else { FULL_WIDTH };
                Solver::new(width).winning_moves(position, n)
            }
            Task::Defend(n) => Solver::new(FULL_WIDTH).defences(position, n),
        }
    }

    /// Do all solutions have the manner that the line states?
    fn has_manner(&self) -> bool {
        let position = &self.position;
        self.solutions.iter().all(|&mv| match self.manner {
            Manner::Any => true,
            Manner::Drop => mv.is_drop(),
            Manner::Quiet => !position.is_capture(mv) && !position.gives_check(mv),
        })
    }
}

fn tactics() -> Vec<Tactic> {
    TACTICS.lines().map(|line| Tactic::parse(line).expect(line)).collect()
}

#[test]
fn the_suite_has_every_kind_of_task() {
    let tactics = tactics();
    let count = |wanted: &dyn Fn(&Tactic) -> bool| tactics.iter().filter(|t| wanted(t)).count();
    assert!(tactics.len() >= 40);
    for n in 1..=4 {
        assert!(count(&|tactic| tactic.task == Task::Win(n)) >= 3, "win {}", n);
    }
    assert!(count(&|tactic| matches!(tactic.task, Task::Defend(_))) >= 8);
    assert!(count(&|tactic| tactic.manner == Manner::Drop) >= 8);
    assert!(count(&|tactic| tactic.manner == Manner::Quiet) >= 3);
}

#[test]
fn the_solver_finds_exactly_the_listed_solutions() {
    for (tactic, line) in tactics().iter().zip(TACTICS.lines()) {
        let position = &tactic.position;
        let mut found = tactic.solve();
        let mut listed = tactic.solutions.clone();
        found.sort_by_key(|mv| mv.bits());
        listed.sort_by_key(|mv| mv.bits());
        assert_eq!(found, listed, "{}", line);
        assert!(!listed.is_empty() && tactic.has_manner(), "{}", line);
        let n = match tactic.task {
            Task::Win(n) => {
                let shorter = (n - 1).min(FULL_WIDTH);
                assert!(!Solver::new(FULL_WIDTH).wins(position, shorter), "sooner: {}", line);
                n
            }
            Task::Defend(n) => {
                assert_eq!(listed.len(), 1, "not the only defence: {}", line);
                assert!(safe_moves(position).len() > 1, "the only move: {}", line);
                assert!(n <= FULL_WIDTH, "the solver can't refute so long a win: {}", line);
                n
            }
        };
        assert!(position.ply() + 2 * n <= MAX_PLIES, "near the last move: {}", line);
    }
}

#[test]
fn the_searcher_finds_a_solution() {
    let mut searcher = Searcher::new(Params::default(), HASH_MB);
    let limits = Limits { hard_nodes: Some(NODES), ..Limits::default() };
    for (tactic, line) in tactics().iter().zip(TACTICS.lines()) {
        searcher.clear();
        let found = searcher.search(&Game::from_position(tactic.position), limits);
        let solved = found.best.map_or(false, |mv| tactic.solutions.contains(&mv));
        assert!(solved || wins_by_checks(&tactic.position, &found), "{:?} in {}", found, line);
    }
}

/// A longer win than the listed one is as good where it is proved through all answers.
fn wins_by_checks(position: &Position, found: &SearchResult) -> bool {
    match (found.best, score::plies_to_end(found.score)) {
        (Some(best), Some(plies)) if found.score > 0 => {
            Verifier::new().move_wins(&reference(position), best, (plies + 1) / 2)
        }
        _ => false,
    }
}
