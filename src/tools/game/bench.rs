//! The benchmark of a game.

use crate::engine::kernels::Path;
use anyhow::Result;
use std::path::PathBuf;

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

    /// What is wrong where the processor does not have it.
    pub fn missing(self) -> String {
        format!("this processor has no {self:?}")
    }
}
