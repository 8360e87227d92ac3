//! The benchmark of Chess960, with the network that is asked for.

use super::evaluation;
use crate::games::chess960::bench;
use crate::games::chess960::eval::network::Network;
use crate::games::chess960::eval::Evaluator;
use crate::tools::game::bench::Options;
use anyhow::{Context, Result};
use std::sync::Arc;

/// The benchmark's report.
pub fn run(options: &Options) -> Result<String> {
    let depth = options.depth.unwrap_or(bench::DEFAULT_DEPTH);
    let evaluator = match options.path {
        None if options.net.is_none() => return Ok(bench::run(depth)?),
        None => evaluation::named(options.net.as_deref())?,
        Some(name) => {
            let network = Network::read_built_in()?.on_path(name.path());
            let network = network.with_context(|| name.missing())?;
            Evaluator::by_network(Arc::new(network))
        }
    };
    Ok(bench::run_with(depth, &evaluator))
}
