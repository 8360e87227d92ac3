//! Benchmark of a game.

use anyhow::Result;
use std::path::PathBuf;

/// A benchmark: returns a report whose last line is `Bench: N`.
pub type Bench = fn(&Options) -> Result<String>;

/// Options of a benchmark.
#[derive(clap::Args, Default)]
pub struct Options {
    /// Search depth in the game's unit: plies, or thousands of simulations
    #[arg(long, value_parser = clap::value_parser!(i32).range(1..=30))]
    pub depth: Option<i32>,
    /// Network file, or another value of the player option `net` (default: the built-in network)
    #[arg(long, value_name = "FILE")]
    pub net: Option<PathBuf>,
}
