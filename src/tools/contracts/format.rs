//! Standard file formats of games, such as PGN.

use super::record::Record;
use anyhow::Result;
use std::io::BufRead;

/// A game of a file.
#[derive(Debug)]
pub struct FileGame {
    /// Line number of the start of the game, or of the error if it is invalid.
    pub line: usize,
    /// The game up to the first error; `Err` if nothing of it can be read.
    pub record: Result<Record>,
}

/// Callback that receives the games of a file one by one.
pub type Take<'a> = dyn FnMut(FileGame) -> Result<()> + 'a;

/// Reader and writer of a file format.
pub struct FileFormat {
    /// Name of the format.
    pub name: &'static str,
    /// Whether a text with this beginning has this format. False for our own records.
    pub is_of_form: fn(&str) -> bool,
    /// Reads the games one by one, with only one in memory at a time. An invalid game is passed on as an
    /// error, and reading continues with the next game.
    pub read: fn(&mut dyn BufRead, &mut Take) -> Result<()>,
    /// Formats a game for a file.
    pub write: fn(&Record) -> Result<String>,
}
