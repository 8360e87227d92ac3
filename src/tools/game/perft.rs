//! Counting the move tree.

use anyhow::Result;

/// Counting the move tree of a game.
pub struct Perft {
    /// The counter of the position after these moves: the leaves so many moves below it. The second
    /// argument are the options asked for.
    pub counter: fn(&[String], &[String]) -> Result<Counter>,
    /// The options in words, for the help; empty where there is none.
    pub options: &'static str,
}

/// Counts the leaves at a depth.
pub type Counter = Box<dyn Fn(u32) -> u64>;
