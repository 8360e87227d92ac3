//! The evaluation that a command-line option names.

use super::handmade;
use crate::games::zero_point_one::eval::network::Network;
use crate::games::zero_point_one::eval::Evaluator;
use crate::tools::contracts::alpha_beta::HANDMADE;
use crate::tools::support::files;
use anyhow::Result;
use std::path::Path;
use std::sync::Arc;

/// The evaluation of an option: a network file, `handmade`, or the built-in one where none is
/// named. An error where the network can't be read.
pub fn named(net: Option<&Path>) -> Result<Evaluator> {
    let Some(path) = net else {
        return Ok(Evaluator::by_network(Arc::new(Network::read_built_in()?)));
    };
    if path == Path::new(HANDMADE) {
        return Ok(Evaluator::Formula(handmade::evaluate));
    }
    Ok(Evaluator::by_network(network(path)?))
}

/// What distinguishes an evaluation from all others, whatever its file is called: `handmade`, or
/// the checksum of the network.
pub fn fingerprint(evaluator: &Evaluator) -> String {
    match evaluator {
        Evaluator::Formula(_) => HANDMADE.to_string(),
        Evaluator::Network(network, _) => {
            format!("{:08x}", crc32fast::hash(&network.to_bytes()))
        }
    }
}

/// The network of a file.
pub fn network(path: &Path) -> Result<Arc<Network>> {
    Ok(Arc::new(files::read_as(path, Network::from_bytes)?))
}
