//! Benchmark of a game.

use crate::engine::network_file::NetworkError;
use crate::tools::support::units::integer;
use anyhow::Result;
use std::path::{Path, PathBuf};

/// A benchmark: returns a report whose last line is `Bench: N`.
pub type Bench = fn(&Options) -> Result<String>;

/// Options of a benchmark.
#[derive(clap::Args, Default)]
pub struct Options {
    /// Search depth in the game's unit: plies, or thousands of simulations
    #[arg(long, value_parser = integer::<i32>(1..=30))]
    pub depth: Option<i32>,
    /// Network file, or another value of the player option `net` (default: the built-in network)
    #[arg(long, value_name = "FILE")]
    pub net: Option<PathBuf>,
}

impl Options {
    /// Runs a game's benchmark to the depth of the options, or the default one, and with their network, read by `read`,
    /// or the built-in one.
    pub fn run<N>(
        &self,
        run: fn(i32, Option<N>) -> Result<String, NetworkError>,
        default_depth: i32,
        read: impl Fn(&Path) -> Result<N>,
    ) -> Result<String> {
        let network = self.net.as_deref().map(read).transpose()?;
        Ok(run(self.depth.unwrap_or(default_depth), network)?)
    }
}
