//! `cupbot bench` of Zero Point One, with any network.

use super::evaluation;
use crate::games::zero_point_one::bench;
use crate::tools::contracts::bench::Options;
use anyhow::Result;

/// Runs the benchmark and returns its report.
pub fn run(options: &Options) -> Result<String> {
    let depth = options.depth.unwrap_or(bench::DEFAULT_DEPTH);
    match options.net.as_deref() {
        None => Ok(bench::run(depth)?),
        net => Ok(bench::run_with(depth, &evaluation::named(net)?)),
    }
}
