//! Which moves give check, prepared for all moves of a position at once.

use super::attacks;
use super::position::Position;
use super::types::{Bitboard, Move, Square};

/// The squares from which, and the lines along which, the side to move gives check.
pub struct Checks {
    /// The enemy's king.
    king: Square,
    /// The squares from which a piece of each kind attacks it.
    squares: [Bitboard; 6],
    /// The own pieces that stand alone between it and an own slider.
    blockers: Bitboard,
}

impl Checks {
    /// Those of a position.
    #[inline]
    pub fn new(position: &Position) -> Checks {
        let us = position.side();
        let (king, own, occupied) = (position.king(!us), position.colour(us), position.occupied());
        let (bishop, rook) = (attacks::bishop(king, occupied), attacks::rook(king, occupied));
        let pawns = attacks::pawns(!us, king.bit());
        let squares = [pawns, attacks::knight(king), bishop, rook, bishop | rook, Bitboard::EMPTY];
        let mut blockers = Bitboard::EMPTY;
        for slider in position.aimed_sliders(king, us) {
            let between = attacks::between(king, slider) & occupied;
            if !between.several() {
                blockers |= between & own;
            }
        }
        Checks { king, squares, blockers }
    }

    /// Does a legal move of the position give check?
    #[inline(always)]
    pub fn gives(&self, position: &Position, mv: Move) -> bool {
        if mv.is_castling() || mv.is_en_passant() || mv.promotion().is_some() {
            return position.gives_check(mv);
        }
        let is_discovered = || !attacks::line(self.king, mv.from()).has(mv.to());
        self.squares[position.moved(mv).index()].has(mv.to())
            || self.blockers.has(mv.from()) && is_discovered()
    }
}
