//! `cupbot bench`: searches fixed positions. The node count is a checksum of the search; the time measures
//! its speed.

use crate::tools::contracts::bench::Options;
use crate::tools::contracts::entry::Entry;
use crate::tools::labs::registry;
use crate::tools::support::ctrl_c;
use anyhow::Result;
use std::process::ExitCode;

/// Search fixed positions to a fixed depth; the last line is the node count
///
/// The node count is the same on every machine.
#[derive(clap::Args)]
pub struct Args {
    /// Game
    #[arg(long, default_value = registry::main_game().name, value_parser = registry::parser())]
    game: &'static Entry,
    #[command(flatten)]
    options: Options,
}

/// Prints the report of the benchmark.
pub fn run(args: Args) -> Result<ExitCode> {
    let bench = args.game.require(&args.game.bench, "benchmark")?;
    ctrl_c::start_over();
    say_part!("{}", bench(&args.options)?)?;
    Ok(ExitCode::SUCCESS)
}
