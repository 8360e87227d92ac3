//! `--simd`: the highest instruction set to use, so that a program behaves as on an older processor, such as the
//! judge's.

use crate::engine::sys::simd::Path;
use anyhow::{ensure, Result};

/// An instruction set, as an option.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum InstructionSet {
    /// Plain loops
    Plain,
    /// 128-bit vectors
    #[value(alias = "sse4.1")]
    Sse41,
    /// 256-bit vectors
    Avx2,
}

impl InstructionSet {
    fn path(self) -> Path {
        match self {
            InstructionSet::Plain => Path::Plain,
            InstructionSet::Sse41 => Path::Sse41,
            InstructionSet::Avx2 => Path::Avx2,
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
