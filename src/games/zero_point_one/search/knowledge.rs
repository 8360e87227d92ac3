//! Inputs of move ordering.

use super::super::position::Position;
use super::super::types::{Colour, Kind, Move};
use super::history::{History, PieceTo, Previous};
use super::params::Params;
use crate::engine::sys::simd::Instructions;

/// Context of a node for move ordering.
pub struct Knowledge<'a> {
    /// History tables.
    pub history: &'a History,
    /// The previous moves.
    pub previous: Previous,
    /// Weights of the static features.
    pub params: &'a Params,
    /// CPU instructions of the kernels.
    pub instructions: Instructions,
}

impl Knowledge<'_> {
    /// Returns the history score of a quiet move.
    #[inline(always)]
    pub fn quiet_score(&self, position: &Position, mv: Move) -> i32 {
        let piece_to = PieceTo::of(position, mv);
        self.history.quiet(position.side(), mv, piece_to, &self.previous)
    }

    /// Returns the history scores of the drops of a kind, by square.
    #[inline(always)]
    pub fn drop_scores(&self, side: Colour, kind: Kind) -> [i16; 64] {
        self.history.drops(side, kind, &self.previous)
    }
}
