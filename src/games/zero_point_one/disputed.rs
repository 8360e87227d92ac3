//! Lines of the judge that break our rules. The judge is right, so the game continues from the position that it seems
//! to mean. That position is always valid: both wazirs stand, and no kind has more pieces than exist.

use super::attacks::attacks;
use super::movegen::attacked_by;
use super::notation::Setup;
use super::position::{Board, Position, MAX_PLIES};
use super::types::{Colour, Hand, Kind, Move, Origin, Piece, Square};

/// If a game continues after its last move, this many plies are assumed to be left. It is even, so that the side to
/// move stays the same.
const PLIES_AFTER_END: usize = 20;

/// Returns the position with both wazirs, since the judge continues the game: a missing one is put on an empty square,
/// if possible one that the enemy does not attack.
pub fn restored(position: &Position) -> Position {
    let mut board = *position.board();
    for &colour in Colour::ALL.iter().filter(|&&colour| position.board().wazir(colour).is_none()) {
        let safe = board.empty() & !attacked_by(position, !colour);
        let square = safe.first().or_else(|| board.empty().first());
        square.iter().for_each(|&square| board.toggle(Piece { colour, kind: Kind::Wazir }, square));
    }
    let hands = Colour::ALL.map(|colour| position.hand(colour));
    Position::new(board, hands, position.ply()).unwrap_or(*position)
}

/// Returns the position with the other side to move, after a move of the judge that is unknown.
pub fn passed(position: &Position) -> Position {
    let hands = Colour::ALL.map(|colour| position.hand(colour));
    let next = Position::new(*position.board(), hands, next_ply(position));
    next.unwrap_or_else(|| position.make_null())
}

/// Returns the position after a move that our rules forbid: the piece on the origin square moves, even if it is the
/// opponent's, and captures the piece on the target. If there is no such piece, one appears. A move that captures a
/// wazir counts as unknown, since the judge continues the game.
pub fn forced(position: &Position, mv: Move) -> Position {
    let side = position.side();
    let mut board = *position.board();
    let mut hands = Colour::ALL.map(|colour| position.hand(colour));
    let moved = match mv.origin() {
        Origin::Hand(kind) => Piece { colour: side, kind },
        Origin::Board(from) => board.piece_on(from).unwrap_or_else(|| {
            let mut kinds = Kind::DROPPABLE.iter().copied();
            let kind = kinds.find(|&kind| attacks(kind, from).has(mv.to()));
            Piece { colour: side, kind: kind.unwrap_or(Kind::Alfil) }
        }),
    };
    match mv.origin() {
        Origin::Hand(kind) if hands[side.index()].count(kind) > 0 => {
            hands[side.index()].remove(kind);
        }
        Origin::Board(from) if board.occupied().has(from) => remove(&mut board, from),
        // The piece appears. Another one of its kind vanishes if there would be too many.
        _ => {
            let kind = moved.kind;
            let in_play = board.kind(kind).count() as usize
                + hands.iter().map(|hand| hand.count(kind)).sum::<usize>();
            if in_play >= Hand::MAX[kind.index()] {
                let mut owners = hands.iter_mut();
                match (owners.find(|hand| hand.count(kind) > 0), board.kind(kind).first()) {
                    (Some(hand), _) => hand.remove(kind),
                    (None, Some(square)) => remove(&mut board, square),
                    (None, None) => {}
                }
            }
        }
    }
    let captured = board.kind_on(mv.to()).filter(|&kind| kind != Kind::Wazir);
    captured.iter().for_each(|&kind| hands[side.index()].add(kind));
    remove(&mut board, mv.to());
    board.toggle(moved, mv.to());
    let next = Position::new(board, hands, next_ply(position));
    next.filter(|next| next.winner().is_none()).unwrap_or_else(|| passed(position))
}

/// Removes the piece on a square, if there is one.
fn remove(board: &mut Board, square: Square) {
    if let Some(piece) = board.piece_on(square) {
        board.toggle(piece, square);
    }
}

/// Returns the ply after the judge's move.
fn next_ply(position: &Position) -> usize {
    let ply = position.ply();
    1 + if ply < MAX_PLIES { ply } else { ply - PLIES_AFTER_END }
}

/// Returns the setup nearest to a text: its letters in their order as long as there are such pieces, and the remaining
/// pieces on the other squares.
pub fn nearest_setup(text: &str) -> Setup {
    let mut left = Kind::SETUP_COUNT;
    let mut kinds = [None; 16];
    for (kind, letter) in kinds.iter_mut().zip(text.chars()) {
        let named = Piece::from_letter(letter).map(|piece| piece.kind);
        *kind = named.filter(|kind| left[kind.index()] > 0);
        kind.iter().for_each(|kind| left[kind.index()] -= 1);
    }
    let mut others = Kind::ALL.iter().flat_map(|&kind| vec![kind; left[kind.index()]]);
    let kinds = kinds.map(|kind| kind.or_else(|| others.next()).unwrap_or(Kind::Alfil));
    // The numbers of pieces are right by construction.
    Setup::new(kinds).unwrap_or_else(|_| super::setup::first())
}

#[cfg(test)]
mod tests;
