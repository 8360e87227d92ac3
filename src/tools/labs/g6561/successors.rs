//! The boards after all moves.

use crate::games::g6561::board::{Board, Direction, Piece, SQUARES};
use crate::games::g6561::game::{Move, Turn};
use crate::games::g6561::slides::Slides;
use arrayvec::ArrayVec;

/// Returns the legal moves of a turn with the boards after them.
pub fn successors(slides: &Slides, board: Board, turn: Turn) -> ArrayVec<(Move, Board), SQUARES> {
    match turn {
        Turn::Place(colour) => {
            let piece = Piece { colour, exponent: 0 };
            let squares = board.empty_squares();
            squares.map(|square| (Move::Place(square), board.with(square, piece))).collect()
        }
        Turn::Slide => {
            let slid = |way| (Move::Slide(way), slides.slid(board, way));
            Direction::ALL.map(slid).into_iter().filter(|(_, after)| *after != board).collect()
        }
    }
}
