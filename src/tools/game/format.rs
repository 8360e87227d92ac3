//! Files of games in the form that a game's community has for them.

use super::record::Record;
use anyhow::Result;

/// Records with the numbers of the lines where they begin.
pub type Numbered = Vec<(usize, Record)>;

/// Reads and writes such files.
pub struct FileFormat {
    /// What it is called.
    pub name: &'static str,
    /// Is a text, of which this is the beginning, one of this form? Our own records are none.
    pub is_of_form: fn(&str) -> bool,
    /// All games of a text. An error names its line.
    pub read: fn(&str) -> Result<Numbered>,
    /// A game as a part of a file.
    pub write: fn(&Record) -> Result<String>,
}
