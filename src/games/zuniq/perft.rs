//! Perft: counts the leaves of the move tree to compare implementations of the rules.

use super::geometry::Each;
use super::position::Position;

/// Returns the number of leaves at `depth` plies below a position.
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => u64::from(position.legal().count_ones()),
        _ => Each(position.legal()).map(|bit| perft(&position.make_bit(bit), depth - 1)).sum(),
    }
}
