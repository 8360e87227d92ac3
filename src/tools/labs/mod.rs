//! The labs: each game's adapter for the tools, and the registry of games.

pub mod game_reader;
pub mod registry;

mod chess960;
mod g6561;
mod placement;
pub mod zero_point_one;
mod zuniq;

// Its tests cover all commands.
#[cfg(test)]
pub mod toy;
