//! Which time is charged, by its name on the command line.

use crate::engine::clock::Measure;
use clap::ValueEnum;

/// What counts as a player's time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ClockName {
    /// The wall time from the arrival of a line to the answer, as contests charge it
    #[default]
    Wall,
    /// The CPU time, for many games on a busy machine
    Cpu,
}

impl ClockName {
    /// What it charges.
    pub fn measure(self) -> Measure {
        match self {
            ClockName::Wall => Measure::Wall,
            ClockName::Cpu => Measure::Processor,
        }
    }
}
