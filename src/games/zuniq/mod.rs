//! Zuniq, the game of CodeCup 2021: players draw walls on a 6x6 grid of dots. No two zones may have the same size. The
//! player who makes the last move wins.

pub mod bench;
pub mod game;
pub mod geometry;
pub mod network;
pub mod perft;
pub mod player;
pub mod position;
pub mod segment;
pub mod solver;
pub mod tree;

use crate::engine::contest::Contest;
use crate::engine::dialogue::codecup;

/// The contest that the player is designed for.
pub static CONTEST: Contest = Contest { name: "CodeCup 2021", ..codecup::CONTEST };

#[cfg(test)]
mod tests;
