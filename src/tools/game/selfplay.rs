//! The contract for files of self-play games, as far as merging them needs it.

use anyhow::Result;
use std::path::Path;

/// How a game keeps its self-play games in files.
#[derive(Clone, Copy)]
pub struct GameFiles {
    /// Does a file that begins with these bytes hold such games?
    pub recognise: fn(&[u8]) -> bool,
    /// Reads a file, up to the first damage.
    pub read: fn(&Path) -> Result<StoredGames>,
    /// The contents of a file with these settings and games, as self-play without a break writes it.
    pub write: fn(&str, &[Vec<u8>]) -> Result<Vec<u8>>,
}

/// How many bytes of a file decide what it is.
pub const HEAD: usize = 32;

/// The games of a file.
pub struct StoredGames {
    /// The settings of the run, JSON; `None` in files of old versions.
    pub settings: Option<String>,
    /// Every game in the form of its format, in the order in which they were played.
    pub games: Vec<Vec<u8>>,
    /// Positions for training in them.
    pub positions: u64,
    /// What is wrong with the file behind these games.
    pub damage: Option<String>,
}
