//! `--simd`: restricts the instruction sets, so that the program runs as on an older CPU, e.g. the judge's.

use crate::engine::sys::simd::Path;
use anyhow::{ensure, Result};

/// Values of the option `--simd`.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum InstructionSet {
    /// Scalar code
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

    /// Restricts the program to this instruction set and lower ones. Fails if the CPU does not support it.
    pub fn restrict(self) -> Result<()> {
        let path = self.path();
        ensure!(Path::available().contains(&path), "this CPU does not support {self:?}");
        path.restrict();
        Ok(())
    }
}
