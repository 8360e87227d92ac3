//! Options of both `match` and `tournament`.

use crate::engine::sys::simd::Path;
use crate::tools::arena::adjudication::Adjudication;
use crate::tools::arena::match_file::IfExists;
use crate::tools::arena::opening_book::Openings;
use crate::tools::arena::options::{OpeningOptions, ProgramLimits};
use crate::tools::arena::runner::Arena;
use crate::tools::arena::spec::{Place, PlayerSpec};
use crate::tools::contracts::entry::Entry;
use crate::tools::contracts::judge::JudgeOptions;
use crate::tools::labs::registry;
use crate::tools::support::files::outputs::OutputFile;
use crate::tools::support::files::Named;
use crate::tools::support::shard::Sharding;
use crate::tools::support::text::{count_of, shown_name};
use crate::tools::support::units::integer;
use anyhow::{bail, ensure, Result};
use serde_json::{json, Value};
use std::fs;
use std::thread;
use std::time::Duration;

/// Options of both `match` and `tournament`.
#[derive(clap::Args, Clone)]
pub struct Options {
    /// Game to play
    #[arg(long, default_value = registry::main_game().rules.name, value_parser = registry::parser())]
    pub game: &'static Entry,
    #[command(flatten)]
    limits: ProgramLimits,
    /// Search this many nodes per move instead of using the clock (reproducible)
    #[arg(long, value_parser = integer::<u64>(1..))]
    nodes: Option<u64>,
    /// Search to this depth in plies, if the built-in player supports it
    #[arg(long, value_parser = integer::<i32>(1..=60))]
    depth: Option<i32>,
    #[command(flatten)]
    openings: OpeningOptions,
    #[command(flatten)]
    adjudication: Adjudication,
    /// Play independent games instead of two-game matches
    #[arg(long)]
    pub single_games: bool,
    #[command(flatten)]
    pub sharding: Sharding,
    /// Stop after N games; continue later with --resume
    #[arg(long, value_name = "N", conflicts_with = "no_record", value_parser = integer::<u64>(1..))]
    pub stop_after: Option<u64>,
    /// Number of games to play in parallel
    #[arg(short, long, default_value_t = 1, value_parser = integer::<u64>(1..=256))]
    jobs: u64,
    /// Append each finished game to this file
    #[arg(long, default_value = "matches.jsonl", value_name = "FILE")]
    pub record: OutputFile,
    /// Do not write a record
    #[arg(long, conflicts_with = "record")]
    no_record: bool,
    /// Also append each finished game to this file in PGN
    #[arg(long, value_name = "FILE")]
    pub pgn: Option<OutputFile>,
    /// Write the lines exchanged with the programs to this folder, with times, in one file a game
    #[arg(long, value_name = "FOLDER")]
    transcript: Option<OutputFile>,
    /// Continue the match in the record with the same players and settings
    #[arg(long, conflicts_with = "no_record")]
    resume: bool,
    /// Delete the record if it exists, with all matches in it
    #[arg(long, conflicts_with_all = ["no_record", "resume"])]
    overwrite: bool,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

impl Options {
    /// Creates the arena for these players.
    pub fn arena(&self, players: &[String]) -> Result<Arena> {
        let common = self.common_options();
        let is_judged = self.limits.judge;
        let place = if is_judged { Place::OwnProcess } else { Place::ThisProcess };
        let parse = |text: &String| PlayerSpec::parse_with(self.game, text, &common, place);
        let arena_players: Vec<PlayerSpec> = players.iter().map(parse).collect::<Result<_>>()?;
        let named = arena_players.iter().zip(players);
        let names = named.map(|(spec, text)| spec.name(text)).collect();
        let mut limits = self.limits.limits(self.game.contest)?;
        ensure!(!is_judged || self.jobs == 1, "--judge plays one game at a time: use --jobs 1");
        let is_match = self.is_match();
        ensure!(
            !is_judged || is_match == self.game.has_matches,
            "--judge and --single-games can't be combined: this contest plays two-game matches"
        );
        if is_judged || is_match {
            ensure!(
                self.limits.grace.is_none(),
                "--grace can't be used here: {} tolerates no overrun; use it with --single-games",
                self.game.contest.name
            );
            limits.grace = Duration::ZERO;
        }
        self.adjudication.ensure_fits(self.game)?;
        let openings = self.openings.openings(self.game)?;
        let judge = JudgeOptions { is_match, ..self.limits.judge_options() };
        let hears_openings = (self.game.judge)(judge).protocol().has_own_lines;
        if hears_openings && !matches!(openings, Openings::None) {
            let is_plain = |spec: &&PlayerSpec| matches!(spec, PlayerSpec::Plain(_));
            if let Some(plain) = arena_players.iter().find(is_plain) {
                bail!(
                    "player {:?} can't be sent openings, which are not part of the contest's protocol: use \
                     --openings none",
                    plain.description()
                );
            }
        }
        self.warn_of_too_many(&arena_players);
        Ok(Arena {
            game: self.game,
            names,
            players: arena_players,
            limits,
            judge,
            adjudication: self.adjudication,
            openings,
            seed: self.openings.seed(),
            transcripts: self.transcript.as_ref().map(|folder| folder.to_path_buf()),
        })
    }

    /// Whether two-game matches are played, as in the contest.
    pub fn is_match(&self) -> bool {
        self.game.has_matches && !self.single_games
    }

    /// Warns if players that are charged wall time may have to wait for a CPU core.
    fn warn_of_too_many(&self, players: &[PlayerSpec]) {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let is_timed = players.iter().any(PlayerSpec::is_timed);
        if is_timed && self.jobs() > cores {
            let jobs = self.jobs();
            tell!(
                "warning: {jobs} players think at the same time on {}, and waiting for a core counts as thinking \
                 time: use fewer --jobs, or --nodes",
                count_of(cores, "processor core")
            );
        }
    }

    /// Returns the options of built-in players that set no limits themselves.
    fn common_options(&self) -> String {
        let time =
            self.limits.time.map(|given| format!("time={}ms", given.time.as_secs_f64() * 1000.0));
        let nodes = self.nodes.map(|nodes| format!("nodes={nodes}"));
        let depth = self.depth.map(|depth| format!("depth={depth}"));
        [time, nodes, depth].into_iter().flatten().collect::<Vec<_>>().join(",")
    }

    /// Returns all settings that determine the games, for the record.
    pub fn settings(&self, arena: &Arena) -> Value {
        let players: Vec<String> = arena.players.iter().map(PlayerSpec::description).collect();
        let mut settings = json!({
            "rules": arena.game.rules.name,
            "players": players,
            "limits": arena.limits.settings(),
            "matches": arena.judge.is_match,
            "openings": arena.openings.description(),
            "seed": arena.seed,
        });
        if !arena.adjudication.is_off() {
            settings["adjudication"] = json!(arena.adjudication);
        }
        if arena.judge.forwards_marks {
            settings["forward_marks"] = json!(true);
        }
        if let Some(path) = Path::restriction() {
            settings["path"] = json!(format!("{path:?}"));
        }
        settings
    }

    /// Creates the folder of the transcripts. Fails if it has files, except with `--resume`.
    pub fn make_transcript_folder(&self) -> Result<()> {
        let Some(folder) = &self.transcript else { return Ok(()) };
        fs::create_dir_all(folder).named("creating the folder", folder)?;
        let is_empty = fs::read_dir(folder).named("opening", folder)?.next().is_none();
        let name = shown_name(folder);
        ensure!(is_empty || self.resume, "{name} is not empty: choose another folder");
        Ok(())
    }

    /// Returns the path of the record, if one is written.
    pub fn record_path(&self) -> Option<&OutputFile> {
        (!self.no_record).then_some(&self.record)
    }

    /// Returns what to do with an existing record.
    pub fn if_exists(&self) -> IfExists {
        match (self.resume, self.overwrite) {
            (true, _) => IfExists::Resume,
            (_, true) => IfExists::Overwrite,
            _ => IfExists::Append,
        }
    }

    /// Returns the number of games played in parallel.
    pub fn jobs(&self) -> usize {
        self.jobs as usize
    }
}
