//! Commands specific to Zuniq.

use super::{selfplay, training};
use crate::tools::contracts::entry::{Entry, Run};
use anyhow::Result;
use clap::Subcommand;
use std::process::ExitCode;

#[derive(Subcommand)]
pub enum Command {
    Selfplay(selfplay::Args),
    Train(training::Args),
}

impl Run for Command {
    fn run(self, _game: &'static Entry) -> Result<ExitCode> {
        match self {
            Command::Selfplay(args) => selfplay::run(args),
            Command::Train(args) => training::run(args),
        }
    }
}
