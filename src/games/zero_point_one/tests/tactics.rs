//! Tactical test positions with few solutions: forced wins and single defences. An exhaustive solver proves
//! the solutions, and the searcher must find one.

use super::super::game::Game;
use super::super::position::{Position, MAX_PLIES};
use super::super::search::params::Params;
use super::super::search::{Limits, SearchResult, Searcher};
use super::super::types::Move;
use super::forced::{reference, Verifier};
use crate::engine::score;
use crate::tools::labs::zero_point_one::solver::{safe_moves, Solver};

/// Test suite, one position per line: `position; task; moves`. The task is `win N` (capture the wazir with
/// the N-th move), followed by `drop` if all solutions are drops, or by `quiet` if none captures or gives
/// check; or `defend N` (the only safe move after which the opponent has no win in N moves).
const TACTICS: &str = include_str!("../tactics.txt");
/// Node limit within which the searcher must find a solution.
const NODES: u64 = 50_000;
const HASH_MB: usize = 4;
/// Maximum length, in moves, of wins that are proved and refuted with all moves.
const FULL_WIDTH: usize = 3;
/// Number of final moves of longer wins that are searched with all moves. The moves before them must be
/// checks.
const FULL_WIDTH_OF_LONG_WINS: usize = 2;

/// Task of a position, with its number of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Task {
    Win(usize),
    Defend(usize),
}

/// Common property of all solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SolutionType {
    Any,
    Drop,
    Quiet,
}

struct Tactic {
    position: Position,
    task: Task,
    solution_type: SolutionType,
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
        let solution_type = match words.next() {
            None => SolutionType::Any,
            Some("drop") => SolutionType::Drop,
            Some("quiet") => SolutionType::Quiet,
            Some(_) => return None,
        };
        let parse = |text: &str| Move::parse(text, position.side()).ok();
        let solutions = fields.next()?.split_whitespace().map(parse).collect::<Option<_>>()?;
        Some(Tactic { position, task, solution_type, solutions })
    }

    /// Finds all solutions with the solver.
    fn solve(&self) -> Vec<Move> {
        let position = &self.position;
        match self.task {
            Task::Win(n) => {
                let width = if n > FULL_WIDTH { FULL_WIDTH_OF_LONG_WINS } else { FULL_WIDTH };
                Solver::new(width).winning_moves(position, n)
            }
            Task::Defend(n) => Solver::new(FULL_WIDTH).defences(position, n),
        }
    }

    /// Whether all solutions have the type that the line states.
    fn has_solution_type(&self) -> bool {
        let position = &self.position;
        self.solutions.iter().all(|&mv| match self.solution_type {
            SolutionType::Any => true,
            SolutionType::Drop => mv.is_drop(),
            SolutionType::Quiet => !position.is_capture(mv) && !position.gives_check(mv),
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
    assert!(count(&|tactic| tactic.solution_type == SolutionType::Drop) >= 8);
    assert!(count(&|tactic| tactic.solution_type == SolutionType::Quiet) >= 3);
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
        assert!(!listed.is_empty() && tactic.has_solution_type(), "{}", line);
        let n = match tactic.task {
            Task::Win(n) => {
                let shorter = (n - 1).min(FULL_WIDTH);
                assert!(
                    !Solver::new(FULL_WIDTH).wins(position, shorter),
                    "a shorter win exists: {}",
                    line
                );
                n
            }
            Task::Defend(n) => {
                assert_eq!(listed.len(), 1, "not the only defence: {}", line);
                assert!(safe_moves(position).len() > 1, "there is only one move: {}", line);
                assert!(n <= FULL_WIDTH, "the win is too long for the solver to refute: {}", line);
                n
            }
        };
        assert!(position.ply() + 2 * n <= MAX_PLIES, "too close to the last move: {}", line);
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

/// Whether the searcher found a win, possibly longer than the listed one, that holds against all answers.
fn wins_by_checks(position: &Position, found: &SearchResult) -> bool {
    match (found.best, score::plies_to_end(found.score)) {
        (Some(best), Some(plies)) if found.score > 0 => {
            Verifier::new().move_wins(&reference(position), best, (plies + 1) / 2)
        }
        _ => false,
    }
}
