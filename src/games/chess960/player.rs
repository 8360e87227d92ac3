//! The contest player.

use super::game::Game;
use super::movegen;
use crate::engine::clock::Clock;
use crate::engine::dialogue::{self, Report, Turn};

/// The default size of the transposition table, in MiB.
pub const DEFAULT_HASH_MB: usize = 64;

/// A player of Chess960.
pub struct Player {
    game: Game,
    report: Report,
}

impl Player {
    /// The contest player at the start of a match.
    pub fn new(_hash_mb: usize) -> Player {
        Player { game: Game::default(), report: Report::default() }
    }

    /// The player that searches every move to so many nodes.
    pub fn with_nodes(self, _nodes: u64) -> Player {
        self
    }
}

impl dialogue::Player for Player {
    fn play(&mut self, text: &str) -> Result<(), String> {
        self.game.play(text).map_err(|error| error.to_string())
    }

    fn answer(&mut self, _clock: &Clock) -> Option<String> {
        let mv = *movegen::moves(self.game.position()).first()?;
        self.game.push(mv);
        Some(mv.to_string())
    }

    fn is_over(&self) -> bool {
        self.game.outcome().is_some()
    }

    fn report(&self) -> Report {
        self.report.clone()
    }

    fn turn(&mut self, turn: &Turn, _clock: &Clock) -> Option<String> {
        turn.moves.first().cloned()
    }
}
