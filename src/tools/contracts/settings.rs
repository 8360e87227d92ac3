//! Settings of a player.

/// Settings of a player.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Maximum hash table size in MiB.
    pub hash_mb: usize,
    /// Nodes per move instead of the clock.
    pub nodes: Option<u64>,
}

impl Settings {
    /// Creates a player with these settings. `new` creates one with a hash table of this size in MiB; `with_nodes` sets
    /// its nodes per move.
    pub fn player<P>(self, new: impl Fn(usize) -> P, with_nodes: impl Fn(P, u64) -> P) -> P {
        let player = new(self.hash_mb);
        match self.nodes {
            Some(nodes) => with_nodes(player, nodes),
            None => player,
        }
    }
}
