//! Files of self-play games, for tools that know no game.

use anyhow::Result;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The first bytes of a file: the container, the game and the version of its records.
pub type Magic = [u8; 8];

/// The self-play games of a game in files.
#[derive(Clone, Copy)]
pub struct GameFiles {
    /// Start of the files.
    pub magic: Magic,
    /// Reads an encoded game from the front of the bytes, advances them, and returns the number of positions for
    /// training.
    pub read: fn(&mut &[u8]) -> Result<u64>,
}

/// Counts duplicate games, e.g. if a file is named twice.
#[derive(Default)]
pub struct Duplicates {
    /// Hashes of all games: there may be millions.
    seen: HashSet<u64>,
    count: u64,
}

impl Duplicates {
    /// Adds a game in any form.
    pub fn add(&mut self, game: impl Hash) {
        let mut hasher = DefaultHasher::new();
        game.hash(&mut hasher);
        self.count += u64::from(!self.seen.insert(hasher.finish()));
    }

    /// Prints the number of duplicates to stderr, if there are any.
    pub fn warn(&self) {
        if self.count > 0 {
            let (count, all) = (self.count, self.count + self.seen.len() as u64);
            tell!("warning: {count} of {all} games are duplicates");
        }
    }
}
