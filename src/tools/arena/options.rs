//! Options of commands that play games.

use super::opening_book::Openings;
use super::process::Limits;
use crate::engine::clock::TimeControl;
use crate::engine::contest::Contest;
use crate::tools::contracts::entry::Entry;
use crate::tools::contracts::judge::JudgeOptions;
use crate::tools::support::units::parse_time;
use anyhow::{ensure, Result};
use std::time::Duration;

/// Where games begin.
#[derive(clap::Args, Clone, Debug)]
pub struct OpeningOptions {
    /// Where games begin: `random`, with options of the game as `random:plies=6`; `none` (as in the
    /// contest); or a file with an opening a line, all that was played
    #[arg(long, default_value = "random", value_name = "random[:...]|none|FILE")]
    openings: String,
    /// Random seed of the openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl OpeningOptions {
    /// The openings.
    pub fn openings(&self, game: &'static Entry) -> Result<Openings> {
        Openings::parse(game, &self.openings)
    }

    /// What the random numbers begin with.
    pub fn seed(&self) -> u64 {
        self.seed
    }
}

/// What players may use, and how the judge treats them.
#[derive(clap::Args, Clone, Debug)]
pub struct ProgramLimits {
    /// The time of each player, such as 3s or 500ms: of a whole game or of a move, as its contest counts
    /// (announced to programs; without it the contest's time, unannounced)
    #[arg(long, value_parser = parse_time)]
    pub time: Option<Duration>,
    /// Wall time that a program is waited for, in a whole game or, by the move, for a move [default:
    /// three times --time and 10s]
    #[arg(long, value_parser = parse_time)]
    wall: Option<Duration>,
    /// An overrun that is no fault where each move has its time; matches as the contest plays them have none
    /// [default: 20ms]
    #[arg(long, value_parser = parse_grace)]
    pub grace: Option<Duration>,
    /// Treat programs as the judge does: suspend each of them out of turn (its process group); one game at
    /// a time, and `self` plays as a process of its own
    #[arg(long)]
    pub judge: bool,
    /// Hand on to the opponent the marks after moves that contests may keep back, such as a claim to win
    #[arg(long)]
    pub forward_marks: bool,
}

impl ProgramLimits {
    /// The limits, by a contest's time where none is given.
    pub fn limits(&self, contest: &Contest) -> Result<Limits> {
        let time = self.time.map_or(contest.time, |time| with_budget(contest.time, time));
        let is_by_the_move = matches!(time, TimeControl::Move { .. });
        ensure!(
            self.grace.is_none() || is_by_the_move,
            "--grace: {} times no single moves",
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

    /// How the judge is to do the rest, in games by themselves.
    pub fn judge_options(&self) -> JudgeOptions {
        JudgeOptions { forwards_marks: self.forward_marks, ..JudgeOptions::default() }
    }
}

/// A time control with another budget. Where moves are timed, the first one gets no less.
pub fn with_budget(control: TimeControl, budget: Duration) -> TimeControl {
    match control.with_budget(budget) {
        TimeControl::Move { first, later, reserve } => {
            TimeControl::Move { first: first.max(later), later, reserve }
        }
        by_the_game => by_the_game,
    }
}

/// Reads a time that may be 0.
fn parse_grace(text: &str) -> Result<Duration, String> {
    match text {
        "0" | "0ms" | "0s" => Ok(Duration::ZERO),
        _ => parse_time(text),
    }
}
