//! The benchmark of 6561, with the network that is asked for.

use super::evaluation;
use crate::games::g6561::bench;
use crate::tools::contracts::bench::Options;
use anyhow::Result;

/// The benchmark's report.
pub fn run(options: &Options) -> Result<String> {
    let depth = options.depth.unwrap_or(bench::DEFAULT_DEPTH);
    match &options.net {
        None => Ok(bench::run(depth)?),
        Some(path) => Ok(bench::run_with(depth, evaluation::network(path)?)),
    }
}
