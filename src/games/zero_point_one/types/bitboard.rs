//! Sets of squares.

use super::square::Square;
use crate::engine::bitboard::bitboard;

bitboard!();

impl Bitboard {
    /// The set of this square alone.
    #[inline(always)]
    pub const fn of(square: Square) -> Bitboard {
        Bitboard(1 << square.index())
    }

    /// The square with the lowest index.
    #[inline(always)]
    pub fn first(self) -> Option<Square> {
        if self.is_empty() {
            None
        } else {
            Some(Square::from_index(self.0.trailing_zeros() as usize))
        }
    }

    /// Moves every square by `rows` and `columns`; what leaves the board is dropped.
    /// Both lie between -2 and 2.
    #[inline(always)]
    pub const fn shift(self, rows: i32, columns: i32) -> Bitboard {
        const COLUMN: u64 = 0x0101_0101_0101_0101;
        // The columns that a shift to the right (left) by one or two would carry into the next row.
        let kept = match columns {
            2 => !(COLUMN << 6 | COLUMN << 7),
            1 => !(COLUMN << 7),
            -1 => !COLUMN,
            -2 => !(COLUMN | COLUMN << 1),
            _ => !0,
        };
        let by = rows * 8 + columns;
        let bits = self.0 & kept;
        Bitboard(if by >= 0 { bits << by } else { bits >> -by })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The squares whose row and column a condition accepts.
    fn set(accepts: impl Fn(i32, i32) -> bool) -> Bitboard {
        let squares = Square::ALL.iter().copied();
        squares
            .filter(|square| accepts(square.row() as i32, square.column() as i32))
            .fold(Bitboard::EMPTY, |set, square| set | Bitboard::of(square))
    }

    #[test]
    fn shifts_drop_what_leaves_the_board() {
        for rows in -2..=2 {
            for columns in -2..=2 {
                let shifted = (!Bitboard::EMPTY).shift(rows, columns);
                let inside = |from: i32| (0..8).contains(&from);
                let expected = set(|row, column| inside(row - rows) && inside(column - columns));
                assert_eq!(shifted, expected, "{} {}", rows, columns);
                for square in Square::ALL {
                    let (row, column) = (square.row() as i32, square.column() as i32);
                    let target = set(|r, c| (r, c) == (row + rows, column + columns));
                    assert_eq!(Bitboard::of(square).shift(rows, columns), target);
                }
            }
        }
    }

    #[test]
    fn counts_and_lists_its_squares_in_order() {
        let corners = set(|row, column| row % 7 == 0 && column % 7 == 0);
        let listed: Vec<Square> = corners.into_iter().collect();
        assert_eq!(listed, [Square::A1, Square::A8, Square::H1, Square::H8]);
        assert_eq!((corners.count(), corners.first()), (4, Some(Square::A1)));
        assert!(corners.has(Square::H8) && !corners.has(Square::H7));
        assert!(corners.any() && !corners.is_empty());
        assert_eq!((Bitboard::EMPTY.count(), Bitboard::EMPTY.first()), (0, None));
    }

    #[test]
    fn the_operators_are_those_of_sets() {
        let (even, upper) = (set(|row, _| row % 2 == 0), set(|row, _| row >= 4));
        assert_eq!(even & upper, set(|row, _| row == 4 || row == 6));
        assert_eq!(even | upper, set(|row, _| row % 2 == 0 || row >= 4));
        assert_eq!(even ^ upper, set(|row, _| (row % 2 == 0) != (row >= 4)));
        assert_eq!(!even, set(|row, _| row % 2 == 1));
        assert_eq!(even | !even, Bitboard(u64::MAX));
    }
}
