//! Evaluations selected by command-line options.

use super::handmade;
use crate::games::zero_point_one::eval::network::Network;
use crate::games::zero_point_one::eval::Evaluator;
use crate::tools::contracts::alpha_beta::HANDMADE;
use crate::tools::support::files;
use anyhow::Result;
use std::path::Path;
use std::sync::Arc;

/// Creates the evaluator of an option: a network file, `handmade`, or by default the built-in network. It is
/// an error if the network can't be read.
pub fn named(net: Option<&Path>) -> Result<Evaluator> {
    let Some(path) = net else {
        return Ok(Evaluator::by_network(Arc::new(Network::read_built_in()?)));
    };
    if path == Path::new(HANDMADE) {
        return Ok(Evaluator::Formula(handmade::evaluate));
    }
    Ok(Evaluator::by_network(network(path)?))
}

/// Identifies an evaluation regardless of its file name: returns `handmade`, or the checksum of the network.
pub fn fingerprint(evaluator: &Evaluator) -> String {
    match evaluator {
        Evaluator::Formula(_) => HANDMADE.to_string(),
        Evaluator::Network(network, _) => {
            format!("{:08x}", crc32fast::hash(&network.to_bytes()))
        }
    }
}

/// Reads a network file.
pub fn network(path: &Path) -> Result<Arc<Network>> {
    Ok(Arc::new(files::read_as(path, Network::from_bytes)?))
}
