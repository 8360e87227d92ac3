//! Perft: counting the move tree.

use anyhow::Result;

/// Perft of a game.
pub struct Perft {
    /// Creates the tree below the position after these moves. The second argument holds the options.
    pub tree: fn(&[String], &[String]) -> Result<BoxedTree>,
    /// Description of the options, for the help; empty if there are none.
    pub options: &'static str,
}

/// A move tree of any game.
pub type BoxedTree = Box<dyn Tree>;

/// The move tree below a position.
pub trait Tree {
    /// Returns the number of leaves at this depth.
    fn leaves(&self, depth: u32) -> u64;

    /// Returns the legal moves, each with the number of leaves below it. `depth` is at least 1 and counted
    /// from the position.
    fn divide(&self, depth: u32) -> Vec<(String, u64)>;
}
