//! Moves in two bytes, and their text.

use super::piece::Kind;
use super::square::Square;
use std::fmt;
use std::num::NonZeroU16;

/// A move: the origin in bits 0 to 5, the target in bits 6 to 11, and a tag. Castling goes from the
/// king's square to its rook's. Origin and target differ, so that the bits are never all 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(NonZeroU16);

const PLAIN: u16 = 0;
const DOUBLE: u16 = 1;
const EN_PASSANT: u16 = 2;
const CASTLING: u16 = 3;
/// The promotion to a knight; those to a bishop, a rook and a queen follow.
const PROMOTION: u16 = 4;
const TAG_SHIFT: u32 = 12;

/// The kinds that a pawn becomes, the best one first.
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

    /// A move without any further effect than a capture.
    #[inline(always)]
    pub fn plain(from: Square, to: Square) -> Move {
        Move::pack(from, to, PLAIN)
    }

    /// A pawn's first move by two squares.
    #[inline(always)]
    pub fn double(from: Square, to: Square) -> Move {
        Move::pack(from, to, DOUBLE)
    }

    /// A capture en passant.
    #[inline(always)]
    pub fn en_passant(from: Square, to: Square) -> Move {
        Move::pack(from, to, EN_PASSANT)
    }

    /// Castling of the king with this rook.
    #[inline(always)]
    pub fn castling(king: Square, rook: Square) -> Move {
        Move::pack(king, rook, CASTLING)
    }

    /// The four promotions of a pawn, that to a queen first.
    #[inline(always)]
    pub fn promotions(from: Square, to: Square) -> [Move; 4] {
        PROMOTIONS.map(|kind| Move::pack(from, to, PROMOTION + kind as u16 - 1))
    }

    /// The square that the piece leaves.
    #[inline(always)]
    pub fn from(self) -> Square {
        Square::from_index(usize::from(self.0.get() & 63))
    }

    /// The square that the piece goes to; of castling the rook's.
    #[inline(always)]
    pub fn to(self) -> Square {
        Square::from_index(usize::from(self.0.get() >> 6 & 63))
    }

    #[inline(always)]
    fn tag(self) -> u16 {
        self.0.get() >> TAG_SHIFT
    }

    /// Is it a pawn's move by two squares?
    #[inline(always)]
    pub fn is_double(self) -> bool {
        self.tag() == DOUBLE
    }

    /// Is it a capture en passant?
    #[inline(always)]
    pub fn is_en_passant(self) -> bool {
        self.tag() == EN_PASSANT
    }

    /// Is it castling?
    #[inline(always)]
    pub fn is_castling(self) -> bool {
        self.tag() == CASTLING
    }

    /// What a pawn becomes.
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

    /// The bits, for storage.
    #[inline(always)]
    pub fn bits(self) -> u16 {
        self.0.get()
    }

    /// The move of these bits; whether any position has it is another question.
    #[inline(always)]
    pub fn from_bits(bits: u16) -> Option<Move> {
        NonZeroU16::new(bits).map(Move)
    }
}

impl Default for Move {
    /// Any move, where one is needed that does not count.
    #[inline(always)]
    fn default() -> Move {
        Move::pack(Square::from_index(0), Square::from_index(1), PLAIN)
    }
}

/// As the arena writes it: `e2e4`, castling as the king's and the rook's square, `h7h8q`.
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
