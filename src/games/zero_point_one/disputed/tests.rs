use super::*;
use crate::games::zero_point_one::types::Square;

fn position(text: &str) -> Position {
    text.parse().expect(text)
}

/// Returns the text of the position after a move of the side to move.
fn after(before: &str, mv: &str) -> String {
    let position = position(before);
    let mv = Move::parse(mv, position.side()).expect(mv);
    forced(&position, mv).to_string()
}

#[test]
fn disputed_moves_are_made_literally() {
    let before = "W7/8/3D4/8/8/5a2/8/7w Aa 10";
    for (mv, expected) in [
        // A dabbaba that moves like a knight, and one that captures.
        ("c4e5", "W7/8/8/8/4D3/5a2/8/7w Aa 11"),
        ("c4f6", "W7/8/8/8/8/5D2/8/7w AAa 11"),
        // The other side's piece.
        ("f6d6", "W7/8/3D4/5a2/8/8/8/7w Aa 11"),
        // Pieces that are not there appear: the kind that leaps so.
        ("b2c3", "W7/8/2FD4/8/8/5a2/8/7w Aa 11"),
        ("Nd8", "W7/8/3D4/7N/8/5a2/8/7w Aa 11"),
        ("Ac4", "W7/8/3A4/8/8/5a2/8/7w Da 11"),
        // A wazir does not vanish: the move counts as unknown.
        ("c4h8", "W7/8/3D4/8/8/5a2/8/7w Aa 11"),
        ("c4a1", "W7/8/3D4/8/8/5a2/8/7w Aa 11"),
    ] {
        assert_eq!(after(before, mv), expected, "{}", mv);
    }
    // Both knights are in play, so another one vanishes.
    assert_eq!(after("W7/8/3N4/8/8/5n2/8/7w - 10", "Nd8"), "W7/8/8/7N/8/5n2/8/7w - 11");
}

#[test]
fn a_game_continues_after_its_last_move() {
    let last = position("W7/8/3D4/8/8/5a2/8/7w Aa 102");
    let next = forced(&last, Move::board(Square::named("c4"), Square::named("e4")));
    assert_eq!((next.ply(), next.side()), (MAX_PLIES - PLIES_AFTER_END + 1, !last.side()));
    assert_eq!(passed(&last).side(), !last.side());
}
