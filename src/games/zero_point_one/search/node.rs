//! Interior nodes: principal variation search with a transposition table and selective depth.

use super::super::mate::mate_in_one;
use super::super::position::{Position, MAX_PLIES};
use super::super::see::see_at_least;
use super::super::types::{Bitboard, Move};
use super::correction::{slots, Slots};
use super::history::{PieceTo, Previous};
use super::knowledge::Knowledge;
use super::picker::{Picker, Stage};
use super::{pruning, table_key, Searcher, MAX_PATH};
use crate::engine::score::{self, Score, DRAW};
use crate::engine::search::{self, Best, Searched, Stopped, Window};
use crate::engine::table::{refined, Bound, Entry};
use arrayvec::ArrayVec;
use std::ops::Neg;

/// Minimum number of plies left in the game for a null move: see [`is_null_sound`].
const MIN_NULL_PLIES_LEFT: usize = 6;

/// Node type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// PV node: open window.
    Principal,
    /// Cut node: expected to fail high.
    Cut,
    /// All node: expected to fail low.
    All,
    /// Like `All`, after a null move: a second one is not tried.
    AfterNull,
}

impl NodeKind {
    /// Returns the type of the children of a null-window node.
    fn child(self) -> NodeKind {
        if self == NodeKind::Cut {
            NodeKind::All
        } else {
            NodeKind::Cut
        }
    }
}

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
    /// Search depth.
    depth: i32,
    /// Reduction of the first search, in plies.
    reduction: i32,
}

/// Moves tried without success, for the history malus after a cutoff.
struct Tried {
    quiets: ArrayVec<Move, 32>,
    captures: ArrayVec<Move, 16>,
}

impl Tried {
    fn new() -> Tried {
        Tried { quiets: ArrayVec::new(), captures: ArrayVec::new() }
    }

    fn add(&mut self, position: &Position, mv: Move) {
        let is_capture = position.is_capture(mv);
        // Moves that do not fit into the list are dropped.
        let _ = if is_capture { self.captures.try_push(mv) } else { self.quiets.try_push(mv) };
    }
}

impl Searcher {
    /// Searches a position with a window and returns its score (fail-soft). The wazir of the side to move
    /// can't be captured at once, because the last move was safe.
    pub(super) fn node(
        &mut self,
        position: &Position,
        kind: NodeKind,
        window: Window,
        depth: i32,
        ply: usize,
    ) -> Searched {
        if kind == NodeKind::Principal {
            self.frames[ply].line.clear();
        }
        // The last move of the game was not a capture of the wazir: a draw.
        if position.ply() + 1 >= MAX_PLIES || self.is_repetition() {
            // Such nodes count as well: near the end of a game there may be few others, and the clock is
            // read by the node count.
            self.count_node()?;
            return Ok(DRAW);
        }
        let checkers = position.checkers();
        // Check extension. At depth 0 a threat of mate extends as well, because quiescence could stand pat.
        let is_extended = checkers.any() || depth == 0 && is_mate_threatened(position);
        let depth = depth + i32::from(is_extended);
        if depth <= 0 || ply >= MAX_PATH {
            return self.quiescence(position, window, ply, 0);
        }
        self.inner_node(position, kind, window, depth, ply)
    }

    /// Searches an interior node that is not over.
    #[inline(always)]
    fn inner_node(
        &mut self,
        position: &Position,
        kind: NodeKind,
        mut window: Window,
        depth: i32,
        ply: usize,
    ) -> Searched {
        self.count_node()?;
        let checkers = position.checkers();
        // Mate distance pruning: no line from here is better than a shorter win found already.
        window.alpha = window.alpha.max(score::lost_in(ply + 2));
        window.beta = window.beta.min(score::win_in(ply + 3));
        if window.alpha >= window.beta {
            return Ok(window.alpha);
        }

        let excluded = self.frames[ply].excluded.take();
        let stored = self.table.probe(table_key(position));
        if let (Some(entry), None) = (stored, excluded) {
            let deep = kind != NodeKind::Principal && entry.depth >= depth;
            if let (true, Some(found)) = (deep, tt_cutoff(position, entry, window, ply)) {
                return Ok(found);
            }
        }
        if let Some((mv, score)) = mate_at_once(position, checkers, stored, ply) {
            if kind == NodeKind::Principal {
                // After mate distance pruning the score is above alpha.
                self.extend_line(ply, mv, false);
            }
            return Ok(score);
        }
        let raw_eval = self.static_eval(position, checkers, stored);
        let previous = self.previous(ply);
        let slots = if checkers.any() { None } else { Some(slots(position, &previous)) };
        let eval = slots.map(|slots| self.corrected(raw_eval, &slots));
        self.frames[ply].eval = eval;
        let node = Node {
            kind,
            depth,
            ply,
            checkers,
            raw_eval,
            slots,
            eval: eval.map(|eval| refined(eval, stored, ply)),
            improving: self.is_improving(eval, ply),
            table_move: stored.and_then(|entry| self.checked_table_move(position, entry)),
            killers: self.frames[ply].killers,
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
            // Singular extension: the hash move is extended by one ply if all others are worse by a margin.
            self.frames[node.ply].excluded = node.table_move;
            let (window, depth) = (Window::null(bound - 1), (node.depth - 1) / 2);
            let score = self.node(position, NodeKind::Cut, window, depth, node.ply)?;
            node.extension = i32::from(score < bound);
        }
        let base = self.move_stack.len();
        let best = self.search_moves(position, &node, window)?;
        self.move_stack.truncate(base);
        if node.excluded.is_none() {
            let entry = Entry {
                move_bits: best.mv.map_or(0, Move::bits),
                score: score::from_node(best.score, node.ply),
                eval: node.raw_eval,
                depth: node.depth,
                bound: Bound::of(best.score, window),
                pv: node.was_pv,
            };
            self.learn_error(position, &node, entry);
            self.table.store(table_key(position), entry);
        }
        Ok(best.score)
    }

    /// Updates the correction history with the error of the static eval, except if the best move is a
    /// capture or the score is decisive. (Not learning near the end of the game, or from nodes with skipped
    /// quiet moves, measured -7 [-27, +13] elo.)
    fn learn_error(&mut self, position: &Position, node: &Node, found: Entry) {
        let (slots, eval) = match (node.slots, self.frames[node.ply].eval) {
            (Some(slots), Some(eval)) => (slots, eval),
            _ => return,
        };
        let quiet = Move::from_bits(found.move_bits).map_or(true, |mv| !position.is_capture(mv));
        let undecided = !score::is_decisive(found.score);
        if quiet && undecided && found.bound.is_nearer(found.score, eval) {
            self.corrections.learn(&slots, found.score - found.eval, node.depth);
        }
    }

    /// Whether the static eval is higher than at the side's last move.
    fn is_improving(&self, eval: Option<Score>, ply: usize) -> bool {
        let before = if ply >= 2 { self.frames[ply - 2].eval } else { None };
        match (eval, before) {
            (Some(now), Some(before)) => now > before,
            (now, _) => now.is_some(),
        }
    }

    /// Prunes the whole node if the static eval is so far outside the window that no move is expected to
    /// matter.
    fn prune_node(
        &mut self,
        position: &Position,
        node: &mut Node,
        Window { alpha, beta }: Window,
    ) -> Option<Searched> {
        let eval = node.eval?;
        let open = node.kind != NodeKind::Principal && node.excluded.is_none();
        if !open || score::is_decisive(beta) {
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
        if node.kind != NodeKind::AfterNull && eval >= beta && is_null_sound(position) {
            let above = eval - beta;
            let saved = pruning::null_move_reduction(&self.params, node.depth, above)?;
            let (depth, ply) = (node.depth - saved, node.ply);
            let searched = self.with_move(position, None, ply, |searcher, next| {
                let below = -Window::null(beta - 1);
                searcher.node(next, NodeKind::AfterNull, below, depth, ply + 1).map(Score::neg)
            });
            if searched.map_or(true, |score| score >= beta) {
                let proved = |score| if score::is_decisive(score) { beta } else { score };
                return Some(searched.map(proved));
            }
            node.threat = searched.map_or(false, |score| score < -score::MAX_EVAL);
        }
        None
    }

    /// Returns the bound that all other moves must stay below for the hash move to be singular, if its
    /// entry qualifies for the test.
    fn singular_bound(&self, node: &Node, stored: Option<Entry>) -> Option<Score> {
        let entry = stored?;
        node.table_move?;
        let score = score::from_root(entry.score, node.ply);
        let known = entry.bound == Bound::Lower || entry.bound == Bound::Exact;
        let worth = node.depth >= self.params.singular_depth
            && entry.depth >= node.depth - 3
            && known
            && node.excluded.is_none()
            && !score::is_decisive(score);
        if worth {
            Some(score - self.params.singular_margin * node.depth)
        } else {
            None
        }
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
        picker.next(position, &knowledge, &mut self.move_stack)
    }

    /// The move loop. Returns the best score and, if it is above alpha, its move.
    fn search_moves(
        &mut self,
        position: &Position,
        node: &Node,
        window: Window,
    ) -> Result<Best<Move>, Stopped> {
        let mut picker =
            Picker::all(node.checkers, node.table_move, node.killers, &self.move_stack);
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
            let mut candidate = Candidate { mv, stage, count, check, depth: 0, reduction: 0 };
            let alpha = best.window.alpha;
            if best.score > -score::MAX_EVAL && self.is_hopeless(position, node, &candidate, alpha)
            {
                if stage == Stage::Quiets && self.is_late(node, count) {
                    picker.skip_quiets();
                }
                continue;
            }
            let is_extended = Some(mv) == node.table_move;
            candidate.depth = node.depth - 1 + if is_extended { node.extension } else { 0 };
            candidate.reduction = self.reduction(position, node, &candidate);
            let score = self.with_move(position, Some(mv), node.ply, |searcher, next| {
                searcher.pvs(next, node, &candidate, best.window)
            })?;
            if best.add(mv, score) {
                if node.kind == NodeKind::Principal {
                    // A move that fails high has no PV below it.
                    self.extend_line(node.ply, mv, !best.is_cutoff());
                }
                if best.is_cutoff() {
                    self.reward(position, node, mv, &tried);
                    break;
                }
            }
            tried.add(position, mv);
            if futile && best.score > -score::MAX_EVAL {
                picker.leave_out_quiets();
            }
        }
        if count == 0 {
            // Mated, or every move leaves the own wazir en prise, which is the same.
            let lost = score::lost_in(node.ply + 2);
            best.score = if node.excluded.is_some() { window.alpha } else { lost };
        }
        Ok(best)
    }

    /// Prefetches the table entry of a move, unless that was done before, and of the next one, which is
    /// returned: its cache line arrives while the move is searched.
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

    /// Futility: whether the static eval is so far below alpha that no quiet move is expected to raise it
    /// enough.
    #[inline(always)]
    fn is_futile(&self, node: &Node, alpha: Score) -> bool {
        let open = node.kind != NodeKind::Principal && !node.threat;
        let margin = pruning::futility_margin(&self.params, node.depth);
        match (node.eval, margin) {
            (Some(eval), Some(margin)) => open && eval + margin <= alpha,
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
        let quiet = candidate.stage == Stage::Quiets;
        let calm = quiet && !candidate.check && !node.threat;
        if calm && (self.is_late(node, candidate.count) || self.is_futile(node, alpha)) {
            return true;
        }
        let threshold = pruning::exchange_threshold(&self.params, node.depth, !quiet);
        threshold.map_or(false, |threshold| !see_at_least(position, candidate.mv, threshold))
    }

    /// Late move reduction: returns by how many plies a move is reduced at first.
    #[inline(always)]
    fn reduction(&self, position: &Position, node: &Node, candidate: &Candidate) -> i32 {
        let params = &self.params;
        let Candidate { mv, stage, count, check, .. } = *candidate;
        let early = node.depth < params.lmr_min_depth || count < params.lmr_min_moves as usize;
        if early || stage != Stage::Quiets {
            return 0;
        }
        let mut reduction = self.reductions.of(node.depth, count);
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

    /// Principal variation search of a move: the first move with the full window, later ones with a null
    /// window and a reduced depth, searched again if they turn out better than expected.
    #[inline(always)]
    fn pvs(
        &mut self,
        next: &Position,
        node: &Node,
        candidate: &Candidate,
        window: Window,
    ) -> Searched {
        let ply = node.ply + 1;
        let Candidate { depth, reduction, count, .. } = *candidate;
        let principal = node.kind == NodeKind::Principal;
        if principal && count == 1 {
            return Ok(-self.node(next, NodeKind::Principal, -window, depth, ply)?);
        }
        let Window { alpha, beta } = window;
        let below = -Window::null(alpha);
        let reduced = (depth - reduction).max(1).min(depth);
        let expected = if reduced < depth { NodeKind::Cut } else { node.kind.child() };
        let mut score = -self.node(next, expected, below, reduced, ply)?;
        if score > alpha && reduced < depth {
            score = -self.node(next, node.kind.child(), below, depth, ply)?;
        }
        if principal && score > alpha && score < beta {
            score = -self.node(next, NodeKind::Principal, -window, depth, ply)?;
        }
        Ok(score)
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

    /// Returns the hash move if it is pseudo-legal here: different positions may share a key.
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
            let killers = &mut self.frames[node.ply].killers;
            if killers[0] != Some(mv) {
                *killers = [Some(mv), killers[0]];
            }
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

    /// Sets the principal variation of a node: `mv`, followed by that of the child, if there is one.
    fn extend_line(&mut self, ply: usize, mv: Move, with_below: bool) {
        let (above, below) = self.frames.split_at_mut(ply + 1);
        let below = if with_below { Some(&below[0].line[..]) } else { None };
        search::set_line(&mut above[ply].line, mv, below);
    }
}

/// Returns a mate in one with its score, if the game lasts long enough for it. Positions with such a mate
/// are never stored, so a table hit excludes one. (If the mate comes too late, the key contains the ply:
/// see `key_at`.)
#[inline(always)]
pub(super) fn mate_at_once(
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

/// Whether some move is expected to be at least as good as passing. This fails in zugzwang, which is common
/// with the wazir alone, and in the last plies, when the other pieces soon run out of moves.
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
