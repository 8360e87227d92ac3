//! Counting the move tree, to compare rules.

use super::game::Position;

/// The number of leaves `depth` moves below a position.
pub fn perft(position: Position, depth: u32) -> u64 {
    let moves = position.moves();
    if depth <= 1 {
        return if depth == 0 { 1 } else { moves.len() as u64 };
    }
    // What the rules offer they allow.
    let after = moves.into_iter().filter_map(|mv| position.after(mv).ok());
    after.map(|position| perft(position, depth - 1)).sum()
}
