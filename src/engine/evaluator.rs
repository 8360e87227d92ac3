//! Static evaluation. The search reports every move made and taken back, so that the network is updated incrementally
//! (NNUE, Y. Nasu, 2018).

use super::accumulator::Stack;
use super::network::{Layout, Network};
use super::network_file::NetworkError;
use super::score::{clamp_eval, Score};
use super::sys::rows::Sums;
use std::sync::Arc;

/// Accumulators of a game's network along the search path.
pub trait Accumulators<const N: usize>: Clone {
    /// The layout of the network.
    type Layout: Layout<N>;
    /// A position of the game.
    type Position;
    /// A move of the game.
    type Move;
    /// Feature changes by a move.
    type Change: Copy;

    /// Creates an empty stack for a network.
    fn new(network: &Network<Self::Layout, N>) -> Self;

    /// Returns the stack of accumulators.
    fn stack(&mut self) -> &mut Stack<Sums<N>, Self::Change>;

    /// Returns the feature changes of a move (`None`: a null move) that is about to be made in `before`.
    fn change(before: &Self::Position, mv: Option<Self::Move>) -> Self::Change;

    /// Returns the score of the position that the recorded moves lead to, for the side to move.
    fn evaluate(&mut self, network: &Network<Self::Layout, N>, position: &Self::Position) -> Score;
}

/// Evaluates positions along a search path.
#[derive(Clone)]
pub enum Evaluator<A: Accumulators<N>, const N: usize> {
    /// A formula that returns the score for the side to move.
    Formula(fn(&A::Position) -> Score),
    /// A network with its accumulators.
    Network(Arc<Network<A::Layout, N>>, Box<A>),
}

impl<A: Accumulators<N>, const N: usize> Evaluator<A, N> {
    /// Creates an evaluator with the built-in network.
    pub fn built_in() -> Self {
        Evaluator::by_network(Network::built_in())
    }

    /// Returns the evaluator, or one with the built-in network if `None`. Fails if that network can't be read.
    pub fn or_built_in(evaluator: Option<Self>) -> Result<Self, NetworkError> {
        match evaluator {
            Some(evaluator) => Ok(evaluator),
            None => Ok(Evaluator::by_network(Arc::new(Network::read_built_in()?))),
        }
    }

    /// Creates an evaluator with a network.
    pub fn by_network(network: Arc<Network<A::Layout, N>>) -> Self {
        let accumulators = Box::new(A::new(&network));
        Evaluator::Network(network, accumulators)
    }

    /// Starts a new path.
    pub fn reset(&mut self) {
        if let Evaluator::Network(_, accumulators) = self {
            accumulators.stack().reset();
        }
    }

    /// Records a move (`None`: a null move) that is about to be made in `before`.
    #[inline(always)]
    pub fn push(&mut self, before: &A::Position, mv: Option<A::Move>) {
        if let Evaluator::Network(_, accumulators) = self {
            accumulators.stack().push(|| A::change(before, mv));
        }
    }

    /// Takes back the last recorded move.
    #[inline(always)]
    pub fn pop(&mut self) {
        if let Evaluator::Network(_, accumulators) = self {
            accumulators.stack().pop();
        }
    }

    /// Returns the static eval of the position that the recorded moves lead to, for the side to move.
    #[inline]
    pub fn evaluate(&mut self, position: &A::Position) -> Score {
        clamp_eval(match self {
            Evaluator::Formula(formula) => formula(position),
            Evaluator::Network(network, accumulators) => accumulators.evaluate(network, position),
        })
    }
}
