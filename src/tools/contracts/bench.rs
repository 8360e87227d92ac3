//! The benchmark of a game.

use anyhow::Result;
use std::path::PathBuf;

/// A benchmark: returns a report whose last line is `Bench: N`.
pub type Bench = fn(&Options) -> Result<String>;

/// Options of a benchmark.
#[derive(clap::Args, Default)]
pub struct Options {
    /// How deep to search, in the game's unit: plies, or thousands of simulations
    #[arg(long, value_parser = clap::value_parser!(i32).range(1..=30))]
    pub depth: Option<i32>,
    /// A network file instead of the built-in network, or another name that the game's players take
    #[arg(long, value_name = "FILE")]
    pub net: Option<PathBuf>,
}
