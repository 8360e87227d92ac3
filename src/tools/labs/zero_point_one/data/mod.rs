//! Files of self-play games.

pub mod command;
pub mod file;
pub mod stored_game;

#[cfg(test)]
pub mod properties;
#[cfg(test)]
mod tests;
