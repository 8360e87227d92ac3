//! Contest definitions: time control, judge protocol and resource limits.

use super::clock::TimeControl;
use super::dialogue::Protocol;

/// The rules of a contest for a single game.
pub struct Contest {
    /// Display name, e.g. `CodeCup 2026`.
    pub name: &'static str,
    /// Time control of each player.
    pub time: TimeControl,
    /// Protocol between judge and player.
    pub protocol: Protocol,
    /// Maximum size of the submitted source file.
    pub source: SourceLimit,
    /// Maximum number of characters that the judge keeps of a player's log.
    pub log_characters: usize,
    /// Maximum address space of a player, in bytes.
    pub memory_bytes: u64,
    /// Maximum number of threads of a player.
    pub threads: u64,
}

/// Maximum size of a source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceLimit {
    /// In bytes.
    Bytes(usize),
    /// In Unicode characters.
    Characters(usize),
}

impl SourceLimit {
    /// Returns the size of a source file and the limit, both in the limit's unit.
    pub fn measure(self, source: &str) -> (usize, usize) {
        match self {
            SourceLimit::Bytes(limit) => (source.len(), limit),
            SourceLimit::Characters(limit) => (source.chars().count(), limit),
        }
    }

    /// Returns the name of the unit.
    pub fn unit(self) -> &'static str {
        match self {
            SourceLimit::Bytes(_) => "bytes",
            SourceLimit::Characters(_) => "characters",
        }
    }
}
