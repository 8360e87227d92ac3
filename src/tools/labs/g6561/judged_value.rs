//! The value by which the tools judge positions: its main colour, and its model of the other side's replies.

use crate::games::g6561::board::Colour;
use crate::games::g6561::game::Game;
use crate::games::g6561::partner_model::main_by_units;
use crate::games::g6561::search::{Aim, ReplyModel};
use crate::games::g6561::value::MAIN;

/// Model of the other side's replies. Both sides are treated alike, as players who make errors.
const REPLIES: ReplyModel = ReplyModel { best: 0.5, ..ReplyModel::RANDOM };

/// Returns the aim by which the positions of a game are valued.
pub fn aim_of(game: &Game) -> Aim {
    Aim::new(main_colour(game), REPLIES)
}

/// Returns the main colour that the search builds at the end of a game.
fn main_colour(game: &Game) -> Colour {
    let mut now = Game::new();
    game.moves().iter().fold(MAIN, |main, &mv| {
        // Can't fail: the move was made in this game.
        let _ = now.push(mv);
        main_by_units(now.position().board, main)
    })
}
