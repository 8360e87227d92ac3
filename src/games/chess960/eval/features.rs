//! Network inputs of a position, also used by the trainer. Each perspective sees the board from its first rank,
//! mirrored so that its king is on the files a to d. An input is a piece of either side on a square.

use super::super::position::Position;
use super::super::types::{Colour, Kind, Square};

/// Number of inputs per perspective.
pub const INPUTS: usize = 2 * 6 * 64;
/// Number of output buckets, selected by the number of pieces.
pub const BUCKETS: usize = 8;

/// A side's perspective of the board.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct View {
    side: Colour,
    /// Mask that maps a square's index to the perspective.
    turn: usize,
}

impl View {
    /// Returns the perspective of a side with its king on this square.
    #[inline(always)]
    pub fn new(side: Colour, king: Square) -> View {
        View { side, turn: (side.index() * 56) ^ (usize::from(is_mirrored(king)) * 7) }
    }

    /// Returns the input of a piece on a square.
    #[inline(always)]
    pub fn input(&self, colour: Colour, kind: Kind, square: Square) -> usize {
        let owner = usize::from(colour != self.side);
        (owner * 6 + kind.index()) * 64 + (square.index() ^ self.turn)
    }
}

/// Whether the board is mirrored for a king on this square.
#[inline(always)]
pub fn is_mirrored(king: Square) -> bool {
    king.file() > 3
}

/// Calls `emit` with every active input of a perspective.
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

/// Returns the output bucket of a position: one for every four pieces.
#[inline(always)]
pub fn bucket(position: &Position) -> usize {
    ((position.occupied().count().max(1) - 1) / 4).min(BUCKETS - 1)
}
