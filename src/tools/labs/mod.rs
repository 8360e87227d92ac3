//! The labs: all that the commands need of each game, and the one table of games.

pub mod game_reader;
pub mod registry;

mod chess960;
mod g6561;
pub mod zero_point_one;
mod zuniq;

// It goes over all commands.
#[cfg(test)]
pub mod toy;
