//! Options of commands that play games.

use super::openings::Openings;
use super::process::Limits;
use crate::engine::contest::Contest;
use crate::tools::game::entry::Entry;
use crate::tools::units::parse_time;
use anyhow::Result;
use std::time::Duration;

/// Where games begin.
#[derive(clap::Args, Clone, Debug)]
pub struct OpeningOptions {
    /// Where games begin: `random`, with options of the game as `random:plies=6`; `none` (as in the
    /// contest); or a file with an opening a line, all that was played
    #[arg(long, default_value = "random", value_name = "random[:...]|none|FILE")]
    openings: String,
    /// Decides the openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl OpeningOptions {
    /// The openings.
    pub fn openings(&self, game: &Entry) -> Result<Openings> {
        Openings::parse(game, &self.openings)
    }

    /// What the random numbers begin with.
    pub fn seed(&self) -> u64 {
        self.seed
    }
}

/// What programs may use.
#[derive(clap::Args, Clone, Debug)]
pub struct ProgramLimits {
    /// The time of each player as its contest counts, such as 3s or 500ms: CPU time of a whole game,
    /// children included, or wall time of a move (announced to programs; without it the contest's time,
    /// unannounced)
    #[arg(long, value_parser = parse_time)]
    pub time: Option<Duration>,
    /// Wall time that a program is waited for, in a whole game or, by the move, for a move [default:
    /// three times --time and 10s]
    #[arg(long, value_parser = parse_time)]
    wall: Option<Duration>,
}

impl ProgramLimits {
    /// The limits, by a contest's time where none is given.
    pub fn limits(&self, contest: &Contest) -> Limits {
        let time = self.time.map_or(contest.time, |time| contest.time.with_budget(time));
        let usual = Limits::new(time, self.time.is_some());
        Limits { wall: self.wall.unwrap_or(usual.wall), ..usual }
    }
}
