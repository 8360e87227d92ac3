//! Perft of Zero Point One: counts the leaves of the move tree.

use crate::games::zero_point_one::game::Game;
use crate::games::zero_point_one::movegen;
use crate::games::zero_point_one::position::{Position, MAX_PLIES};
use crate::games::zero_point_one::types::Move;
use crate::tools::contracts::entry::{Counter, Perft};
use anyhow::{bail, Context, Result};

/// Adapter for `cupbot perft`.
pub const PERFT: Perft =
    Perft { counter, options: "safe: only moves that do not leave the wazir en prise" };

/// Name of the option for safe moves only.
const SAFE: &str = "safe";
/// Default setups.
const DEFAULT_SETUPS: [&str; 2] = ["WFNADAAADDFDAAAA", "aaaadddaaadaffnw"];

fn counter(moves: &[String], options: &[String]) -> Result<Counter> {
    if let Some(unknown) = options.iter().find(|option| *option != SAFE) {
        bail!("no option is named {unknown:?}, expected {SAFE}");
    }
    let is_safe = !options.is_empty();
    let mut game = Game::new();
    let mut texts: Vec<&str> = moves.iter().map(String::as_str).collect();
    if texts.is_empty() {
        texts.extend(DEFAULT_SETUPS);
    }
    for text in texts {
        game.play(text).with_context(|| format!("move {text:?}"))?;
    }
    let Some(&position) = game.position() else {
        bail!("expected both setups before the first move");
    };
    Ok(Box::new(move |depth| {
        let mut moves = Vec::new();
        if position.ply() < MAX_PLIES {
            each_move(&position, is_safe, |mv| {
                let leaves = perft(&position.make(mv), depth - 1, is_safe);
                moves.push((mv.text(position.side()).to_string(), leaves));
            });
        }
        moves
    }))
}

/// Returns the number of leaves `depth` plies below a position.
fn perft(position: &Position, depth: u32, safe: bool) -> u64 {
    if depth == 0 {
        return 1;
    }
    if position.ply() >= MAX_PLIES {
        return 0;
    }
    let mut leaves = 0;
    each_move(position, safe, |mv| {
        leaves += if depth == 1 { 1 } else { perft(&position.make(mv), depth - 1, safe) };
    });
    leaves
}

/// Calls `act` for each safe or pseudo-legal move.
fn each_move(position: &Position, safe: bool, act: impl FnMut(Move)) {
    if safe {
        movegen::safe(position, act);
    } else {
        movegen::pseudo_legal(position, act);
    }
}
