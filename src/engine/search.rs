//! Limits and results of alpha-beta searches.

use super::score::Score;
use std::time::Duration;

/// Search limits. By default only the built-in maximum depth applies.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// Maximum depth, in plies.
    pub depth: Option<i32>,
    /// Soft node limit: no new iteration starts beyond it.
    pub soft_nodes: Option<u64>,
    /// Hard node limit: the search stops at it.
    pub hard_nodes: Option<u64>,
    /// Soft time limit: no new iteration starts beyond it. A search may scale it by the stability of the best
    /// move.
    pub soft_time: Option<Duration>,
    /// Hard time limit: the search stops at it.
    pub hard_time: Option<Duration>,
}

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

/// Sets the principal variation of a node: `mv`, followed by that of the child, if there is one.
pub fn set_line<M: Copy>(line: &mut Vec<M>, mv: M, below: Option<&[M]>) {
    line.clear();
    line.push(mv);
    line.extend_from_slice(below.unwrap_or_default());
}

/// Returns a history value after a bonus, with gravity: the closer the value is to `limit`, the less it
/// changes.
#[inline(always)]
pub fn with_gravity(value: i16, bonus: i32, limit: i32) -> i16 {
    let bonus = bonus.clamp(-limit, limit);
    let value = i32::from(value);
    (value + bonus - value * bonus.abs() / limit) as i16
}
