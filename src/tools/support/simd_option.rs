//! `--path`: the instructions that players and networks may use, so that a program behaves as on an older
//! processor, such as the judge's.

use crate::engine::sys::simd::Path;
use anyhow::{ensure, Result};

/// The name of a path of instructions, as an option.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum PathName {
    /// Plain loops
    Plain,
    /// 128-bit vectors
    #[value(alias = "sse4.1")]
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

    /// Restricts the whole program to this path and those below it; an error where the processor lacks it.
    pub fn restrict(self) -> Result<()> {
        let path = self.path();
        ensure!(Path::available().contains(&path), "this processor has no {self:?}");
        path.restrict();
        Ok(())
    }
}
