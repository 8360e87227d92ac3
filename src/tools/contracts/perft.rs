//! Perft: counts the leaves of the move tree.

use anyhow::Result;

/// A game's support for perft.
pub struct Perft {
    /// Returns the tree below the position after these moves. The second argument holds the options.
    pub tree: fn(&[String], &[String]) -> Result<BoxedTree>,
    /// Help text of the options; empty if there are none.
    pub options: &'static str,
}

/// A move tree of any game.
pub type BoxedTree = Box<dyn Tree>;

/// The move tree below a position.
pub trait Tree {
    /// Returns the number of leaves `depth` moves below the position.
    fn leaves(&self, depth: u32) -> u64;

    /// Returns for every move of the position the number of leaves `depth` moves (at least 1) below the
    /// position.
    fn divide(&self, depth: u32) -> Vec<(String, u64)>;
}
