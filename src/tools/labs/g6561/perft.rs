//! Perft of 6561: counts the leaves of the move tree.

use crate::games::g6561::game::Game;
use crate::games::g6561::perft::perft;
use crate::tools::contracts::entry::{Counter, Perft};
use anyhow::{ensure, Context, Result};

/// Adapter for `cupbot perft`.
pub const PERFT: Perft = Perft { counter, options: "" };

fn counter(moves: &[String], options: &[String]) -> Result<Counter> {
    ensure!(options.is_empty(), "perft of 6561 has no options");
    let mut game = Game::new();
    for text in moves {
        game.play(text).with_context(|| format!("move {text:?}"))?;
    }
    let position = game.position();
    Ok(Box::new(move |depth| {
        let after = |mv| position.after(mv).ok().map(|after| (mv, after));
        let positions = position.moves().into_iter().filter_map(after);
        positions.map(|(mv, after)| (mv.to_string(), perft(after, depth - 1))).collect()
    }))
}
