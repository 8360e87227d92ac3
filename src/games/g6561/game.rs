//! A game from the empty board on: turns, moves and their notation, the end and the score.

use super::board::{Board, Colour, Direction, Piece, SIDE};
use std::fmt;
use std::str::FromStr;

/// The moves of a whole game, of both players together.
pub const MAX_PLIES: usize = 1000;
/// After so many turns the kinds of turns repeat: three placements and two slides. Since their
/// number is odd, the two players exchange their parts every time.
pub const RHYTHM: usize = 5;

/// What a turn asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// A piece of value 1 in this colour on an empty square.
    Place(Colour),
    /// A slide that changes the board.
    Slide,
}

impl Turn {
    /// The turn after so many moves.
    #[inline(always)]
    pub fn after(ply: usize) -> Turn {
        match ply % RHYTHM {
            0 => Turn::Place(Colour::Blue),
            1 => Turn::Place(Colour::Red),
            2 => Turn::Place(Colour::Gray),
            _ => Turn::Slide,
        }
    }
}

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// Puts the turn's piece on this square, `4 * row + column`.
    Place(usize),
    /// Slides all pieces.
    Slide(Direction),
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Place(square) => write!(f, "{}{}", square / SIDE + 1, square % SIDE + 1),
            Move::Slide(direction) => write!(f, "{}", direction.letter()),
        }
    }
}

/// The text is no move in form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveForm;

impl fmt::Display for MoveForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a move, expected a square from 11 to 44 (row, column) or U, D, L, R")
    }
}

impl std::error::Error for MoveForm {}

impl FromStr for Move {
    type Err = MoveForm;

    fn from_str(text: &str) -> Result<Move, MoveForm> {
        let number = |byte: u8| match byte {
            b'1'..=b'4' => Some(usize::from(byte - b'1')),
            _ => None,
        };
        match *text.as_bytes() {
            [letter] => {
                let mut all = Direction::ALL.iter().copied();
                let direction = all.find(|direction| direction.letter() == char::from(letter));
                direction.map(Move::Slide).ok_or(MoveForm)
            }
            [row, column] => match (number(row), number(column)) {
                (Some(row), Some(column)) => Ok(Move::Place(SIDE * row + column)),
                _ => Err(MoveForm),
            },
            _ => Err(MoveForm),
        }
    }
}

/// Why a text is not playable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameError {
    /// The text is no move.
    Form(MoveForm),
    /// A slide where a piece is to be placed.
    ExpectedSquare(Colour),
    /// A square where a slide is to be made.
    ExpectedSlide,
    /// The square is occupied.
    Occupied(Move),
    /// The slide changes nothing.
    NoChange(Move),
    /// The game is over.
    Over,
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameError::Form(error) => error.fmt(f),
            GameError::ExpectedSquare(colour) => {
                write!(f, "illegal: a {} piece is to be placed, expected a square", colour.name())
            }
            GameError::ExpectedSlide => f.write_str("illegal: expected a slide, U, D, L or R"),
            GameError::Occupied(mv) => write!(f, "illegal: {} is occupied", mv),
            GameError::NoChange(mv) => write!(f, "illegal: {} moves no piece", mv),
            GameError::Over => f.write_str("the game is over, expected Quit"),
        }
    }
}

impl std::error::Error for GameError {}

/// Why a game has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All moves are made.
    Complete,
    /// The player to move has none: no square is empty, or no slide changes the board.
    Stuck,
}

/// A position as the search sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The pieces.
    pub board: Board,
    /// The moves made.
    pub ply: usize,
}

impl Position {
    /// The empty board.
    pub const START: Position = Position { board: Board::EMPTY, ply: 0 };

    /// What the turn asks for.
    pub fn turn(self) -> Turn {
        Turn::after(self.ply)
    }

    /// All moves; none once the game is over.
    pub fn moves(self) -> Vec<Move> {
        if self.ply >= MAX_PLIES {
            return Vec::new();
        }
        match self.turn() {
            Turn::Place(_) => self.board.empty_squares().map(Move::Place).collect(),
            Turn::Slide => {
                let all = Direction::ALL.iter().copied();
                let legal = all.filter(|&direction| self.board.slid(direction).is_some());
                legal.map(Move::Slide).collect()
            }
        }
    }

    /// The position after a move.
    pub fn after(self, mv: Move) -> Result<Position, GameError> {
        if self.ply >= MAX_PLIES {
            return Err(GameError::Over);
        }
        let board = match (self.turn(), mv) {
            (Turn::Place(colour), Move::Place(square)) => {
                if self.board.piece(square).is_some() {
                    return Err(GameError::Occupied(mv));
                }
                self.board.with(square, Piece { colour, exponent: 0 })
            }
            (Turn::Slide, Move::Slide(direction)) => {
                self.board.slid(direction).ok_or(GameError::NoChange(mv))?
            }
            (Turn::Place(colour), Move::Slide(_)) => {
                return Err(GameError::ExpectedSquare(colour));
            }
            (Turn::Slide, Move::Place(_)) => return Err(GameError::ExpectedSlide),
        };
        Ok(Position { board, ply: self.ply + 1 })
    }
}

/// The record of a game and its positions.
#[derive(Clone, Debug)]
pub struct Game {
    moves: Vec<Move>,
    /// The start and the position after every move, each with the greatest sum up to there; never
    /// empty.
    positions: Vec<(Position, u32)>,
}

impl Default for Game {
    fn default() -> Game {
        Game { moves: Vec::new(), positions: vec![(Position::START, 0)] }
    }
}

impl Game {
    /// A game before the first move.
    pub fn new() -> Game {
        Game::default()
    }

    /// The moves made.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The number of moves made.
    pub fn ply(&self) -> usize {
        self.moves.len()
    }

    /// The present position.
    pub fn position(&self) -> Position {
        self.last().0
    }

    /// The greatest sum that the board has had: the points of both players.
    pub fn score(&self) -> u32 {
        self.last().1
    }

    /// The position after so many moves, which must have been made.
    pub fn position_after(&self, ply: usize) -> Position {
        self.positions[ply].0
    }

    /// How often this position's board stood before, with the same player to make the same turn.
    pub fn visits(&self, position: Position) -> usize {
        let same_turn = |ply: usize| ply % (2 * RHYTHM) == position.ply % (2 * RHYTHM);
        let before = self.positions.iter().map(|&(before, _)| before);
        before.filter(|one| one.board == position.board && same_turn(one.ply)).count()
    }

    fn last(&self) -> (Position, u32) {
        // Made with one position, and none is ever removed but by `pop`, which leaves the first.
        self.positions[self.positions.len() - 1]
    }

    /// How the game ended, once it has.
    pub fn ending(&self) -> Option<Ending> {
        if self.ply() >= MAX_PLIES {
            Some(Ending::Complete)
        } else if self.position().moves().is_empty() {
            Some(Ending::Stuck)
        } else {
            None
        }
    }

    /// Plays a move of the dialogue.
    pub fn play(&mut self, text: &str) -> Result<(), GameError> {
        self.push(text.parse().map_err(GameError::Form)?)
    }

    /// Makes a move.
    pub fn push(&mut self, mv: Move) -> Result<(), GameError> {
        let after = self.position().after(mv)?;
        let score = self.score().max(after.board.sum());
        self.moves.push(mv);
        self.positions.push((after, score));
        Ok(())
    }
}
