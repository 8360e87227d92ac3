//! `cupbot zuniq`: learning the network of Zuniq from games of the player against itself.

mod model;
mod samples;
mod selfplay;
mod training;
pub mod uct;

#[cfg(test)]
mod tests;

use crate::games::zuniq::network::Network;
use anyhow::{Context, Result};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

/// Learn the network of Zuniq: play games, train on them
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Selfplay(selfplay::Args),
    Train(training::Args),
}

/// Does one of the two.
pub fn run(args: Args) -> Result<ExitCode> {
    match args.command {
        Command::Selfplay(args) => selfplay::run(args),
        Command::Train(args) => training::run(args),
    }
}

/// What stands for no network at all on the command line.
const NONE: &str = "none";

/// The network of a file, one that knows nothing, or the built-in one.
pub fn network(path: Option<&Path>) -> Result<Arc<Network>> {
    match path {
        None => Ok(Network::built_in()),
        Some(path) if path == Path::new(NONE) => Ok(Arc::new(Network::zero())),
        Some(path) => {
            let name = path.display();
            let bytes = std::fs::read(path).with_context(|| format!("opening {name}"))?;
            let network = Network::from_bytes(&bytes).with_context(|| format!("{name}"))?;
            Ok(Arc::new(network))
        }
    }
}
