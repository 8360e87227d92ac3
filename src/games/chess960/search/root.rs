//! The root: iterative deepening, aspiration windows and stop conditions.

use super::super::position::Position;
use super::super::threats::Threats;
use super::super::types::Move;
use super::correction::slots;
use super::history::Context;
use super::{Searcher, MAX_PATH};
use crate::engine::alpha_beta::{search_root_moves, Aspiration, Deepen, RootMove};
use crate::engine::alpha_beta::{Searched, MAX_DEPTH};
use std::cmp::Ordering;

const _: () = assert!(MAX_PATH > MAX_DEPTH as usize);

impl Searcher {
    /// Evaluates the root and orders its moves for [`Searcher::deepen`].
    pub fn root_moves(&mut self, position: &Position, moves: &[Move]) -> Vec<RootMove<Move>> {
        self.core.frames[0].eval = if position.checkers().is_empty() {
            let eval = self.evaluator.evaluate(position);
            Some(self.corrected(eval, position, &slots(position, &self.previous(0))))
        } else {
            None
        };
        // An earlier search may have left the best move in the table.
        let stored = self.core.table.probe(super::table_key(position));
        let bits = stored.map_or(0, |entry| entry.move_bits);
        self.core.provisional = moves.first().copied();
        let mut moves: Vec<RootMove<Move>> = moves.iter().copied().map(RootMove::new).collect();
        // The other moves: captures first.
        moves.sort_by_key(|root| (root.mv.bits() != bits, !position.is_noisy(root.mv)));
        moves
    }
}

impl Deepen for Searcher {
    fn deepen(
        &mut self,
        position: &Position,
        moves: &mut [RootMove<Move>],
        depth: i32,
    ) -> Searched {
        let mut aspiration = Aspiration::new(depth, moves[0].score, self.params.aspiration_width);
        let mut reduced = 0;
        loop {
            self.core.frames[1].killers = [None; 2];
            let depth = (depth - reduced).max(1);
            let window = aspiration.window;
            let best = search_root_moves(self, position, moves, depth, window)?;
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

    fn root_reduction(&self, position: &Position, mv: Move, depth: i32, index: usize) -> i32 {
        let is_tactical = position.is_noisy(mv) || position.gives_check(mv);
        if depth < 3 || index < 3 || is_tactical || position.checkers().any() {
            return 0;
        }
        let threats = Threats::of(position, !position.side());
        let context = Context { previous: self.previous(0), threats };
        let history = self.history.quiet(position, mv, &context);
        let reduction = self.core.reductions.of(depth, index + 1) - self.params.lmr_pv;
        ((reduction - history * 1024 / self.params.lmr_history) / 1024).max(0)
    }
}
