//! Moves in 16 bits, and their text.

use super::piece::Kind;
use super::square::Square;
use std::fmt;
use std::num::NonZeroU16;

/// A move: origin in bits 0 to 5, target in bits 6 to 11, and a tag. Castling goes from the king's square to the
/// rook's. Origin and target differ, so the bits are never 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(NonZeroU16);

const PLAIN: u16 = 0;
const DOUBLE: u16 = 1;
const EN_PASSANT: u16 = 2;
const CASTLING: u16 = 3;
/// Tag of a promotion to a knight; bishop, rook and queen follow.
const PROMOTION: u16 = 4;
const TAG_SHIFT: u32 = 12;

/// Promotion pieces, best first.
const PROMOTIONS: [Kind; 4] = [Kind::Queen, Kind::Knight, Kind::Rook, Kind::Bishop];

impl Move {
    #[inline(always)]
    fn pack(from: Square, to: Square, tag: u16) -> Move {
        let bits = tag << TAG_SHIFT | (to.index() as u16) << 6 | from.index() as u16;
        match NonZeroU16::new(bits) {
            Some(bits) => Move(bits),
            // From a1 to a1: no generator makes such a move.
            None => Move::default(),
        }
    }

    /// Creates a normal move or capture.
    #[inline(always)]
    pub fn plain(from: Square, to: Square) -> Move {
        Move::pack(from, to, PLAIN)
    }

    /// Creates a double step of a pawn.
    #[inline(always)]
    pub fn double(from: Square, to: Square) -> Move {
        Move::pack(from, to, DOUBLE)
    }

    /// Creates an en passant capture.
    #[inline(always)]
    pub fn en_passant(from: Square, to: Square) -> Move {
        Move::pack(from, to, EN_PASSANT)
    }

    /// Creates castling with the rook on this square.
    #[inline(always)]
    pub fn castling(king: Square, rook: Square) -> Move {
        Move::pack(king, rook, CASTLING)
    }

    /// Returns the four promotions of a pawn, the queen first.
    #[inline(always)]
    pub fn promotions(from: Square, to: Square) -> [Move; 4] {
        PROMOTIONS.map(|kind| Move::pack(from, to, PROMOTION + kind as u16 - 1))
    }

    /// Origin square.
    #[inline(always)]
    pub fn from(self) -> Square {
        Square::from_index(usize::from(self.0.get() & 63))
    }

    /// Target square; for castling, the rook's square.
    #[inline(always)]
    pub fn to(self) -> Square {
        Square::from_index(usize::from(self.0.get() >> 6 & 63))
    }

    #[inline(always)]
    fn tag(self) -> u16 {
        self.0.get() >> TAG_SHIFT
    }

    /// Whether it is a double step of a pawn.
    #[inline(always)]
    pub fn is_double(self) -> bool {
        self.tag() == DOUBLE
    }

    /// Whether it is an en passant capture.
    #[inline(always)]
    pub fn is_en_passant(self) -> bool {
        self.tag() == EN_PASSANT
    }

    /// Whether it is castling.
    #[inline(always)]
    pub fn is_castling(self) -> bool {
        self.tag() == CASTLING
    }

    /// The piece that a pawn is promoted to.
    #[inline(always)]
    pub fn promotion(self) -> Option<Kind> {
        match self.tag() {
            4 => Some(Kind::Knight),
            5 => Some(Kind::Bishop),
            6 => Some(Kind::Rook),
            7 => Some(Kind::Queen),
            _ => None,
        }
    }

    /// Returns the bits for storage.
    #[inline(always)]
    pub fn bits(self) -> u16 {
        self.0.get()
    }

    /// Creates a move from bits. It need not be legal in any position.
    #[inline(always)]
    pub fn from_bits(bits: u16) -> Option<Move> {
        NonZeroU16::new(bits).map(Move)
    }
}

impl Default for Move {
    /// A placeholder move.
    #[inline(always)]
    fn default() -> Move {
        Move::pack(Square::from_index(0), Square::from_index(1), PLAIN)
    }
}

/// The arena's notation: `e2e4`, castling as the squares of king and rook, `h7h8q`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promotion() {
            Some(kind) => write!(f, "{}", kind.letter()),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self)
    }
}
