//! Perft of 6561: counts the leaves of the move tree.

use crate::games::g6561::game::{Game, Position};
use crate::games::g6561::perft::perft;
use crate::tools::contracts::perft::{BoxedTree, Perft, Tree};
use anyhow::{ensure, Context, Result};

/// Adapter for `cupbot perft`.
pub const PERFT: Perft = Perft { tree, options: "" };

fn tree(moves: &[String], options: &[String]) -> Result<BoxedTree> {
    ensure!(options.is_empty(), "perft of 6561 has no options");
    let mut game = Game::new();
    for text in moves {
        game.play(text).with_context(|| format!("move {text:?}"))?;
    }
    Ok(Box::new(game.position()))
}

impl Tree for Position {
    fn leaves(&self, depth: u32) -> u64 {
        perft(*self, depth)
    }

    fn divide(&self, depth: u32) -> Vec<(String, u64)> {
        let after = |mv| self.after(mv).ok().map(|after| (mv, after));
        let positions = self.moves().into_iter().filter_map(after);
        positions.map(|(mv, after)| (mv.to_string(), perft(after, depth - 1))).collect()
    }
}
