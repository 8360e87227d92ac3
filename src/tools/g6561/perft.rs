//! Counting the move tree of 6561.

use crate::games::g6561::game::Game;
use crate::games::g6561::perft::perft;
use crate::tools::game::perft::{Counter, Perft};
use anyhow::{ensure, Context, Result};

/// What the command needs to know.
pub const PERFT: Perft = Perft { counter, options: "" };

fn counter(moves: &[String], options: &[String]) -> Result<Counter> {
    ensure!(options.is_empty(), "perft of 6561 has no options");
    let mut game = Game::new();
    for text in moves {
        game.play(text).with_context(|| format!("move {text:?}"))?;
    }
    let position = game.position();
    Ok(Box::new(move |depth| perft(position, depth)))
}
