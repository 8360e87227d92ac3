//! Iterative deepening for one line or several, and the search of the root moves.

use super::node::{NodeKind, Visit};
use super::root::{Aspiration, Iterations, RootMove, SearchResult};
use super::search::{Deepen, Search};
use super::window::{Searched, Window};
use crate::engine::interrupt;
use crate::engine::score::{self, Score, INFINITE};
use std::cmp::Ordering;

/// Maximum depth of iterative deepening.
pub const MAX_DEPTH: i32 = 64;
/// Depth to which the only move of a position is searched on the clock.
const FORCED_DEPTH: i32 = 4;

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

/// Searches the root moves to a depth with an aspiration window around the score of the first one, which is widened
/// until the score is inside. `width` is half of the width of the first window.
pub fn deepen_by_aspiration<S: Deepen>(
    search: &mut S,
    position: &S::Position,
    moves: &mut [RootMove<S::Move>],
    depth: i32,
    width: Score,
) -> Searched {
    let mut aspiration = Aspiration::new(depth, moves[0].score, width);
    loop {
        let best = search_root_moves(search, position, moves, depth, aspiration.window)?;
        if aspiration.widen(best) == Ordering::Equal {
            return Ok(best);
        }
    }
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
