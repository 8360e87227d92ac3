//! The search beyond the horizon: captures, promotions and evasions until the position is quiet.

use super::super::position::Position;
use super::super::see::VALUE;
use super::super::threats::Threats;
use super::super::types::Move;
use super::history::{slots, target, Context};
use super::node::checked_table_move;
use super::picker::{Choice, Picker};
use super::{table_key, Searcher, MAX_PATH};
use crate::engine::score::{self, Score, INFINITE};
use crate::engine::search::{Searched, Window};
use crate::engine::table::{refined, Bound, Entry};

impl Searcher {
    /// The score of a position once nothing hangs any more. In check all evasions are searched, otherwise the
    /// side to move may decline every capture. `depth` counts the plies of quiescence: the first ones try
    /// quiet checks too.
    pub(super) fn quiescence(
        &mut self,
        position: &Position,
        window: Window,
        ply: usize,
        depth: i32,
    ) -> Searched {
        self.count_node()?;
        if self.is_draw(position) {
            return Ok(self.draw(ply));
        }
        let key = table_key(position);
        let stored = self.table.probe(key);
        if let Some(found) = stored.and_then(|entry| entry.cutoff(window, ply)) {
            return Ok(found);
        }
        let in_check = position.checkers().any();
        let raw_eval = self.static_eval(position, stored);
        let previous = self.previous(ply);
        let mut eval = self.corrected(raw_eval, position, &slots(position, &previous));
        if !in_check {
            eval = refined(eval, stored, ply);
        }
        if ply >= MAX_PATH {
            return Ok(eval);
        }
        let mut best = if in_check { -INFINITE } else { eval };
        let Window { mut alpha, beta } = window;
        if best >= beta {
            return Ok(best);
        }
        alpha = alpha.max(best);
        let base = self.move_stack.len();
        let choice = match in_check {
            true => Choice::All,
            false if depth < self.params.quiescence_checks => Choice::GoodAndChecks,
            false => Choice::Good(0),
        };
        let table_move = stored
            .and_then(|entry| checked_table_move(position, entry))
            .filter(|&mv| in_check || position.is_noisy(mv));
        let mut picker = Picker::new(choice, table_move, [None; 2], &self.move_stack);
        let context = Context { previous, threats: Threats::NONE };
        let last_target = previous[0].map(target);
        let mut best_move = None;
        let mut count = 0;
        while let Some((mv, _)) = self.next_move(&mut picker, position, &context) {
            if in_check && best > -score::MAX_EVAL {
                // One quiet evasion that does not lose is enough.
                picker.skip_quiets();
            }
            count += 1;
            if !in_check && self.is_futile(position, mv, eval, alpha, &mut best) {
                continue;
            }
            // Behind the first moves only recaptures, promotions and checks.
            let is_late = !in_check && count > self.params.quiescence_moves;
            let may_matter = Some(mv.to()) == last_target || mv.promotion().is_some();
            if is_late && !may_matter && !position.gives_check(mv) {
                continue;
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
            return Ok(score::lost_in(ply));
        }
        let entry = Entry {
            move_bits: best_move.map_or(0, Move::bits),
            score: score::from_node(best, ply),
            eval: raw_eval,
            depth: 0,
            bound: Bound::of(best, window),
            pv: stored.map_or(false, |entry| entry.pv),
        };
        self.table.store(key, entry);
        Ok(best)
    }

    /// Does even the captured piece not lift the evaluation to the window (delta pruning)? Then `best` is at
    /// least what it would reach.
    fn is_futile(
        &self,
        position: &Position,
        mv: Move,
        eval: Score,
        alpha: Score,
        best: &mut Score,
    ) -> bool {
        let victim = match position.captured(mv) {
            Some(victim) if mv.promotion().is_none() => victim,
            _ => return false,
        };
        let reached = eval + VALUE[victim.index()] + self.params.delta_margin;
        if reached > alpha || position.gives_check(mv) {
            return false;
        }
        *best = reached.max(*best);
        true
    }
}
