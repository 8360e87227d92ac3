//! Files of games: formats of other programs, e.g. PGN, and self-play games.

use super::record::{Outcome, Record};
use anyhow::Result;
use serde::Serialize;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::BufRead;

/// A game of a file.
#[derive(Debug)]
pub struct FileGame {
    /// Line number of the game's beginning, or of the error.
    pub line: usize,
    /// The game, as far as it can be read; an error if nothing of it can.
    pub record: Result<Record>,
}

/// Receives the games of a file one by one.
pub type Take<'a> = dyn FnMut(FileGame) -> Result<()> + 'a;

/// A numeric glyph that annotates a move.
#[derive(Debug, Serialize)]
pub struct Glyph {
    /// Its number.
    pub number: u16,
    /// Symbols and words for it, the usual one first; never empty.
    pub forms: &'static [&'static str],
    /// The meaning in words.
    pub text: &'static str,
}

/// A file format.
pub struct FileFormat {
    /// Name of the format.
    pub name: &'static str,
    /// Whether a text with this beginning is of this format. False for cupbot's own records.
    pub is_of_form: fn(&str) -> bool,
    /// Passes on the games of a text one by one, with at most one game in memory. Bad games are passed on as errors and
    /// do not end the reading.
    pub read: fn(&mut dyn BufRead, &mut Take) -> Result<()>,
    /// Formats a game as part of a file.
    pub write: fn(&Record) -> Result<String>,
    /// Replays a game of a file and returns its outcome on the board, if it ended there, by the rules that such files
    /// follow.
    pub judge: fn(&Record) -> Result<Option<Outcome>>,
    /// The glyphs that annotate moves.
    pub glyphs: &'static [Glyph],
}

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
            tell!("warning: duplicate games: {count} of {all}");
        }
    }
}
