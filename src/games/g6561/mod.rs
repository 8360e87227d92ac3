//! 6561, the cooperative game of CodeCup 2016: two players build one board of coloured pieces, and both get the highest
//! sum that it ever had.

pub mod bench;
pub mod board;
pub mod game;
pub mod lazy;
pub mod network;
pub mod partner_model;
pub mod perft;
pub mod plan;
pub mod player;
pub mod search;
pub mod slides;
pub mod value;

use crate::engine::clock::TimeControl;
use crate::engine::contest::Contest;
use crate::engine::dialogue::codecup;
use std::time::Duration;

/// The contest that the player is designed for.
pub static CONTEST: Contest = Contest {
    name: "CodeCup 2016",
    time: TimeControl::Game(Duration::from_secs(60)),
    protocol: codecup::run_with_sides,
    ..codecup::CONTEST
};

#[cfg(test)]
mod tests;
