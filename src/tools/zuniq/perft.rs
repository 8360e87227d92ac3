//! Perft of Zuniq: counts the leaves of the move tree.

use crate::games::zuniq::game::Game;
use crate::games::zuniq::perft::perft;
use crate::tools::game::perft::{Counter, Perft};
use anyhow::{ensure, Context, Result};

/// The entry for the command.
pub const PERFT: Perft = Perft { counter, options: "" };

fn counter(moves: &[String], options: &[String]) -> Result<Counter> {
    ensure!(options.is_empty(), "perft of Zuniq has no options");
    let mut game = Game::new();
    for text in moves {
        game.play(text).with_context(|| format!("move {text:?}"))?;
    }
    let position = game.position().clone();
    Ok(Box::new(move |depth| perft(&position, depth)))
}
