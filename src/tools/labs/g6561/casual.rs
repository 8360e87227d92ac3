//! Moves of a weak player, who judges them one move ahead, with errors.

use super::judged_value::aim_of;
use crate::games::g6561::game::{Game, Move};
use crate::games::g6561::search::{Choice, Search};
use crate::tools::contracts::sight::Sight;

/// Maximum error of the judgement of a move and maximum preference, in points.
const ERROR: f64 = 400.0;
const TASTE: f64 = 3.0;

/// Returns the move of a player with this sight.
pub fn casual_move(game: &Game, sight: &Sight) -> Option<Move> {
    let mut search = Search::new();
    let choices = search.rank_at(1, game.position(), &aim_of(game));
    let value = |choice: &Choice| {
        let thing = crc32fast::hash(choice.mv.to_string().as_bytes()).into();
        f64::from(choice.value) + ERROR * sight.error(thing) + TASTE * sight.taste(thing)
    };
    let best = choices.unwrap_or_default().into_iter().map(|choice| (value(&choice), choice.mv));
    best.max_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, mv)| mv)
}
