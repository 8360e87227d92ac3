//! What every alpha-beta search is told, and what it returns.

use super::score::Score;
use std::time::Duration;

/// When to stop. The default never stops before the largest depth.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// Search no deeper than this.
    pub depth: Option<i32>,
    /// Begin no new iteration after so many nodes.
    pub soft_nodes: Option<u64>,
    /// Stop at so many nodes.
    pub hard_nodes: Option<u64>,
    /// Begin no new iteration after this time; a search may scale it by how stable its best move is.
    pub soft_time: Option<Duration>,
    /// Stop at this time.
    pub hard_time: Option<Duration>,
}

/// The result of a search, in moves of a game.
#[derive(Clone, Debug)]
pub struct SearchResult<M> {
    /// The best move; `None` only where there is no move at all.
    pub best: Option<M>,
    /// Its score for the side to move.
    pub score: Score,
    /// The depth of the last finished iteration.
    pub depth: i32,
    /// Nodes visited.
    pub nodes: u64,
    /// The expected line, beginning with the best move.
    pub line: Vec<M>,
}

/// Makes `mv` the line of a node, followed by the line of the node below it if that belongs to it.
pub fn set_line<M: Copy>(line: &mut Vec<M>, mv: M, below: Option<&[M]>) {
    line.clear();
    line.push(mv);
    line.extend_from_slice(below.unwrap_or_default());
}

/// The value of a history after a bonus, with gravity: the nearer it is to the limit, the less it moves.
#[inline(always)]
pub fn with_gravity(value: i16, bonus: i32, limit: i32) -> i16 {
    let bonus = bonus.clamp(-limit, limit);
    let value = i32::from(value);
    (value + bonus - value * bonus.abs() / limit) as i16
}
