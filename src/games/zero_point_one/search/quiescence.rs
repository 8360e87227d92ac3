//! Quiescence search: captures and evasions until the position is quiet.

use super::super::position::{Position, MAX_PLIES};
use super::super::see::EXCHANGE_VALUE;
use super::super::types::{Bitboard, Move};
use super::correction::slots;
use super::history::Previous;
use super::node::{immediate_mate, tt_cutoff};
use super::picker::Picker;
use super::{table_key, Searcher, MAX_PATH};
use crate::engine::alpha_beta::{Best, Search, Searched, Window};
use crate::engine::budget::Stopped;
use crate::engine::score::{self, Score, DRAW, INFINITE};
use crate::engine::table::Entry;

/// State of a quiescence node before the move loop.
struct Leaf {
    ply: usize,
    /// Plies of quiescence above it.
    depth: i32,
    checkers: Bitboard,
    /// Static eval, corrected unless in check.
    eval: Score,
    table_move: Option<Move>,
    previous: Previous,
}

impl Searcher {
    /// Returns the score of a position once no captures are pending. In check all evasions are searched; otherwise the
    /// side to move may stand pat. `depth` counts the plies of quiescence: the first ones include quiet checks.
    pub(super) fn quiescence(
        &mut self,
        position: &Position,
        window: Window,
        ply: usize,
        depth: i32,
    ) -> Searched {
        self.core.budget.count_node()?;
        if position.ply() + 1 >= MAX_PLIES {
            return Ok(DRAW);
        }
        let key = table_key(position);
        let stored = self.core.table.probe(key);
        if let Some(found) = stored.and_then(|entry| tt_cutoff(position, entry, window, ply)) {
            return Ok(found);
        }
        let checkers = position.checkers();
        if let Some((_, score)) = immediate_mate(position, checkers, stored, ply) {
            return Ok(score);
        }
        let raw_eval = self.static_eval(position, checkers, stored);
        let previous = self.previous(ply);
        let eval = if checkers.any() {
            raw_eval
        } else {
            self.corrected(raw_eval, &slots(position, &previous))
        };
        if ply >= MAX_PATH {
            return Ok(eval);
        }
        let mut best = match checkers.any() {
            true => Best::new(window),
            false => Best::standing_pat(window, eval),
        };
        if best.is_cutoff() {
            return Ok(best.score);
        }
        let table_move = stored
            .and_then(|entry| self.checked_table_move(position, entry))
            .filter(|&mv| checkers.any() || position.is_capture(mv));
        let base = self.core.move_stack.len();
        let leaf = Leaf { ply, depth, checkers, eval, table_move, previous };
        self.search_leaf_moves(position, &leaf, &mut best)?;
        self.core.move_stack.truncate(base);
        if best.score == -INFINITE {
            return Ok(score::lost_in(ply + 2));
        }
        let entry = Entry { eval: raw_eval, ..best.entry(Move::bits, window, ply) };
        self.core.table.store(key, entry);
        Ok(best.score)
    }

    /// The move loop of quiescence.
    #[inline(always)]
    fn search_leaf_moves(
        &mut self,
        position: &Position,
        leaf: &Leaf,
        best: &mut Best<Move>,
    ) -> Result<(), Stopped> {
        let Leaf { checkers, table_move, .. } = *leaf;
        let mut picker = if leaf.depth < self.params.quiescence_checks {
            Picker::captures_and_checks(checkers, table_move, &self.core.move_stack)
        } else {
            Picker::captures(checkers, table_move, &self.core.move_stack)
        };
        while let Some((mv, _)) = self.next_move(&mut picker, position, leaf.previous) {
            self.prefetch(position, mv);
            // Delta pruning: even the captured piece does not lift the eval to alpha.
            if let (true, Some(victim)) = (leaf.checkers.is_empty(), position.captured_kind(mv)) {
                // A capture changes the material twice: it removes an enemy piece and adds one to the side's hand.
                let gain = 2 * EXCHANGE_VALUE[victim.index()];
                let reached = leaf.eval + gain + self.params.delta_margin;
                if reached <= best.window.alpha && !position.gives_check(mv) {
                    best.score = best.score.max(reached);
                    continue;
                }
            }
            let below = -best.window;
            let score = self.with_move(position, Some(mv), leaf.ply, |searcher, next| {
                searcher.quiescence(next, below, leaf.ply + 1, leaf.depth + 1)
            })?;
            if best.add(mv, -score) && best.is_cutoff() {
                break;
            }
        }
        Ok(())
    }
}
