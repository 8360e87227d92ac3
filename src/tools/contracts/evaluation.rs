//! Evaluations named by a command-line option, for games with an alpha-beta search.

use super::alpha_beta::HANDMADE;
use crate::engine::evaluator::{Accumulators, Evaluator};
use crate::engine::network::{Layout, Network};
use crate::engine::score::Score;
use crate::tools::support::files;
use anyhow::Result;
use std::path::Path;
use std::sync::Arc;

/// Returns the evaluation named by an option: a network file, [`HANDMADE`], or the built-in network if `None`. Fails if
/// the network can't be read.
pub fn named<A: Accumulators<N>, const N: usize>(
    net: Option<&Path>,
    formula: fn(&A::Position) -> Score,
) -> Result<Evaluator<A, N>> {
    Ok(match net {
        None => Evaluator::by_network(Arc::new(Network::read_built_in()?)),
        Some(path) if path == Path::new(HANDMADE) => Evaluator::Formula(formula),
        Some(path) => Evaluator::by_network(network(path)?),
    })
}

/// Returns a fingerprint that does not depend on the file name: [`HANDMADE`], or the checksum of the network.
pub fn fingerprint<A: Accumulators<N>, const N: usize>(evaluator: &Evaluator<A, N>) -> String {
    match evaluator {
        Evaluator::Formula(_) => HANDMADE.to_string(),
        Evaluator::Network(network, _) => format!("{:08x}", crc32fast::hash(&network.to_bytes())),
    }
}

/// Reads a network file.
pub fn network<L: Layout<N>, const N: usize>(path: &Path) -> Result<Arc<Network<L, N>>> {
    Ok(Arc::new(files::read_as(path, Network::from_bytes)?))
}
