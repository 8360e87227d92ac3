//! Sets of squares.

use super::square::Square;
use crate::engine::square_set::square_set;

/// A set of squares. Bit `n` represents the square with index `n`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash, Debug)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// Returns the set that contains only this square.
    #[inline(always)]
    pub const fn of(square: Square) -> Bitboard {
        Bitboard(1 << square.index())
    }

    /// Returns the number of squares.
    #[inline(always)]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns the square with the lowest index.
    #[inline(always)]
    pub fn first(self) -> Option<Square> {
        if self.is_empty() {
            None
        } else {
            Some(Square::from_index(self.0.trailing_zeros() as usize))
        }
    }

    /// Moves every square by `rows` and `columns`, both from -2 to 2. Squares that leave the board are removed.
    #[inline(always)]
    pub const fn shift(self, rows: i32, columns: i32) -> Bitboard {
        const COLUMN: u64 = 0x0101_0101_0101_0101;
        // Excludes the columns that the shift would wrap into a neighbouring row.
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

square_set! { Bitboard of Square:
    BitAnd bitand BitAndAssign bitand_assign &
    BitOr bitor BitOrAssign bitor_assign |
    BitXor bitxor BitXorAssign bitxor_assign ^
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the set of squares whose row and column satisfy a condition.
    fn set(accepts: impl Fn(i32, i32) -> bool) -> Bitboard {
        Square::all()
            .filter(|square| accepts(square.row() as i32, square.column() as i32))
            .fold(Bitboard::EMPTY, |set, square| set | Bitboard::of(square))
    }

    #[test]
    fn shifts_remove_squares_that_leave_the_board() {
        for rows in -2..=2 {
            for columns in -2..=2 {
                let shifted = (!Bitboard::EMPTY).shift(rows, columns);
                let inside = |from: i32| (0..8).contains(&from);
                let expected = set(|row, column| inside(row - rows) && inside(column - columns));
                assert_eq!(shifted, expected, "{} {}", rows, columns);
                for square in Square::all() {
                    let (row, column) = (square.row() as i32, square.column() as i32);
                    let target = set(|r, c| (r, c) == (row + rows, column + columns));
                    assert_eq!(Bitboard::of(square).shift(rows, columns), target);
                }
            }
        }
    }

    #[test]
    fn squares_are_counted_and_iterated_in_order() {
        let corners = set(|row, column| row % 7 == 0 && column % 7 == 0);
        let listed: Vec<Square> = corners.into_iter().collect();
        assert_eq!(
            listed,
            [Square::named("a1"), Square::named("a8"), Square::named("h1"), Square::named("h8")]
        );
        assert_eq!((corners.count(), corners.first()), (4, Some(Square::named("a1"))));
        assert!(corners.has(Square::named("h8")) && !corners.has(Square::named("h7")));
        assert!(corners.any() && !corners.is_empty());
        assert_eq!((Bitboard::EMPTY.count(), Bitboard::EMPTY.first()), (0, None));
    }

    #[test]
    fn operators_are_set_operations() {
        let (even, upper) = (set(|row, _| row % 2 == 0), set(|row, _| row >= 4));
        assert_eq!(even & upper, set(|row, _| row == 4 || row == 6));
        assert_eq!(even | upper, set(|row, _| row % 2 == 0 || row >= 4));
        assert_eq!(even ^ upper, set(|row, _| (row % 2 == 0) != (row >= 4)));
        assert_eq!(!even, set(|row, _| row % 2 == 1));
        assert_eq!(even | !even, Bitboard(u64::MAX));
    }
}
