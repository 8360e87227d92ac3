//! Command-line options for playing games.

use super::opening_book::Openings;
use super::process::Limits;
use crate::engine::clock::TimeControl;
use crate::engine::contest::Contest;
use crate::tools::contracts::entry::Entry;
use crate::tools::contracts::judge::JudgeOptions;
use crate::tools::support::units::{integer, parse_time, GivenTime};
use anyhow::{ensure, Result};
use std::time::Duration;

/// Options of openings.
#[derive(clap::Args, Clone, Debug)]
pub struct OpeningOptions {
    /// `random` (or e.g. `random:plies=6`), `none`, or a file with one opening per line
    ///
    /// The openings of a file are shuffled by the seed; `FILE:order=sequential` keeps their order.
    #[arg(long, default_value = "random", value_name = "random[:...]|none|FILE[:order=...]")]
    openings: String,
    /// Seed of the openings
    #[arg(long, default_value_t = 1, value_parser = integer::<u64>(0..))]
    seed: u64,
}

impl OpeningOptions {
    /// Parses or reads the openings.
    pub fn openings(&self, game: &'static Entry) -> Result<Openings> {
        Openings::parse(game, &self.openings)
    }

    /// Returns the random seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }
}

/// Time limits and options of the judge.
#[derive(clap::Args, Clone, Debug)]
pub struct ProgramLimits {
    /// Time per player, e.g. 3s or 500ms: per game or per move, as in the contest
    ///
    /// It is announced to programs. Without it the contest's time applies and is not announced.
    #[arg(long)]
    pub time: Option<GivenTime>,
    /// Wall time after which a program counts as hung [default: 3 times --time plus 10s]
    ///
    /// Per game or per move, as --time.
    #[arg(long, value_parser = parse_time)]
    wall: Option<Duration>,
    /// Tolerated overrun per move [default: 20ms; none in two-game matches]
    #[arg(long, value_parser = parse_grace)]
    pub grace: Option<Duration>,
    /// Suspend each program during the opponent's turn, as the contest does
    ///
    /// The whole process group is suspended. Games are played one at a time, and `self` runs as a separate process.
    #[arg(long)]
    pub judge: bool,
    /// Forward marks after moves that the contest hides, e.g. claims to win
    #[arg(long)]
    pub forward_marks: bool,
}

impl ProgramLimits {
    /// Returns the limits, with the contest's time if none is given.
    pub fn limits(&self, contest: &Contest) -> Result<Limits> {
        let given = self.time.map(|given| given.near(contest.time.budget())).transpose()?;
        let time = given.map_or(contest.time, |time| contest.time.with_budget(time));
        let is_by_the_move = matches!(time, TimeControl::Move { .. });
        ensure!(
            self.grace.is_none() || is_by_the_move,
            "--grace: {} has a time limit per game, not per move",
            contest.name
        );
        let usual = Limits::new(time);
        Ok(Limits {
            wall: self.wall.unwrap_or(usual.wall),
            grace: self.grace.unwrap_or(usual.grace),
            announce: self.time.is_some(),
            suspend: self.judge,
            ..usual
        })
    }

    /// Returns the options of the judge for single games.
    pub fn judge_options(&self) -> JudgeOptions {
        JudgeOptions { forwards_marks: self.forward_marks, ..JudgeOptions::default() }
    }
}

/// Parses a time that may be 0.
fn parse_grace(text: &str) -> Result<Duration, String> {
    match text {
        "0" | "0ms" | "0s" => Ok(Duration::ZERO),
        _ => parse_time(text),
    }
}
