//! Moves, encoded in two bytes.

use super::piece::Kind;
use super::square::Square;
use std::num::NonZeroU16;

/// A board move or a drop. Bits 0 to 5 are the target square; bits 6 to 12 are the origin square (0 to 63), or 64 plus
/// the index of the dropped kind. Bits 13 and 14 are 0. Bit 15 is always set, so that `Option<Move>` takes two bytes
/// too.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(NonZeroU16);

/// Origin of the moved piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A square of the board.
    Board(Square),
    /// The mover's hand.
    Hand(Kind),
}

const ALWAYS: u16 = 1 << 15;
const DROP: u16 = 1 << 12;

impl Move {
    /// Number of different values of [`Move::origin_index`].
    pub const ORIGINS: usize = 68;

    #[inline(always)]
    fn pack(bits: u16) -> Move {
        match NonZeroU16::new(bits | ALWAYS) {
            Some(bits) => Move(bits),
            // `ALWAYS` makes the value non-zero, so the compiler removes this arm.
            None => unreachable!(),
        }
    }

    /// Creates a move of the piece on `from` to `to`.
    #[inline(always)]
    pub fn board(from: Square, to: Square) -> Move {
        Move::pack((from.index() << 6 | to.index()) as u16)
    }

    /// Creates a drop of a piece from the hand. The wazir can't be dropped.
    #[inline(always)]
    pub fn drop(kind: Kind, to: Square) -> Move {
        debug_assert!(kind != Kind::Wazir);
        Move::pack(DROP | (kind as u16) << 6 | to.index() as u16)
    }

    /// Returns the target square.
    #[inline(always)]
    pub fn to(self) -> Square {
        Square::from_index(usize::from(self.0.get() & 63))
    }

    /// Returns the origin of the piece.
    #[inline(always)]
    pub fn origin(self) -> Origin {
        let index = usize::from(self.0.get() >> 6);
        if self.is_drop() {
            Origin::Hand(Kind::droppable_from_index(index))
        } else {
            Origin::Board(Square::from_index(index))
        }
    }

    /// Returns the origin square of a board move.
    #[inline(always)]
    pub fn from(self) -> Option<Square> {
        match self.origin() {
            Origin::Board(from) => Some(from),
            Origin::Hand(_) => None,
        }
    }

    /// Whether the move is a drop.
    #[inline(always)]
    pub fn is_drop(self) -> bool {
        self.0.get() & DROP != 0
    }

    /// Returns 0 to 63 for a board move (the origin square), or 64 to 67 for a drop (64 plus the kind).
    #[inline(always)]
    pub fn origin_index(self) -> usize {
        usize::from(self.0.get() >> 6 & 127)
    }

    /// Returns the [`Move::origin_index`] of the drops of a kind.
    #[inline(always)]
    pub fn drop_origin_index(kind: Kind) -> usize {
        64 + kind as usize
    }

    /// Returns the encoded move.
    #[inline(always)]
    pub fn bits(self) -> u16 {
        self.0.get()
    }

    /// Decodes a move. Returns `None` for values that [`Move::bits`] never returns.
    #[inline(always)]
    pub fn from_bits(bits: u16) -> Option<Move> {
        let origin = bits >> 6 & 127;
        if bits & ALWAYS == 0 || bits & (1 << 13 | 1 << 14) != 0 || origin >= 68 {
            return None;
        }
        Some(Move::pack(bits))
    }
}

impl Default for Move {
    /// Returns an arbitrary move as a placeholder, e.g. for the unused slots of the list that replaces `ArrayVec` in a
    /// submission.
    #[inline(always)]
    fn default() -> Move {
        Move::pack(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_optional_move_takes_two_bytes() {
        assert_eq!(std::mem::size_of::<Option<Move>>(), 2);
    }

    #[test]
    fn board_moves_round_trip() {
        for from in Square::all() {
            for to in Square::all() {
                let mv = Move::board(from, to);
                assert_eq!(
                    (mv.origin(), mv.from(), mv.to()),
                    (Origin::Board(from), Some(from), to)
                );
                assert_eq!((mv.is_drop(), mv.origin_index()), (false, from.index()));
                assert_eq!(Move::from_bits(mv.bits()), Some(mv));
            }
        }
    }

    #[test]
    fn drops_round_trip() {
        for kind in Kind::DROPPABLE {
            for to in Square::all() {
                let mv = Move::drop(kind, to);
                assert_eq!((mv.origin(), mv.from(), mv.to()), (Origin::Hand(kind), None, to));
                assert_eq!((mv.is_drop(), mv.origin_index()), (true, 64 + kind.index()));
                assert_eq!(Move::from_bits(mv.bits()), Some(mv));
            }
        }
    }

    #[test]
    fn other_bits_are_not_moves() {
        let moves: Vec<Move> = (0..=u16::MAX).filter_map(Move::from_bits).collect();
        assert_eq!(moves.len(), Move::ORIGINS * 64);
        assert!(moves.iter().all(|mv| mv.origin_index() < Move::ORIGINS));
        assert_eq!(Move::from_bits(0), None);
    }
}
