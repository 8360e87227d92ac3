//! Games with a board.

use crate::tools::contracts::entry::Entry;
use crate::tools::labs::registry::GAMES;

/// Whether the game has a board.
pub fn has_board(game: &Entry) -> bool {
    game.page.is_some() && game.board.is_some()
}

/// The games with a board.
pub fn games() -> impl Iterator<Item = &'static Entry> {
    GAMES.iter().copied().filter(|game| has_board(game))
}
