//! From a position to the inputs of the network; the trainer uses the same. Each side sees the board from
//! its own first rank, mirrored so that its king stands on the files a to d. An input is a piece, own or
//! enemy's, on a square.

use super::super::position::Position;
use super::super::types::{Colour, Kind, Square};

/// All inputs of one side's view.
pub const INPUTS: usize = 2 * 6 * 64;
/// The outputs, of which the number of pieces chooses one.
pub const BUCKETS: usize = 8;

/// How a side sees the board.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct View {
    side: Colour,
    /// What turns a square's index into the one seen.
    turn: usize,
}

impl View {
    /// The view of a side with its king on this square.
    #[inline(always)]
    pub fn new(side: Colour, king: Square) -> View {
        View { side, turn: (side.index() * 56) ^ (usize::from(is_mirrored(king)) * 7) }
    }

    /// The input of a piece on a square.
    #[inline(always)]
    pub fn input(&self, colour: Colour, kind: Kind, square: Square) -> usize {
        let owner = usize::from(colour != self.side);
        (owner * 6 + kind.index()) * 64 + (square.index() ^ self.turn)
    }
}

/// Is the board mirrored for a king on this square?
#[inline(always)]
pub fn is_mirrored(king: Square) -> bool {
    king.file() > 3
}

/// Calls `emit` with every input that is 1 in a view.
#[cfg(test)]
pub fn active(position: &Position, view: View, mut emit: impl FnMut(usize)) {
    for colour in Colour::ALL {
        for kind in Kind::ALL {
            for square in position.pieces(colour, kind) {
                emit(view.input(colour, kind, square));
            }
        }
    }
}

/// The output of a position: by its pieces, four to a bucket.
#[inline(always)]
pub fn bucket(position: &Position) -> usize {
    ((position.occupied().count().max(1) - 1) / 4).min(BUCKETS - 1)
}
