//! Commands specific to 6561.

use super::{plan, training};
use crate::tools::contracts::entry::{Entry, Examples, Run};
use anyhow::Result;
use clap::Subcommand;
use std::process::ExitCode;

#[derive(Subcommand)]
pub enum Command {
    Plan(plan::Args),
    Train(training::Args),
}

impl Run for Command {
    const EXAMPLES: Examples = &[
        (
            "plan",
            [
                "cupbot GAME plan -o plan.txt --restarts 2 --width 100",
                "cupbot GAME plan -o plan.txt --restarts 4 --width 200",
            ],
        ),
        (
            "train",
            [
                "cupbot GAME train -o network.bin --games 100",
                "cupbot GAME train -o network.bin --games 200 --every 20 --report training.html",
            ],
        ),
    ];

    fn run(self, _game: &'static Entry) -> Result<ExitCode> {
        match self {
            Command::Plan(args) => plan::run(args),
            Command::Train(args) => training::run(args),
        }
    }
}
