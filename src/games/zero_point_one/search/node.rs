//! Interior nodes: principal variation search with a transposition table and selective depth.

use super::super::mate::mate_in_one;
use super::super::position::{Position, MAX_PLIES};
use super::super::see::see_at_least;
use super::super::types::{Bitboard, Move};
use super::correction::{slots, Slots};
use super::history::{PieceTo, Previous};
use super::knowledge::Knowledge;
use super::picker::{Picker, Stage};
use super::{pruning, table_key, Core, Searcher, MAX_PATH};
use crate::engine::alpha_beta::{self, Best, NodeKind, Search, Searched, Step, Visit, Window};
use crate::engine::budget::Stopped;
use crate::engine::score::{self, Score, DRAW};
use crate::engine::table::{refined, Entry};
use std::ops::Neg;

/// Minimum number of plies left in the game for a null move: see [`is_null_sound`].
const MIN_NULL_PLIES_LEFT: usize = 6;

/// Per-node state that is constant during the move loop.
struct Node {
    kind: NodeKind,
    depth: i32,
    ply: usize,
    checkers: Bitboard,
    /// Uncorrected static eval.
    raw_eval: Score,
    /// Slots of the correction history; `None` in check.
    slots: Option<Slots>,
    /// Static eval, corrected and refined by the table's score; `None` in check.
    eval: Option<Score>,
    /// Whether the static eval is higher than two plies ago.
    improving: bool,
    table_move: Option<Move>,
    killers: [Option<Move>; 2],
    /// Extension of the hash move, in plies.
    extension: i32,
    /// Whether the node has ever been on a principal variation.
    was_pv: bool,
    /// Whether the opponent threatens to win if the side to move passes.
    threat: bool,
    excluded: Option<Move>,
    /// The previous moves.
    previous: Previous,
}

/// A move about to be searched.
struct Candidate {
    mv: Move,
    stage: Stage,
    /// Move number, from 1.
    count: usize,
    /// Whether it gives check.
    check: bool,
}

/// Moves tried without success, for the history malus after a cutoff.
type Tried = alpha_beta::Tried<Move, 32, 16>;

impl Search for Searcher {
    type Position = Position;
    type Move = Move;
    type Extra = Option<PieceTo>;

    fn core(&self) -> &Core {
        &self.core
    }

    fn core_mut(&mut self) -> &mut Core {
        &mut self.core
    }

    #[inline(always)]
    fn enter(&mut self, position: &Position, mv: Option<Move>, ply: usize) -> Position {
        let next = mv.map_or_else(|| position.make_null(), |mv| position.make(mv));
        self.core.frames[ply].extra = mv.map(|mv| PieceTo::of(position, mv));
        self.evaluator.push(position, mv);
        self.push_hash(next.hash());
        next
    }

    #[inline(always)]
    fn leave(&mut self) {
        self.pop_hash();
        self.evaluator.pop();
    }

    /// Searches a position with a window and returns its score (fail-soft). The wazir of the side to move can't be
    /// captured at once, because the last move was safe.
    fn node(&mut self, position: &Position, visit: Visit<Move>) -> Searched {
        let Visit { kind, window, depth, ply, .. } = visit;
        if kind == NodeKind::Principal {
            self.core.frames[ply].line.clear();
        }
        // The last move of the game was not a capture of the wazir: a draw.
        if position.ply() + 1 >= MAX_PLIES || self.is_repetition() {
            // Such nodes count as well: near the end of a game there may be few others, and the clock is read by the
            // node count.
            self.core.budget.count_node()?;
            return Ok(DRAW);
        }
        let checkers = position.checkers();
        // Check extension. At depth 0 a threat of mate extends as well, because quiescence could stand pat.
        let is_extended = checkers.any() || depth == 0 && is_mate_threatened(position);
        let depth = depth + i32::from(is_extended);
        if depth <= 0 || ply >= MAX_PATH {
            return self.quiescence(position, window, ply, 0);
        }
        self.inner_node(position, Visit { depth, ..visit })
    }
}

impl Searcher {
    /// Searches an interior node that is not over.
    #[inline(always)]
    fn inner_node(&mut self, position: &Position, visit: Visit<Move>) -> Searched {
        let Visit { kind, mut window, depth, ply, excluded } = visit;
        self.core.budget.count_node()?;
        let checkers = position.checkers();
        // Mate distance pruning: no line from here is better than a shorter win found already.
        if window.narrow(score::lost_in(ply + 2), score::win_in(ply + 3)) {
            return Ok(window.alpha);
        }

        let stored = self.core.table.probe(table_key(position));
        if let (Some(entry), None) = (stored, excluded) {
            let deep = kind != NodeKind::Principal && entry.depth >= depth;
            if let (true, Some(found)) = (deep, tt_cutoff(position, entry, window, ply)) {
                return Ok(found);
            }
        }
        if let Some((mv, score)) = immediate_mate(position, checkers, stored, ply) {
            if kind == NodeKind::Principal {
                // After mate distance pruning the score is above alpha.
                self.core.extend_line(ply, mv, false);
            }
            return Ok(score);
        }
        let raw_eval = self.static_eval(position, checkers, stored);
        let previous = self.previous(ply);
        let slots = if checkers.any() { None } else { Some(slots(position, &previous)) };
        let eval = slots.map(|slots| self.corrected(raw_eval, &slots));
        self.core.frames[ply].eval = eval;
        let node = Node {
            kind,
            depth,
            ply,
            checkers,
            raw_eval,
            slots,
            eval: eval.map(|eval| refined(eval, stored, ply)),
            improving: self.core.is_improving(ply, &[2]),
            table_move: stored.and_then(|entry| self.checked_table_move(position, entry)),
            killers: self.core.frames[ply].killers,
            extension: 0,
            was_pv: kind == NodeKind::Principal || stored.map_or(false, |entry| entry.pv),
            threat: false,
            excluded,
            previous,
        };
        self.search_node(position, node, stored, window)
    }

    /// Prunes a node or searches its moves, and stores the result.
    #[inline(always)]
    fn search_node(
        &mut self,
        position: &Position,
        mut node: Node,
        stored: Option<Entry>,
        window: Window,
    ) -> Searched {
        if let Some(searched) = self.prune_node(position, &mut node, window) {
            return searched;
        }
        // Internal iterative reduction: without a hash move, search one ply less.
        if node.table_move.is_none()
            && node.depth >= self.params.iterative_reduction_depth
            && node.excluded.is_none()
        {
            node.depth -= 1;
        }
        if let Some(bound) = self.singular_bound(&node, stored) {
            // Singular extension: the hash move is extended by one ply if all others are worse by a margin. Evasions
            // are extended as in `node`.
            let depth = (node.depth - 1) / 2 + i32::from(node.checkers.any());
            let window = Window::null(bound - 1);
            let (kind, ply, excluded) = (NodeKind::Cut, node.ply, node.table_move);
            let visit = Visit { kind, window, depth, ply, excluded };
            let score = self.inner_node(position, visit)?;
            node.extension = i32::from(score < bound);
        }
        let base = self.core.move_stack.len();
        let best = self.search_moves(position, &node, window)?;
        self.core.move_stack.truncate(base);
        if node.excluded.is_none() {
            let entry = Entry {
                eval: node.raw_eval,
                depth: node.depth,
                pv: node.was_pv,
                ..best.entry(Move::bits, window, node.ply)
            };
            if best.mv.map_or(true, |mv| !position.is_capture(mv)) {
                self.learn_error(&node, &entry);
            }
            self.core.table.store(table_key(position), entry);
        }
        Ok(best.score)
    }

    /// Correction history learns the error of the static eval. (Not learning near the end of the game, or from nodes
    /// with skipped quiet moves, gained nothing.)
    fn learn_error(&mut self, node: &Node, found: &Entry) {
        if let (Some(slots), Some(eval)) = (node.slots, self.core.frames[node.ply].eval) {
            self.corrections.learn_result(&slots, eval, found);
        }
    }

    /// Prunes the whole node if the static eval is so far outside the window that no move is expected to matter.
    fn prune_node(
        &mut self,
        position: &Position,
        node: &mut Node,
        Window { alpha, beta }: Window,
    ) -> Option<Searched> {
        let eval = node.eval?;
        let is_open = node.kind != NodeKind::Principal && node.excluded.is_none();
        if !is_open || score::is_decisive(beta) {
            return None;
        }
        // Reverse futility pruning.
        let margin = pruning::reverse_futility_margin(&self.params, node.depth, node.improving);
        if margin.map_or(false, |margin| eval - margin >= beta) {
            return Some(Ok(eval));
        }
        // Razoring.
        let margin = pruning::razoring_margin(&self.params, node.depth);
        if margin.map_or(false, |margin| eval + margin <= alpha) {
            let searched = self.quiescence(position, Window::null(alpha), node.ply, 0);
            if searched.map_or(true, |score| score <= alpha) {
                return Some(searched);
            }
        }
        // Null-move pruning: if the side could even pass, some move will fail high as well.
        let after_null = self.core.frames[node.ply - 1].extra.is_none();
        if !after_null && eval >= beta && is_null_sound(position) {
            let above = eval - beta;
            let saved = pruning::null_move_reduction(&self.params, node.depth, above)?;
            let (depth, ply) = (node.depth - saved, node.ply);
            let searched = self.with_move(position, None, ply, |searcher, next| {
                let below = -Window::null(beta - 1);
                searcher
                    .node(next, Visit::new(NodeKind::All, below, depth, ply + 1))
                    .map(Score::neg)
            });
            if searched.map_or(true, |score| score >= beta) {
                let proved = |score| if score::is_decisive(score) { beta } else { score };
                return Some(searched.map(proved));
            }
            node.threat = searched.map_or(false, |score| score < -score::MAX_EVAL);
        }
        None
    }

    /// Returns the bound that all other moves must stay below for the hash move to be singular, if its entry qualifies
    /// for the test.
    fn singular_bound(&self, node: &Node, stored: Option<Entry>) -> Option<Score> {
        node.table_move?;
        if node.excluded.is_some() || node.depth < self.params.singular_depth {
            return None;
        }
        let score = stored?.singular(node.depth, node.ply)?;
        Some(score - self.params.singular_margin * node.depth)
    }

    /// Returns the next move of a picker and its stage.
    #[inline(always)]
    pub(super) fn next_move(
        &mut self,
        picker: &mut Picker,
        position: &Position,
        previous: Previous,
    ) -> Option<(Move, Stage)> {
        let knowledge = Knowledge {
            history: &self.history,
            previous,
            params: &self.params,
            instructions: self.instructions,
        };
        picker.next(position, &knowledge, &mut self.core.move_stack)
    }

    /// The move loop. Returns the best score and, if it is above alpha, its move.
    fn search_moves(
        &mut self,
        position: &Position,
        node: &Node,
        window: Window,
    ) -> Result<Best<Move>, Stopped> {
        let mut picker =
            Picker::all(node.checkers, node.table_move, node.killers, &self.core.move_stack);
        let mut best = Best::new(window);
        let mut tried = Tried::new();
        let mut count = 0;
        let futile = self.is_futile(node, window.alpha);
        let mut fetched = None;
        while let Some((mv, stage)) = self.next_move(&mut picker, position, node.previous) {
            if Some(mv) == node.excluded {
                continue;
            }
            count += 1;
            fetched = self.prefetch_ahead(position, mv, fetched, picker.upcoming());
            let check = position.gives_check(mv);
            let candidate = Candidate { mv, stage, count, check };
            let alpha = best.window.alpha;
            if best.score > -score::MAX_EVAL && self.is_hopeless(position, node, &candidate, alpha)
            {
                if stage == Stage::Quiets && self.is_late(node, count) {
                    picker.skip_quiets();
                }
                continue;
            }
            let is_extended = Some(mv) == node.table_move;
            let step = Step {
                kind: node.kind,
                ply: node.ply,
                depth: node.depth - 1 + if is_extended { node.extension } else { 0 },
                reduction: self.reduction(position, node, &candidate),
                is_first: count == 1,
            };
            let score = self.search_move(position, mv, step, &best)?;
            if best.add(mv, score) {
                if node.kind == NodeKind::Principal {
                    // A move that fails high has no PV below it.
                    self.core.extend_line(node.ply, mv, !best.is_cutoff());
                }
                if best.is_cutoff() {
                    self.reward(position, node, mv, &tried);
                    break;
                }
            }
            tried.add(mv, !position.is_capture(mv));
            if futile && best.score > -score::MAX_EVAL {
                picker.leave_out_quiets();
            }
        }
        if count == 0 {
            // Mated, or every move leaves the mover's wazir en prise, which amounts to the same.
            let lost = score::lost_in(node.ply + 2);
            best.score = if node.excluded.is_some() { window.alpha } else { lost };
        }
        Ok(best)
    }

    /// Prefetches the table entry of a move, unless that was done before, and of the next one, which is returned: its
    /// cache line arrives while the move is searched.
    #[inline(always)]
    fn prefetch_ahead(
        &self,
        position: &Position,
        mv: Move,
        fetched: Option<Move>,
        next: Option<Move>,
    ) -> Option<Move> {
        if fetched != Some(mv) {
            self.prefetch(position, mv);
        }
        if let Some(next) = next {
            self.prefetch(position, next);
        }
        next
    }

    /// Late move pruning: whether enough moves have been tried.
    #[inline(always)]
    fn is_late(&self, node: &Node, count: usize) -> bool {
        let limit = pruning::late_move_limit(&self.params, node.depth, node.improving);
        node.kind != NodeKind::Principal && limit.map_or(false, |limit| count > limit)
    }

    /// Futility: whether the static eval is so far below alpha that no quiet move is expected to raise it enough.
    #[inline(always)]
    fn is_futile(&self, node: &Node, alpha: Score) -> bool {
        let is_open = node.kind != NodeKind::Principal && !node.threat;
        let margin = pruning::futility_margin(&self.params, node.depth);
        match (node.eval, margin) {
            (Some(eval), Some(margin)) => is_open && eval + margin <= alpha,
            _ => false,
        }
    }

    /// Whether a late move is pruned; only if another move has avoided a loss.
    #[inline(always)]
    fn is_hopeless(
        &self,
        position: &Position,
        node: &Node,
        candidate: &Candidate,
        alpha: Score,
    ) -> bool {
        if node.eval.is_none() || !matches!(candidate.stage, Stage::Quiets | Stage::BadCaptures) {
            return false;
        }
        let is_quiet = candidate.stage == Stage::Quiets;
        let is_calm = is_quiet && !candidate.check && !node.threat;
        if is_calm && (self.is_late(node, candidate.count) || self.is_futile(node, alpha)) {
            return true;
        }
        let threshold = pruning::exchange_threshold(&self.params, node.depth, is_quiet);
        threshold.map_or(false, |threshold| !see_at_least(position, candidate.mv, threshold))
    }

    /// Late move reduction: returns by how many plies a move is reduced at first.
    #[inline(always)]
    fn reduction(&self, position: &Position, node: &Node, candidate: &Candidate) -> i32 {
        let params = &self.params;
        let Candidate { mv, stage, count, check, .. } = *candidate;
        let is_early = node.depth < params.lmr_min_depth || count < params.lmr_min_moves as usize;
        if is_early || stage != Stage::Quiets {
            return 0;
        }
        let mut reduction = self.core.reductions.of(node.depth, count);
        let piece_to = PieceTo::of(position, mv);
        let history = self.history.quiet(position.side(), mv, piece_to, &node.previous);
        reduction -= (history / params.lmr_history).clamp(-2, 2);
        reduction -= i32::from(check);
        reduction -= i32::from(node.kind == NodeKind::Principal);
        reduction += i32::from(!node.improving);
        reduction += i32::from(node.kind == NodeKind::Cut);
        reduction -= i32::from(node.was_pv && node.kind != NodeKind::Principal);
        reduction.max(0)
    }

    /// Returns the static eval, from the table if it is stored there.
    #[inline(always)]
    pub(super) fn static_eval(
        &mut self,
        position: &Position,
        checkers: Bitboard,
        stored: Option<Entry>,
    ) -> Score {
        match stored {
            Some(entry) => entry.eval,
            // Not needed in check.
            None if checkers.any() => DRAW,
            None => self.evaluator.evaluate(position),
        }
    }

    /// Returns the hash move if it is safe here: different positions may share a key.
    #[inline]
    pub(super) fn checked_table_move(&self, position: &Position, entry: Entry) -> Option<Move> {
        let mv = Move::from_bits(entry.move_bits)?;
        if position.is_pseudo_legal(mv) && position.is_safe(mv) {
            Some(mv)
        } else {
            None
        }
    }

    /// Updates killers and histories after a cutoff: bonus for the move, malus for those tried before.
    fn reward(&mut self, position: &Position, node: &Node, mv: Move, tried: &Tried) {
        let bonus = pruning::history_bonus(&self.params, node.depth);
        let limit = self.params.history_limit;
        let (side, previous) = (position.side(), &node.previous);
        if !position.is_capture(mv) {
            self.core.add_killer(node.ply, mv);
            let piece_to = PieceTo::of(position, mv);
            self.history.update_quiet(side, mv, piece_to, previous, bonus, limit);
            for &other in tried.quiets.iter() {
                let piece_to = PieceTo::of(position, other);
                self.history.update_quiet(side, other, piece_to, previous, -bonus, limit);
            }
        } else {
            self.history.update_capture(position, mv, bonus, limit);
        }
        for &other in tried.captures.iter() {
            self.history.update_capture(position, other, -bonus, limit);
        }
    }
}

/// Returns a mate in one with its score, if the game lasts long enough for it. Positions with such a mate are never
/// stored, so a table hit excludes one. (If the mate comes too late, the key contains the ply: see `key_at`.)
#[inline(always)]
pub(super) fn immediate_mate(
    position: &Position,
    checkers: Bitboard,
    stored: Option<Entry>,
    ply: usize,
) -> Option<(Move, Score)> {
    const PLIES: usize = 3;
    if checkers.any() || stored.is_some() || position.ply() + PLIES > MAX_PLIES {
        return None;
    }
    mate_in_one(position).map(|mv| (mv, score::win_in(ply + PLIES)))
}

/// Whether the opponent could mate at once if the side to move passed.
#[inline(always)]
fn is_mate_threatened(position: &Position) -> bool {
    mate_in_one(&position.make_null()).is_some()
}

/// Whether some move is expected to be at least as good as passing. This fails in zugzwang, which is common with the
/// wazir alone, and in the last plies, when the other pieces soon run out of moves.
fn is_null_sound(position: &Position) -> bool {
    let side = position.side();
    let has_more_than_wazir =
        position.board().colour(side).count() > 1 || !position.hand(side).is_empty();
    has_more_than_wazir && position.ply() + MIN_NULL_PLIES_LEFT <= MAX_PLIES
}

/// Returns the stored score if it ends a node with this window.
#[inline(always)]
pub(super) fn tt_cutoff(
    position: &Position,
    entry: Entry,
    window: Window,
    ply: usize,
) -> Option<Score> {
    // The entry may be from an earlier ply: the win may lie beyond the end of the game.
    let plies = score::plies_to_end(entry.score);
    if plies.map_or(false, |plies| position.ply() + plies > MAX_PLIES) {
        return None;
    }
    entry.cutoff(window, ply)
}
