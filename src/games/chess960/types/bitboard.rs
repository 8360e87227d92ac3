//! Sets of squares.

use super::square::Square;
use crate::engine::square_set::square_set;

/// A set of squares: bit `n` is the square with index `n`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash, Debug)]
pub struct Bitboard(pub u64);

const FILE_A: u64 = 0x0101_0101_0101_0101;

impl Square {
    /// Returns the set of a single square.
    #[inline(always)]
    pub const fn bit(self) -> Bitboard {
        Bitboard(1 << self.index())
    }
}

impl Bitboard {
    /// All squares.
    pub const ALL: Bitboard = Bitboard(!0);

    /// Returns the squares of a rank, 0 to 7.
    #[inline(always)]
    pub const fn rank(rank: usize) -> Bitboard {
        Bitboard(0xff << (8 * rank))
    }

    /// Returns the squares of a file, 0 to 7.
    #[inline(always)]
    pub const fn file(file: usize) -> Bitboard {
        Bitboard(FILE_A << file)
    }

    /// Whether the set has at least two squares.
    #[inline(always)]
    pub const fn several(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Number of squares.
    #[inline(always)]
    pub const fn count(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns the square with the lowest index; h8 for an empty set.
    #[inline(always)]
    pub const fn lowest(self) -> Square {
        Square::from_index(self.0.trailing_zeros() as usize)
    }

    /// Shifts the set by this many ranks; squares off the board are dropped.
    #[inline(always)]
    pub const fn up(self, ranks: i32) -> Bitboard {
        Bitboard(if ranks >= 0 { self.0 << (8 * ranks) } else { self.0 >> (-8 * ranks) })
    }

    /// Shifts the set to the next file; squares off the board are dropped.
    #[inline(always)]
    pub const fn right(self) -> Bitboard {
        Bitboard((self.0 & !(FILE_A << 7)) << 1)
    }

    /// Shifts the set to the previous file; squares off the board are dropped.
    #[inline(always)]
    pub const fn left(self) -> Bitboard {
        Bitboard((self.0 & !FILE_A) >> 1)
    }
}

square_set! { Bitboard of Square:
    BitAnd bitand BitAndAssign bitand_assign &
    BitOr bitor BitOrAssign bitor_assign |
    BitXor bitxor BitXorAssign bitxor_assign ^
}
