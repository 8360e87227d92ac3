//! A game from the empty board: turns, moves and their notation, result and score.

use super::board::{Board, Colour, Direction, Piece, SIDE};
use std::fmt;
use std::str::FromStr;

/// Number of plies in a complete game.
pub const MAX_PLIES: usize = 1000;
/// Number of plies after which the kinds of turns repeat: three placements and two slides. It is odd, so the players
/// swap their turns in every rhythm.
pub const RHYTHM: usize = 5;

/// Kind of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Place a piece of value 1 in this colour on an empty square.
    Place(Colour),
    /// Slide the pieces so that the board changes.
    Slide,
}

impl Turn {
    /// Returns the kind of the turn after `ply` moves.
    #[inline(always)]
    pub fn after(ply: usize) -> Turn {
        match ply % RHYTHM {
            0 => Turn::Place(Colour::Blue),
            1 => Turn::Place(Colour::Red),
            2 => Turn::Place(Colour::Gray),
            _ => Turn::Slide,
        }
    }

    /// Returns the kind of the turn with each colour replaced by `images[colour]`.
    #[inline(always)]
    pub fn recoloured(self, images: [Colour; 3]) -> Turn {
        match self {
            Turn::Place(colour) => Turn::Place(images[colour.index()]),
            Turn::Slide => Turn::Slide,
        }
    }
}

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// Places the turn's piece on this square, `4 * row + column`.
    Place(usize),
    /// Slides all pieces in this direction.
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

/// Error: the text does not have the format of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveFormatError;

impl fmt::Display for MoveFormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a move, expected a square from 11 to 44 (row, column) or U, D, L, R")
    }
}

impl std::error::Error for MoveFormatError {}

impl FromStr for Move {
    type Err = MoveFormatError;

    fn from_str(text: &str) -> Result<Move, MoveFormatError> {
        let number = |byte: u8| match byte {
            b'1'..=b'4' => Some(usize::from(byte - b'1')),
            _ => None,
        };
        match *text.as_bytes() {
            [letter] => {
                let mut all = Direction::ALL.iter().copied();
                let direction = all.find(|direction| direction.letter() == char::from(letter));
                direction.map(Move::Slide).ok_or(MoveFormatError)
            }
            [row, column] => match (number(row), number(column)) {
                (Some(row), Some(column)) => Ok(Move::Place(SIDE * row + column)),
                _ => Err(MoveFormatError),
            },
            _ => Err(MoveFormatError),
        }
    }
}

/// Reason why a move is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameError {
    /// The text is not a move.
    Format(MoveFormatError),
    /// A slide instead of a placement.
    ExpectedSquare(Colour),
    /// A placement instead of a slide.
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
            GameError::Format(error) => error.fmt(f),
            GameError::ExpectedSquare(colour) => {
                write!(f, "illegal: the turn is to place a {} piece on a square", colour.name())
            }
            GameError::ExpectedSlide => f.write_str("illegal: the turn is a slide, U, D, L or R"),
            GameError::Occupied(mv) => write!(f, "illegal: {} is occupied", mv),
            GameError::NoChange(mv) => write!(f, "illegal: sliding {} moves no piece", mv),
            GameError::Over => f.write_str("the game is over, expected Quit"),
        }
    }
}

impl std::error::Error for GameError {}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All [`MAX_PLIES`] moves are made.
    Complete,
    /// The player to move has no legal move: no square is empty, or no slide changes the board.
    Stuck,
}

/// A position: the board and the number of moves made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The pieces.
    pub board: Board,
    /// The number of moves made.
    pub ply: usize,
}

impl Position {
    /// The empty board.
    pub const START: Position = Position { board: Board::EMPTY, ply: 0 };

    /// Returns the kind of the turn.
    pub fn turn(self) -> Turn {
        Turn::after(self.ply)
    }

    /// Returns all legal moves; empty if the game is over.
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

    /// Returns the position after a move, or an error if the move is illegal.
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

/// If a game continues after its last move, this many plies are assumed to be left. The kinds of turns and the player
/// to move stay the same.
const PLIES_AFTER_END: usize = 4 * RHYTHM;

/// A game with its moves and positions.
#[derive(Clone, Debug)]
pub struct Game {
    moves: Vec<Move>,
    /// The initial position and the position after every move, each with the highest sum so far; never empty. After a
    /// disputed move the game begins anew.
    positions: Vec<(Position, u32)>,
}

impl Default for Game {
    fn default() -> Game {
        Game { moves: Vec::new(), positions: vec![(Position::START, 0)] }
    }
}

impl Game {
    /// Creates a game before the first move.
    pub fn new() -> Game {
        Game::default()
    }

    /// Returns the moves made.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Returns the number of moves made.
    pub fn ply(&self) -> usize {
        self.position().ply
    }

    /// Returns the current position.
    pub fn position(&self) -> Position {
        self.last().0
    }

    /// Returns the highest sum that the board has had, which is the score of both players.
    pub fn score(&self) -> u32 {
        self.last().1
    }

    /// Returns the position before the last move, and that move; `None` if it is unknown.
    pub fn last_move(&self) -> Option<(Position, Move)> {
        let mv = *self.moves.last()?;
        Some((self.positions[self.moves.len() - 1].0, mv))
    }

    /// Returns how often the board of `position` occurred in this game with the same player to make the same kind of
    /// turn.
    pub fn visits(&self, position: Position) -> usize {
        let same_turn = |ply: usize| ply % (2 * RHYTHM) == position.ply % (2 * RHYTHM);
        let before = self.positions.iter().map(|&(before, _)| before);
        before.filter(|one| one.board == position.board && same_turn(one.ply)).count()
    }

    fn last(&self) -> (Position, u32) {
        // There is always an initial position, and no position is ever removed.
        self.positions[self.positions.len() - 1]
    }

    /// Returns how the game ended, or `None` if it is not over.
    pub fn ending(&self) -> Option<Ending> {
        if self.ply() >= MAX_PLIES {
            Some(Ending::Complete)
        } else if self.position().moves().is_empty() {
            Some(Ending::Stuck)
        } else {
            None
        }
    }

    /// Plays a move in the referee's notation.
    pub fn play(&mut self, text: &str) -> Result<(), GameError> {
        self.push(text.parse().map_err(GameError::Format)?)
    }

    /// Plays a move.
    pub fn push(&mut self, mv: Move) -> Result<(), GameError> {
        let after = self.position().after(mv)?;
        let score = self.score().max(after.board.sum());
        self.moves.push(mv);
        self.positions.push((after, score));
        Ok(())
    }
    /// Makes a move that our rules forbid, or an unknown one if `mv` is `None`: the piece replaces another one, or a
    /// slide changes nothing. The game begins anew with the position after it.
    pub fn force(&mut self, mv: Option<Move>) {
        let Position { board, ply } = self.position();
        let board = match mv {
            None => board,
            Some(Move::Slide(direction)) => board.slid(direction).unwrap_or(board),
            Some(Move::Place(square)) => {
                let colour = match Turn::after(ply) {
                    Turn::Place(colour) => colour,
                    Turn::Slide => Colour::Blue,
                };
                board.without(square).with(square, Piece { colour, exponent: 0 })
            }
        };
        let score = self.score().max(board.sum());
        let ply = 1 + if ply < MAX_PLIES { ply } else { ply - PLIES_AFTER_END };
        *self = Game { moves: Vec::new(), positions: vec![(Position { board, ply }, score)] };
    }
}
