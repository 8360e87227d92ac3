//! Perft: counts the leaves of the move tree to compare implementations of the rules.

use super::game::Position;

/// Returns the number of leaves at `depth` plies below a position.
pub fn perft(position: Position, depth: u32) -> u64 {
    let moves = position.moves();
    if depth <= 1 {
        return if depth == 0 { 1 } else { moves.len() as u64 };
    }
    // `moves` returns only legal moves.
    let after = moves.into_iter().filter_map(|mv| position.after(mv).ok());
    after.map(|position| perft(position, depth - 1)).sum()
}
