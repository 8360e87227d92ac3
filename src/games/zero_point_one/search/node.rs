//! An inner node: principal variation search with a transposition table and selective depth.

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

/// With fewer plies left of the game no null move is made: see [`is_null_sound`].
const MIN_NULL_PLIES_LEFT: usize = 6;

/// What is expected of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// On the principal variation, searched with an open window.
    Principal,
    /// Searched with a null window, expected to fail high: one good move is enough.
    Cut,
    /// Searched with a null window, expected to fail low: all moves must be tried.
    All,
    /// As `All`, after a null move: no second one follows.
    AfterNull,
}

impl NodeKind {
    /// What is expected of the positions after the moves of a null-window node.
    fn child(self) -> NodeKind {
        if self == NodeKind::Cut {
            NodeKind::All
        } else {
            NodeKind::Cut
        }
    }
}

/// What a node knows before it tries moves.
struct Node {
    kind: NodeKind,
    depth: i32,
    ply: usize,
    checkers: Bitboard,
    /// The static evaluation as the evaluator has it.
    raw_eval: Score,
    /// Where the evaluation's errors are kept; `None` in check.
    slots: Option<Slots>,
    /// The static evaluation, corrected by its errors and refined by the table; `None` in check.
    eval: Option<Score>,
    /// Is the evaluation better than two plies ago?
    improving: bool,
    table_move: Option<Move>,
    killers: [Option<Move>; 2],
    /// By how many plies the table's move is extended.
    extension: i32,
    /// Has the node ever been on a principal variation?
    was_pv: bool,
    /// Does the opponent threaten to win if the side to move passes?
    threat: bool,
    excluded: Option<Move>,
    /// The moves that led here.
    previous: Previous,
}

/// A move about to be tried.
struct Candidate {
    mv: Move,
    stage: Stage,
    /// Its place in the order, from 1.
    count: usize,
    /// Does it give check?
    check: bool,
    /// The depth of its search.
    depth: i32,
    /// By how many plies its first search is reduced.
    reduction: i32,
}

/// Moves tried without success, to be held against them when another one succeeds.
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
        // Those that a full list does not take are forgotten.
        let _ = if is_capture { self.captures.try_push(mv) } else { self.quiets.try_push(mv) };
    }
}

impl Searcher {
    /// The score of a position `ply` plies below the root for its side to move, exact within the
    /// window and a bound outside (fail-soft). The own wazir can't be captured at once: the move
    /// that led here was safe.
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
        // The last move is not a capture of the wazir: the game ends undecided.
        if position.ply() + 1 >= MAX_PLIES || self.is_repetition() {
            // Such nodes count too: near the end of a game a search may meet little else, and the
            // clock is read by the count.
            self.count_node()?;
            return Ok(DRAW);
        }
        let checkers = position.checkers();
        // Check extension. At depth 0 a threat of mate extends too: quiescence could decline to move.
        let is_extended = checkers.any() || depth == 0 && is_mate_threatened(position);
        let depth = depth + i32::from(is_extended);
        if depth <= 0 || ply >= MAX_PATH {
            return self.quiescence(position, window, ply, 0);
        }
        self.inner_node(position, kind, window, depth, ply)
    }

    /// Searches a node that neither the rules nor the depth ends.
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
        // Mate-distance pruning: nothing here beats a shorter win found already.
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
                // After mate-distance pruning the score is above alpha.
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

    /// Prunes a node or tries its moves, and stores the result.
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
        // Internal iterative reduction: without a move to begin with, a shallower search finds one.
        if node.table_move.is_none()
            && node.depth >= self.params.iterative_reduction_depth
            && node.excluded.is_none()
        {
            node.depth -= 1;
        }
        if let Some(bound) = self.singular_bound(&node, stored) {
            // Singular extension: a ply for the table's move if all others are worse by some margin.
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

    /// Learns by how much the evaluation has missed what the search found, unless that is a capture
    /// or a win, of which the evaluation need not know. (To learn nothing near the end of the game
    /// or where quiet moves were left out measured -7 [-27, +13] elo.)
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

    /// Is the evaluation better than at the last own move?
    fn is_improving(&self, eval: Option<Score>, ply: usize) -> bool {
        let before = if ply >= 2 { self.frames[ply - 2].eval } else { None };
        match (eval, before) {
            (Some(now), Some(before)) => now > before,
            (now, _) => now.is_some(),
        }
    }

    /// Prunes the whole node, where the evaluation is so far outside the window that no move is
    /// expected to matter.
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
        // Null-move pruning: if even passing is too good for the opponent to allow, a move is too.
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

    /// The score that all other moves must stay below for the table's move to be singular, where
    /// the table knows enough to make the test worth while.
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

    /// The next move of a picker, and its stage.
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

    /// Tries the moves. Returns the best score and, if it is above alpha, its move.
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
                    // A move that fails high has no line of its own below.
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
            // Mated, or every move puts the own wazir en prise, which is the same.
            let lost = score::lost_in(node.ply + 2);
            best.score = if node.excluded.is_some() { window.alpha } else { lost };
        }
        Ok(best)
    }

    /// Prefetches the table for a move, unless it is the one fetched before, and for the next one, which is returned:
    /// the search of the move gives the next one's line the time to arrive.
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

    /// Have enough moves been tried at this node?
    #[inline(always)]
    fn is_late(&self, node: &Node, count: usize) -> bool {
        let limit = pruning::late_move_limit(&self.params, node.depth, node.improving);
        node.kind != NodeKind::Principal && limit.map_or(false, |limit| count > limit)
    }

    /// Is the evaluation so far below the window that no quiet move is expected to lift it there?
    #[inline(always)]
    fn is_futile(&self, node: &Node, alpha: Score) -> bool {
        let open = node.kind != NodeKind::Principal && !node.threat;
        let margin = pruning::futility_margin(&self.params, node.depth);
        match (node.eval, margin) {
            (Some(eval), Some(margin)) => open && eval + margin <= alpha,
            _ => false,
        }
    }

    /// Is a late move not worth a search, when another one has averted a loss?
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

    /// How many plies less deep a move is searched at first (late move reduction).
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

    /// Principal variation search of a move's position: the first move with the full window, a
    /// later one with a null window, at first at reduced depth, and again where it turns out better
    /// than thought.
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

    /// The evaluation of a position, from the table where it is known.
    #[inline(always)]
    pub(super) fn static_eval(
        &mut self,
        position: &Position,
        checkers: Bitboard,
        stored: Option<Entry>,
    ) -> Score {
        match stored {
            Some(entry) => entry.eval,
            // In check nothing asks for it.
            None if checkers.any() => DRAW,
            None => self.evaluator.evaluate(position),
        }
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

    /// A move refuted the node: remember it, and hold the others tried against them.
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

    /// Makes `mv` the line of a node, followed by the line of the node below if that belongs to it.
    fn extend_line(&mut self, ply: usize, mv: Move, with_below: bool) {
        let (above, below) = self.frames.split_at_mut(ply + 1);
        let below = if with_below { Some(&below[0].line[..]) } else { None };
        search::set_line(&mut above[ply].line, mv, below);
    }
}

/// A mate at once and its score, where it comes in time. A position with such a mate is never stored,
/// so one in the table has none. (Where a mate comes too late, the key holds the ply: see `key_at`.)
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

/// Could the opponent mate at once if the side to move passed?
#[inline(always)]
fn is_mate_threatened(position: &Position) -> bool {
    mate_in_one(&position.make_null()).is_some()
}

/// Whether a move is expected to be at least as good as passing. In zugzwang it is not: common for a
/// wazir alone, and in the last plies, where what the others can do is soon used up.
fn is_null_sound(position: &Position) -> bool {
    let side = position.side();
    let has_more_than_wazir =
        position.board().colour(side).count() > 1 || !position.hand(side).is_empty();
    has_more_than_wazir && position.ply() + MIN_NULL_PLIES_LEFT <= MAX_PLIES
}

/// The stored score, where it ends a node with this window.
#[inline(always)]
pub(super) fn tt_cutoff(
    position: &Position,
    entry: Entry,
    window: Window,
    ply: usize,
) -> Option<Score> {
    // Stored at an earlier move number, a win may lie beyond the last move of the game.
    let plies = score::plies_to_end(entry.score);
    if plies.map_or(false, |plies| position.ply() + plies > MAX_PLIES) {
        return None;
    }
    entry.cutoff(window, ply)
}
