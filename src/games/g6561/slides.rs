//! Table of the slides of all lines, for the search.

use super::board::{in_direction, reversed_line, slid_line, Board, Direction};
use super::lazy::LazyLines;
use crate::engine::network_file::ReadOnce;
use std::sync::Arc;

/// The slides of every line to its first and to its last square.
pub struct Slides {
    to_first: LazyLines,
    to_last: LazyLines,
}

impl Slides {
    fn new() -> Slides {
        Slides { to_first: LazyLines::new(), to_last: LazyLines::new() }
    }

    /// Returns the shared table.
    pub fn shared() -> Arc<Slides> {
        static SLIDES: ReadOnce<Slides> = ReadOnce::new();
        SLIDES.get(Slides::new)
    }

    /// Returns the board after a slide, which may be unchanged.
    #[inline(always)]
    pub fn slid(&self, board: Board, direction: Direction) -> Board {
        let to_first = |board: Board| board.with_rows(|row| self.to_first.get(row, slid_line));
        let mirrored = |line| reversed_line(slid_line(reversed_line(line)));
        let to_last = |board: Board| board.with_rows(|row| self.to_last.get(row, mirrored));
        in_direction(board, direction, to_first, to_last)
    }
}
