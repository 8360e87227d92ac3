//! Sets of squares.

use super::square::Square;
use crate::engine::bitboard::bitboard;

bitboard!();

const FILE_A: u64 = 0x0101_0101_0101_0101;

impl Square {
    /// The set of this square alone.
    #[inline(always)]
    pub const fn bit(self) -> Bitboard {
        Bitboard(1 << self.index())
    }
}

impl Bitboard {
    /// All squares.
    pub const ALL: Bitboard = Bitboard(!0);

    /// The squares of a rank, 0 to 7.
    #[inline(always)]
    pub const fn rank(rank: usize) -> Bitboard {
        Bitboard(0xff << (8 * rank))
    }

    /// The squares of a file, 0 to 7.
    #[inline(always)]
    pub const fn file(file: usize) -> Bitboard {
        Bitboard(FILE_A << file)
    }

    /// Has the set two squares or more?
    #[inline(always)]
    pub const fn several(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// The square with the lowest index; h8's of an empty set.
    #[inline(always)]
    pub const fn lowest(self) -> Square {
        Square::from_index(self.0.trailing_zeros() as usize)
    }

    /// Moves every square by so many ranks; what leaves the board is dropped.
    #[inline(always)]
    pub const fn up(self, ranks: i32) -> Bitboard {
        Bitboard(if ranks >= 0 { self.0 << (8 * ranks) } else { self.0 >> (-8 * ranks) })
    }

    /// Moves every square to the next file; what leaves the board is dropped.
    #[inline(always)]
    pub const fn right(self) -> Bitboard {
        Bitboard((self.0 & !(FILE_A << 7)) << 1)
    }

    /// Moves every square to the file before; what leaves the board is dropped.
    #[inline(always)]
    pub const fn left(self) -> Bitboard {
        Bitboard((self.0 & !FILE_A) >> 1)
    }
}
