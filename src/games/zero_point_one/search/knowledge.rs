//! What is known of moves before they are searched.

use super::super::position::Position;
use super::super::types::{Colour, Kind, Move};
use super::history::{History, PieceTo, Previous};
use super::params::Params;
use crate::engine::sys::simd::Instructions;

/// What the order of a node's moves depends on besides the position.
pub struct Knowledge<'a> {
    /// The scores of moves.
    pub history: &'a History,
    /// The moves that led here.
    pub previous: Previous,
    /// The weights of the static features.
    pub params: &'a Params,
    /// The instructions of the kernels.
    pub instructions: Instructions,
}

impl Knowledge<'_> {
    /// What the history says of a quiet move.
    #[inline(always)]
    pub fn quiet_score(&self, position: &Position, mv: Move) -> i32 {
        let piece_to = PieceTo::of(position, mv);
        self.history.quiet(position.side(), mv, piece_to, &self.previous)
    }

    /// What the history says of the drops of a kind, by the square.
    #[inline(always)]
    pub fn drop_scores(&self, side: Colour, kind: Kind) -> [i16; 64] {
        self.history.drops(side, kind, &self.previous)
    }
}
