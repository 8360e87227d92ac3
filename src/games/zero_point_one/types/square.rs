//! The 64 squares.

use std::fmt;
use std::str::FromStr;

/// Declares the enum `Square` and the array of all squares from a list of names.
macro_rules! squares {
    ($($name:ident)*) => {
        /// A square of the board. `A1` has index 0, `A8` 7, `H8` 63. The letter is the row.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        #[allow(missing_docs)]
        pub enum Square { $($name),* }

        impl Square {
            /// All squares by index.
            pub const ALL: [Square; 64] = [$(Square::$name),*];
        }
    };
}

squares! {
    A1 A2 A3 A4 A5 A6 A7 A8
    B1 B2 B3 B4 B5 B6 B7 B8
    C1 C2 C3 C4 C5 C6 C7 C8
    D1 D2 D3 D4 D5 D6 D7 D8
    E1 E2 E3 E4 E5 E6 E7 E8
    F1 F2 F3 F4 F5 F6 F7 F8
    G1 G2 G3 G4 G5 G6 G7 G8
    H1 H2 H3 H4 H5 H6 H7 H8
}

impl Square {
    /// Returns the square with this index. Only the low six bits of `index` count.
    #[inline(always)]
    pub const fn from_index(index: usize) -> Square {
        Square::ALL[index & 63]
    }

    /// Returns the square in this row and column, both 0 to 7.
    #[inline(always)]
    pub const fn new(row: usize, column: usize) -> Square {
        Square::from_index(row << 3 | (column & 7))
    }

    /// Returns the index, 0 to 63.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the row, 0 (`a`) to 7 (`h`).
    #[inline(always)]
    pub const fn row(self) -> usize {
        self as usize >> 3
    }

    /// Returns the column, 0 (`1`) to 7 (`8`).
    #[inline(always)]
    pub const fn column(self) -> usize {
        self as usize & 7
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
        for (index, square) in Square::ALL.iter().copied().enumerate() {
            assert_eq!((square.index(), Square::from_index(index)), (index, square));
            assert_eq!((square.row(), square.column()), (index / 8, index % 8));
            assert_eq!(Square::new(square.row(), square.column()), square);
            assert_eq!(square.to_string(), format!("{:?}", square).to_lowercase());
            assert_eq!(square.to_string().parse(), Ok(square));
        }
    }

    #[test]
    fn invalid_squares_are_rejected() {
        for text in ["", "a", "a0", "a9", "i1", "A1", "1a", "a11", " a1", "é", "a１"] {
            assert_eq!(text.parse::<Square>(), Err(SquareError), "{:?}", text);
        }
    }

    #[test]
    fn an_option_takes_one_byte() {
        assert_eq!(std::mem::size_of::<Option<Square>>(), 1);
    }
}
