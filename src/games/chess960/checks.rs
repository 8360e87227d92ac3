//! Detection of checking moves, prepared once per position.

use super::attacks;
use super::movegen::{self, Each, Sink, Wanted};
use super::position::Position;
use super::types::{Bitboard, Kind, Move, Square};

/// Squares from which, and lines along which, the side to move gives check.
pub struct Checks {
    /// The opponent's king.
    king: Square,
    /// Squares from which a piece of each kind attacks that king.
    squares: [Bitboard; 6],
    /// Own pieces that would give a discovered check by moving.
    blockers: Bitboard,
}

impl Checks {
    /// Computes them for a position.
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

    /// Whether a legal move of the position gives check.
    #[inline(always)]
    pub fn gives(&self, position: &Position, mv: Move) -> bool {
        if mv.is_castling() || mv.is_en_passant() || mv.promotion().is_some() {
            return position.gives_check(mv);
        }
        let is_discovered = || !attacks::line(self.king, mv.from()).has(mv.to());
        self.squares[position.moved(mv).index()].has(mv.to())
            || self.blockers.has(mv.from()) && is_discovered()
    }

    /// Returns the squares on which a piece other than a pawn gives check by a move that is not castling.
    #[inline(always)]
    pub fn targets(&self, kind: Kind, from: Square) -> Bitboard {
        let squares = self.squares[kind.index()];
        if self.blockers.has(from) {
            squares | !attacks::line(self.king, from)
        } else {
            squares
        }
    }

    /// Calls `act` for every quiet move that gives check, in the order of all quiet moves.
    #[inline(always)]
    pub fn each_quiet(&self, position: &Position, act: impl FnMut(Move)) {
        let sink = &mut QuietChecks { checks: self, position, act };
        movegen::generate(position, Bitboard::ALL, Wanted::Quiet, sink);
    }
}

/// Passes checking moves to a closure. All targets of a piece are tested at once.
struct QuietChecks<'a, F: FnMut(Move)> {
    checks: &'a Checks,
    position: &'a Position,
    act: F,
}

impl<F: FnMut(Move)> Sink for QuietChecks<'_, F> {
    #[inline(always)]
    fn piece(&mut self, from: Square, to: Bitboard) {
        let kind = self.position.kind_on(from).unwrap_or(Kind::King);
        Each(&mut self.act).piece(from, to & self.checks.targets(kind, from));
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, step: i32) {
        Each(|mv| self.special(mv)).pawns(to, step);
    }

    #[inline(always)]
    fn special(&mut self, mv: Move) {
        if self.checks.gives(self.position, mv) {
            (self.act)(mv);
        }
    }
}
