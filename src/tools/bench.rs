//! `cupbot bench`: a fixed amount of work, as checksum of the search and as speedometer.

use super::registry::{self, Entry};
use crate::engine::kernels::Path;
use anyhow::Result;
use std::path::PathBuf;
use std::process::ExitCode;

/// The benchmark of a game: its report, whose last line is `Bench: N`.
pub type Bench = fn(&Options) -> Result<String>;

/// What a benchmark may be asked for.
#[derive(clap::Args, Default)]
pub struct Options {
    /// How deep to search, in the game's unit: plies, or thousands of simulations
    #[arg(long, value_parser = clap::value_parser!(i32).range(1..=30))]
    pub depth: Option<i32>,
    /// Which instructions the network uses (default: the fastest that the processor has)
    #[arg(long, value_enum)]
    pub path: Option<PathName>,
    /// A network file instead of the built-in network, or another name that the game's players take
    #[arg(long, value_name = "FILE", conflicts_with = "path")]
    pub net: Option<PathBuf>,
}

/// Search fixed positions to a fixed depth; the last line is the node count, the same everywhere
#[derive(clap::Args)]
pub struct Args {
    /// Which game
    #[arg(long, default_value = registry::main_game().name, value_parser = registry::parser())]
    game: &'static Entry,
    #[command(flatten)]
    options: Options,
}

/// The name of a path of instructions.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum PathName {
    /// Plain loops
    Plain,
    /// 128-bit vectors
    Sse41,
    /// 256-bit vectors
    Avx2,
}

impl PathName {
    /// The path.
    pub fn path(self) -> Path {
        match self {
            PathName::Plain => Path::Plain,
            PathName::Sse41 => Path::Sse41,
            PathName::Avx2 => Path::Avx2,
        }
    }
}

/// Prints the benchmark's report.
pub fn run(args: Args) -> Result<ExitCode> {
    let bench = args.game.require(&args.game.bench, "benchmark")?;
    say_part!("{}", bench(&args.options)?)?;
    Ok(ExitCode::SUCCESS)
}
