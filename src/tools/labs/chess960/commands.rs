//! Commands specific to Chess960.

use super::{opponent, selfplay, train};
use crate::games::chess960::search::params::Params;
use crate::tools::contracts::entry::{Entry, Examples, Run};
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
    const EXAMPLES: Examples = &[
        (
            "selfplay",
            [
                "cupbot GAME selfplay -o games.gam --games 20 --nodes 100",
                "cupbot GAME selfplay -o games.gam --games 30 --nodes 100 --resume",
            ],
        ),
        (
            "train",
            [
                "cupbot GAME selfplay -o games.gam --games 50 --nodes 100",
                "cupbot GAME train games.gam -o network.bin --report training.html",
            ],
        ),
        (
            "tune",
            [
                "cupbot GAME tune self:nodes=50 --iterations 5 > t.params",
                "cupbot match --game GAME self:nodes=50 self:nodes=50,params=t.params -n 8",
            ],
        ),
        ("params", ["cupbot GAME params", "cupbot GAME params --json > params.json"]),
    ];

    fn run(self, game: &'static Entry) -> Result<ExitCode> {
        match self {
            Command::Selfplay(args) => selfplay::run(args),
            Command::Train(args) => train::run(args),
            Command::Tune(args) => tune::run(game, &opponent::TUNABLE, args),
            Command::Params(args) => params::list::<Params>(&args),
        }
    }
}
