//! A game from the first setup on: the rules of turn and of the end, and what was played.

use super::attacks::attacks;
use super::notation::{NotationError, Setup};
use super::position::{Position, MAX_PLIES};
use super::types::{Colour, Kind, Move, Origin, Piece, Square};
use std::fmt;

/// Why a text is not playable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameError {
    /// The text is no setup or no move.
    Notation(NotationError),
    /// The game is over.
    Over,
    /// The origin holds no piece of the side to move.
    NoPiece(Square, Colour),
    /// A piece does not leap so: its kind and the move.
    Geometry(Kind, Move),
    /// The target holds a piece of the mover.
    OwnPiece(Square),
    /// The piece to drop is not in hand.
    NotInHand(Piece),
    /// A drop on an occupied square.
    Occupied(Square),
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameError::Notation(error) => error.fmt(f),
            GameError::Over => f.write_str("the game is over, expected Quit"),
            GameError::NoPiece(square, side) => {
                write!(f, "illegal: {} has no piece of {}'s to move", square, side.name())
            }
            GameError::Geometry(kind, mv) => {
                write!(f, "illegal: a {} does not move from {}", kind.name(), Spelled(*mv))
            }
            GameError::OwnPiece(square) => {
                write!(f, "illegal: {} holds a piece of the mover's own", square)
            }
            GameError::NotInHand(piece) => {
                write!(f, "illegal: {} has no {} in hand", piece.colour.name(), piece.kind.name())
            }
            GameError::Occupied(square) => {
                write!(f, "illegal: a drop needs an empty square, {} is not", square)
            }
        }
    }
}

impl std::error::Error for GameError {}

/// `b5 to d3`.
struct Spelled(Move);

impl fmt::Display for Spelled {
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
    /// The moves ran out.
    Drawn,
}

/// The record of a game, and its position once both setups stand.
#[derive(Clone, Debug, Default)]
pub struct Game {
    setups: Vec<Setup>,
    moves: Vec<Move>,
    /// The position after the setups and after every move since.
    positions: Vec<Position>,
}

impl Game {
    /// A game before Red's setup.
    pub fn new() -> Game {
        Game::default()
    }

    /// A game from a position on, as if it had begun there.
    pub fn from_position(position: Position) -> Game {
        Game { setups: Vec::new(), moves: Vec::new(), positions: vec![position] }
    }

    /// The game after both setups.
    pub fn from_setups(red: Setup, blue: Setup) -> Game {
        let positions = vec![Position::from_setups(&red, &blue)];
        Game { setups: vec![red, blue], moves: Vec::new(), positions }
    }

    /// The setups chosen so far, Red's first.
    pub fn setups(&self) -> &[Setup] {
        &self.setups
    }

    /// The moves since the setups.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The position after the setups and after every move since; the last one is the present one.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// The present position; `None` before both setups.
    pub fn position(&self) -> Option<&Position> {
        self.positions.last()
    }

    /// The number of moves made, setups included.
    pub fn ply(&self) -> usize {
        self.position().map_or(self.setups.len(), Position::ply)
    }

    /// The side to move or to set up.
    pub fn side(&self) -> Colour {
        Colour::to_move_after(self.ply())
    }

    /// How the game ended, once it has.
    pub fn outcome(&self) -> Option<Outcome> {
        let position = self.position()?;
        match position.winner() {
            Some(winner) => Some(Outcome::Won(winner)),
            None if position.ply() >= MAX_PLIES => Some(Outcome::Drawn),
            None => None,
        }
    }

    /// Plays a text of the dialogue: a setup at first, then moves.
    pub fn play(&mut self, text: &str) -> Result<(), GameError> {
        match self.position().copied() {
            None => self.set_up(Setup::parse(text, self.side()).map_err(GameError::Notation)?),
            Some(_) if self.outcome().is_some() => return Err(GameError::Over),
            Some(position) => {
                let mv = Move::parse(text, position.side()).map_err(GameError::Notation)?;
                explain_illegal(&position, mv)?;
                self.push(mv);
            }
        }
        Ok(())
    }

    /// Adds the setup of the side whose turn it is to set up; later calls have no effect.
    pub fn set_up(&mut self, setup: Setup) {
        if self.setups.len() < 2 && self.positions.is_empty() {
            self.setups.push(setup);
            if let [red, blue] = &self.setups[..] {
                self.positions.push(Position::from_setups(red, blue));
            }
        }
    }

    /// Adds a pseudo-legal move; without effect before both setups.
    pub fn push(&mut self, mv: Move) {
        if let Some(position) = self.positions.last() {
            debug_assert!(position.is_pseudo_legal(mv));
            let next = position.make(mv);
            self.moves.push(mv);
            self.positions.push(next);
        }
    }

    /// Takes the last move (not a setup) back.
    pub fn pop(&mut self) -> Option<Move> {
        let mv = self.moves.pop()?;
        self.positions.pop();
        Some(mv)
    }

    /// Setups and moves as the dialogue writes them.
    pub fn texts(&self) -> Vec<String> {
        let setups = self.setups.iter().zip(Colour::ALL).map(|(setup, side)| setup.text(side));
        let moves = self.moves.iter().zip(&self.positions);
        let moves = moves.map(|(mv, position)| mv.text(position.side()).to_string());
        setups.chain(moves).collect()
    }
}

/// Why a move can't be played, if so.
fn explain_illegal(position: &Position, mv: Move) -> Result<(), GameError> {
    let side = position.side();
    let own = position.board().colour(side);
    match mv.origin() {
        Origin::Hand(kind) if position.hand(side).count(kind) == 0 => {
            Err(GameError::NotInHand(Piece { colour: side, kind }))
        }
        Origin::Hand(_) if !position.board().empty().has(mv.to()) => {
            Err(GameError::Occupied(mv.to()))
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
