//! The options that matches and tournaments have in common.

use crate::engine::kernels::Path;
use crate::tools::arena::children::Children;
use crate::tools::arena::options::{OpeningOptions, ProgramLimits};
use crate::tools::arena::runner::Arena;
use crate::tools::arena::spec::PlayerSpec;
use crate::tools::game::entry::Entry;
use crate::tools::registry;
use crate::tools::shard::Sharding;
use anyhow::Result;
use serde_json::{json, Value};
use std::path::PathBuf;

/// How games are played.
#[derive(clap::Args, Clone)]
pub struct Options {
    /// Which game
    #[arg(long, default_value = registry::main_game().name, value_parser = registry::parser())]
    pub game: &'static Entry,
    #[command(flatten)]
    limits: ProgramLimits,
    /// Nodes a move, for built-in players
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Depth of a move, for built-in players that know depths
    #[arg(long, value_parser = clap::value_parser!(i32).range(1..=60))]
    depth: Option<i32>,
    #[command(flatten)]
    openings: OpeningOptions,
    #[command(flatten)]
    pub sharding: Sharding,
    /// Play no more than so many games now; --resume goes on with the rest
    #[arg(long, value_name = "N", conflicts_with = "no_record", value_parser = clap::value_parser!(u64).range(1..))]
    pub stop_after: Option<u64>,
    /// Games played at a time
    #[arg(short, long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=256))]
    jobs: u64,
    /// The file to which every game is appended as it ends
    #[arg(long, default_value = "matches.jsonl", value_name = "FILE")]
    pub record: PathBuf,
    /// Keep no record
    #[arg(long, conflicts_with = "record")]
    no_record: bool,
    /// A file to which every game is appended in PGN as well
    #[arg(long, value_name = "FILE")]
    pub pgn: Option<PathBuf>,
    /// Go on with the match in the record that has the same players and settings
    #[arg(long, conflicts_with = "no_record")]
    pub resume: bool,
    /// Print the summary as JSON
    #[arg(long)]
    pub json: bool,
}

impl Options {
    /// The arena of these players.
    pub fn arena(&self, players: &[String]) -> Result<Arena> {
        let common = self.common_options();
        let parse = |text: &String| PlayerSpec::parse(self.game, text, &common);
        let limits = self.limits.limits(self.game.contest);
        Ok(Arena {
            game: self.game,
            players: players.iter().map(parse).collect::<Result<_>>()?,
            time: limits.time,
            limits,
            openings: self.openings.openings(self.game)?,
            seed: self.openings.seed(),
            children: Children::default(),
        })
    }

    /// The options that hold for all built-in players without limits of their own.
    fn common_options(&self) -> String {
        let time = self.limits.time.map(|time| format!("time={}ms", time.as_secs_f64() * 1000.0));
        let nodes = self.nodes.map(|nodes| format!("nodes={nodes}"));
        let depth = self.depth.map(|depth| format!("depth={depth}"));
        [time, nodes, depth].into_iter().flatten().collect::<Vec<_>>().join(",")
    }

    /// All that decides how the games of these players go.
    pub fn settings(&self, arena: &Arena) -> Value {
        let players: Vec<String> = arena.players.iter().map(PlayerSpec::description).collect();
        let mut settings = json!({
            "rules": arena.game.name,
            "players": players,
            "limits": arena.limits.settings(),
            "openings": arena.openings.description(),
            "seed": arena.seed,
        });
        if let Some(path) = Path::restriction() {
            settings["path"] = json!(format!("{path:?}"));
        }
        settings
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
