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

/// Which game. What a tool does for each is chosen by a match on it, so that the compiler asks for what is
/// missing of a new game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameId {
    /// Zero Point One, the main game.
    ZeroPointOne,
    /// Zuniq.
    Zuniq,
}

/// A game and how to play it.
pub struct Entry {
    /// Which one.
    pub id: GameId,
    /// The name on the command line.
    pub name: &'static str,
    /// The game and its contest, in words.
    pub title: &'static str,
    /// A player at the start of a game.
    pub player: fn(Settings) -> Box<dyn Player>,
    /// The size of its table unless told, in MiB.
    pub hash_mb: usize,
}

/// All games, the main one first.
pub const GAMES: [Entry; 2] = [
    Entry {
        id: GameId::ZeroPointOne,
        name: "zero-point-one",
        title: "Zero Point One (0.1), CodeCup 2026",
        player: |settings| Box::new(zero_point_one_player(settings)),
        hash_mb: zero_point_one::player::DEFAULT_HASH_MB,
    },
    Entry {
        id: GameId::Zuniq,
        name: "zuniq",
        title: "Zuniq, CodeCup 2021",
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
