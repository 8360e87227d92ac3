//! How a player is to play.

/// How a player is to play.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The size of its table at most, in MiB.
    pub hash_mb: usize,
    /// Think about every move for so many nodes instead of by the clock.
    pub nodes: Option<u64>,
}

impl Settings {
    /// The player with these settings: `new` takes the size of its table, `with_nodes` makes it think by nodes.
    pub fn player<P>(self, new: impl Fn(usize) -> P, with_nodes: impl Fn(P, u64) -> P) -> P {
        let player = new(self.hash_mb);
        match self.nodes {
            Some(nodes) => with_nodes(player, nodes),
            None => player,
        }
    }
}
