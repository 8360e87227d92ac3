//! Text notation of moves, setups and positions.

use super::position::{Board, Position, MAX_PLIES};
use super::types::{Colour, Hand, Kind, Move, Origin, Piece, Square};
use std::fmt;
use std::str::FromStr;

/// A parsing error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotationError {
    /// A setup does not have 16 letters, but this many.
    SetupLength(usize),
    /// A letter of a setup is not a piece of the side.
    SetupLetter(char, Colour),
    /// A setup has the wrong number of pieces of a kind: the kind and the number found.
    SetupCount(Kind, usize),
    /// A text does not have the form of a board move or a drop.
    MoveForm,
    /// The letter of a drop is not a droppable piece of the side to move.
    DropLetter(char, Colour),
    /// A text does not have the form `rows hands ply` of a position: what is wrong.
    PositionForm(&'static str),
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotationError::SetupLength(found) => {
                let plural = if *found == 1 { "" } else { "s" };
                write!(f, "the setup has {} letter{}, expected 16", found, plural)
            }
            NotationError::SetupLetter(letter, colour) => {
                let letters = if *colour == Colour::Red { "WNFDA" } else { "wnfda" };
                let name = colour.name();
                write!(f, "{:?} in {}'s setup, expected letters of {}", letter, name, letters)
            }
            NotationError::SetupCount(kind, found) => {
                let expected = Kind::SETUP_COUNT[kind.index()];
                let name = kind.name();
                write!(f, "the setup has {} of the {}, expected {}", found, name, expected)
            }
            NotationError::MoveForm => {
                f.write_str("not a move, expected one like b5d3 (board) or Df8 (drop)")
            }
            NotationError::DropLetter(letter, colour) => {
                let letters = if *colour == Colour::Red { "NFDA" } else { "nfda" };
                write!(f, "{:?} can't be dropped, expected one of {}", letter, letters)
            }
            NotationError::PositionForm(what) => write!(f, "not a position: {}", what),
        }
    }
}

impl std::error::Error for NotationError {}

/// The initial arrangement of a side's 16 pieces, in the order of the rules: the lower row from column 1 to 8, then the
/// upper row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Setup([Kind; 16]);

impl Setup {
    /// Creates a setup of these kinds. The number of pieces of each kind must be as in the rules.
    pub fn new(kinds: [Kind; 16]) -> Result<Setup, NotationError> {
        for kind in Kind::ALL {
            let found = kinds.iter().filter(|&&k| k == kind).count();
            if found != Kind::SETUP_COUNT[kind.index()] {
                return Err(NotationError::SetupCount(kind, found));
            }
        }
        Ok(Setup(kinds))
    }

    /// Parses a side's setup. Its letters have the case of the side.
    pub fn parse(text: &str, colour: Colour) -> Result<Setup, NotationError> {
        let length = text.chars().count();
        if length != 16 {
            return Err(NotationError::SetupLength(length));
        }
        let mut kinds = [Kind::Alfil; 16];
        for (kind, letter) in kinds.iter_mut().zip(text.chars()) {
            *kind = match Piece::from_letter(letter) {
                Some(piece) if piece.colour == colour => piece.kind,
                _ => return Err(NotationError::SetupLetter(letter, colour)),
            };
        }
        Setup::new(kinds)
    }

    /// Returns the kinds in order.
    pub fn kinds(&self) -> &[Kind; 16] {
        &self.0
    }

    /// Formats the setup with a side's letters.
    pub fn text(&self, colour: Colour) -> String {
        self.0.iter().map(|&kind| Piece { colour, kind }.letter()).collect()
    }

    /// Returns the square of a side's piece with this index in the setup.
    pub fn square(colour: Colour, index: usize) -> Square {
        let first_row = if colour == Colour::Red { 0 } else { 6 };
        Square::new(first_row + index / 8, index % 8)
    }
}

impl Position {
    /// Creates the position after both setups, with Red to move.
    pub fn from_setups(red: &Setup, blue: &Setup) -> Position {
        let mut board = Board::EMPTY;
        for (colour, setup) in [(Colour::Red, red), (Colour::Blue, blue)] {
            for (index, &kind) in setup.kinds().iter().enumerate() {
                board.toggle(Piece { colour, kind }, Setup::square(colour, index));
            }
        }
        match Position::new(board, [Hand::EMPTY; 2], 2) {
            Some(position) => position,
            // `Setup` guarantees the right number of every kind.
            None => unreachable!(),
        }
    }
}

/// Length of a move in long form, e.g. `Aa8-c6`, in bytes.
const LONG_FORM: usize = 6;
/// Separator of the squares in long form.
const LONG_FORM_SEPARATOR: &str = "-";

/// Display of a move. The letter of a drop has the case of `side`.
pub struct MoveText {
    mv: Move,
    side: Colour,
}

impl Move {
    /// Returns the text of the move if `side` makes it.
    pub fn text(self, side: Colour) -> MoveText {
        MoveText { mv: self, side }
    }

    /// Parses a move of `side`. It is not checked for legality. The long form of some tools, with the piece before its
    /// square, e.g. `Aa8-c6`, is accepted too.
    pub fn parse(text: &str, side: Colour) -> Result<Move, NotationError> {
        let square = |part: Option<&str>| {
            part.and_then(|text| text.parse::<Square>().ok()).ok_or(NotationError::MoveForm)
        };
        match text.len() {
            4 => {
                let from = square(text.get(..2))?;
                let to = square(text.get(2..))?;
                if from == to {
                    return Err(NotationError::MoveForm);
                }
                Ok(Move::board(from, to))
            }
            LONG_FORM => {
                let is_piece = text.chars().next().and_then(Piece::from_letter).is_some();
                match (text.get(1..3), text.get(3..4), text.get(4..)) {
                    (Some(from), Some(LONG_FORM_SEPARATOR), Some(to)) if is_piece => {
                        Move::parse(&format!("{}{}", from, to), side)
                    }
                    _ => Err(NotationError::MoveForm),
                }
            }
            3 => {
                let letter = text.chars().next().ok_or(NotationError::MoveForm)?;
                let to = square(text.get(1..))?;
                match Piece::from_letter(letter) {
                    Some(piece) if piece.colour == side && piece.kind != Kind::Wazir => {
                        Ok(Move::drop(piece.kind, to))
                    }
                    _ => Err(NotationError::DropLetter(letter, side)),
                }
            }
            _ => Err(NotationError::MoveForm),
        }
    }
}

impl fmt::Display for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mv.origin() {
            Origin::Board(from) => write!(f, "{}{}", from, self.mv.to()),
            Origin::Hand(kind) => {
                let letter = Piece { colour: self.side, kind }.letter();
                write!(f, "{}{}", letter, self.mv.to())
            }
        }
    }
}

/// The side is unknown, so drops are in upper case.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text(Colour::Red).fmt(f)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Format `rows hands ply`: the rows a to h separated by `/`, with empty squares counted; the pieces in both hands, or
/// `-`; the number of moves made, including the setups (even: Red to move).
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..8 {
            if row > 0 {
                f.write_str("/")?;
            }
            let mut empty = 0;
            for column in 0..8 {
                match self.board().piece_on(Square::new(row, column)) {
                    Some(piece) => {
                        if empty > 0 {
                            write!(f, "{}", empty)?;
                        }
                        empty = 0;
                        write!(f, "{}", piece.letter())?;
                    }
                    None => empty += 1,
                }
            }
            if empty > 0 {
                write!(f, "{}", empty)?;
            }
        }
        let mut hands = String::new();
        for colour in Colour::ALL {
            for kind in Kind::DROPPABLE {
                let letter = Piece { colour, kind }.letter();
                hands.extend(std::iter::repeat(letter).take(self.hand(colour).count(kind)));
            }
        }
        let hands = if hands.is_empty() { "-" } else { &hands };
        write!(f, " {} {}", hands, self.ply())
    }
}

impl FromStr for Position {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Position, NotationError> {
        let form = NotationError::PositionForm;
        let fields: Vec<&str> = text.split_whitespace().collect();
        if fields.len() != 3 {
            return Err(form("expected three fields: rows, hands, moves made"));
        }
        let board = parse_board(fields[0])?;
        let mut hands = [Hand::EMPTY; 2];
        for letter in fields[1].chars().filter(|_| fields[1] != "-") {
            match Piece::from_letter(letter) {
                Some(Piece { colour, kind })
                    if kind != Kind::Wazir
                        && hands[colour.index()].count(kind) < Hand::MAX[kind.index()] =>
                {
                    hands[colour.index()].add(kind)
                }
                _ => return Err(form("expected pieces that can be in hand, or \"-\"")),
            }
        }
        let ply: usize =
            fields[2].parse().map_err(|_| form("the number of moves made is not a number"))?;
        if !(2..=MAX_PLIES).contains(&ply) {
            return Err(form("expected 2 to 102 moves made"));
        }
        Position::new(board, hands, ply).ok_or(form("more pieces of a kind than exist"))
    }
}

fn parse_board(text: &str) -> Result<Board, NotationError> {
    let form = NotationError::PositionForm;
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != 8 {
        return Err(form("expected eight rows"));
    }
    let mut board = Board::EMPTY;
    for (row, text) in rows.iter().enumerate() {
        let mut column = 0;
        for letter in text.chars() {
            if let Some(empty) = letter.to_digit(10) {
                column += empty as usize;
            } else {
                let piece = Piece::from_letter(letter).ok_or(form("an unknown letter"))?;
                if column >= 8 {
                    return Err(form("a row is longer than eight squares"));
                }
                board.toggle(piece, Square::new(row, column));
                column += 1;
            }
        }
        if column != 8 {
            return Err(form("a row does not have eight squares"));
        }
    }
    Ok(board)
}

#[cfg(test)]
mod tests;
