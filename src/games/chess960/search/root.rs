//! The root: iterative deepening, aspiration windows and stop conditions.

use super::super::position::Position;
use super::super::threats::Threats;
use super::super::types::Move;
use super::history::{slots, Context};
use super::node::NodeKind;
use super::{SearchResult, Searcher, MAX_PATH};
use crate::engine::interrupt;
use crate::engine::score::{self, Score, INFINITE};
use crate::engine::search::{set_line, Aspiration, Effort, RootMove, Searched, Window};
use std::cmp::Ordering;

/// Maximum depth of iterative deepening.
pub const MAX_DEPTH: i32 = 64;

const _: () = assert!(MAX_PATH > MAX_DEPTH as usize);

impl Searcher {
    /// Searches the root by iterative deepening within the limits.
    pub(super) fn search_root(&mut self, position: &Position, moves: &[Move]) -> SearchResult {
        let line = moves.iter().take(1).copied().collect();
        let mut found = SearchResult { best: self.provisional, score: 0, depth: 0, nodes: 0, line };
        if moves.is_empty() {
            return found;
        }
        let mut moves = self.root_moves(position, moves);
        let deepest = self.effort.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        for depth in 1..=deepest {
            let is_finished = self.deepen(position, &mut moves, depth).is_ok();
            let best = &moves[0];
            if !is_finished && best.score == -INFINITE {
                break;
            }
            found.best = Some(best.mv);
            found.score = best.score;
            found.line.clone_from(&best.line);
            self.provisional = found.best;
            if !is_finished {
                break;
            }
            found.depth = depth;
            found.nodes = self.effort.nodes;
            // A small tree may have fewer nodes than the interval at which the flag is checked.
            let is_forced =
                moves.len() == 1 && self.effort.limits.hard_time.is_some() && depth >= 4;
            if is_forced || interrupt::is_raised() || self.should_stop(found.score, depth) {
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

    /// Evaluates the root and orders its moves for [`Searcher::deepen`].
    pub fn root_moves(&mut self, position: &Position, moves: &[Move]) -> Vec<RootMove<Move>> {
        self.frames[0].eval = if position.checkers().is_empty() {
            let eval = self.evaluator.evaluate(position);
            Some(self.corrected(eval, position, &slots(position, &self.previous(0))))
        } else {
            None
        };
        // An earlier search may have left the best move in the table.
        let stored = self.table.probe(super::table_key(position));
        let bits = stored.map_or(0, |entry| entry.move_bits);
        let mut moves: Vec<RootMove<Move>> = moves.iter().copied().map(RootMove::new).collect();
        // The other moves: captures first.
        moves.sort_by_key(|root| (root.mv.bits() != bits, !position.is_noisy(root.mv)));
        moves
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
        let mut reduced = 0;
        loop {
            let depth = (depth - reduced).max(1);
            let window = aspiration.window;
            let best = self.search_root_moves(position, moves, depth, window)?;
            match aspiration.widen(best) {
                Ordering::Less => {
                    aspiration.window.beta = (window.alpha + window.beta) / 2;
                    reduced = 0;
                }
                Ordering::Greater => reduced = (reduced + 1).min(2),
                Ordering::Equal => return Ok(best),
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
        self.frames[1].killers = [None; 2];
        let threats = Threats::of(position, !position.side());
        let context = Context { previous: self.previous(0), threats };
        for (index, root) in moves.iter_mut().enumerate() {
            let mv = root.mv;
            let reduction = self.root_reduction(position, &context, mv, depth, index);
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
    fn root_reduction(
        &self,
        position: &Position,
        context: &Context,
        mv: Move,
        depth: i32,
        index: usize,
    ) -> i32 {
        let is_tactical = position.is_noisy(mv) || position.gives_check(mv);
        if depth < 3 || index < 3 || is_tactical || position.checkers().any() {
            return 0;
        }
        let history = self.history.quiet(position, mv, context);
        let reduction = self.reductions.of(depth, index + 1) - self.params.lmr_pv;
        ((reduction - history * 1024 / self.params.lmr_history) / 1024).max(0)
    }

    /// Whether iterative deepening should end: a soft limit has passed, or deeper searches can't change the
    /// result.
    fn should_stop(&self, score: Score, depth: i32) -> bool {
        if let Some(plies) = score::plies_to_end(score) {
            // A shorter mate can't be found any more, and a forced loss stays one.
            if depth as usize > plies + 1 && self.effort.limits.depth.is_none() {
                return true;
            }
        }
        self.effort.is_past(self.effort.limits.soft_time)
    }
}
