//! Static evaluation by a network.

mod accumulator;
pub mod features;
pub mod network;

use crate::engine::evaluator;

#[cfg(test)]
mod tests;

/// Evaluates positions along a search path.
pub type Evaluator = evaluator::Evaluator<accumulator::Accumulators, { network::HIDDEN }>;
