//! A game from the first setup to its end: turn order, outcome and the moves played.

use super::attacks::attacks;
use super::notation::{NotationError, Setup};
use super::position::{Position, MAX_PLIES};
use super::types::{Colour, Kind, Move, Origin, Piece, Square};
use std::fmt;

/// The reason why a move or setup can't be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameError {
    /// The text is not a setup or a move.
    Notation(NotationError),
    /// The game is over.
    Over,
    /// The origin square holds no piece of the side to move.
    NoPiece(Square, Colour),
    /// The piece on the origin square is the opponent's.
    OpponentsPiece(Square, Colour),
    /// The piece can't leap to the target: its kind and the move.
    Geometry(Kind, Move),
    /// The target square holds a piece of the mover.
    OwnPiece(Square),
    /// The piece to drop is not in hand.
    NotInHand(Piece),
    /// The target square of a drop is occupied.
    Occupied(Square),
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameError::Notation(error) => error.fmt(f),
            GameError::Over => f.write_str("the game is over, expected Quit"),
            GameError::NoPiece(square, side) => {
                write!(f, "illegal: {} has no piece on {}", side.name(), square)
            }
            GameError::OpponentsPiece(square, side) => {
                write!(f, "illegal: the piece on {} is not {}'s", square, side.name())
            }
            GameError::Geometry(kind, mv) => {
                let article = if *kind == Kind::Alfil { "an" } else { "a" };
                let name = kind.name();
                write!(f, "illegal: {} {} does not leap from {}", article, name, FromTo(*mv))
            }
            GameError::OwnPiece(square) => {
                write!(f, "illegal: {} is occupied by a piece of your own side", square)
            }
            GameError::NotInHand(piece) => {
                write!(f, "illegal: {} has no {} in hand", piece.colour.name(), piece.kind.name())
            }
            GameError::Occupied(square) => {
                write!(f, "illegal: a drop needs an empty square, {} is occupied", square)
            }
        }
    }
}

impl std::error::Error for GameError {}

/// Display of a move with its squares separated, e.g. `b5 to d3`.
struct FromTo(Move);

impl fmt::Display for FromTo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.origin() {
            Origin::Board(from) => write!(f, "{} to {}", from, self.0.to()),
            Origin::Hand(_) => self.0.fmt(f),
        }
    }
}

/// How a finished game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// This side captured the enemy wazir.
    Won(Colour),
    /// The maximum number of moves was reached.
    Drawn,
}

/// The record of a game and its positions.
#[derive(Clone, Debug, Default)]
pub struct Game {
    setups: Vec<Setup>,
    moves: Vec<Move>,
    /// Positions after the setups and after each move.
    positions: Vec<Position>,
}

impl Game {
    /// Creates a game before Red's setup.
    pub fn new() -> Game {
        Game::default()
    }

    /// Creates a game that begins at a position.
    pub fn from_position(position: Position) -> Game {
        Game { setups: Vec::new(), moves: Vec::new(), positions: vec![position] }
    }

    /// Creates a game after both setups.
    pub fn from_setups(red: Setup, blue: Setup) -> Game {
        let positions = vec![Position::from_setups(&red, &blue)];
        Game { setups: vec![red, blue], moves: Vec::new(), positions }
    }

    /// Returns the setups chosen so far, Red's first.
    pub fn setups(&self) -> &[Setup] {
        &self.setups
    }

    /// Returns the moves after the setups.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Returns the positions after the setups and after each move. The last one is the current position.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// Returns the current position; `None` before both setups are chosen.
    pub fn position(&self) -> Option<&Position> {
        self.positions.last()
    }

    /// Returns the number of moves made, including the setups.
    pub fn ply(&self) -> usize {
        self.position().map_or(self.setups.len(), Position::ply)
    }

    /// Returns the side to move or to choose its setup.
    pub fn side(&self) -> Colour {
        Colour::to_move_after(self.ply())
    }

    /// Returns how the game ended; `None` if it is not over.
    pub fn outcome(&self) -> Option<Outcome> {
        let position = self.position()?;
        match position.winner() {
            Some(winner) => Some(Outcome::Won(winner)),
            None if position.ply() >= MAX_PLIES => Some(Outcome::Drawn),
            None => None,
        }
    }

    /// Plays a setup or move in the notation of the judge. The first two are setups.
    pub fn play(&mut self, text: &str) -> Result<(), GameError> {
        match self.position().copied() {
            None => self.set_up(Setup::parse(text, self.side()).map_err(GameError::Notation)?),
            Some(_) if self.outcome().is_some() => return Err(GameError::Over),
            Some(position) => {
                let mv = Move::parse(text, position.side()).map_err(GameError::Notation)?;
                check_legality(&position, mv)?;
                self.push(mv);
            }
        }
        Ok(())
    }

    /// Adds the next setup: Red's, then Blue's. Later calls have no effect.
    pub fn set_up(&mut self, setup: Setup) {
        if self.setups.len() < 2 && self.positions.is_empty() {
            self.setups.push(setup);
            if let [red, blue] = &self.setups[..] {
                self.positions.push(Position::from_setups(red, blue));
            }
        }
    }

    /// Adds a pseudo-legal move. Has no effect before both setups are chosen.
    pub fn push(&mut self, mv: Move) {
        if let Some(position) = self.positions.last() {
            debug_assert!(position.is_pseudo_legal(mv));
            let next = position.make(mv);
            self.moves.push(mv);
            self.positions.push(next);
        }
    }

    /// Takes back the last move, but not a setup.
    pub fn pop(&mut self) -> Option<Move> {
        let mv = self.moves.pop()?;
        self.positions.pop();
        Some(mv)
    }

    /// Returns setups and moves in the notation of the judge.
    pub fn texts(&self) -> Vec<String> {
        let setups = self.setups.iter().zip(Colour::ALL).map(|(setup, side)| setup.text(side));
        let moves = self.moves.iter().zip(&self.positions);
        let moves = moves.map(|(mv, position)| mv.text(position.side()).to_string());
        setups.chain(moves).collect()
    }
}

/// Checks that a move is pseudo-legal and returns the reason if it is not.
fn check_legality(position: &Position, mv: Move) -> Result<(), GameError> {
    let side = position.side();
    let own = position.board().colour(side);
    match mv.origin() {
        Origin::Hand(kind) if position.hand(side).count(kind) == 0 => {
            Err(GameError::NotInHand(Piece { colour: side, kind }))
        }
        Origin::Hand(_) if !position.board().empty().has(mv.to()) => {
            Err(GameError::Occupied(mv.to()))
        }
        Origin::Board(from) if position.board().colour(!side).has(from) => {
            Err(GameError::OpponentsPiece(from, side))
        }
        Origin::Board(from) if !own.has(from) => Err(GameError::NoPiece(from, side)),
        Origin::Board(from) if !attacks(position.moved_kind(mv), from).has(mv.to()) => {
            Err(GameError::Geometry(position.moved_kind(mv), mv))
        }
        Origin::Board(_) if own.has(mv.to()) => Err(GameError::OwnPiece(mv.to())),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
