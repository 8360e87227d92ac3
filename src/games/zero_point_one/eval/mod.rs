//! Static evaluation by a network that is updated incrementally (NNUE, Y. Nasu, 2018).

mod accumulator;
pub mod features;
pub mod network;
mod threats;

#[cfg(test)]
mod tests;

use crate::engine::evaluator;

/// Evaluates positions along a search path. Both wazirs must be on the board.
pub type Evaluator = evaluator::Evaluator<accumulator::Accumulators, { network::HIDDEN }>;
