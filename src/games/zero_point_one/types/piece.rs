//! Sides, piece kinds and pieces.

use std::ops::Not;

/// A side. Red sets up on rows a and b, has upper-case letters and moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Colour {
    /// The first player.
    Red,
    /// The second player.
    Blue,
}

impl Colour {
    /// Both sides, in the order of their index.
    pub const ALL: [Colour; 2] = [Colour::Red, Colour::Blue];

    /// Returns 0 for Red, 1 for Blue.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns `red` or `blue`.
    pub const fn name(self) -> &'static str {
        match self {
            Colour::Red => "red",
            Colour::Blue => "blue",
        }
    }

    /// Returns the side to move after `plies` moves of a game, including the setups.
    pub const fn to_move_after(plies: usize) -> Colour {
        if plies % 2 == 0 {
            Colour::Red
        } else {
            Colour::Blue
        }
    }
}

impl Not for Colour {
    type Output = Colour;
    #[inline(always)]
    fn not(self) -> Colour {
        match self {
            Colour::Red => Colour::Blue,
            Colour::Blue => Colour::Red,
        }
    }
}

/// A piece kind. All pieces are leapers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Kind {
    /// Leaps (1,2). The strongest piece.
    Knight,
    /// Leaps (1,1).
    Ferz,
    /// Leaps (0,2).
    Dabbaba,
    /// Leaps (2,2).
    Alfil,
    /// Leaps (0,1). Its capture ends the game, so it is never in hand.
    Wazir,
}

impl Kind {
    /// All kinds by index. The wazir is last.
    pub const ALL: [Kind; 5] = [Kind::Knight, Kind::Ferz, Kind::Dabbaba, Kind::Alfil, Kind::Wazir];
    /// The kinds that can be captured into a hand and dropped.
    pub const DROPPABLE: [Kind; 4] = [Kind::Knight, Kind::Ferz, Kind::Dabbaba, Kind::Alfil];
    /// Number of pieces of each kind in a setup, by index.
    pub const SETUP_COUNT: [usize; 5] = [1, 2, 4, 8, 1];

    /// Returns the index, 0 to 4.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the droppable kind with this index. Only the low two bits of `index` count.
    #[inline(always)]
    pub const fn droppable_from_index(index: usize) -> Kind {
        Kind::DROPPABLE[index & 3]
    }

    /// Returns the upper-case letter of the kind.
    pub const fn letter(self) -> char {
        match self {
            Kind::Knight => 'N',
            Kind::Ferz => 'F',
            Kind::Dabbaba => 'D',
            Kind::Alfil => 'A',
            Kind::Wazir => 'W',
        }
    }

    /// Returns the English name.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Knight => "knight",
            Kind::Ferz => "ferz",
            Kind::Dabbaba => "dabbaba",
            Kind::Alfil => "alfil",
            Kind::Wazir => "wazir",
        }
    }

    /// Returns the kind of an upper-case letter.
    pub fn from_letter(letter: char) -> Option<Kind> {
        Kind::ALL.iter().copied().find(|kind| kind.letter() == letter)
    }
}

/// A piece: a kind and the side that it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// Owner.
    pub colour: Colour,
    /// Kind.
    pub kind: Kind,
}

impl Piece {
    /// Returns the letter: upper case for Red, lower case for Blue.
    pub fn letter(self) -> char {
        match self.colour {
            Colour::Red => self.kind.letter(),
            Colour::Blue => self.kind.letter().to_ascii_lowercase(),
        }
    }

    /// Returns the piece of a letter in either case.
    pub fn from_letter(letter: char) -> Option<Piece> {
        let kind = Kind::from_letter(letter.to_ascii_uppercase())?;
        let colour = if letter.is_ascii_uppercase() { Colour::Red } else { Colour::Blue };
        Some(Piece { colour, kind })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_has_a_letter() {
        for colour in Colour::ALL {
            for kind in Kind::ALL {
                let piece = Piece { colour, kind };
                assert_eq!(Piece::from_letter(piece.letter()), Some(piece));
            }
        }
        let known = (0..=255u8).filter(|&byte| Piece::from_letter(char::from(byte)).is_some());
        assert_eq!(known.count(), 10);
    }

    #[test]
    fn sides_take_turns() {
        assert_eq!(Colour::to_move_after(0), Colour::Red);
        assert_eq!(Colour::to_move_after(101), Colour::Blue);
        assert_eq!((!Colour::Red, !Colour::Blue), (Colour::Blue, Colour::Red));
    }
}
