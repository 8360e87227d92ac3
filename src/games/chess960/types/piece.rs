//! Colours and kinds of pieces.

use std::ops::Not;

/// A side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Colour {
    /// The side that moves first.
    White,
    /// The other side.
    Black,
}

impl Colour {
    /// Both colours.
    pub const ALL: [Colour; 2] = [Colour::White, Colour::Black];

    /// Returns 0 for White, 1 for Black.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Mask that maps White's ranks to this side's: 0, or 7 for Black.
    #[inline(always)]
    pub const fn rank_flip(self) -> usize {
        self as usize * 7
    }
}

impl Not for Colour {
    type Output = Colour;

    #[inline(always)]
    fn not(self) -> Colour {
        match self {
            Colour::White => Colour::Black,
            Colour::Black => Colour::White,
        }
    }
}

/// A kind of piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Kind {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 6] =
        [Kind::Pawn, Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen, Kind::King];
    /// FEN letters of Black's pieces, in the order of the kinds.
    pub const LETTERS: [char; 6] = ['p', 'n', 'b', 'r', 'q', 'k'];

    /// Returns 0 for a pawn to 5 for a king.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the lower-case letter.
    pub const fn letter(self) -> char {
        Kind::LETTERS[self as usize]
    }

    /// Returns the kind of a letter of either case.
    pub fn from_letter(letter: char) -> Option<Kind> {
        let small = letter.to_ascii_lowercase();
        Kind::ALL.iter().copied().find(|kind| kind.letter() == small)
    }
}
