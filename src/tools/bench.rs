//! `cupbot bench`: a fixed amount of work, as checksum of the search and as speedometer.

use crate::games::zero_point_one::bench;
use anyhow::Result;
use std::process::ExitCode;

/// Search fixed positions to a fixed depth; the last line is the node count, the same everywhere
#[derive(clap::Args)]
pub struct Args {
    /// How deep to search
    #[arg(long, default_value_t = bench::DEFAULT_DEPTH, value_parser = clap::value_parser!(i32).range(1..=30))]
    depth: i32,
}

/// Prints the benchmark's report.
pub fn run(args: Args) -> Result<ExitCode> {
    print!("{}", bench::run(args.depth));
    Ok(ExitCode::SUCCESS)
}
