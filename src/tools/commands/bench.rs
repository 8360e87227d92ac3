//! `cupbot bench`: searches fixed positions. The node count is a checksum of the search; the time measures its speed.

use crate::tools::contracts::entry::BenchOptions;
use crate::tools::contracts::entry::Entry;
use crate::tools::labs::registry;
use crate::tools::support::ctrl_c;
use anyhow::{Context, Result};
use serde_json::json;
use std::process::ExitCode;

/// Search fixed positions to a fixed depth; the last line is the node count
///
/// The node count is the same on every machine.
#[derive(clap::Args)]
pub struct Args {
    /// Game
    #[arg(long, default_value = registry::main_game().rules.name, value_parser = registry::parser())]
    game: &'static Entry,
    #[command(flatten)]
    options: BenchOptions,
    /// Print the totals as a line of JSON
    #[arg(long)]
    json: bool,
}

/// Prints the report of the benchmark.
pub fn run(args: Args) -> Result<ExitCode> {
    let bench = args.game.require(&args.game.tools.bench, "benchmark")?;
    ctrl_c::start_over();
    let report = bench(&args.options)?;
    if args.json {
        let total = |name: &str| -> Option<f64> {
            let line = report.lines().rev().find_map(|line| line.strip_prefix(name))?;
            line.split_whitespace().next()?.parse().ok()
        };
        let totals = total("Bench: ").zip(total("time "));
        let (nodes, seconds) = totals.context("the report has no totals")?;
        let game = args.game.rules.name;
        say!("{}", json!({ "game": game, "nodes": nodes as u64, "seconds": seconds }))?;
    } else {
        say_part!("{report}")?;
    }
    Ok(ExitCode::SUCCESS)
}
