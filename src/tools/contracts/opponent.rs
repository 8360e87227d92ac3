//! Built-in players, which play in this process, and their options.

use crate::engine::dialogue::Player;
use anyhow::{ensure, Context, Result};
use std::time::Duration;

/// Maximum hash table size of a player in MiB.
pub const MAX_HASH_MB: u64 = 1024;

/// The built-in players of a game.
pub struct Opponents {
    /// Parses the options of a player: `key=value,...`, may be empty.
    pub read: fn(&str) -> Result<Box<dyn Opponent>>,
    /// Help text of the options.
    pub options: &'static str,
    /// Options that limit the search of a move. If a player sets none of them, the default limits of the
    /// match are prepended to its options.
    pub limits: &'static [&'static str],
    /// Options of the player that submissions are checked against. It is strong enough for a game of
    /// realistic length and not limited by the clock.
    pub sparring: &'static str,
}

/// A built-in player with its options.
pub trait Opponent: Send + Sync {
    /// Returns everything that determines how it plays, including checksums of its files.
    fn describe(&self) -> String;

    /// Creates the player for a game. `game` is the game's number in the run, from 0. It seeds all random
    /// choices, so that shards and resumed runs play the same games as a complete run.
    fn player(&self, game: u64) -> Box<dyn Player>;

    /// Returns the player's own time limit, per game or per move as in the contest, if it has one.
    fn time(&self) -> Option<Duration>;

    /// Returns whether its search is limited by the clock.
    fn is_limited_by_clock(&self) -> bool;
}

/// Splits the options of a built-in player into pairs of key and value.
pub fn pairs(options: &str) -> impl Iterator<Item = Result<(&str, &str)>> {
    let named = options.split(',').filter(|option| !option.is_empty());
    named.map(|option| {
        let pair = option.split_once('=');
        pair.with_context(|| format!("option {option:?}: expected key=value"))
    })
}

/// Parses the value of an option as a hash table size in MiB.
pub fn hash_megabytes(key: &str, value: &str) -> Result<usize> {
    let megabytes = positive(key, value)?;
    ensure!(megabytes <= MAX_HASH_MB, "option {key}={value}: expected at most {MAX_HASH_MB} MiB");
    Ok(megabytes as usize)
}

/// Parses the value of an option as an integer above 0.
pub fn positive(key: &str, value: &str) -> Result<u64> {
    let number = value.parse::<u64>().ok().filter(|number| *number > 0);
    number.with_context(|| format!("option {key}={value}: expected an integer above 0"))
}
