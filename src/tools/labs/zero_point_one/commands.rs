//! Commands specific to Zero Point One.

use super::{data, opponent, selfplay, setups, tactics, train};
use crate::games::zero_point_one::search::params::Params;
use crate::tools::contracts::entry::{Entry, Examples, Run};
use crate::tools::contracts::params;
use crate::tools::training::tune;
use anyhow::Result;
use clap::Subcommand;
use std::process::ExitCode;

#[derive(Subcommand)]
pub enum Command {
    Tactics(tactics::Args),
    Selfplay(selfplay::Args),
    Data(data::Args),
    Train(train::Args),
    Tune(tune::Args),
    Setups(setups::Args),
    Params(params::Args),
}

impl Run for Command {
    const EXAMPLES: Examples = &[
        (
            "tactics",
            [
                "echo '2W5/8/8/3N4/1D6/8/8/w7 F 60; win; Fg2' > suite.txt",
                "cupbot tactics suite.txt",
            ],
        ),
        (
            "selfplay",
            ["cupbot selfplay -o games.gam --games 100 --nodes 100", "cupbot data games.gam"],
        ),
        (
            "data",
            [
                "cupbot selfplay -o games.gam --games 20 --nodes 50",
                "cupbot data --text games.gam > games.txt",
            ],
        ),
        (
            "train",
            [
                "cupbot selfplay -o games.gam --games 200 --nodes 50",
                "cupbot train games.gam -o network.bin --report training.html",
            ],
        ),
        (
            "tune",
            [
                "cupbot tune self:nodes=50 --iterations 5 --report tuning.html > tuned.params",
                "cupbot match self:nodes=50 self:nodes=50,params=tuned.params -n 8",
            ],
        ),
        (
            "setups",
            [
                "cupbot setups -o setups.txt --rounds 2 --pool 4 --nodes 100",
                "cupbot setups -o answers.txt --answer setups.txt --time 10ms",
            ],
        ),
        ("params", ["cupbot GAME params", "cupbot GAME params --json > params.json"]),
    ];

    fn run(self, game: &'static Entry) -> Result<ExitCode> {
        match self {
            Command::Tactics(args) => tactics::run(args),
            Command::Selfplay(args) => selfplay::run(args),
            Command::Data(args) => data::run(args),
            Command::Train(args) => train::run(args),
            Command::Tune(args) => tune::run(game, &opponent::TUNABLE, args),
            Command::Setups(args) => setups::run(args),
            Command::Params(args) => params::list::<Params>(&args),
        }
    }
}
