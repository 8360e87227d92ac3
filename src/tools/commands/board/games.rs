//! The games that have a board.

use crate::tools::contracts::entry::Entry;
use crate::tools::labs::registry::GAMES;

/// Can the game be shown?
pub fn has_board(game: &Entry) -> bool {
    game.page.is_some() && game.board.is_some()
}

/// The games that can be shown.
pub fn games() -> impl Iterator<Item = &'static Entry> {
    GAMES.iter().copied().filter(|game| has_board(game))
}
