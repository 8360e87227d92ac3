//! Perft of Zuniq: counts the leaves of the move tree.

use crate::games::zuniq::game::Game;
use crate::games::zuniq::perft::perft;
use crate::games::zuniq::position::Position;
use crate::games::zuniq::segment::Segment;
use crate::tools::contracts::perft::{BoxedTree, Perft, Tree};
use anyhow::{ensure, Context, Result};

/// Adapter for `cupbot perft`.
pub const PERFT: Perft = Perft { tree, options: "" };

fn tree(moves: &[String], options: &[String]) -> Result<BoxedTree> {
    ensure!(options.is_empty(), "perft of Zuniq has no options");
    let mut game = Game::new();
    for text in moves {
        game.play(text).with_context(|| format!("move {text:?}"))?;
    }
    Ok(Box::new(game.position().clone()))
}

impl Tree for Position {
    fn leaves(&self, depth: u32) -> u64 {
        perft(self, depth)
    }

    fn divide(&self, depth: u32) -> Vec<(String, u64)> {
        let moves = Segment::each(self.legal());
        moves.map(|mv| (mv.to_string(), perft(&self.make(mv), depth - 1))).collect()
    }
}
