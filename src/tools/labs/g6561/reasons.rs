//! Reasons for a move, for hints: facts of the board before and after it.

use crate::games::g6561::board::{Board, SIDE, SQUARES};
use crate::games::g6561::game::{Move, Position};
use crate::tools::contracts::analysis::sentence;
use anyhow::Result;

/// Explains a move: what a tile just placed can meet, what a slide merges, and the most valuable tiles that are
/// together.
pub fn reason(position: Position, mv: Move) -> Result<String> {
    let after = position.after(mv)?.board;
    let (action, fact) = match mv {
        Move::Place(square) => (format!("a tile on {mv}"), meeting(position.board, after, square)),
        Move::Slide(_) => {
            let merged = merged(position.board, after);
            (format!("the slide {mv}"), merged.map(|value| format!("it makes a {value}")))
        }
    };
    let together = best_pair(after).map(|[high, low]| match best_pair(position.board) {
        Some(before) if before == [high, low] => {
            format!("the {high} and the {low} stay together")
        }
        _ => format!("it brings the {high} and the {low} together"),
    });
    let facts: Vec<String> = fact.into_iter().chain(together).collect();
    Ok(sentence(&action, &facts, &[]))
}

/// Returns what the tile just placed on `square` can meet in a slide, if that is not the same on all empty squares.
fn meeting(before: Board, after: Board, square: usize) -> Option<String> {
    let tile = after.piece(square)?;
    let can_meet = |board: Board, square, of_own_colour| {
        (0..SQUARES).find(|&other| {
            let is_equal = board.piece(other).is_some_and(|piece| {
                piece.value() == tile.value() && (piece.colour == tile.colour) == of_own_colour
            });
            is_equal && is_clear(board, square, other)
        })
    };
    if let Some(other) = can_meet(after, square, true) {
        let (colour, on) = (tile.colour.name(), Move::Place(other));
        return Some(format!("a slide can merge it with the {colour} {} on {on}", tile.value()));
    }
    if can_meet(after, square, false).is_some() {
        return Some("a slide can make it vanish".to_string());
    }
    let mut others = before.empty_squares();
    let differs = others.any(|other| can_meet(before.with(other, tile), other, false).is_some());
    differs.then(|| "no slide makes it vanish".to_string())
}

/// Whether two squares are in one line with only empty squares between them.
fn is_clear(board: Board, one: usize, other: usize) -> bool {
    let (first, last) = (one.min(other), one.max(other));
    let step = match (first / SIDE == last / SIDE, first % SIDE == last % SIDE) {
        (true, false) => 1,
        (false, true) => SIDE,
        _ => return false,
    };
    (first + step..last).step_by(step).all(|between| board.piece(between).is_none())
}

/// Returns the highest value of which a move has made a tile.
fn merged(before: Board, after: Board) -> Option<u32> {
    let count =
        |board: Board, value: u32| board.pieces().filter(|piece| piece.value() == value).count();
    let values = after.pieces().map(|piece| piece.value());
    values.filter(|&value| value > 1 && count(after, value) > count(before, value)).max()
}

/// Returns the values of the two most valuable tiles if they are neighbours.
fn best_pair(board: Board) -> Option<[u32; 2]> {
    let mut tiles: Vec<(u32, usize)> =
        (0..SQUARES).filter_map(|square| Some((board.piece(square)?.value(), square))).collect();
    tiles.sort_unstable_by(|one, other| other.cmp(one));
    let [(high, one), (low, other), ..] = tiles[..] else { return None };
    let steps = (one / SIDE).abs_diff(other / SIDE) + (one % SIDE).abs_diff(other % SIDE);
    (steps == 1 && high > 1).then_some([high, low])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::g6561::game::Game;

    const MERGED: &str = "the slide L: it makes a 3; it brings the 3 and the 3 together";

    #[test]
    fn a_reason_names_what_a_tile_can_meet() {
        // Blue on 11, red on 21, gray on 31; the next tile is blue.
        let column = "11 22 33 R L";
        let reason_of = |moves: &str, mv: &str| {
            let mut game = Game::new();
            moves.split(' ').for_each(|text| game.play(text).expect("legal"));
            reason(game.position(), mv.parse().expect("a move")).expect("legal")
        };
        for (moves, mv, expected) in [
            (column, "12", "a tile on 12: a slide can merge it with the blue 1 on 11"),
            (column, "22", "a tile on 22: a slide can make it vanish"),
            (column, "44", "a tile on 44: no slide makes it vanish"),
            ("11 22 33", "R", "the slide R: the best move that was found"),
            ("11 22 33 R L 12 23 34", "L", MERGED),
        ] {
            assert_eq!(reason_of(moves, mv), expected);
        }
    }
}
