//! The static evaluation, behind a facade that the search drives: it is told of every move made and
//! taken back, so that an incremental evaluation can follow.

mod handmade;

use super::position::Position;
use super::types::Move;
use crate::engine::score::{clamp_eval, Score};

/// Evaluates positions along a search path.
#[derive(Clone, Debug, Default)]
pub struct Evaluator;

impl Evaluator {
    /// An evaluator of the built-in weights.
    pub fn new() -> Evaluator {
        Evaluator
    }

    /// A search begins at this position.
    pub fn reset(&mut self, _root: &Position) {}

    /// `mv` (`None`: a null move) is about to be made in `before`.
    #[inline(always)]
    pub fn push(&mut self, _before: &Position, _mv: Option<Move>) {}

    /// The last move pushed is taken back.
    #[inline(always)]
    pub fn pop(&mut self) {}

    /// The worth of a position, with both wazirs on the board, for the side to move. It must be the
    /// one that the moves pushed lead to.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> Score {
        clamp_eval(handmade::evaluate(position))
    }
}
