//! The options that matches and tournaments have in common.

use super::contest::{Contest, RandomOpenings};
use super::process::ProcessLimits;
use super::runner::{Arena, Openings};
use super::spec::{PlayerSpec, Thinking};
use crate::engine::clock::OFFICIAL_BUDGET;
use crate::games::{Entry, GAMES};
use crate::tools::openings::read_openings;
use crate::tools::play::game_parser;
use crate::tools::units::parse_time;
use anyhow::Result;
use serde_json::{json, Value};
use std::path::PathBuf;
use std::time::Duration;

/// Where games begin.
#[derive(clap::Args, Clone, Debug)]
pub struct OpeningOptions {
    /// Where games begin: `random`, `none` (as in the contest) or a file with an opening a line: any
    /// moves, in Zero Point One after both setups
    #[arg(long, default_value = "random", value_name = "random|none|FILE")]
    openings: String,
    /// Random plies, in Zero Point One after random setups
    #[arg(long, default_value_t = 4, value_name = "K", value_parser = clap::value_parser!(u32).range(0..=80))]
    random_plies: u32,
    /// The share of good ones among random setups (Zero Point One) [default: 0.5]
    #[arg(long, value_name = "SHARE")]
    good_setups: Option<f64>,
    /// Random openings within so many hundredths of a piece of equal, as a short search by the
    /// built-in network sees them: fewer pairs are decided by the opening (Zero Point One)
    #[arg(long, value_name = "SCORE", value_parser = clap::value_parser!(i32).range(1..))]
    balance: Option<i32>,
    /// Decides the openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl OpeningOptions {
    /// The openings.
    pub fn openings<G: Contest>(&self) -> Result<Openings<G>> {
        let plies = self.random_plies as usize;
        let (good_setups, balance) = (self.good_setups, self.balance);
        let style = G::style(RandomOpenings { plies, good_setups, balance })?;
        Ok(match self.openings.as_str() {
            "none" => Openings::None,
            "random" => Openings::Random(style),
            file => Openings::Given(read_openings(file.as_ref())?),
        })
    }

    /// What the random numbers begin with.
    pub fn seed(&self) -> u64 {
        self.seed
    }
}

/// What programs may use.
#[derive(clap::Args, Clone, Debug)]
pub struct ProgramLimits {
    /// CPU time of a whole game for each player, children included, such as 3s or 500ms (announced
    /// to programs; 30s, unannounced, without)
    #[arg(long, value_parser = parse_time)]
    time: Option<Duration>,
    /// Wall time that a program is waited for in a whole game [default: three times --time and 10s]
    #[arg(long, value_parser = parse_time)]
    wall: Option<Duration>,
}

impl ProgramLimits {
    /// The limits, with what is not told.
    pub fn limits(&self) -> ProcessLimits {
        let cpu = self.time.unwrap_or(OFFICIAL_BUDGET);
        let usual = ProcessLimits::of(cpu, self.time.is_some());
        ProcessLimits { wall: self.wall.unwrap_or(usual.wall), ..usual }
    }
}

/// How games are played.
#[derive(clap::Args, Clone)]
pub struct Options {
    /// Which game
    #[arg(long, default_value = GAMES[0].name, value_parser = game_parser())]
    pub game: &'static Entry,
    #[command(flatten)]
    limits: ProgramLimits,
    /// Nodes a move, for built-in players
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Depth of a move, for built-in players of Zero Point One
    #[arg(long, value_parser = clap::value_parser!(i32).range(1..=60))]
    depth: Option<i32>,
    #[command(flatten)]
    openings: OpeningOptions,
    /// Games played at a time
    #[arg(short, long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=256))]
    jobs: u64,
    /// The file to which every game is appended as it ends
    #[arg(long, default_value = "matches.jsonl", value_name = "FILE")]
    pub record: PathBuf,
    /// Keep no record
    #[arg(long, conflicts_with = "record")]
    no_record: bool,
    /// Go on with the match in the record that has the same players and settings
    #[arg(long, conflicts_with = "no_record")]
    pub resume: bool,
    /// Print the summary as JSON
    #[arg(long)]
    pub json: bool,
}

impl Options {
    /// The arena of these players.
    pub fn arena<G: Contest>(&self, players: &[String]) -> Result<Arena<G>> {
        let common = Thinking {
            time: self.limits.time,
            nodes: self.nodes,
            depth: self.depth,
            soft_nodes: None,
        };
        let players: Result<Vec<PlayerSpec<G>>> =
            players.iter().map(|text| PlayerSpec::parse(text, common)).collect();
        Ok(Arena {
            players: players?,
            process_limits: self.limits.limits(),
            openings: self.openings.openings()?,
            seed: self.openings.seed(),
        })
    }

    /// All that decides how the games of these players go.
    pub fn settings<G: Contest>(&self, arena: &Arena<G>) -> Value {
        let players: Vec<String> = arena.players.iter().map(PlayerSpec::description).collect();
        let limits = format!("{:?}", arena.process_limits);
        json!({ "rules": G::NAME, "players": players, "limits": limits, "openings": arena.openings.description(), "seed": arena.seed })
    }

    /// The record's path, if one is kept.
    pub fn record_path(&self) -> Option<&PathBuf> {
        (!self.no_record).then_some(&self.record)
    }

    /// Games played at a time.
    pub fn jobs(&self) -> usize {
        self.jobs as usize
    }
}
