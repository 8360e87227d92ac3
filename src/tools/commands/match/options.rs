//! The options that matches and tournaments have in common.

use crate::engine::sys::simd::Path;
use crate::tools::arena::children::Children;
use crate::tools::arena::opening_book::Openings;
use crate::tools::arena::options::{OpeningOptions, ProgramLimits};
use crate::tools::arena::runner::Arena;
use crate::tools::arena::spec::{Place, PlayerSpec};
use crate::tools::contracts::entry::Entry;
use crate::tools::contracts::judge::JudgeOptions;
use crate::tools::labs::registry;
use crate::tools::support::files::outputs::OutputFile;
use crate::tools::support::shard::Sharding;
use anyhow::{bail, ensure, Result};
use serde_json::{json, Value};
use std::thread;
use std::time::Duration;

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
    /// Play games by themselves where the contest plays matches of two games with one process, which a fault
    /// loses as a whole
    #[arg(long)]
    pub single_games: bool,
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
    pub record: OutputFile,
    /// Keep no record
    #[arg(long, conflicts_with = "record")]
    no_record: bool,
    /// A file to which every game is appended in PGN as well
    #[arg(long, value_name = "FILE")]
    pub pgn: Option<OutputFile>,
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
        let is_judged = self.limits.judge;
        let place = if is_judged { Place::OwnProcess } else { Place::ThisProcess };
        let parse = |text: &String| PlayerSpec::parse_with(self.game, text, &common, place);
        let arena_players: Vec<PlayerSpec> = players.iter().map(parse).collect::<Result<_>>()?;
        let mut limits = self.limits.limits(self.game.contest)?;
        ensure!(!is_judged || self.jobs == 1, "--judge plays one game at a time: --jobs must be 1");
        let is_match = self.is_match();
        ensure!(
            !is_judged || is_match == self.game.has_matches,
            "--judge plays as the contest does: --single-games contradicts it"
        );
        if is_judged || is_match {
            ensure!(
                self.limits.grace.is_none(),
                "--grace: {} forgives nothing; it is for --single-games",
                self.game.contest.name
            );
            limits.grace = Duration::ZERO;
        }
        let openings = self.openings.openings(self.game)?;
        let judge = JudgeOptions { is_match, ..self.limits.judge_options() };
        let hears_openings = (self.game.judge)(judge).protocol().has_own_lines;
        if hears_openings && !matches!(openings, Openings::None) {
            let is_plain = |spec: &&PlayerSpec| matches!(spec, PlayerSpec::Plain(_));
            if let Some(plain) = arena_players.iter().find(is_plain) {
                bail!(
                    "player {:?} hears nothing but the contest's lines, and no contest tells an opening: \
                     --openings none lets the games begin as the contest's do",
                    plain.description()
                );
            }
        }
        self.warn_of_too_many(&arena_players);
        Ok(Arena {
            game: self.game,
            players: arena_players,
            limits,
            judge,
            openings,
            seed: self.openings.seed(),
            children: Children::default(),
        })
    }

    /// Are the games those of matches as the contest plays them?
    pub fn is_match(&self) -> bool {
        self.game.has_matches && !self.single_games
    }

    /// Says so where players may have to wait for a processor while their wall time is charged.
    fn warn_of_too_many(&self, players: &[PlayerSpec]) {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let is_timed = players.iter().any(PlayerSpec::is_timed);
        if is_timed && self.jobs() > cores {
            let jobs = self.jobs();
            tell!(
                "warning: {jobs} players can think at once and are charged wall time, but there are {cores} \
                 processor cores: they wait for each other at their own cost (fewer --jobs, or --nodes)"
            );
        }
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
            "matches": arena.judge.is_match,
            "openings": arena.openings.description(),
            "seed": arena.seed,
        });
        if arena.judge.forwards_marks {
            settings["forward_marks"] = json!(true);
        }
        if let Some(path) = Path::restriction() {
            settings["path"] = json!(format!("{path:?}"));
        }
        settings
    }

    /// The record's path, if one is kept.
    pub fn record_path(&self) -> Option<&OutputFile> {
        (!self.no_record).then_some(&self.record)
    }

    /// Games played at a time.
    pub fn jobs(&self) -> usize {
        self.jobs as usize
    }
}
