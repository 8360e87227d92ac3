//! A table of all lines whose entries are computed on first use. A game has few of the million lines, and filling the
//! whole table would take too long in a short game.

use super::board::LINES;
use std::sync::atomic::{AtomicU32, Ordering};

/// A table with a word for every line.
pub struct LazyLines {
    /// Each word plus 1, or 0 if it has not been computed. All threads compute the same words.
    entries: Vec<AtomicU32>,
}

impl LazyLines {
    /// Creates a table without computed entries.
    pub fn new() -> LazyLines {
        LazyLines { entries: (0..LINES).map(|_| AtomicU32::new(0)).collect() }
    }

    /// Returns the word of a line, which must not be `u32::MAX`. Calls `compute` on first use.
    #[inline(always)]
    pub fn get(&self, line: u32, compute: impl FnOnce(u32) -> u32) -> u32 {
        match self.entries[line as usize].load(Ordering::Relaxed) {
            0 => self.set(line, compute(line)),
            entry => entry - 1,
        }
    }

    #[cold]
    fn set(&self, line: u32, word: u32) -> u32 {
        self.entries[line as usize].store(word + 1, Ordering::Relaxed);
        word
    }
}
