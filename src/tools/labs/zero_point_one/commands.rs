//! Commands specific to Zero Point One.

use super::{data, opponent, selfplay, setups, tactics, train};
use crate::games::zero_point_one::search::params::Params;
use crate::tools::contracts::entry::{Entry, Run};
use crate::tools::contracts::params;
use crate::tools::training::tune;
use anyhow::Result;
use clap::Subcommand;
use std::process::ExitCode;

#[derive(Subcommand)]
pub enum Command {
    Tactics(tactics::Args),
    Selfplay(selfplay::Args),
    Data(data::command::Args),
    Train(train::Args),
    Tune(tune::Args),
    Setups(setups::Args),
    Params(params::Args),
}

impl Run for Command {
    fn run(self, game: &'static Entry) -> Result<ExitCode> {
        match self {
            Command::Tactics(args) => tactics::run(args),
            Command::Selfplay(args) => selfplay::run(args),
            Command::Data(args) => data::command::run(args),
            Command::Train(args) => train::run(args),
            Command::Tune(args) => tune::run(game, &opponent::TUNABLE, args),
            Command::Setups(args) => setups::run(args),
            Command::Params(args) => params::list::<Params>(&args),
        }
    }
}
