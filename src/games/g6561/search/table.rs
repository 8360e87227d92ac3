//! The transposition table of a search.

use crate::games::g6561::board::Board;

/// Transposition table. Transpositions are frequent because pieces placed on neighbouring squares of a line are often
/// on the same square after a slide.
pub struct TranspositionTable {
    entries: Vec<Entry>,
    /// Current generation; entries of other generations are outdated.
    generation: u32,
}

/// A transposition table entry: the value of a board at a ply, searched to a depth.
#[derive(Clone, Copy)]
struct Entry {
    board: Board,
    value: f32,
    generation: u32,
    ply: u16,
    depth: u16,
}

/// Number of entries, a power of two: 2 MB, which fits into an L2 cache.
const TABLE_ENTRIES: usize = 1 << 16;

impl TranspositionTable {
    /// Creates an empty table.
    pub fn new() -> TranspositionTable {
        let none = Entry { board: Board::EMPTY, value: 0.0, generation: 0, ply: 0, depth: 0 };
        TranspositionTable { entries: vec![none; TABLE_ENTRIES], generation: 1 }
    }

    /// Creates a table without entries, which panics when it is used.
    #[cfg(test)]
    pub fn broken() -> TranspositionTable {
        TranspositionTable { entries: Vec::new(), generation: 1 }
    }

    /// Outdates all entries.
    pub fn clear(&mut self) {
        self.generation += 1;
    }

    /// Returns the value of a board at a ply, searched to this depth.
    #[inline(always)]
    pub fn get(&self, board: Board, ply: usize, depth: usize) -> Option<f32> {
        let entry = &self.entries[TranspositionTable::index(board, depth)];
        let is_same = entry.board == board
            && entry.generation == self.generation
            && usize::from(entry.ply) == ply
            && usize::from(entry.depth) == depth;
        if is_same {
            Some(entry.value)
        } else {
            None
        }
    }

    /// Stores a value, in place of that of another board.
    #[inline(always)]
    pub fn store(&mut self, board: Board, ply: usize, depth: usize, value: f32) {
        let (index, generation) = (TranspositionTable::index(board, depth), self.generation);
        self.entries[index] =
            Entry { board, value, generation, ply: ply as u16, depth: depth as u16 };
    }

    #[inline(always)]
    fn index(board: Board, depth: usize) -> usize {
        (board.hash() as usize ^ depth.wrapping_mul(0x9e37)) & (TABLE_ENTRIES - 1)
    }
}
