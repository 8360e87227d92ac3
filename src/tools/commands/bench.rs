//! `cupbot bench`: a fixed amount of work, as checksum of the search and as speedometer.

use crate::tools::contracts::bench::Options;
use crate::tools::contracts::entry::Entry;
use crate::tools::labs::registry;
use anyhow::Result;
use std::process::ExitCode;

/// Search fixed positions to a fixed depth; the last line is the node count, the same everywhere
#[derive(clap::Args)]
pub struct Args {
    /// Which game
    #[arg(long, default_value = registry::main_game().name, value_parser = registry::parser())]
    game: &'static Entry,
    #[command(flatten)]
    options: Options,
}

/// Prints the benchmark's report.
pub fn run(args: Args) -> Result<ExitCode> {
    let bench = args.game.require(&args.game.bench, "benchmark")?;
    say_part!("{}", bench(&args.options)?)?;
    Ok(ExitCode::SUCCESS)
}
