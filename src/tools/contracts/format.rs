//! Files of games in the form that a game's community has for them.

use super::record::Record;
use anyhow::Result;
use std::io::BufRead;

/// A game of a file.
#[derive(Debug)]
pub struct FileGame {
    /// The number of the line where it begins; of a bad one where it is bad.
    pub line: usize,
    /// The game, as far as it can be read; an error where nothing of it can.
    pub record: Result<Record>,
}

/// What takes the games of a file one by one.
pub type Take<'a> = dyn FnMut(FileGame) -> Result<()> + 'a;

/// Reads and writes such files.
pub struct FileFormat {
    /// What it is called.
    pub name: &'static str,
    /// Is a text, of which this is the beginning, one of this form? Our own records are none.
    pub is_of_form: fn(&str) -> bool,
    /// Hands on the games of a text one by one; no more of it than a game is in memory. Bad ones are errors in
    /// their place, and end nothing but themselves.
    pub read: fn(&mut dyn BufRead, &mut Take) -> Result<()>,
    /// A game as a part of a file.
    pub write: fn(&Record) -> Result<String>,
}
