//! The search beyond the horizon: captures and evasions until the position is quiet.

use super::super::position::{Position, MAX_PLIES};
use super::super::see::EXCHANGE_VALUE;
use super::super::types::Move;
use super::correction::slots;
use super::node::{mate_at_once, tt_cutoff};
use super::picker::Picker;
use super::{table_key, Searcher, MAX_PATH};
use crate::engine::score::{self, DRAW, INFINITE};
use crate::engine::search::{Searched, Window};
use crate::engine::table::{Bound, Entry};

impl Searcher {
    /// The score of a position once nothing hangs any more. In check all evasions are searched,
    /// otherwise the side to move may decline every capture. `depth` counts the plies of
    /// quiescence: the first ones try quiet checks too.
    pub(super) fn quiescence(
        &mut self,
        position: &Position,
        window: Window,
        ply: usize,
        depth: i32,
    ) -> Searched {
        self.count_node()?;
        if position.ply() + 1 >= MAX_PLIES {
            return Ok(DRAW);
        }
        let key = table_key(position);
        let stored = self.table.probe(key);
        if let Some(found) = stored.and_then(|entry| tt_cutoff(position, entry, window, ply)) {
            return Ok(found);
        }
        let checkers = position.checkers();
        if let Some((_, score)) = mate_at_once(position, checkers, stored, ply) {
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
        let mut best = if checkers.any() { -INFINITE } else { eval };
        let Window { mut alpha, beta } = window;
        if best >= beta {
            return Ok(best);
        }
        alpha = alpha.max(best);

        let base = self.move_stack.len();
        let table_move = stored
            .and_then(|entry| self.checked_table_move(position, entry))
            .filter(|&mv| checkers.any() || position.is_capture(mv));
        let checks = depth < self.params.quiescence_checks;
        let mut picker = Picker::captures(checkers, table_move, checks, &self.move_stack);
        let mut best_move = None;
        while let Some((mv, _)) = self.next_move(&mut picker, position, previous) {
            self.prefetch(position, mv);
            // Delta pruning: even the captured piece does not lift the evaluation to the window.
            if let (true, Some(victim)) = (checkers.is_empty(), position.captured_kind(mv)) {
                // A capture takes a piece from the enemy and puts it into the own hand.
                let gain = 2 * EXCHANGE_VALUE[victim.index()];
                let reached = eval + gain + self.params.delta_margin;
                if reached <= alpha && !position.gives_check(mv) {
                    best = best.max(reached);
                    continue;
                }
            }
            let score = self.with_move(position, Some(mv), ply, |searcher, next| {
                searcher.quiescence(next, -Window { alpha, beta }, ply + 1, depth + 1)
            })?;
            let score = -score;
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(mv);
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        self.move_stack.truncate(base);
        if best == -INFINITE {
            return Ok(score::lost_in(ply + 2));
        }
        let entry = Entry {
            move_bits: best_move.map_or(0, Move::bits),
            score: score::from_node(best, ply),
            eval: raw_eval,
            depth: 0,
            bound: Bound::of(best, window),
            pv: false,
        };
        self.table.store(key, entry);
        Ok(best)
    }
}
