//! Perft: counting the move tree.

use anyhow::Result;

/// Perft of a game.
pub struct Perft {
    /// Returns the counter of the position after these moves. The second argument holds the options.
    pub counter: fn(&[String], &[String]) -> Result<Counter>,
    /// Description of the options for the help, or an empty text.
    pub options: &'static str,
}

/// Returns the legal moves of a position, each with the number of leaves below it. The depth is at least 1 and counted
/// from the position.
pub type Counter = Box<dyn Fn(u32) -> Vec<(String, u64)>>;
