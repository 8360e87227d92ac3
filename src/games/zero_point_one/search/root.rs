//! The root: iterative deepening, aspiration windows and stop conditions.

use super::super::movegen;
use super::super::position::{Position, MAX_PLIES};
use super::super::types::Move;
use super::correction::slots;
use super::forced::Verdict;
use super::time_management::{Stability, FALL_SINCE};
use super::{Searcher, MAX_PATH};
use crate::engine::alpha_beta::{deepen_by_aspiration, Deepen, Iterations, RootMove};
use crate::engine::alpha_beta::{Searched, MAX_DEPTH};
use crate::engine::budget::Budget;
use crate::engine::score::{self, Score};
use std::time::Duration;

/// Share of a node limit for the solver of forced wins, as a divisor.
const FORCED_PART_OF_NODES: u64 = 8;

impl Searcher {
    /// Evaluates the root and returns its moves for [`Searcher::deepen`]. Moves with a score that needs no search come
    /// first.
    pub fn root_moves(&mut self, position: &Position) -> Vec<RootMove<Move>> {
        let mut moves = root_moves(position);
        self.core.provisional = moves.first().map(|root| root.mv);
        if let Some(score) = immediate_result(position, &moves) {
            moves.iter_mut().for_each(|root| root.score = score);
            return moves;
        }
        if let Some(won) = self.forced_win(position) {
            moves.retain(|root| root.mv != won.mv);
            moves.insert(0, won);
        }
        let quiet = position.checkers().is_empty();
        self.core.frames[0].eval = if quiet {
            let eval = self.evaluator.evaluate(position);
            Some(self.corrected(eval, &slots(position, &self.previous(0))))
        } else {
            None
        };
        moves
    }

    /// Looks for a win by checks alone, which makes the search unnecessary. The solver gets its budget or its share of
    /// the node limit, whichever is smaller, and stops at the time limit.
    fn forced_win(&mut self, position: &Position) -> Option<RootMove<Move>> {
        let part = self.core.limits.hard_nodes.map_or(u64::MAX, |hard| hard / FORCED_PART_OF_NODES);
        let nodes = part.min(self.params.forced_nodes.max(0) as u64);
        let budget = Budget::new(Some(nodes.saturating_sub(1)), self.core.budget.deadline());
        self.forced.begin();
        let verdict = self.forced.solve(position, self.params.forced_moves.max(0) as usize, budget);
        self.core.budget.add(self.forced.nodes());
        match verdict {
            Verdict::Win(best, moves) => Some(RootMove {
                score: score::win_in(2 * moves - 1),
                line: self.forced.line(position, (best, moves), budget),
                ..RootMove::new(best)
            }),
            Verdict::None | Verdict::Unknown => None,
        }
    }
}

impl Deepen for Searcher {
    fn deepen(
        &mut self,
        position: &Position,
        moves: &mut [RootMove<Move>],
        depth: i32,
    ) -> Searched {
        let width = self.params.aspiration_width;
        deepen_by_aspiration(self, position, moves, depth, width)
    }

    fn root_reduction(&self, position: &Position, mv: Move, depth: i32, index: usize) -> i32 {
        let params = &self.params;
        let early = depth < params.lmr_root_min_depth || index < params.lmr_min_moves as usize;
        let tactical = position.is_capture(mv) || position.gives_check(mv);
        if early || tactical || position.checkers().any() {
            return 0;
        }
        // As at PV nodes: one ply less than at others.
        (self.core.reductions.of(depth, index + 1) - 1).max(0)
    }

    fn soft_time(&self, iterations: &Iterations<Move>) -> Option<Duration> {
        let part = stability(iterations).part_of_soft_time();
        self.core.limits.soft_time.map(|soft| soft.mul_f64(part))
    }
}

/// Returns the stability of the best move.
fn stability(iterations: &Iterations<Move>) -> Stability {
    let Iterations { moves, unchanged, scores } = *iterations;
    let all: u64 = moves.iter().map(|root| root.nodes).sum();
    let best = moves.first().map_or(0, |root| root.nodes);
    let last = scores.len().saturating_sub(1);
    let score = |iteration: usize| scores.get(iteration).copied().unwrap_or(score::DRAW);
    Stability {
        unchanged,
        effort: best as f64 / all.max(1) as f64,
        fall: score(last.saturating_sub(FALL_SINCE)) - score(last),
    }
}

/// A win at once is first among the root moves; without a safe move the game is lost.
fn immediate_result(position: &Position, moves: &[RootMove<Move>]) -> Option<Score> {
    let first = moves.first()?.mv;
    if position.board().wazir(!position.side()) == Some(first.to()) {
        return Some(score::win_in(1));
    }
    if position.ply() + 1 >= MAX_PLIES {
        return Some(score::DRAW);
    }
    if position.is_safe(first) {
        None
    } else {
        Some(score::lost_in(2))
    }
}

/// Returns the moves to search: only the capture of the enemy wazir if there is one, otherwise the safe moves, or all
/// moves if none is safe (the game is lost).
fn root_moves(position: &Position) -> Vec<RootMove<Move>> {
    debug_assert!(MAX_PATH > MAX_DEPTH as usize);
    let mut moves = Vec::new();
    let enemy_wazir = position.board().wazir(!position.side());
    movegen::pseudo_legal(position, |mv| {
        if Some(mv.to()) == enemy_wazir {
            moves.push(mv);
        }
    });
    if moves.is_empty() {
        movegen::safe(position, |mv| moves.push(mv));
    }
    if moves.is_empty() {
        movegen::pseudo_legal(position, |mv| moves.push(mv));
    }
    moves.into_iter().map(RootMove::new).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_stable_by_effort_and_a_steady_score() {
        let position: Position =
            "AAAADDNW/AAAADDFF/8/8/8/8/affdadda/nwaadaaa - 2".parse().expect("a position");
        let mut moves = root_moves(&position);
        moves.truncate(2);
        moves[0].nodes = 30;
        moves[1].nodes = 10;
        let expected = Stability { unchanged: 2, effort: 0.75, fall: 45 };
        let stability = |unchanged: i32, scores: &[Score]| {
            stability(&Iterations { moves: &moves, unchanged, scores })
        };
        assert_eq!(stability(2, &[10, 50, 40, 30, 5]), expected);
        assert_eq!(stability(0, &[-70]).fall, 0);
    }
}
