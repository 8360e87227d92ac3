//! Zero Point One (0.1), the game of CodeCup 2026: a chess-like game of leapers on an 8x8 board, with drops and free
//! setups.

pub mod attacks;
pub mod bench;
pub mod disputed;
pub mod eval;
pub mod game;
pub mod mate;
pub mod movegen;
pub mod notation;
pub mod player;
pub mod position;
pub mod search;
pub mod see;
pub mod setup;
pub mod types;
pub mod zobrist;

use crate::engine::contest::Contest;
use crate::engine::dialogue::codecup;

/// The contest of the game.
pub static CONTEST: Contest = Contest { name: "CodeCup 2026", ..codecup::CONTEST };

#[cfg(test)]
pub mod tests;
