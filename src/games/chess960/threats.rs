//! Squares that a side attacks, in all and by lesser pieces.

use super::attacks;
use super::position::Position;
use super::types::{Bitboard, Colour, Kind};

/// Squares that a side attacks.
#[derive(Clone, Copy)]
pub struct Threats {
    /// By any piece.
    pub all: Bitboard,
    /// By pieces of lesser value than each kind, for which these squares are unsafe. Knights and bishops count as
    /// equal; for a king all attacked squares count.
    pub lesser: [Bitboard; 6],
}

impl Threats {
    /// Placeholder for unknown threats.
    pub const NONE: Threats = Threats { all: Bitboard::EMPTY, lesser: [Bitboard::EMPTY; 6] };

    /// Computes the threats of a side.
    #[inline]
    pub fn of(position: &Position, by: Colour) -> Threats {
        let own = position.colour(by);
        let (occupied, queens) = (position.occupied(), position.kind(Kind::Queen) & own);
        let pawns = attacks::pawns(by, own & position.kind(Kind::Pawn));
        let mut minors = pawns;
        for from in own & position.kind(Kind::Knight) {
            minors |= attacks::knight(from);
        }
        for from in own & position.kind(Kind::Bishop) {
            minors |= attacks::bishop(from, occupied);
        }
        let mut rooks = minors;
        for from in own & position.kind(Kind::Rook) {
            rooks |= attacks::rook(from, occupied);
        }
        let mut all = rooks | attacks::king(position.king(by));
        for from in queens {
            all |= attacks::bishop(from, occupied) | attacks::rook(from, occupied);
        }
        let none = Bitboard::EMPTY;
        Threats { all, lesser: [none, pawns, pawns, minors, rooks, none] }
    }
}
