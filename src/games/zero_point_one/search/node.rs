//! An inner node: principal variation search with a transposition table and selective depth.

use super::super::position::{Position, MAX_PLIES};
use super::super::types::Move;
use super::picker::{Picker, Stage};
use super::{pruning, table_key, Searcher, MAX_PATH};
use crate::engine::score::{self, Score, DRAW, INFINITE};
use crate::engine::table::{Bound, Entry};

/// What is expected of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// On the principal variation, searched with an open window.
    Principal,
    /// Searched with a null window, expected to fall outside.
    Other,
    /// As `Other`, after a null move: no second one follows.
    AfterNull,
}

impl Searcher {
    /// The score of a position `ply` plies below the root for its side to move, exact within the
    /// window and a bound outside (fail-soft). The own wazir can't be captured at once: the move
    /// that led here was safe.
    pub(super) fn node(
        &mut self,
        position: &Position,
        kind: Kind,
        mut alpha: Score,
        mut beta: Score,
        depth: i32,
        ply: usize,
    ) -> Score {
        if kind == Kind::Principal {
            self.frames[ply].line.clear();
        }
        // The last move is not a capture of the wazir: the game ends undecided.
        if position.ply() + 1 >= MAX_PLIES || self.is_repetition() {
            return DRAW;
        }
        let checkers = position.checkers();
        // Check extension.
        let depth = if checkers.any() { depth + 1 } else { depth };
        if depth <= 0 || ply >= MAX_PATH {
            return self.quiescence(position, alpha, beta, ply);
        }
        if self.must_stop() {
            return DRAW;
        }
        // Mate-distance pruning: nothing here beats a shorter win found already.
        alpha = alpha.max(score::lost_in(ply + 2));
        beta = beta.min(score::win_in(ply + 3));
        if alpha >= beta {
            return alpha;
        }

        let key = table_key(position);
        let stored = self.table.probe(key);
        if let Some(entry) = stored {
            let found = score::from_root(entry.score, ply);
            if kind != Kind::Principal
                && entry.depth >= depth
                && cuts(entry.bound, found, alpha, beta)
            {
                return found;
            }
        }
        let table_move = stored.and_then(|entry| self.checked_table_move(position, entry));
        let eval = match stored {
            Some(entry) => entry.eval,
            None => self.evaluator.evaluate(position),
        };

        // Null-move pruning: if even passing is too good for the opponent to allow, a move is too.
        if kind == Kind::Other && checkers.is_empty() && eval >= beta && !score::is_decisive(beta) {
            if let Some(saved) = pruning::null_move_reduction(&self.params, depth) {
                let score = self.with_move(position, None, |searcher, next| {
                    -searcher.node(next, Kind::AfterNull, -beta, -beta + 1, depth - saved, ply + 1)
                });
                if score >= beta && !self.stopped {
                    return if score::is_decisive(score) { beta } else { score };
                }
            }
        }

        let base = self.waiting.len();
        let killers = self.frames[ply].killers;
        let mut picker = Picker::all(checkers, table_move, killers, &self.waiting);
        let original_alpha = alpha;
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut tried_quiets: [Option<Move>; 32] = [None; 32];
        let mut quiets = 0;
        let mut count = 0;
        while let Some((mv, stage)) = picker.next(position, &self.history, &mut self.waiting) {
            count += 1;
            let quiet = !position.is_capture(mv);
            let check = position.gives_check(mv);
            let reduction = if stage == Stage::Quiets && !check && checkers.is_empty() {
                self.late_move_reduction(depth, count)
            } else {
                0
            };
            let score = self.with_move(position, Some(mv), |searcher, next| {
                searcher.late_search(next, kind, alpha, beta, depth - 1, reduction, ply, count)
            });
            if self.stopped {
                self.waiting.truncate(base);
                return DRAW;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(mv);
                    if kind == Kind::Principal {
                        self.extend_line(ply, mv);
                    }
                    if score >= beta {
                        if quiet {
                            self.reward_quiet(position, mv, &tried_quiets[..quiets], depth, ply);
                        }
                        break;
                    }
                }
            }
            if quiet && quiets < tried_quiets.len() {
                tried_quiets[quiets] = Some(mv);
                quiets += 1;
            }
        }
        self.waiting.truncate(base);
        if count == 0 {
            // Mated, or every move puts the own wazir en prise, which is the same.
            return score::lost_in(ply + 2);
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > original_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let entry = Entry {
            move_bits: best_move.map_or(0, Move::bits),
            score: score::from_node(best, ply),
            eval,
            depth,
            bound,
            pv: kind == Kind::Principal,
        };
        self.table.store(key, entry);
        best
    }

    /// Searches a move's position: the first move with the full window, a later one with a null
    /// window, at first at reduced depth, and again where it turns out better than thought.
    #[allow(clippy::too_many_arguments)]
    #[inline(always)]
    fn late_search(
        &mut self,
        next: &Position,
        kind: Kind,
        alpha: Score,
        beta: Score,
        depth: i32,
        reduction: i32,
        ply: usize,
        count: usize,
    ) -> Score {
        let principal = kind == Kind::Principal;
        if principal && count == 1 {
            return -self.node(next, Kind::Principal, -beta, -alpha, depth, ply + 1);
        }
        let reduced = (depth - reduction).max(1).min(depth);
        let mut score = -self.node(next, Kind::Other, -alpha - 1, -alpha, reduced, ply + 1);
        if score > alpha && reduced < depth {
            score = -self.node(next, Kind::Other, -alpha - 1, -alpha, depth, ply + 1);
        }
        if principal && score > alpha && score < beta {
            score = -self.node(next, Kind::Principal, -beta, -alpha, depth, ply + 1);
        }
        score
    }

    fn late_move_reduction(&self, depth: i32, count: usize) -> i32 {
        if depth < self.params.lmr_min_depth || count < self.params.lmr_min_moves as usize {
            return 0;
        }
        self.reductions.plies(depth, count)
    }

    /// The table's move, if it is a move of this position: two positions may share a key.
    #[inline]
    pub(super) fn checked_table_move(&self, position: &Position, entry: Entry) -> Option<Move> {
        let mv = Move::from_bits(entry.move_bits)?;
        if position.is_pseudo_legal(mv) && position.is_safe(mv) {
            Some(mv)
        } else {
            None
        }
    }

    /// A quiet move refuted the node: remember it as killer and in the history.
    fn reward_quiet(
        &mut self,
        position: &Position,
        mv: Move,
        tried: &[Option<Move>],
        depth: i32,
        ply: usize,
    ) {
        let killers = &mut self.frames[ply].killers;
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        let side = position.side();
        let bonus = pruning::history_bonus(depth);
        let limit = self.params.history_limit;
        self.history.update_quiet(side, mv, bonus, limit);
        for &other in tried.iter().flatten() {
            self.history.update_quiet(side, other, -bonus, limit);
        }
    }

    /// Puts `mv` before the line of the node below.
    fn extend_line(&mut self, ply: usize, mv: Move) {
        let (above, below) = self.frames.split_at_mut(ply + 1);
        let line = &mut above[ply].line;
        line.clear();
        line.push(mv);
        line.extend_from_slice(&below[0].line);
    }
}

/// Does a stored score settle a node with this window?
#[inline(always)]
pub(super) fn cuts(bound: Bound, score: Score, alpha: Score, beta: Score) -> bool {
    match bound {
        Bound::None => false,
        Bound::Upper => score <= alpha,
        Bound::Lower => score >= beta,
        Bound::Exact => true,
    }
}
