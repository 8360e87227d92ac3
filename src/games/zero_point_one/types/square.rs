//! The 64 squares.

use std::fmt;
use std::str::FromStr;

/// A square of the board: a1 has index 0, a8 7, h8 63. The letter is the row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// Returns the square with this index. Only the low six bits of `index` count.
    #[inline(always)]
    pub const fn from_index(index: usize) -> Square {
        Square((index & 63) as u8)
    }

    /// Returns all squares in the order of their indices.
    #[cfg(test)]
    pub fn all() -> impl Iterator<Item = Square> {
        (0..64).map(Square::from_index)
    }

    /// Returns the square with this name, which must be valid.
    #[cfg(test)]
    pub fn named(name: &str) -> Square {
        name.parse().expect("a square")
    }

    /// Returns the square in this row and column, both 0 to 7.
    #[inline(always)]
    pub const fn new(row: usize, column: usize) -> Square {
        Square::from_index(row << 3 | (column & 7))
    }

    /// Returns the index, 0 to 63.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the row, 0 (`a`) to 7 (`h`).
    #[inline(always)]
    pub const fn row(self) -> usize {
        self.index() >> 3
    }

    /// Returns the column, 0 (`1`) to 7 (`8`).
    #[inline(always)]
    pub const fn column(self) -> usize {
        self.index() & 7
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = (b'a' + self.row() as u8) as char;
        write!(f, "{}{}", row, self.column() + 1)
    }
}

/// Error: the text is not a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SquareError;

impl FromStr for Square {
    type Err = SquareError;

    fn from_str(text: &str) -> Result<Square, SquareError> {
        match *text.as_bytes() {
            [row @ b'a'..=b'h', column @ b'1'..=b'8'] => {
                Ok(Square::new(usize::from(row - b'a'), usize::from(column - b'1')))
            }
            _ => Err(SquareError),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_indices_round_trip() {
        for (index, square) in Square::all().enumerate() {
            assert_eq!((square.index(), Square::from_index(index)), (index, square));
            assert_eq!((square.row(), square.column()), (index / 8, index % 8));
            assert_eq!(Square::new(square.row(), square.column()), square);
            assert_eq!(square.to_string().parse(), Ok(square));
        }
    }

    #[test]
    fn invalid_squares_are_rejected() {
        for text in ["", "a", "a0", "a9", "i1", "A1", "1a", "a11", " a1", "é", "a１"] {
            assert_eq!(text.parse::<Square>(), Err(SquareError), "{:?}", text);
        }
    }
}
