//! The benchmark of Zuniq, with the network that is asked for.

use super::evaluation;
use crate::games::zuniq::bench;
use crate::tools::contracts::bench::Options;
use anyhow::Result;

/// The benchmark's report.
pub fn run(options: &Options) -> Result<String> {
    let depth = options.depth.unwrap_or(bench::DEFAULT_DEPTH);
    match options.net.as_deref() {
        None => Ok(bench::run(depth)?),
        net => Ok(bench::run_with(depth, &evaluation::network(net)?)),
    }
}
