//! Commands specific to Chess960.

use super::{opponent, selfplay, train};
use crate::games::chess960::search::params::Params;
use crate::tools::contracts::entry::{Entry, Run};
use crate::tools::contracts::params;
use crate::tools::training::tune;
use anyhow::Result;
use clap::Subcommand;
use std::process::ExitCode;

#[derive(Subcommand)]
pub enum Command {
    Selfplay(selfplay::Args),
    Train(train::Args),
    Tune(tune::Args),
    Params(params::Args),
}

impl Run for Command {
    fn run(self, game: &'static Entry) -> Result<ExitCode> {
        match self {
            Command::Selfplay(args) => selfplay::run(args),
            Command::Train(args) => train::run(args),
            Command::Tune(args) => tune::run(game, &opponent::TUNABLE, args),
            Command::Params(args) => params::list::<Params>(&args),
        }
    }
}
