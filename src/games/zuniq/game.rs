//! A game from the empty board: moves, claims and result.

use super::geometry::{self, Segments, SIDE};
use super::position::Position;
use super::segment::{Segment, SegmentError};
use std::fmt;

/// Suffix of a move that claims a win.
pub const CLAIM: char = '!';
/// Maximum bonus for a correct claim, in points.
pub const MAX_BONUS: f64 = 10.0;

/// The sides. White moves first and makes the odd-numbered moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Moves first.
    White,
    /// Moves second.
    Black,
}

impl Side {
    /// Returns the side to move after this many moves.
    pub fn to_move_after(ply: usize) -> Side {
        if ply % 2 == 0 {
            Side::White
        } else {
            Side::Black
        }
    }

    /// Returns the other side.
    pub fn other(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }

    /// Returns the name, capitalised.
    pub fn name(self) -> &'static str {
        match self {
            Side::White => "White",
            Side::Black => "Black",
        }
    }
}

/// Returns the bonus in points for a correct claim made with move `number` (from 1).
pub fn bonus(number: usize) -> f64 {
    let base = 40.0 - (number % 2) as f64;
    ((base - number as f64) / 2.0).clamp(0.0, MAX_BONUS)
}

/// Reason why a move is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameError {
    /// The text is not a move.
    Notation(SegmentError),
    /// The segment is already drawn.
    Drawn(Segment),
    /// The segment lies inside a zone.
    InZone(Segment),
    /// The move would close a second zone of this size.
    SizeTaken(Segment, usize),
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameError::Notation(error) => error.fmt(f),
            GameError::Drawn(segment) => write!(f, "illegal: {} is drawn already", segment),
            GameError::InZone(segment) => write!(f, "illegal: {} lies in a closed zone", segment),
            GameError::SizeTaken(segment, size) => {
                write!(f, "illegal: {} would close a second zone of size {}", segment, size)
            }
        }
    }
}

impl std::error::Error for GameError {}

/// A game with its moves, positions and claims.
#[derive(Clone, Debug)]
pub struct Game {
    moves: Vec<Segment>,
    /// The initial position and the position after every move; never empty.
    positions: Vec<Position>,
    /// Number of the move (from 1) with which each side first claimed a win.
    claims: [Option<usize>; 2],
}

impl Default for Game {
    fn default() -> Game {
        Game { moves: Vec::new(), positions: vec![Position::START], claims: [None; 2] }
    }
}

impl Game {
    /// Creates a game before the first move.
    pub fn new() -> Game {
        Game::default()
    }

    /// Returns the moves made.
    pub fn moves(&self) -> &[Segment] {
        &self.moves
    }

    /// Returns the current position.
    pub fn position(&self) -> &Position {
        // `new` adds the initial position, and `pop` never removes it.
        &self.positions[self.positions.len() - 1]
    }

    /// Returns the number of moves made.
    pub fn ply(&self) -> usize {
        self.moves.len()
    }

    /// Returns the side to move.
    pub fn side(&self) -> Side {
        Side::to_move_after(self.ply())
    }

    /// Returns the winner if the game is over: a side to move without a legal move has lost.
    pub fn winner(&self) -> Option<Side> {
        if self.position().legal() == 0 {
            Some(self.side().other())
        } else {
            None
        }
    }

    /// Returns the number of the move (from 1) with which `side` first claimed a win.
    pub fn claim(&self, side: Side) -> Option<usize> {
        self.claims[side as usize]
    }

    /// Plays a move in the referee's notation, with or without a claim. An error leaves the game unchanged.
    pub fn play(&mut self, text: &str) -> Result<(), GameError> {
        let (segment, claimed) = parse_move(text).map_err(GameError::Notation)?;
        self.explain_illegal(segment)?;
        self.push(segment, claimed);
        Ok(())
    }

    /// Draws a wall that our rules forbid. One that is drawn already or lies in a zone changes nothing.
    pub fn force(&mut self, segment: Segment) {
        let position = self.position();
        let is_gap = position.gaps() & segment.bit() != 0;
        let next = if is_gap { position.make_bit(segment.bit()) } else { position.clone() };
        self.moves.push(segment);
        self.positions.push(next);
    }

    /// Adds a legal move of the side to move.
    pub fn push(&mut self, segment: Segment, claimed: bool) {
        let next = self.position().make(segment);
        let side = self.side();
        self.moves.push(segment);
        self.positions.push(next);
        if claimed {
            let number = self.moves.len();
            self.claims[side as usize].get_or_insert(number);
        }
    }

    /// Takes back the last move and the claim made with it, if any.
    pub fn pop(&mut self) -> Option<Segment> {
        let number = self.moves.len();
        let segment = self.moves.pop()?;
        self.positions.pop();
        let claim = &mut self.claims[self.side() as usize];
        if *claim == Some(number) {
            *claim = None;
        }
        Some(segment)
    }

    /// Returns the drawn segments.
    pub fn drawn(&self) -> Segments {
        self.moves.iter().fold(0, |all, segment| all | segment.bit())
    }

    fn explain_illegal(&self, segment: Segment) -> Result<(), GameError> {
        let position = self.position();
        if self.drawn() & segment.bit() != 0 {
            return Err(GameError::Drawn(segment));
        }
        if position.gaps() & segment.bit() == 0 {
            return Err(GameError::InZone(segment));
        }
        if !position.is_legal(segment) {
            let size = position.zone_closed_by(segment.bit()).count_ones() as usize;
            return Err(GameError::SizeTaken(segment, size));
        }
        Ok(())
    }

    /// Returns the size of the zone that contains a cell, or `None` for an open cell.
    pub fn zone_size(&self, row: usize, column: usize) -> Option<usize> {
        let cell = 1 << geometry::cell(row, column);
        let zone = geometry::enclosed(cell, geometry::ALL_SEGMENTS & !self.drawn())?;
        Some(zone.count_ones() as usize)
    }
}

/// Parses a move and whether it claims a win. There may be blanks before the claim.
pub fn parse_move(text: &str) -> Result<(Segment, bool), SegmentError> {
    let bare = text.strip_suffix(CLAIM);
    Ok((bare.unwrap_or(text).trim_end().parse()?, bare.is_some()))
}

/// Formats the board: the walls, and in every cell of a zone the size of the zone.
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let drawn = self.drawn();
        let has = |bit: usize| drawn >> bit & 1 != 0;
        writeln!(f, "   1   2   3   4   5   6")?;
        for row in 0..=SIDE {
            let mut line = format!("{}  ", char::from(b'A' + row as u8));
            for column in 0..SIDE {
                line.push('+');
                line.push_str(if has(geometry::horizontal(row, column)) { "---" } else { "   " });
            }
            writeln!(f, "{}+", line)?;
            if row == SIDE {
                break;
            }
            let mut line = String::from("   ");
            for column in 0..=SIDE {
                line.push(if has(geometry::vertical(row, column)) { '|' } else { ' ' });
                if column < SIDE {
                    let size = self.zone_size(row, column);
                    line.push_str(&size.map_or("   ".to_string(), |size| format!("{:^3}", size)));
                }
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}
