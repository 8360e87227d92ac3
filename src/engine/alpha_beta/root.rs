//! Root moves, the result of a search, and aspiration windows.

use super::window::Window;
use crate::engine::score::{self, Score, INFINITE};
use std::cmp::Ordering;

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

/// The results of iterative deepening so far.
pub struct Iterations<'a, M> {
    /// The root moves, best first.
    pub moves: &'a [RootMove<M>],
    /// Number of iterations since the best move changed.
    pub unchanged: i32,
    /// Score of each iteration.
    pub scores: &'a [Score],
}
