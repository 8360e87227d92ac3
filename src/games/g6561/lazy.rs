//! A table of all lines whose entries are computed at their first use: a game meets few of the million
//! lines, and filling the table at once would take a short game's time.

use super::board::LINES;
use std::sync::atomic::{AtomicU32, Ordering};

/// A word for every line.
pub struct LazyLines {
    /// Each word and 1; 0 where it has not been computed. All threads compute the same.
    entries: Vec<AtomicU32>,
}

impl LazyLines {
    /// A table in which nothing is computed.
    pub fn new() -> LazyLines {
        LazyLines { entries: (0..LINES).map(|_| AtomicU32::new(0)).collect() }
    }

    /// A table without a line, of which any use panics.
    #[cfg(test)]
    pub fn broken() -> LazyLines {
        LazyLines { entries: Vec::new() }
    }

    /// The word of a line. No line may have `u32::MAX`.
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
