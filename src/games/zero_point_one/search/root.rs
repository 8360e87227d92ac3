//! The root: iterative deepening, aspiration windows and stop conditions.

use super::super::movegen;
use super::super::position::{Position, MAX_PLIES};
use super::super::types::Move;
use super::correction::slots;
use super::forced::{Budget, Verdict};
use super::node::NodeKind;
use super::time_management::{Stability, FALL_SINCE};
use super::{SearchResult, Searcher, MAX_PATH};
use crate::engine::score::{self, Score, INFINITE};
use crate::engine::search::{set_line, Aspiration, Effort, RootMove, Searched, Window};
use std::cmp::Ordering;

/// Maximum depth of iterative deepening.
const MAX_DEPTH: i32 = 64;
/// Share of a node limit for the solver of forced wins, as a divisor.
const FORCED_PART_OF_NODES: u64 = 8;

impl Searcher {
    /// Searches the root by iterative deepening within the limits.
    pub(super) fn search_root(&mut self, position: &Position) -> SearchResult {
        let mut moves = self.root_moves(position);
        let first = match moves.first() {
            Some(first) => first,
            None => return SearchResult::unsearched(None),
        };
        let mut found = SearchResult {
            best: Some(first.mv),
            score: score::DRAW,
            depth: 0,
            nodes: self.effort.nodes,
            line: first.line.clone(),
        };
        if first.score > -INFINITE {
            return SearchResult { score: first.score, depth: 1, ..found };
        }
        let mut unchanged = 0;
        let mut scores = Vec::with_capacity(MAX_DEPTH as usize);
        let deepest = self.effort.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        for depth in 1..=deepest {
            let is_finished = self.deepen(position, &mut moves, depth).is_ok();
            let best = &moves[0];
            if !is_finished && best.score == -INFINITE {
                break;
            }
            unchanged = if found.best == Some(best.mv) { unchanged + 1 } else { 0 };
            found.best = Some(best.mv);
            found.score = best.score;
            found.line.clone_from(&best.line);
            self.provisional = found.best;
            if !is_finished {
                break;
            }
            found.depth = depth;
            scores.push(found.score);
            let forced = moves.len() == 1 && self.effort.limits.soft_time.is_some();
            let stability = stability(&moves, unchanged, &scores);
            if forced || self.should_stop(found.score, depth, stability) {
                break;
            }
        }
        found.nodes = self.effort.nodes;
        found
    }

    /// The nodes and time used by the last search.
    pub fn effort(&self) -> &Effort {
        &self.effort
    }

    /// Evaluates the root and returns its moves for [`Searcher::deepen`]. Moves with a score that needs no search come
    /// first.
    pub fn root_moves(&mut self, position: &Position) -> Vec<RootMove<Move>> {
        let mut moves = root_moves(position);
        self.provisional = moves.first().map(|root| root.mv);
        if let Some(score) = immediate_result(position, &moves) {
            moves.iter_mut().for_each(|root| root.score = score);
            return moves;
        }
        if let Some(won) = self.forced_win(position) {
            moves.retain(|root| root.mv != won.mv);
            moves.insert(0, won);
        }
        let quiet = position.checkers().is_empty();
        self.frames[0].eval = if quiet {
            let eval = self.evaluator.evaluate(position);
            Some(self.corrected(eval, &slots(position, &self.previous(0))))
        } else {
            None
        };
        moves
    }

    /// Looks for a win by checks alone, which makes the search unnecessary. The solver gets the smaller of
    /// its own budget and its share of the node limit, and stops at the time limit.
    fn forced_win(&mut self, position: &Position) -> Option<RootMove<Move>> {
        let part =
            self.effort.limits.hard_nodes.map_or(u64::MAX, |hard| hard / FORCED_PART_OF_NODES);
        let nodes = part.min(self.params.forced_nodes.max(0) as u64);
        let deadline = self.effort.limits.hard_time.map(|hard| self.effort.started.deadline(hard));
        let budget = Budget { nodes, deadline };
        self.forced.begin();
        let verdict = self.forced.solve(position, self.params.forced_moves.max(0) as usize, budget);
        self.effort.nodes += self.forced.nodes();
        match verdict {
            Verdict::Win(best, moves) => Some(RootMove {
                score: score::win_in(2 * moves - 1),
                line: self.forced.line(position, (best, moves), budget),
                ..RootMove::new(best)
            }),
            Verdict::None | Verdict::Unknown => None,
        }
    }

    /// Searches the root moves to a depth, with an aspiration window around the score of the first one that is
    /// widened until the score is inside. The best one is moved to the front.
    pub fn deepen(
        &mut self,
        position: &Position,
        moves: &mut [RootMove<Move>],
        depth: i32,
    ) -> Searched {
        let mut aspiration = Aspiration::new(depth, moves[0].score, self.params.aspiration_width);
        loop {
            let best = self.search_root_moves(position, moves, depth, aspiration.window)?;
            if aspiration.widen(best) == Ordering::Equal {
                return Ok(best);
            }
        }
    }

    /// Searches all root moves. The best one is moved to the front; the others keep their order.
    fn search_root_moves(
        &mut self,
        position: &Position,
        moves: &mut [RootMove<Move>],
        depth: i32,
        mut window: Window,
    ) -> Searched {
        let mut best = Ok(-INFINITE);
        let mut best_index = 0;
        for (index, root) in moves.iter_mut().enumerate() {
            let mv = root.mv;
            let before = self.effort.nodes;
            let reduction = self.root_reduction(position, mv, depth, index);
            let Window { alpha, beta } = window;
            let searched = self.with_move(position, Some(mv), 0, |searcher, next| {
                let below = -Window::null(alpha);
                let mut score = alpha + 1;
                if reduction > 0 {
                    let depth = (depth - 1 - reduction).max(1);
                    score = -searcher.node(next, NodeKind::Cut, below, depth, 1)?;
                }
                if index > 0 && score > alpha {
                    score = -searcher.node(next, NodeKind::Cut, below, depth - 1, 1)?;
                }
                if score > alpha {
                    score = -searcher.node(next, NodeKind::Principal, -window, depth - 1, 1)?;
                }
                Ok(score)
            });
            root.nodes += self.effort.nodes - before;
            let score = match searched {
                Ok(score) => score,
                Err(stopped) => {
                    best = Err(stopped);
                    break;
                }
            };
            best = best.map(|best| score.max(best));
            if score > alpha || index == 0 {
                best_index = index;
                root.score = score;
                set_line(&mut root.line, mv, Some(&self.frames[1].line));
                window.alpha = alpha.max(score);
            }
            if score >= beta {
                break;
            }
        }
        moves[..=best_index].rotate_right(1);
        best
    }

    /// Late move reduction of a root move, in plies.
    fn root_reduction(&self, position: &Position, mv: Move, depth: i32, index: usize) -> i32 {
        let params = &self.params;
        let early = depth < params.lmr_root_min_depth || index < params.lmr_min_moves as usize;
        let tactical = position.is_capture(mv) || position.gives_check(mv);
        if early || tactical || position.checkers().any() {
            return 0;
        }
        // As at PV nodes: one ply less than at others.
        (self.reductions.of(depth, index + 1) - 1).max(0)
    }

    /// Whether iterative deepening should end: a soft limit has passed, or deeper searches can't change the
    /// result.
    fn should_stop(&self, score: Score, depth: i32, stability: Stability) -> bool {
        if let Some(plies) = score::plies_to_end(score) {
            // A shorter win can't be found any more, and a forced loss stays one.
            if depth as usize > plies && self.effort.limits.depth.is_none() {
                return true;
            }
        }
        let soft_time = self.effort.limits.soft_time;
        self.effort.is_past(soft_time.map(|soft| soft.mul_f64(stability.part_of_soft_time())))
    }
}

/// Returns the stability of the best move and its scores in all iterations.
fn stability(moves: &[RootMove<Move>], unchanged: i32, scores: &[Score]) -> Stability {
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

/// Returns the moves to search: only the capture of the enemy wazir if there is one, otherwise the safe
/// moves, or all moves if none is safe (the game is lost).
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
        assert_eq!(stability(&moves, 2, &[10, 50, 40, 30, 5]), expected);
        assert_eq!(stability(&moves, 0, &[-70]).fall, 0);
    }
}
