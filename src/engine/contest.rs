//! What a contest asks of a player: the time it gives, the protocol it speaks, and its limits.

use super::clock::TimeControl;
use super::dialogue::Protocol;

/// A contest, as the judge of one game sees it.
pub struct Contest {
    /// The name, such as `CodeCup 2026`.
    pub name: &'static str,
    /// The time that a player has.
    pub time: TimeControl,
    /// How the judge talks to a player.
    pub protocol: Protocol,
    /// The largest source file.
    pub source: SourceLimit,
    /// The characters of a player's log that the judge keeps.
    pub log_characters: usize,
    /// The address space that a player gets, in bytes.
    pub memory_bytes: u64,
    /// The threads that a player may run.
    pub threads: u64,
}

/// How a contest limits the size of a source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceLimit {
    /// Its bytes.
    Bytes(usize),
    /// Its characters, whatever their length in UTF-8.
    Characters(usize),
}

impl SourceLimit {
    /// The size of a source and the limit, in the limit's unit.
    pub fn measure(self, source: &str) -> (usize, usize) {
        match self {
            SourceLimit::Bytes(limit) => (source.len(), limit),
            SourceLimit::Characters(limit) => (source.chars().count(), limit),
        }
    }

    /// The unit in words.
    pub fn unit(self) -> &'static str {
        match self {
            SourceLimit::Bytes(_) => "bytes",
            SourceLimit::Characters(_) => "characters",
        }
    }
}
