//! The static evaluation, behind a facade that the search drives: the search reports every move
//! made and taken back, so that the evaluation can be updated incrementally (NNUE, Y. Nasu, 2018).

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
    /// By a formula, for the side to move.
    Formula(fn(&Position) -> Score),
    /// By a network.
    Network(Arc<Network>, Box<Accumulators>),
}

impl Evaluator {
    /// The evaluation that the program plays with.
    pub fn built_in() -> Evaluator {
        Evaluator::by_network(Network::built_in())
    }

    /// An evaluator by a network.
    pub fn by_network(network: Arc<Network>) -> Evaluator {
        let accumulators = Box::new(Accumulators::new(&network));
        Evaluator::Network(network, accumulators)
    }

    /// The instructions that it uses, for what else the search computes.
    pub fn instructions(&self) -> Instructions {
        match self {
            Evaluator::Formula(_) => Instructions::best(),
            Evaluator::Network(network, _) => network.kernels().instructions(),
        }
    }

    /// A search begins.
    pub fn reset(&mut self) {
        if let Evaluator::Network(_, accumulators) = self {
            accumulators.reset();
        }
    }

    /// `mv` (`None`: a null move) is about to be made in `before`.
    #[inline(always)]
    pub fn push(&mut self, before: &Position, mv: Option<Move>) {
        if let Evaluator::Network(_, accumulators) = self {
            accumulators.push(before, mv);
        }
    }

    /// The last move pushed is taken back.
    #[inline(always)]
    pub fn pop(&mut self) {
        if let Evaluator::Network(_, accumulators) = self {
            accumulators.pop();
        }
    }

    /// The worth of a position, with both wazirs on the board, for the side to move. It must be the
    /// one that the moves pushed lead to.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> Score {
        let worth = match self {
            Evaluator::Formula(formula) => formula(position),
            Evaluator::Network(network, accumulators) => {
                let [own, other] = accumulators.full(network, position, position.side());
                network.output(own, other, features::bucket(position))
            }
        };
        clamp_eval(worth)
    }
}
