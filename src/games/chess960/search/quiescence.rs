//! Quiescence search: captures, promotions and evasions until the position is quiet.

use super::super::position::Position;
use super::super::see::VALUE;
use super::super::threats::Threats;
use super::super::types::Move;
use super::correction::slots;
use super::history::{target, Context, Previous};
use super::node::checked_table_move;
use super::picker::{Choice, Picker};
use super::{table_key, Searcher, MAX_PATH};
use crate::engine::alpha_beta::{Best, Search, Searched, Window};
use crate::engine::budget::Stopped;
use crate::engine::score::{self, Score, INFINITE};
use crate::engine::table::{refined, Entry};

/// State of a quiescence node before the move loop.
struct Leaf {
    ply: usize,
    /// Plies of quiescence above it.
    depth: i32,
    in_check: bool,
    /// Corrected static eval, or the table's score if that bound is tighter.
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
        self.count_node()?;
        if self.is_draw(position) {
            return Ok(self.draw(ply));
        }
        let key = table_key(position);
        let stored = self.core.table.probe(key);
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
        let mut best = if in_check { Best::new(window) } else { Best::standing_pat(window, eval) };
        if best.is_cutoff() {
            return Ok(best.score);
        }
        let table_move = stored
            .and_then(|entry| checked_table_move(position, entry))
            .filter(|&mv| in_check || position.is_noisy(mv));
        let base = self.core.move_stack.len();
        let leaf = Leaf { ply, depth, in_check, eval, table_move, previous };
        self.search_leaf_moves(position, &leaf, &mut best)?;
        self.core.move_stack.truncate(base);
        if best.score == -INFINITE {
            return Ok(score::lost_in(ply));
        }
        let entry = Entry {
            eval: raw_eval,
            pv: stored.map_or(false, |entry| entry.pv),
            ..best.entry(Move::bits, window, ply)
        };
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
        let choice = match leaf.in_check {
            true => Choice::All,
            false if leaf.depth < self.params.quiescence_checks => Choice::GoodAndChecks,
            false => Choice::Good(0),
        };
        let mut picker = Picker::new(choice, leaf.table_move, [None; 2], &self.core.move_stack);
        let context = Context { previous: leaf.previous, threats: Threats::NONE };
        let last_target = leaf.previous[0].map(target);
        let mut count = 0;
        while let Some((mv, _)) = self.next_move(&mut picker, position, &context) {
            if leaf.in_check && best.score > -score::MAX_EVAL {
                // A single quiet evasion that does not lose is enough.
                picker.skip_quiets();
            }
            count += 1;
            if !leaf.in_check && self.is_futile(position, mv, leaf.eval, best) {
                continue;
            }
            // After the first moves only recaptures, promotions and checks.
            let is_late = !leaf.in_check && count > self.params.quiescence_moves;
            let may_matter = Some(mv.to()) == last_target || mv.promotion().is_some();
            if is_late && !may_matter && !position.gives_check(mv) {
                continue;
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

    /// Delta pruning: whether even the captured piece does not lift the eval to alpha. Then `best` is raised to that
    /// bound.
    fn is_futile(&self, position: &Position, mv: Move, eval: Score, best: &mut Best<Move>) -> bool {
        let victim = match position.captured(mv) {
            Some(victim) if mv.promotion().is_none() => victim,
            _ => return false,
        };
        let reached = eval + VALUE[victim.index()] + self.params.delta_margin;
        if reached > best.window.alpha || position.gives_check(mv) {
            return false;
        }
        best.score = reached.max(best.score);
        true
    }
}
