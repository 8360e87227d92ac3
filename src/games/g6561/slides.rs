//! All slides of a line in a table, for the search.

use super::board::{in_direction, reversed_line, slid_line, Board, Direction, LINES};
use crate::engine::network_file::ReadOnce;
use std::sync::Arc;

/// The slides of every line, to its first and to its last square.
pub struct Slides {
    to_first: Vec<u32>,
    to_last: Vec<u32>,
}

impl Slides {
    fn new() -> Slides {
        let to_first: Vec<u32> = (0..LINES as u32).map(slid_line).collect();
        let mirrored = |line| reversed_line(to_first[reversed_line(line) as usize]);
        let to_last = (0..LINES as u32).map(mirrored).collect();
        Slides { to_first, to_last }
    }

    /// The tables, which all users share.
    pub fn shared() -> Arc<Slides> {
        static SLIDES: ReadOnce<Slides> = ReadOnce::new();
        SLIDES.get(Slides::new)
    }

    /// The board after a slide, which may have changed nothing.
    #[inline(always)]
    pub fn slid(&self, board: Board, direction: Direction) -> Board {
        let by = |table: &[u32], board: Board| {
            Board::of_rows(board.rows().map(|row| table[row as usize]))
        };
        let to_first = |board| by(&self.to_first, board);
        in_direction(board, direction, to_first, |board| by(&self.to_last, board))
    }
}
