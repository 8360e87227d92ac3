//! Basic types.

mod bitboard;
mod moves;
mod piece;
mod square;

pub use bitboard::Bitboard;
pub use moves::Move;
pub use piece::{Colour, Kind};
pub use square::Square;
