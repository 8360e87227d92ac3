//! `cupbot bench`: a fixed amount of work, as checksum of the search and as speedometer.

use crate::games::zero_point_one::bench;
use crate::games::zero_point_one::eval::kernels::Path;
use crate::games::zero_point_one::eval::network::Network;
use crate::games::zero_point_one::eval::Evaluator;
use anyhow::{Context, Result};
use std::process::ExitCode;
use std::sync::Arc;

/// Search fixed positions to a fixed depth; the last line is the node count, the same everywhere
#[derive(clap::Args)]
pub struct Args {
    /// How deep to search
    #[arg(long, default_value_t = bench::DEFAULT_DEPTH, value_parser = clap::value_parser!(i32).range(1..=30))]
    depth: i32,
    /// Which instructions the network uses (default: the fastest that the processor has)
    #[arg(long, value_enum)]
    path: Option<PathName>,
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
    let report = match args.path {
        None => bench::run(args.depth),
        Some(name) => {
            let network = Network::read_built_in()?.on_path(name.path());
            let network = network.with_context(|| format!("this processor has no {name:?}"))?;
            bench::run_with(args.depth, &Evaluator::by_network(Arc::new(network)))
        }
    };
    print!("{report}");
    Ok(ExitCode::SUCCESS)
}
