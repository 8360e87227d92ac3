//! Basic types of the game.

mod bitboard;
mod hand;
mod moves;
mod piece;
mod square;

pub use bitboard::Bitboard;
pub use hand::Hand;
pub use moves::{Move, Origin};
pub use piece::{Colour, Kind, Piece};
pub use square::Square;
