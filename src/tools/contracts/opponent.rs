//! Built-in players of a game with their options.

use crate::engine::dialogue::Player;
use anyhow::{ensure, Context, Result};
use std::time::Duration;

/// Maximum hash table size of a player, in MiB.
pub const MAX_HASH_MB: u64 = 1024;

/// The built-in players of a game.
pub struct Opponents {
    /// Parses the options of a player, `key=value,...`; may be empty.
    pub read: fn(&str) -> Result<Box<dyn Opponent>>,
    /// Description of the options, for the help.
    pub options: &'static str,
    /// Options that limit a player's search. If a player sets none of them, the limits of the whole match apply.
    pub limits: &'static [&'static str],
    /// Options of the player that submissions are checked against: strong enough for a long game, and not limited by
    /// the clock.
    pub sparring: &'static str,
}

/// A built-in player with its options.
pub trait Opponent: Send + Sync {
    /// Describes everything that decides how it plays, including the contents of files.
    fn describe(&self) -> String;

    /// Creates a player at the start of a game. `game` is the number of the game in the run, from 0. It seeds the
    /// player's random numbers, so that shards and resumed runs play the same games as an uninterrupted run.
    fn player(&self, game: u64) -> Box<dyn Player>;

    /// Returns the player's own time limit, if it has one: per game or per move, as in the contest.
    fn time(&self) -> Option<Duration>;

    /// Whether the clock limits its search.
    fn is_limited_by_clock(&self) -> bool;
}

/// Splits the options of a built-in player into keys and values.
pub fn pairs(options: &str) -> impl Iterator<Item = Result<(&str, &str)>> {
    let named = options.split(',').filter(|option| !option.is_empty());
    named.map(|option| {
        let pair = option.split_once('=');
        pair.with_context(|| format!("option {option:?}: expected key=value"))
    })
}

/// Parses a hash table size in MiB.
pub fn hash_megabytes(key: &str, value: &str) -> Result<usize> {
    let megabytes = positive(key, value)?;
    ensure!(megabytes <= MAX_HASH_MB, "option {key}={value}: expected at most {MAX_HASH_MB} MiB");
    Ok(megabytes as usize)
}

/// Parses an integer above 0.
pub fn positive(key: &str, value: &str) -> Result<u64> {
    let number = value.parse::<u64>().ok().filter(|number| *number > 0);
    number.with_context(|| format!("option {key}={value}: expected an integer above 0"))
}

/// Names an input file by its path and its contents.
pub fn file_name(path: &str, bytes: &[u8]) -> String {
    format!("{path} {:08x}", crc32fast::hash(bytes))
}
