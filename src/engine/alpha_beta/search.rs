//! The traits of a game's search, and the state that all games have.

use super::best::Best;
use super::node::{NodeKind, Reductions, Step, Visit};
use super::picker::Ranked;
use super::root::{Iterations, RootMove};
use super::window::{Searched, Window};
use crate::engine::budget::{Budget, Limits};
use crate::engine::score::Score;
use crate::engine::table::Table;
use std::time::Duration;

/// The nodes of a game's search.
pub trait Search: Sized {
    /// A position of the game.
    type Position;
    /// A move of the game.
    type Move: Copy + PartialEq;
    /// State of a node of the path that only this game has.
    type Extra: Clone + Default;

    /// The state that all games have.
    fn core(&self) -> &Core<Self::Move, Self::Extra>;

    /// The state that all games have.
    fn core_mut(&mut self) -> &mut Core<Self::Move, Self::Extra>;

    /// Makes a move (`None`: a null move) at the node `ply` plies below the root, adds the new position to the path and
    /// returns it.
    fn enter(
        &mut self,
        position: &Self::Position,
        mv: Option<Self::Move>,
        ply: usize,
    ) -> Self::Position;

    /// Removes the last position from the path; does nothing by default.
    fn leave(&mut self) {}

    /// Searches a position and returns its score (fail-soft).
    fn node(&mut self, position: &Self::Position, visit: Visit<Self::Move>) -> Searched;

    /// Searches a move again with a null window, after a reduced search that returned `_score` above alpha.
    #[inline(always)]
    fn search_again(
        &mut self,
        next: &Self::Position,
        step: Step,
        best: &Best<Self::Move>,
        _score: Score,
    ) -> Searched {
        let below = -Window::null(best.window.alpha);
        Ok(-self.node(next, Visit::new(step.kind.child(), below, step.depth, step.ply + 1))?)
    }

    /// Makes a move (`None`: a null move) at the node `ply` plies below the root, searches the new position by `inner`,
    /// and takes the move back.
    #[inline(always)]
    fn with_move<T>(
        &mut self,
        position: &Self::Position,
        mv: Option<Self::Move>,
        ply: usize,
        inner: impl FnOnce(&mut Self, &Self::Position) -> T,
    ) -> T {
        let next = self.enter(position, mv, ply);
        let result = inner(self, &next);
        self.leave();
        result
    }

    /// Principal variation search of a move: the first move with the full window, later ones with a null window and a
    /// reduced depth, searched again if they turn out better than expected.
    #[inline(always)]
    fn search_move(
        &mut self,
        position: &Self::Position,
        mv: Self::Move,
        step: Step,
        best: &Best<Self::Move>,
    ) -> Searched {
        self.with_move(position, Some(mv), step.ply, |search, next| {
            let Step { kind, ply, depth, reduction, is_first } = step;
            let Window { alpha, beta } = best.window;
            let is_principal = kind == NodeKind::Principal;
            if is_principal && is_first {
                let visit = Visit::new(kind, -best.window, depth, ply + 1);
                return Ok(-search.node(next, visit)?);
            }
            let reduced = (depth - reduction).max(1).min(depth);
            let expected = if reduced < depth { NodeKind::Cut } else { kind.child() };
            search.core_mut().frames[ply].reduction = depth - reduced;
            let mut score =
                -search.node(next, Visit::new(expected, -Window::null(alpha), reduced, ply + 1))?;
            search.core_mut().frames[ply].reduction = 0;
            if score > alpha && reduced < depth {
                score = search.search_again(next, step, best, score)?;
            }
            if is_principal && score > alpha && score < beta {
                score = -search
                    .node(next, Visit::new(NodeKind::Principal, -best.window, depth, ply + 1))?;
            }
            Ok(score)
        })
    }
}

/// The root of a game's search.
pub trait Deepen: Search {
    /// Searches the root moves to a depth, e.g. by [`super::deepen_by_aspiration`]. The best one is moved to the front.
    fn deepen(
        &mut self,
        position: &Self::Position,
        moves: &mut [RootMove<Self::Move>],
        depth: i32,
    ) -> Searched;

    /// Late move reduction of a root move, in plies; none by default.
    fn root_reduction(
        &self,
        _position: &Self::Position,
        _mv: Self::Move,
        _depth: i32,
        _index: usize,
    ) -> i32 {
        0
    }

    /// Returns the soft time limit after these iterations.
    fn soft_time(&self, _iterations: &Iterations<Self::Move>) -> Option<Duration> {
        self.core().limits.soft_time
    }
}

/// State of a node of the current path. `E`: state that only one game has.
#[derive(Clone)]
pub struct Frame<M, E> {
    /// Killers: quiet moves that refuted a sibling, the last one first.
    pub killers: [Option<M>; 2],
    /// Static eval after correction; `None` in check.
    pub eval: Option<Score>,
    /// Reduction of the search of the current move, in plies.
    pub reduction: i32,
    /// Principal variation from here.
    pub line: Vec<M>,
    /// State that only one game has.
    pub extra: E,
}

/// State of a searcher in any game.
pub struct Core<M, E> {
    /// Transposition table.
    pub table: Table,
    /// Late move reductions.
    pub reductions: Reductions,
    /// The nodes of the path, and room for the plies below its end.
    pub frames: Vec<Frame<M, E>>,
    /// Pending moves of the nodes of the path.
    pub move_stack: Vec<Ranked<M>>,
    /// Limits of the search.
    pub limits: Limits,
    /// Nodes and time used.
    pub budget: Budget,
    /// Best move of the running search so far, for a caller that must answer after a panic.
    pub provisional: Option<M>,
}

impl<M: Copy + PartialEq, E: Clone + Default> Core<M, E> {
    /// Creates a core with a transposition table of `hash_mb` MiB and this number of frames.
    pub fn new(hash_mb: usize, reductions: Reductions, frames: usize) -> Core<M, E> {
        Core {
            table: Table::new(hash_mb),
            reductions,
            frames: vec![empty_frame(); frames],
            move_stack: Vec::with_capacity(4096),
            limits: Limits::default(),
            budget: Budget::unlimited(),
            provisional: None,
        }
    }

    /// Prepares a search.
    pub fn begin(&mut self, limits: Limits) {
        self.limits = limits;
        self.budget = Budget::of(&limits);
        self.provisional = None;
        self.move_stack.clear();
        for frame in &mut self.frames {
            frame.killers = [None; 2];
            // A stopped search may leave it set.
            frame.reduction = 0;
        }
        self.table.age();
    }

    /// Whether no new iteration may start: `soft_time` or the soft node limit has passed.
    pub fn is_past(&self, soft_time: Option<Duration>) -> bool {
        self.limits.soft_nodes.map_or(false, |soft| self.budget.nodes() >= soft)
            || soft_time.map_or(false, |soft| self.budget.elapsed() >= soft)
    }

    /// Forgets the nodes of earlier searches.
    pub fn clear_frames(&mut self) {
        self.frames.iter_mut().for_each(|frame| *frame = empty_frame());
    }

    /// Whether the static eval of a node is higher than that of the first of these earlier plies that has one.
    #[inline(always)]
    pub fn is_improving(&self, ply: usize, plies_back: &[usize]) -> bool {
        let now = self.frames[ply].eval;
        let mut before = plies_back.iter().filter(|&&back| ply >= back);
        match (now, before.find_map(|back| self.frames[ply - back].eval)) {
            (Some(now), Some(before)) => now > before,
            (now, _) => now.is_some(),
        }
    }

    /// Sets the principal variation of a node: `mv` and, if `with_child`, the principal variation of its child.
    pub fn extend_line(&mut self, ply: usize, mv: M, with_child: bool) {
        let (above, below) = self.frames.split_at_mut(ply + 1);
        let line = &mut above[ply].line;
        line.clear();
        line.push(mv);
        if with_child {
            line.extend_from_slice(&below[0].line);
        }
    }

    /// Adds a quiet move that caused a cutoff.
    #[inline(always)]
    pub fn add_killer(&mut self, ply: usize, mv: M) {
        let killers = &mut self.frames[ply].killers;
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
    }
}

fn empty_frame<M, E: Default>() -> Frame<M, E> {
    Frame { killers: [None, None], eval: None, reduction: 0, line: Vec::new(), extra: E::default() }
}
