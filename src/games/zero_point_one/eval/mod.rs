//! Static evaluation. The search reports every move that it makes and takes back, so that the network is
//! updated incrementally (NNUE, Y. Nasu, 2018).

mod accumulator;
pub mod features;
pub mod network;
mod threats;

#[cfg(test)]
mod tests;

use super::position::Position;
use super::types::Move;
use crate::engine::score::{clamp_eval, Score};
use crate::engine::sys::simd::Instructions;
use accumulator::Accumulators;
use network::Network;
use std::sync::Arc;

/// Evaluates positions along a search path.
#[derive(Clone)]
pub enum Evaluator {
    /// A formula, which returns the score for the side to move.
    Formula(fn(&Position) -> Score),
    /// A network with its accumulators.
    Network(Arc<Network>, Box<Accumulators>),
}

impl Evaluator {
    /// Creates an evaluator with the built-in network.
    pub fn built_in() -> Evaluator {
        Evaluator::by_network(Network::built_in())
    }

    /// Creates an evaluator with a network.
    pub fn by_network(network: Arc<Network>) -> Evaluator {
        let accumulators = Box::new(Accumulators::new(&network));
        Evaluator::Network(network, accumulators)
    }

    /// Returns the CPU instructions that the evaluator uses, so that the search uses the same ones.
    pub fn instructions(&self) -> Instructions {
        match self {
            Evaluator::Formula(_) => Instructions::best(),
            Evaluator::Network(network, _) => network.kernels().instructions(),
        }
    }

    /// Resets the path at the beginning of a search.
    pub fn reset(&mut self) {
        if let Evaluator::Network(_, accumulators) = self {
            accumulators.reset();
        }
    }

    /// Records a move (`None`: a null move) that is about to be made in the position `before`.
    #[inline(always)]
    pub fn push(&mut self, before: &Position, mv: Option<Move>) {
        if let Evaluator::Network(_, accumulators) = self {
            accumulators.push(before, mv);
        }
    }

    /// Takes back the last recorded move.
    #[inline(always)]
    pub fn pop(&mut self) {
        if let Evaluator::Network(_, accumulators) = self {
            accumulators.pop();
        }
    }

    /// Returns the static evaluation of a position for the side to move. Both wazirs must be on the board,
    /// and the position must be the one that the recorded moves lead to.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> Score {
        let eval = match self {
            Evaluator::Formula(formula) => formula(position),
            Evaluator::Network(network, accumulators) => {
                let [own, other] = accumulators.full(network, position, position.side());
                network.output(own, other, features::bucket(position))
            }
        };
        clamp_eval(eval)
    }
}
