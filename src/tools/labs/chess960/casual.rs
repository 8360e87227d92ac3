//! Moves of a weak player, who looks one move ahead and overlooks things.

use super::handmade;
use crate::games::chess960::movegen;
use crate::games::chess960::position::Position;
use crate::games::chess960::see::{see_at_least, VALUE};
use crate::games::chess960::types::{Move, Square};
use crate::tools::contracts::sight::Sight;

/// Own captures are seen as if they were nearer by this factor.
const OWN: f64 = 0.5;
/// Maximum error of the judgement of a move and maximum preference, in hundredths of a pawn.
const ERROR: f64 = 120.0;
const TASTE: f64 = 15.0;
/// Value of a mate.
const MATE: f64 = 5_000.0;

/// Returns the move of a player with this sight.
pub fn casual_move(position: &Position, sight: &Sight) -> Option<Move> {
    let moves = movegen::moves(position);
    let value = |mv: Move| value(position, mv, sight).map(|value| (value, mv));
    let best =
        moves.iter().filter_map(|&mv| value(mv)).max_by(|one, other| one.0.total_cmp(&other.0));
    best.map(|(_, mv)| mv).or(moves.first().copied())
}

/// Returns the value of a move for its side, in hundredths of a pawn; `None` if the player overlooks it.
fn value(position: &Position, mv: Move, sight: &Sight) -> Option<f64> {
    if position.is_capture(mv) && !sight.sees(thing(mv), OWN * distance(mv)) {
        return None;
    }
    let next = position.make(mv);
    let replies = movegen::moves(&next);
    if replies.is_empty() {
        return Some(if next.checkers().any() { MATE } else { 0.0 });
    }
    let worst = replies.iter().map(|&reply| loss_by(&next, reply, sight)).fold(0.0, f64::max);
    let judged = ERROR * sight.error(thing(mv)) + TASTE * sight.taste(thing(mv));
    Some(judged - f64::from(handmade::evaluate(&next)) - worst)
}

/// Returns the loss by a reply, if the player sees it.
fn loss_by(position: &Position, reply: Move, sight: &Sight) -> f64 {
    let gives_check = position.gives_check(reply);
    let is_seen = sight.sees_threat(thing(reply), distance(reply));
    if !(gives_check || position.is_capture(reply)) || !is_seen {
        return 0.0;
    }
    if gives_check && movegen::count(&position.make(reply)) == 0 {
        return MATE;
    }
    let value = position.captured(reply).map_or(0, |kind| VALUE[kind.index()]);
    // The gain of an exchange, in steps.
    let gains = [1.0, 0.5, 0.25].map(|part| part * f64::from(value));
    gains
        .into_iter()
        .find(|gain| *gain >= 1.0 && see_at_least(position, reply, *gain as i32))
        .unwrap_or(0.0)
}

/// Identifies a move for the sight.
fn thing(mv: Move) -> u64 {
    (mv.from().index() * 64 + mv.to().index()) as u64
}

fn distance(mv: Move) -> f64 {
    let (from, to): (Square, Square) = (mv.from(), mv.to());
    from.file().abs_diff(to.file()).max(from.rank().abs_diff(to.rank())) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::chess960::position::CastlingRule;

    fn chosen(fen: &str, clarity: f64) -> Vec<String> {
        let position = Position::from_fen(fen, CastlingRule::Arena).expect("a position");
        let chosen = |seed| casual_move(&position, &Sight::new(clarity, seed)).expect("a move");
        (0..40).map(|seed| chosen(seed).to_string()).collect()
    }

    #[test]
    fn far_captures_are_overlooked_and_near_ones_seen() {
        // The queen can be taken from the other end of the board.
        let far = "q3k3/8/8/8/8/8/8/R3K3 w - - 0 1";
        let taken = |clarity| chosen(far, clarity).iter().filter(|text| *text == "a1a8").count();
        assert_eq!(taken(1.0), 40);
        assert!((1..40).contains(&taken(0.7)), "{}", taken(0.7));
        // A clear sight never leaves the queen attacked.
        let attacked = "6k1/8/2n5/4Q3/8/8/8/4K3 w - - 0 1";
        assert!(chosen(attacked, 1.0).iter().all(|text| text.starts_with("e5")));
    }
}
