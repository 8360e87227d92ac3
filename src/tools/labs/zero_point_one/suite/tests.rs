//! Tactical test positions with few solutions: forced wins and single defences. An exhaustive solver proves the
//! solutions, and the searcher must find one.

use super::super::solver::safe_moves;
use super::*;
use crate::engine::score;
use crate::games::zero_point_one::game::Game;
use crate::games::zero_point_one::position::MAX_PLIES;
use crate::games::zero_point_one::search::params::Params;
use crate::games::zero_point_one::search::{Limits, SearchResult, Searcher};
use crate::games::zero_point_one::tests::forced::{reference, Verifier};
use crate::games::zero_point_one::types::Move;

/// Node limit within which the searcher must find a solution.
const NODES: u64 = 50_000;
const HASH_MB: usize = 4;

/// Finds all solutions with the solver.
fn solve(tactic: &Tactic) -> Vec<Move> {
    match tactic.task.expect("a known task") {
        Task::Win(n) => solver_for(n).winning_moves(&tactic.position, n),
        Task::Defend(n) => Solver::new(FULL_WIDTH).defences(&tactic.position, n),
    }
}

/// Returns the property of all solutions that a line states, which may be empty.
fn property(line: &str) -> &str {
    let task = line.split(';').nth(1).expect("a task");
    task.split_whitespace().nth(2).unwrap_or_default()
}

/// Whether all solutions have the property that the line states.
fn has_property(tactic: &Tactic, line: &str) -> bool {
    let position = &tactic.position;
    tactic.solutions.iter().all(|&mv| match property(line) {
        "" => true,
        "drop" => mv.is_drop(),
        "quiet" => !position.is_capture(mv) && !position.gives_check(mv),
        other => panic!("unknown property {:?}", other),
    })
}

fn tactics() -> Vec<Tactic> {
    SUITE.lines().map(|line| Tactic::parse(line).expect(line)).collect()
}

#[test]
fn the_suite_has_every_kind_of_task() {
    let tactics = tactics();
    let count = |wanted: &dyn Fn(&Tactic) -> bool| tactics.iter().filter(|t| wanted(t)).count();
    assert!(tactics.len() >= 40);
    for n in 1..=4 {
        assert!(count(&|tactic| tactic.task == Some(Task::Win(n))) >= 3, "win {}", n);
    }
    assert!(count(&|tactic| matches!(tactic.task, Some(Task::Defend(_)))) >= 8);
    let count = |wanted| SUITE.lines().filter(|line| property(line) == wanted).count();
    assert!(count("drop") >= 8 && count("quiet") >= 3);
}

#[test]
fn the_solver_finds_exactly_the_listed_solutions() {
    for (tactic, line) in tactics().iter().zip(SUITE.lines()) {
        let position = &tactic.position;
        let mut found = solve(tactic);
        let mut listed = tactic.solutions.clone();
        found.sort_by_key(|mv| mv.bits());
        listed.sort_by_key(|mv| mv.bits());
        assert_eq!(found, listed, "{}", line);
        assert!(!listed.is_empty() && has_property(tactic, line), "{}", line);
        let n = match tactic.task.expect(line) {
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
    for (tactic, line) in tactics().iter().zip(SUITE.lines()) {
        searcher.clear();
        let found = searcher.search(&Game::from_position(tactic.position), limits);
        let solved = found.best.is_some_and(|mv| tactic.solutions.contains(&mv));
        assert!(solved || wins_by_checks(&tactic.position, &found), "{:?} in {}", found, line);
    }
}

/// Whether the searcher found a win, possibly longer than the listed one, that holds against all answers.
fn wins_by_checks(position: &Position, found: &SearchResult) -> bool {
    match (found.best, score::plies_to_end(found.score)) {
        (Some(best), Some(plies)) if found.score > 0 => {
            Verifier::new().move_wins(&reference(position), best, plies.div_ceil(2))
        }
        _ => false,
    }
}
