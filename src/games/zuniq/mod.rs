//! Zuniq, the game of CodeCup 2021: walls on a 6x6 grid of dots, zones of unique sizes, the last move
//! wins.

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

#[cfg(test)]
mod tests;
