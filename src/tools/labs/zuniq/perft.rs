//! Perft of Zuniq: counts the leaves of the move tree.

use crate::games::zuniq::game::Game;
use crate::games::zuniq::perft::perft;
use crate::games::zuniq::segment::Segment;
use crate::tools::contracts::entry::{Counter, Perft};
use anyhow::{ensure, Context, Result};

/// Adapter for `cupbot perft`.
pub const PERFT: Perft = Perft { counter, options: "" };

fn counter(moves: &[String], options: &[String]) -> Result<Counter> {
    ensure!(options.is_empty(), "perft of Zuniq has no options");
    let mut game = Game::new();
    for text in moves {
        game.play(text).with_context(|| format!("move {text:?}"))?;
    }
    Ok(Box::new(move |depth| {
        let position = game.position();
        let moves = Segment::each(position.legal());
        moves.map(|mv| (mv.to_string(), perft(&position.make(mv), depth - 1))).collect()
    }))
}
