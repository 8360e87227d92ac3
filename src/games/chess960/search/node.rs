//! Interior nodes of the search.

use super::super::checks::Checks;
use super::super::movegen;
use super::super::position::Position;
use super::super::see::see_at_least;
use super::super::threats::Threats;
use super::super::types::{Kind, Move};
use super::correction::{slots, Slots};
use super::history::{piece_to, Context};
use super::picker::{Choice, Picker, Stage};
use super::{pruning, table_key, Core, Extra, Searcher, MAX_PATH};
use crate::engine::alpha_beta::{self, Best, NodeKind, Search, Searched, Step, Visit, Window};
use crate::engine::budget::Stopped;
use crate::engine::score::{self, Score};
use crate::engine::table::{refined, Bound, Entry};
use std::ops::{Neg, RangeInclusive};

/// Per-node state that is constant during the move loop.
struct Node {
    kind: NodeKind,
    ply: usize,
    depth: i32,
    /// Static eval after correction, or the table's score if that bound is tighter; `None` in check.
    eval: Option<Score>,
    /// Whether the static eval is higher than at the side's last move.
    improving: bool,
    table_move: Option<Move>,
    killers: [Option<Move>; 2],
    /// Extension of the hash move, in plies.
    extension: i32,
    /// Score of the hash move, if it qualifies for the singular test.
    singular: Option<Score>,
    excluded: Option<Move>,
    was_pv: bool,
    /// Uncorrected static eval.
    raw_eval: Score,
    /// Slots of the correction history.
    slots: Slots,
    context: Context,
}

/// A move about to be searched.
struct Candidate {
    mv: Move,
    stage: Stage,
    /// Move number, from 1.
    count: usize,
    quiet: bool,
    check: bool,
    /// History score.
    history: i32,
}

/// Depths at which the later moves are reduced by one ply after a move has raised alpha.
const RAISED_DEPTHS: RangeInclusive<i32> = 3..=11;
/// If more children than this have been cut off, later moves are reduced more.
const MANY_CUTOFFS: u32 = 2;

/// Moves tried before a cutoff, for the history updates.
type Tried = alpha_beta::Tried<Move, 64, 64>;

/// Result of the singular test: a search without the hash move.
enum Extension {
    /// Extension of the hash move, in plies.
    Plies(i32),
    /// Multi-cut: even without the hash move the score is at least beta.
    MultiCut(Score),
}

impl Search for Searcher {
    type Position = Position;
    type Move = Move;
    type Extra = Extra;

    fn core(&self) -> &Core {
        &self.core
    }

    fn core_mut(&mut self) -> &mut Core {
        &mut self.core
    }

    #[inline(always)]
    fn enter(&mut self, position: &Position, mv: Option<Move>, ply: usize) -> Position {
        let next = match mv {
            Some(mv) => position.make(mv),
            None => position.make_null(),
        };
        self.core.table.prefetch(table_key(&next));
        let extra = &mut self.core.frames[ply].extra;
        extra.piece_to = mv.map(|mv| piece_to(position, mv));
        extra.is_quiet = mv.map_or(false, |mv| !position.is_noisy(mv));
        self.evaluator.push(position, mv);
        if mv.is_none() {
            self.nulls.push(self.hashes.len());
        }
        self.hashes.push(next.hash());
        next
    }

    #[inline(always)]
    fn leave(&mut self) {
        self.hashes.pop();
        if self.nulls.last() == Some(&self.hashes.len()) {
            self.nulls.pop();
        }
        self.evaluator.pop();
    }

    /// Searches a position with a window and returns its score (fail-soft).
    fn node(&mut self, position: &Position, visit: Visit<Move>) -> Searched {
        let Visit { window, depth, ply, .. } = visit;
        self.core.frames[ply].line.clear();
        if depth <= 0 {
            return self.quiescence(position, window, ply, 0);
        }
        self.count_node()?;
        if self.is_draw(position) {
            return Ok(self.draw(ply));
        }
        if ply >= MAX_PATH {
            return Ok(self.static_eval(position, None));
        }
        self.inner_node(position, visit)
    }

    #[inline(always)]
    fn search_again(
        &mut self,
        next: &Position,
        step: Step,
        best: &Best<Move>,
        score: Score,
    ) -> Searched {
        let (alpha, ply) = (best.window.alpha, step.ply + 1);
        let is_deeper = score > alpha + self.params.lmr_deeper && step.reduction > 2;
        let is_shallower = score < best.score + self.params.lmr_shallower;
        let depth = step.depth + i32::from(is_deeper) - i32::from(is_shallower);
        let score =
            -self.node(next, Visit::new(step.kind.child(), -Window::null(alpha), depth, ply))?;
        self.reward_research(ply, depth, score > alpha);
        Ok(score)
    }
}

impl Searcher {
    /// Searches an interior node that is not over.
    fn inner_node(&mut self, position: &Position, visit: Visit<Move>) -> Searched {
        let Visit { kind, mut window, depth, ply, excluded } = visit;
        // Mate distance pruning: no line from here is better than mate at once.
        if window.narrow(score::lost_in(ply), score::win_in(ply + 1)) {
            return Ok(window.alpha);
        }
        let stored =
            if excluded.is_none() { self.core.table.probe(table_key(position)) } else { None };
        if kind != NodeKind::Principal {
            let known = stored.filter(|entry| entry.depth >= depth && position.halfmoves() < 90);
            if let Some(found) = known.and_then(|entry| entry.cutoff(window, ply)) {
                return Ok(found);
            }
        }
        let mut node = self.prepare(position, visit, stored);
        if excluded.is_none() {
            self.reward_eval(ply);
        }
        if let Some(searched) = self.prune_node(position, &node, window) {
            return searched;
        }
        // Computed after pruning, which ends most nodes.
        node.context.threats = Threats::of(position, !position.side());
        match self.extension(position, &node, window.beta)? {
            Extension::Plies(plies) => node.extension = plies,
            // The result of a much shallower search is not stored.
            Extension::MultiCut(score) => return Ok(score),
        }
        let base = self.core.move_stack.len();
        let mut best = self.search_moves(position, &node, window)?;
        self.core.move_stack.truncate(base);
        if best.is_cutoff() && !score::is_decisive(best.score) {
            // A score far above beta is rarely exact, so it is moved towards beta, less so at higher depth.
            best.score = (best.score * node.depth + window.beta) / (node.depth + 1);
        }
        if excluded.is_none() {
            let entry = Entry {
                eval: node.raw_eval,
                // The depth actually searched, after internal iterative reduction and hindsight adjustments.
                depth: node.depth,
                pv: node.was_pv,
                ..best.entry(Move::bits, window, node.ply)
            };
            if best.mv.map_or(true, |mv| !position.is_noisy(mv)) {
                self.learn_error(&node, &entry);
            }
            if entry.bound == Bound::Upper {
                self.reward_refutation(ply, node.depth);
            }
            self.core.table.store(table_key(position), entry);
        }
        Ok(best.score)
    }

    /// Correction history learns the error of the static eval.
    fn learn_error(&mut self, node: &Node, found: &Entry) {
        if let Some(eval) = self.core.frames[node.ply].eval {
            self.corrections.learn_result(&node.slots, eval, found);
        }
    }

    /// Computes the state of a node before the move loop.
    fn prepare(&mut self, position: &Position, visit: Visit<Move>, stored: Option<Entry>) -> Node {
        let Visit { kind, depth, ply, excluded, .. } = visit;
        let raw_eval = self.static_eval(position, stored);
        let previous = self.previous(ply);
        let slots = slots(position, &previous);
        let in_check = position.checkers().any();
        let corrected =
            if in_check { None } else { Some(self.corrected(raw_eval, position, &slots)) };
        self.core.frames[ply].eval = corrected;
        self.core.frames[ply + 1].killers = [None; 2];
        self.core.frames[ply + 2].extra.cutoffs = 0;
        let table_move = stored.and_then(|entry| checked_table_move(position, entry));
        let was_pv = kind == NodeKind::Principal || stored.map_or(false, |entry| entry.pv);
        // Internal iterative reduction: without a hash move the move order is poor.
        let poor = table_move.is_none()
            && excluded.is_none()
            && kind != NodeKind::All
            && depth >= self.params.iterative_reduction_depth;
        let mut depth = depth - i32::from(poor);
        if excluded.is_none() {
            depth += self.hindsight(corrected, depth, ply);
        }
        let mut node = Node {
            kind,
            ply,
            depth,
            eval: corrected.map(|eval| refined(eval, stored, ply)),
            improving: self.core.is_improving(ply, &[2, 4]),
            table_move,
            killers: self.core.frames[ply].killers,
            extension: 0,
            singular: None,
            excluded,
            was_pv,
            raw_eval,
            slots,
            context: Context { previous, threats: Threats::NONE },
        };
        node.singular = self.singular_score(&node, stored);
        node
    }

    /// Hindsight: returns the change of the depth after a reduced move.
    fn hindsight(&self, eval: Option<Score>, depth: i32, ply: usize) -> i32 {
        // There is always a ply above: this is not called at the root.
        let before = &self.core.frames[ply - 1];
        match (eval, before.eval) {
            (Some(now), Some(last)) => {
                pruning::hindsight(&self.params, before.reduction, depth, now + last)
            }
            _ => 0,
        }
    }

    /// Rewards the previous quiet move if it raised the static eval.
    fn reward_eval(&mut self, ply: usize) {
        if let (Some(now), Some(last)) =
            (self.core.frames[ply].eval, self.core.frames[ply - 1].eval)
        {
            let limit = self.params.eval_bonus_limit;
            let bonus = -(now + last) * self.params.eval_bonus / 16;
            self.reward_move_to(ply, bonus.max(-limit).min(limit));
        }
    }

    /// Prunes the whole node if the static eval is so far outside the window that no move is expected to matter.
    fn prune_node(
        &mut self,
        position: &Position,
        node: &Node,
        Window { alpha, beta }: Window,
    ) -> Option<Searched> {
        let eval = node.eval?;
        let is_open = node.kind != NodeKind::Principal && node.excluded.is_none();
        if !is_open || score::is_decisive(beta) {
            return None;
        }
        // Reverse futility pruning.
        let margin = pruning::reverse_futility_margin(&self.params, node.depth, node.improving);
        if margin.map_or(false, |margin| eval - margin >= beta) && !node.was_pv {
            return Some(Ok((eval + beta) / 2));
        }
        // Razoring.
        let margin = pruning::razoring_margin(&self.params, node.depth);
        if margin.map_or(false, |margin| eval + margin <= alpha) {
            let searched = self.quiescence(position, Window::null(alpha), node.ply, 0);
            if searched.map_or(true, |score| score <= alpha) {
                return Some(searched);
            }
        }
        self.null_move(position, node, eval, beta)
            .or_else(|| self.probcut(position, node, eval, beta))
    }

    /// Null-move pruning: if the side could even pass, some move will fail high as well.
    fn null_move(
        &mut self,
        position: &Position,
        node: &Node,
        eval: Score,
        beta: Score,
    ) -> Option<Searched> {
        // Two null moves in a row would give the same position at less depth.
        let after_null = node.ply > 0 && self.core.frames[node.ply - 1].extra.piece_to.is_none();
        let us = position.side();
        let pieces = position.colour(us) & !(position.kind(Kind::Pawn) | position.kind(Kind::King));
        // Zugzwang is common with pawns alone.
        if after_null || eval < beta || pieces.is_empty() {
            return None;
        }
        let saved = pruning::null_move_reduction(&self.params, node.depth, eval - beta)?;
        let (depth, ply) = (node.depth - saved, node.ply);
        let searched = self.with_move(position, None, ply, |searcher, next| {
            let below = -Window::null(beta - 1);
            searcher
                .node(next, Visit::new(node.kind.child(), below, depth, ply + 1))
                .map(Score::neg)
        });
        if searched.map_or(false, |score| score < beta) {
            return None;
        }
        Some(searched.map(|score| if score::is_decisive(score) { beta } else { score }))
    }

    /// ProbCut (M. Buro, 1995): a capture that exceeds beta by a margin in a shallow search is expected to exceed beta
    /// in the full search.
    fn probcut(
        &mut self,
        position: &Position,
        node: &Node,
        eval: Score,
        beta: Score,
    ) -> Option<Searched> {
        let depth = node.depth - 4;
        if node.depth < self.params.probcut_depth {
            return None;
        }
        let high = beta + self.params.probcut_margin;
        let threshold = high - eval;
        let base = self.core.move_stack.len();
        let fits = |mv: &Move| position.is_noisy(*mv) && see_at_least(position, *mv, threshold);
        let table_move = node.table_move.filter(fits);
        let choice = Choice::Good(threshold.max(0));
        let mut picker = Picker::new(choice, table_move, [None; 2], &self.core.move_stack);
        let below = -Window::null(high - 1);
        let mut found = None;
        while let Some((mv, _)) = self.next_move(&mut picker, position, &node.context) {
            let searched = self.with_move(position, Some(mv), node.ply, |searcher, next| {
                let ply = node.ply + 1;
                let score = -searcher.quiescence(next, below, ply, 0)?;
                if score < high || depth <= 0 {
                    return Ok(score);
                }
                Ok(-searcher.node(next, Visit::new(node.kind.child(), below, depth, ply))?)
            });
            if searched.map_or(true, |score| score >= high) {
                found = Some(searched);
                break;
            }
        }
        self.core.move_stack.truncate(base);
        found
            .filter(|searched| searched.map_or(true, |score| !score::is_decisive(score)))
            .map(|searched| searched.map(|score| score - (high - beta)))
    }

    /// Returns the hash move's score if it is deep enough for the singular test.
    fn singular_score(&self, node: &Node, stored: Option<Entry>) -> Option<Score> {
        node.table_move?;
        if node.excluded.is_some() || node.depth < self.params.singular_depth {
            return None;
        }
        stored?.singular(node.depth, node.ply)
    }

    /// The move loop.
    fn search_moves(
        &mut self,
        position: &Position,
        node: &Node,
        window: Window,
    ) -> Result<Best<Move>, Stopped> {
        let mut picker =
            Picker::new(Choice::All, node.table_move, node.killers, &self.core.move_stack);
        let mut best = Best::new(window);
        let mut tried = Tried::new();
        let mut count = 0;
        // Depth of the remaining moves.
        let mut left = node.depth;
        let checks = Checks::new(position);
        while let Some((mv, stage)) = self.next_move(&mut picker, position, &node.context) {
            if Some(mv) == node.excluded {
                continue;
            }
            count += 1;
            let mut candidate = self.candidate(position, node, &checks, mv, stage);
            candidate.count = count;
            let alpha = best.window.alpha;
            if best.score > -score::MAX_EVAL && self.is_hopeless(position, node, &candidate, alpha)
            {
                if candidate.quiet && self.is_late(node, count) {
                    picker.skip_quiets();
                }
                continue;
            }
            let is_extended = Some(mv) == node.table_move;
            let step = Step {
                kind: node.kind,
                ply: node.ply,
                depth: left - 1 + if is_extended { node.extension } else { 0 },
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
                    self.core.frames[node.ply].extra.cutoffs += 1;
                    self.reward(position, node, &candidate, &tried);
                    break;
                }
                if !score::is_decisive(score) && RAISED_DEPTHS.contains(&left) {
                    // Later moves must beat a better one: one ply less is enough.
                    left -= 1;
                }
            }
            tried.add(mv, candidate.quiet);
        }
        if count == 0 {
            best.score = self.score_without_moves(position, node, window.alpha);
        }
        Ok(best)
    }

    /// Returns the score of a node at which no move was tried.
    fn score_without_moves(&self, position: &Position, node: &Node, alpha: Score) -> Score {
        match node.excluded {
            Some(_) => alpha,
            None if position.checkers().any() => score::lost_in(node.ply),
            None => self.draw(node.ply),
        }
    }

    #[inline(always)]
    fn candidate(
        &self,
        position: &Position,
        node: &Node,
        checks: &Checks,
        mv: Move,
        stage: Stage,
    ) -> Candidate {
        let check = checks.gives(position, mv);
        let quiet = !position.is_noisy(mv);
        let history = if quiet {
            self.history.quiet(position, mv, &node.context)
        } else {
            self.history.capture(position, mv)
        };
        Candidate { mv, stage, count: 0, quiet, check, history }
    }

    /// Late move pruning: whether enough moves have been tried.
    #[inline(always)]
    fn is_late(&self, node: &Node, count: usize) -> bool {
        let limit = pruning::late_move_limit(&self.params, node.depth, node.improving);
        limit.map_or(false, |limit| count > limit)
    }

    /// Whether a late move is pruned; only called once some move has avoided a loss.
    fn is_hopeless(
        &self,
        position: &Position,
        node: &Node,
        candidate: &Candidate,
        alpha: Score,
    ) -> bool {
        if !matches!(candidate.stage, Stage::Quiets | Stage::Bad) {
            return false;
        }
        let params = &self.params;
        if candidate.quiet {
            if self.is_late(node, candidate.count) && !candidate.check {
                return true;
            }
            let reduction = self.core.reductions.of(node.depth, candidate.count) / 1024;
            let depth = (node.depth - reduction).max(1);
            let margin = pruning::futility_margin(params, depth);
            let is_futile = match (node.eval, margin) {
                (Some(eval), Some(margin)) => eval + margin <= alpha,
                _ => false,
            };
            if is_futile && !candidate.check {
                return true;
            }
            // History pruning.
            if node.depth <= 4 && candidate.history < -params.history_pruning * node.depth {
                return true;
            }
        }
        let threshold = pruning::exchange_threshold(params, node.depth, candidate.quiet);
        threshold.map_or(false, |threshold| !see_at_least(position, candidate.mv, threshold))
    }

    /// Singular extension of the hash move: one or two plies if all other moves are worse by a margin; negative if
    /// another one is good enough as well.
    fn extension(
        &mut self,
        position: &Position,
        node: &Node,
        beta: Score,
    ) -> Result<Extension, Stopped> {
        let known = match node.singular {
            Some(known) => known,
            None => return Ok(Extension::Plies(0)),
        };
        let bound = known - self.params.singular_margin * node.depth / 16;
        let kind = if node.kind == NodeKind::All { NodeKind::All } else { NodeKind::Cut };
        let (window, depth) = (Window::null(bound - 1), (node.depth - 1) / 2);
        let visit = Visit { kind, window, depth, ply: node.ply, excluded: node.table_move };
        self.count_node()?;
        let score = self.inner_node(position, visit)?;
        Ok(if score < bound {
            let is_double =
                node.kind != NodeKind::Principal && score < bound - self.params.double_margin;
            Extension::Plies(1 + i32::from(is_double && node.ply < MAX_PATH / 3))
        } else if score >= beta && node.kind != NodeKind::Principal && !score::is_decisive(score) {
            Extension::MultiCut(score)
        } else {
            // Negative extension: another move is good enough as well.
            Extension::Plies(match node.kind {
                NodeKind::Principal if known >= beta => -1,
                NodeKind::Cut => -2,
                NodeKind::All if known >= beta => -2,
                _ => 0,
            })
        })
    }

    /// Late move reduction: returns by how many plies a move is reduced at first.
    fn reduction(&self, position: &Position, node: &Node, candidate: &Candidate) -> i32 {
        let params = &self.params;
        let Candidate { stage, count, quiet, check, history, .. } = *candidate;
        let is_early = count < 2 + usize::from(node.kind == NodeKind::Principal);
        if node.depth < params.lmr_min_depth || is_early || !quiet && stage != Stage::Bad {
            return 0;
        }
        let when = |holds: bool, amount: i32| if holds { amount } else { 0 };
        let mut reduction = self.core.reductions.of(node.depth, count);
        reduction -= when(node.kind == NodeKind::Principal, params.lmr_pv);
        reduction += when(node.kind == NodeKind::Cut, params.lmr_cut);
        reduction += when(!node.improving, params.lmr_not_improving);
        reduction -= when(check || position.checkers().any(), params.lmr_check);
        reduction -= when(node.was_pv, params.lmr_was_pv);
        reduction -= when(stage == Stage::Killers, params.lmr_killer);
        let noisy_table = node.table_move.map_or(false, |mv| position.is_noisy(mv));
        reduction += when(noisy_table, params.lmr_table_capture);
        reduction +=
            when(self.core.frames[node.ply + 1].extra.cutoffs > MANY_CUTOFFS, params.lmr_cutoffs);
        reduction -= history * 1024 / params.lmr_history;
        (reduction / 1024).max(0)
    }

    /// Returns the static eval, from the table if it is stored there.
    #[inline(always)]
    pub(super) fn static_eval(&mut self, position: &Position, stored: Option<Entry>) -> Score {
        match stored {
            Some(entry) => entry.eval,
            // Not needed in check.
            None if position.checkers().any() => 0,
            None => self.evaluator.evaluate(position),
        }
    }

    /// Updates killers and histories after a cutoff: bonus for the move, malus for those tried before.
    fn reward(&mut self, position: &Position, node: &Node, candidate: &Candidate, tried: &Tried) {
        let bonus = pruning::history_bonus(&self.params, node.depth);
        let (mv, context) = (candidate.mv, &node.context);
        if candidate.quiet {
            self.core.add_killer(node.ply, mv);
            self.history.update_quiet(position, mv, context, bonus);
            tried
                .quiets
                .iter()
                .for_each(|&mv| self.history.update_quiet(position, mv, context, -bonus));
        } else {
            self.history.update_capture(position, mv, bonus);
        }
        tried.captures.iter().for_each(|&mv| self.history.update_capture(position, mv, -bonus));
    }

    /// Updates the history of a reduced move after its second search.
    fn reward_research(&mut self, ply: usize, depth: i32, is_good: bool) {
        let bonus = pruning::history_bonus(&self.params, depth) * self.params.research_bonus / 16;
        self.reward_move_to(ply, if is_good { bonus } else { -bonus });
    }

    /// Rewards the quiet move that led to a node that failed low.
    fn reward_refutation(&mut self, ply: usize, depth: i32) {
        let bonus = pruning::history_bonus(&self.params, depth) * self.params.refutation_bonus / 16;
        self.reward_move_to(ply, bonus);
    }

    /// Updates the continuation history of the move that led to the node at `ply`, if it is quiet.
    fn reward_move_to(&mut self, ply: usize, bonus: i32) {
        // There is always a ply above: this is not called at the root.
        let before = &self.core.frames[ply - 1].extra;
        if let Some(moved) = before.piece_to.filter(|_| before.is_quiet) {
            self.history.update_continuation(moved, &self.previous(ply - 1), bonus);
        }
    }
}

/// Returns the hash move if it is legal here: different positions may share a key.
#[inline(always)]
pub(super) fn checked_table_move(position: &Position, entry: Entry) -> Option<Move> {
    Move::from_bits(entry.move_bits).filter(|&mv| movegen::is_legal(position, mv))
}
