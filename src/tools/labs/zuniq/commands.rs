//! Commands specific to Zuniq.

use super::{selfplay, training};
use crate::tools::contracts::entry::{Entry, Examples, Run};
use anyhow::Result;
use clap::Subcommand;
use std::process::ExitCode;

#[derive(Subcommand)]
pub enum Command {
    Selfplay(selfplay::Args),
    Train(training::Args),
}

impl Run for Command {
    const EXAMPLES: Examples = &[
        (
            "selfplay",
            [
                "cupbot GAME selfplay -o games.gam --games 4",
                "cupbot GAME selfplay -o games.gam --games 8 --resume",
            ],
        ),
        (
            "train",
            [
                "cupbot GAME selfplay -o games.gam --games 50 --simulations 10",
                "cupbot GAME train games.gam -o network.bin --report training.html",
            ],
        ),
    ];

    fn run(self, _game: &'static Entry) -> Result<ExitCode> {
        match self {
            Command::Selfplay(args) => selfplay::run(args),
            Command::Train(args) => training::run(args),
        }
    }
}
