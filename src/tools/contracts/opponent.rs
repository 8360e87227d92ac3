//! What a game brings along to play in this process: players with options.

use crate::engine::dialogue::Player;
use anyhow::{ensure, Context, Result};
use std::time::Duration;

/// The largest table that a player may have, in MiB.
pub const MAX_HASH_MB: u64 = 1024;

/// The built-in players of a game.
pub struct Opponents {
    /// Reads the options of a player, `key=value,...`, perhaps none.
    pub read: fn(&str) -> Result<Box<dyn Opponent>>,
    /// The options in words, for the help.
    pub options: &'static str,
    /// The options that limit how much a player thinks. Where a player sets none of them, those that
    /// hold for all players of a match are put before its own options.
    pub limits: &'static [&'static str],
    /// The options of the player that submissions are checked against: strong enough for a game of
    /// some length, and limited by something else than the clock.
    pub sparring: &'static str,
}

/// A built-in player with its options.
pub trait Opponent: Send + Sync {
    /// All that decides how it plays, contents of files included.
    fn describe(&self) -> String;

    /// The player at the start of a game. `game` is its number in the run, from 0: what is random follows
    /// from it, so that a shard and a resumed run play what the whole run plays.
    fn player(&self, game: u64) -> Box<dyn Player>;

    /// A time of its own: of the whole game or of each move, as the contest counts.
    fn time(&self) -> Option<Duration>;

    /// Does the clock limit how much it thinks?
    fn is_limited_by_clock(&self) -> bool;
}

/// The options of a built-in player: pairs of key and value.
pub fn pairs(options: &str) -> impl Iterator<Item = Result<(&str, &str)>> {
    let named = options.split(',').filter(|option| !option.is_empty());
    named.map(|option| {
        let pair = option.split_once('=');
        pair.with_context(|| format!("option {option:?}: expected key=value"))
    })
}

/// The value of an option that is the size of a table, in MiB.
pub fn hash_megabytes(key: &str, value: &str) -> Result<usize> {
    let megabytes = positive(key, value)?;
    ensure!(megabytes <= MAX_HASH_MB, "option {key}={value}: expected {MAX_HASH_MB} MiB at most");
    Ok(megabytes as usize)
}

/// The value of an option that is a whole number above 0.
pub fn positive(key: &str, value: &str) -> Result<u64> {
    let number = value.parse::<u64>().ok().filter(|number| *number > 0);
    number.with_context(|| format!("option {key}={value}: expected a whole number above 0"))
}
