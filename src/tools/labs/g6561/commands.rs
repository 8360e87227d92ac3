//! Commands specific to 6561.

use super::{plan, training};
use crate::tools::contracts::entry::{Entry, Run};
use anyhow::Result;
use clap::Subcommand;
use std::process::ExitCode;

#[derive(Subcommand)]
pub enum Command {
    Plan(plan::Args),
    Train(training::Args),
}

impl Run for Command {
    fn run(self, _game: &'static Entry) -> Result<ExitCode> {
        match self {
            Command::Plan(args) => plan::run(args),
            Command::Train(args) => training::run(args),
        }
    }
}
