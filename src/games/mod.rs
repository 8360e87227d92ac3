//! The games that cupbot plays, one module a game. No game knows another.

pub mod zero_point_one;
pub mod zuniq;

use crate::engine::dialogue::Player;

/// How a player is to play.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The size of its table at most, in MiB.
    pub hash_mb: usize,
    /// Think about every move for so many nodes instead of by the clock.
    pub nodes: Option<u64>,
}

/// A game and how to play it.
pub struct Entry {
    /// The name on the command line.
    pub name: &'static str,
    /// A player at the start of a game.
    pub player: fn(Settings) -> Box<dyn Player>,
    /// The size of its table unless told, in MiB.
    pub hash_mb: usize,
}

/// All games, the main one first.
pub const GAMES: [Entry; 2] = [
    Entry {
        name: "zero-point-one",
        player: |settings| Box::new(zero_point_one_player(settings)),
        hash_mb: zero_point_one::player::DEFAULT_HASH_MB,
    },
    Entry {
        name: "zuniq",
        player: |settings| Box::new(zuniq_player(settings)),
        hash_mb: zuniq::player::DEFAULT_HASH_MB,
    },
];

/// A player of Zero Point One.
pub fn zero_point_one_player(settings: Settings) -> zero_point_one::player::Player {
    let player = zero_point_one::player::Player::new(settings.hash_mb);
    match settings.nodes {
        Some(nodes) => player.with_nodes(nodes),
        None => player,
    }
}

/// A player of Zuniq.
pub fn zuniq_player(settings: Settings) -> zuniq::player::Player {
    let player = zuniq::player::Player::new(settings.hash_mb);
    match settings.nodes {
        Some(nodes) => player.with_nodes(nodes),
        None => player,
    }
}
