//! Squares of the board.

use std::fmt;
use std::str::FromStr;

/// A square by its index: a1 is 0, b1 is 1, h8 is 63.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// Creates a square from an index below 64.
    #[inline(always)]
    pub const fn from_index(index: usize) -> Square {
        Square((index & 63) as u8)
    }

    /// Creates a square from file and rank, 0 to 7.
    #[inline(always)]
    pub const fn new(file: usize, rank: usize) -> Square {
        Square::from_index(rank * 8 + file)
    }

    /// The index; the mask tells the compiler that it is below 64.
    #[inline(always)]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// The file, 0 to 7.
    #[inline(always)]
    pub const fn file(self) -> usize {
        self.index() & 7
    }

    /// The rank, 0 to 7.
    #[inline(always)]
    pub const fn rank(self) -> usize {
        self.index() >> 3
    }

    /// Mirrors the square vertically: a1 becomes a8.
    #[inline(always)]
    pub const fn flipped(self) -> Square {
        Square(self.0 ^ 56)
    }

    /// Returns the letter of a file.
    pub fn file_letter(file: usize) -> char {
        (b'a' + file as u8) as char
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", Square::file_letter(self.file()), self.rank() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self)
    }
}

impl FromStr for Square {
    type Err = ();

    fn from_str(text: &str) -> Result<Square, ()> {
        match text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => {
                Ok(Square::new(usize::from(file - b'a'), usize::from(rank - b'1')))
            }
            _ => Err(()),
        }
    }
}
