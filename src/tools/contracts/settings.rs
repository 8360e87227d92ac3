//! How a player is to play.

/// How a player is to play.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The size of its table at most, in MiB.
    pub hash_mb: usize,
    /// Think about every move for so many nodes instead of by the clock.
    pub nodes: Option<u64>,
}
