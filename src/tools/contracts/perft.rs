//! Counting the move tree.

use anyhow::Result;

/// Counting the move tree of a game.
pub struct Perft {
    /// The tree below the position after these moves. The second argument are the options asked for.
    pub tree: fn(&[String], &[String]) -> Result<BoxedTree>,
    /// The options in words, for the help; empty where there is none.
    pub options: &'static str,
}

/// A tree of any game.
pub type BoxedTree = Box<dyn Tree>;

/// The move tree below a position.
pub trait Tree {
    /// The leaves so many moves below the position.
    fn leaves(&self, depth: u32) -> u64;

    /// The moves of the position, each with the leaves behind it, `depth` (at least 1) moves below
    /// the position.
    fn divide(&self, depth: u32) -> Vec<(String, u64)>;
}
