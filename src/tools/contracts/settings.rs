//! Settings of a player.

/// Levels of play by name, with nodes per move; `None`: the time of the contest. The manual lists the results of
/// matches between them.
pub const LEVELS: [(&str, Option<u64>); 5] = [
    ("beginner", Some(20)),
    ("easy", Some(150)),
    ("medium", Some(1_500)),
    ("strong", Some(15_000)),
    ("full", None),
];

/// Returns the nodes per move of the level with this name, in any case.
pub fn level(name: &str) -> Option<Option<u64>> {
    LEVELS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, nodes)| *nodes)
}

/// Settings of a player.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Maximum hash table size in MiB.
    pub hash_mb: usize,
    /// Nodes per move instead of the clock.
    pub nodes: Option<u64>,
}

impl Settings {
    /// Creates a player with these settings. `new` creates one with a hash table of this size in MiB;
    /// `with_nodes` sets its nodes per move.
    pub fn player<P>(self, new: impl Fn(usize) -> P, with_nodes: impl Fn(P, u64) -> P) -> P {
        let player = new(self.hash_mb);
        match self.nodes {
            Some(nodes) => with_nodes(player, nodes),
            None => player,
        }
    }
}
