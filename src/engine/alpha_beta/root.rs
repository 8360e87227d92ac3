//! The root: iterative deepening for one line or several, aspiration windows and root moves.

use super::{Deepen, NodeKind, Search, Searched, Visit, Window};
use crate::engine::interrupt;
use crate::engine::score::{self, Score, INFINITE};
use std::cmp::Ordering;

/// Maximum depth of iterative deepening.
pub const MAX_DEPTH: i32 = 64;
/// Depth to which the only move of a position is searched on the clock.
const FORCED_DEPTH: i32 = 4;

/// Result of a search.
#[derive(Clone, Debug)]
pub struct SearchResult<M> {
    /// Best move; `None` only if there is no legal move.
    pub best: Option<M>,
    /// Score for the side to move.
    pub score: Score,
    /// Depth of the last completed iteration.
    pub depth: i32,
    /// Number of nodes searched.
    pub nodes: u64,
    /// Principal variation, beginning with the best move.
    pub line: Vec<M>,
}

impl<M> SearchResult<M> {
    /// Creates a result without a search.
    pub fn unsearched(best: Option<M>) -> SearchResult<M> {
        SearchResult { best, score: score::DRAW, depth: 0, nodes: 0, line: Vec::new() }
    }
}

/// A root move.
pub struct RootMove<M> {
    /// The move.
    pub mv: M,
    /// Score in the last iteration in which the move was best; `-INFINITE` before that.
    pub score: Score,
    /// Principal variation from that iteration.
    pub line: Vec<M>,
    /// Nodes searched below it, in all iterations.
    pub nodes: u64,
}

impl<M: Copy> RootMove<M> {
    /// Creates a move that has not been searched.
    pub fn new(mv: M) -> RootMove<M> {
        RootMove { mv, score: -INFINITE, line: vec![mv], nodes: 0 }
    }
}

/// The window of an iteration: narrow around the score of the last one, widened until the score is inside.
pub struct Aspiration {
    /// The window.
    pub window: Window,
    width: Score,
}

impl Aspiration {
    /// Returns the first window of an iteration to this depth.
    pub fn new(depth: i32, last: Score, width: Score) -> Aspiration {
        let window = if depth >= 4 && !score::is_decisive(last) {
            Window { alpha: last - width, beta: last + width }
        } else {
            Window::FULL
        };
        Aspiration { window, width }
    }

    /// Compares a score with the window, and widens the window on the side on which the score is outside.
    pub fn widen(&mut self, score: Score) -> Ordering {
        self.width *= 3;
        let Window { alpha, beta } = &mut self.window;
        let is_decisive = score::is_decisive(score);
        if score <= *alpha && *alpha > -INFINITE {
            *alpha = if is_decisive { -INFINITE } else { score - self.width };
            Ordering::Less
        } else if score >= *beta && *beta < INFINITE {
            *beta = if is_decisive { INFINITE } else { score + self.width };
            Ordering::Greater
        } else {
            Ordering::Equal
        }
    }
}

/// What iterative deepening has found so far.
pub struct Iterations<'a, M> {
    /// The root moves, best first.
    pub moves: &'a [RootMove<M>],
    /// Number of iterations since the best move changed.
    pub unchanged: i32,
    /// Score of each iteration.
    pub scores: &'a [Score],
}

/// Receives the lines of a depth, best first, with the nodes so far.
pub type Report<'a, S> = dyn FnMut(&[SearchResult<<S as Search>::Move>], &S) + 'a;

/// Iterative deepening: at each depth finds the best of all moves, then the best of the others, and so on (multi-PV),
/// until a limit is reached or the search is interrupted. Moves with a score need no search and come first. Returns the
/// best line; `None` without moves.
pub fn search_lines<S: Deepen>(
    search: &mut S,
    position: &S::Position,
    mut moves: Vec<RootMove<S::Move>>,
    lines: usize,
    report: &mut Report<S>,
) -> Option<SearchResult<S::Move>> {
    let mut best = moves.first()?.mv;
    let limits = search.core().limits;
    let lines = lines.min(moves.len());
    let known = moves.iter().filter(|root| root.score > -INFINITE).count().min(lines);
    let (mut finished, mut unchanged, mut scores) = (0, 0, Vec::new());
    for depth in 1..=limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH) {
        let is_stopped =
            (known..lines).any(|rank| search.deepen(position, &mut moves[rank..], depth).is_err());
        // A stopped iteration may have changed the best move.
        search.core_mut().provisional = Some(moves[0].mv);
        if is_stopped {
            break;
        }
        finished = depth;
        // A later line may turn out to be better than an earlier one.
        moves[known..lines].sort_by_key(|root| -root.score);
        unchanged = if best == moves[0].mv { unchanged + 1 } else { 0 };
        best = moves[0].mv;
        scores.push(moves[0].score);
        let nodes = search.core().budget.nodes();
        let found = moves[..lines].iter().map(|root| result(root, depth, nodes));
        report(&found.collect::<Vec<_>>(), search);
        let is_forced = moves.len() == 1 && limits.hard_time.is_some() && depth >= FORCED_DEPTH;
        let is_final = |root: &RootMove<_>| is_final(root.score, depth);
        let iterations = Iterations { moves: &moves, unchanged, scores: &scores };
        if known == lines
            || is_forced
            || limits.depth.is_none() && moves[..lines].iter().all(is_final)
            // A small tree may have fewer nodes than the interval at which interruptions are checked.
            || interrupt::is_raised()
            || search.core().is_past(search.soft_time(&iterations))
        {
            break;
        }
    }
    moves.first().map(|root| result(root, finished, search.core().budget.nodes()))
}

/// Whether a deeper search can't change a score: a shorter win can't be found any more, and a forced loss stays one.
fn is_final(score: Score, depth: i32) -> bool {
    score::plies_to_end(score).map_or(false, |plies| depth as usize > plies + 1)
}

/// Returns the line of a root move. A move without a score counts as a draw.
fn result<M: Copy>(root: &RootMove<M>, depth: i32, nodes: u64) -> SearchResult<M> {
    let score = if root.score > -INFINITE { root.score } else { score::DRAW };
    SearchResult { best: Some(root.mv), score, depth, nodes, line: root.line.clone() }
}

/// Searches all root moves with a window. The best one is moved to the front; the others keep their order.
pub fn search_root_moves<S: Deepen>(
    search: &mut S,
    position: &S::Position,
    moves: &mut [RootMove<S::Move>],
    depth: i32,
    mut window: Window,
) -> Searched {
    let mut best = Ok(-INFINITE);
    let mut best_index = 0;
    for (index, root) in moves.iter_mut().enumerate() {
        let before = search.core().budget.nodes();
        let reduction = search.root_reduction(position, root.mv, depth, index);
        let Window { alpha, beta } = window;
        let searched = search.with_move(position, Some(root.mv), 0, |search, next| {
            let below = -Window::null(alpha);
            let mut score = alpha + 1;
            if reduction > 0 {
                let depth = (depth - 1 - reduction).max(1);
                score = -search.node(next, Visit::new(NodeKind::Cut, below, depth, 1))?;
            }
            if index > 0 && score > alpha {
                score = -search.node(next, Visit::new(NodeKind::Cut, below, depth - 1, 1))?;
            }
            if score > alpha {
                score =
                    -search.node(next, Visit::new(NodeKind::Principal, -window, depth - 1, 1))?;
            }
            Ok(score)
        });
        root.nodes += search.core().budget.nodes() - before;
        let score = match searched {
            Ok(score) => score,
            Err(stopped) => {
                best = Err(stopped);
                break;
            }
        };
        best = best.map(|best| score.max(best));
        if score > alpha || index == 0 {
            best_index = index;
            root.score = score;
            root.line.truncate(1);
            root.line.extend_from_slice(&search.core().frames[1].line);
            window.alpha = alpha.max(score);
        }
        if score >= beta {
            break;
        }
    }
    moves[..=best_index].rotate_right(1);
    best
}
