//! `cupbot bench`: a fixed amount of work, as checksum of the search and as speedometer.

use super::play::game_parser;
use super::zero_point_one::evaluation;
use crate::engine::kernels::Path;
use crate::games::zero_point_one::bench;
use crate::games::zero_point_one::eval::network::Network;
use crate::games::zero_point_one::eval::Evaluator;
use crate::games::{zuniq, Entry, GameId, GAMES};
use anyhow::{ensure, Context, Result};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

/// Search fixed positions to a fixed depth; the last line is the node count, the same everywhere
#[derive(clap::Args)]
pub struct Args {
    /// How deep to search; in Zuniq, how many thousand simulations, before each position is solved
    #[arg(long, value_parser = clap::value_parser!(i32).range(1..=30))]
    depth: Option<i32>,
    /// Which game
    #[arg(long, default_value = GAMES[0].name, value_parser = game_parser())]
    game: &'static Entry,
    /// Which instructions the network uses, in Zero Point One (default: the fastest that the
    /// processor has)
    #[arg(long, value_enum)]
    path: Option<PathName>,
    /// A network file, or `handmade` (Zero Point One; default: the built-in network)
    #[arg(long, value_name = "FILE", conflicts_with = "path")]
    net: Option<PathBuf>,
}

/// The name of a path of instructions.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum PathName {
    /// Plain loops
    Plain,
    /// 128-bit vectors
    Sse41,
    /// 256-bit vectors
    Avx2,
}

impl PathName {
    fn path(self) -> Path {
        match self {
            PathName::Plain => Path::Plain,
            PathName::Sse41 => Path::Sse41,
            PathName::Avx2 => Path::Avx2,
        }
    }
}

/// Prints the benchmark's report.
pub fn run(args: Args) -> Result<ExitCode> {
    let report = match (args.game.id, args.path) {
        (GameId::Zuniq, path) => {
            let plain = path.is_none() && args.net.is_none();
            ensure!(plain, "--path and --net are for Zero Point One");
            zuniq::bench::run(args.depth.unwrap_or(zuniq::bench::DEFAULT_DEPTH))
        }
        (GameId::ZeroPointOne, None) if args.net.is_some() => {
            let evaluator = evaluation::named(args.net.as_deref())?;
            bench::run_with(args.depth.unwrap_or(bench::DEFAULT_DEPTH), &evaluator)
        }
        (GameId::ZeroPointOne, None) => bench::run(args.depth.unwrap_or(bench::DEFAULT_DEPTH)),
        (GameId::ZeroPointOne, Some(name)) => {
            let network = Network::read_built_in()?.on_path(name.path());
            let network = network.with_context(|| format!("this processor has no {name:?}"))?;
            let depth = args.depth.unwrap_or(bench::DEFAULT_DEPTH);
            bench::run_with(depth, &Evaluator::by_network(Arc::new(network)))
        }
    };
    say_part!("{report}")?;
    Ok(ExitCode::SUCCESS)
}
