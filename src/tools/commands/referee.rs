//! `cupbot referee`: one game or match between two programs, with the command line that local runners such as
//! brutaltester use for their referees.

use crate::tools::arena::adjudication::Adjudication;
use crate::tools::arena::match_file::{GameRecord, RecordFile, RECORD_START};
use crate::tools::arena::opening_book::Openings;
use crate::tools::arena::process::Limits;
use crate::tools::arena::runner::{Arena, Ended, Pairing};
use crate::tools::arena::spec::PlayerSpec;
use crate::tools::commands::r#match::session::remarks;
use crate::tools::contracts::entry::Entry;
use crate::tools::contracts::judge::JudgeOptions;
use crate::tools::labs::registry;
use crate::tools::support::ctrl_c;
use crate::tools::support::files::outputs::OutputFile;
use crate::tools::support::files::{ensure_begins, ensure_replaceable, replace_atomically};
use crate::tools::support::units::GivenTime;
use anyhow::{bail, ensure, Context, Result};
use serde_json::json;
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

/// Referee for local runners: play one game or two-game match, print both scores
///
/// Called as brutaltester calls a referee: `-p1 COMMAND -p2 COMMAND -d seed=N -l FILE`. The players are sent only the
/// contest's lines and have its time limit. Prints two scores (the contest's points, rounded, at least 0) in one line
/// on stdout; a player that fails scores 0. Faults are described on stderr.
#[derive(clap::Args)]
pub struct Args {
    /// Game to play
    #[arg(value_parser = registry::parser())]
    game: &'static Entry,
    /// Player that begins: a shell command (also -p1)
    #[arg(long, value_name = "COMMAND")]
    p1: String,
    /// Other player: a shell command (also -p2)
    #[arg(long, value_name = "COMMAND")]
    p2: String,
    /// Random seed, e.g. of the start position
    #[arg(short = 'd', value_name = "seed=N")]
    data: Vec<String>,
    /// Time per player, e.g. 3s: per game or per move; not announced to the players [default: the contest's]
    #[arg(long)]
    time: Option<GivenTime>,
    /// Write the games to this file in the format of match records
    #[arg(short = 'l', value_name = "FILE")]
    log: Option<OutputFile>,
}

/// Converts the options `-p1` and `-p2` of runners to `--p1` and `--p2`, which clap can parse.
pub fn with_long_options(
    arguments: impl Iterator<Item = std::ffi::OsString>,
) -> Vec<std::ffi::OsString> {
    let mut arguments: Vec<_> = arguments.collect();
    // Global options may precede the command.
    if arguments.iter().any(|word| word == "referee") {
        for argument in &mut arguments {
            if argument == "-p1" || argument == "-p2" {
                *argument = format!("-{}", argument.to_string_lossy()).into();
            }
        }
    }
    arguments
}

/// Plays the game or match and prints the scores.
pub fn run(args: Args) -> Result<ExitCode> {
    let Args { game, p1, p2, data, time, log } = args;
    let players = [p1, p2];
    for command in &players {
        ensure!(!command.trim().is_empty(), "empty player: expected a shell command");
    }
    let seed = seed(&data)?;
    if let Some(path) = &log {
        ensure_begins(path, RECORD_START.as_bytes(), "match record")?;
        ensure_replaceable(path)?;
    }
    let is_match = game.has_matches;
    let openings = if is_match { Openings::parse(game, "random")? } else { Openings::None };
    let control = game.contest.time;
    let time = time.map(|given| given.near(control.budget())).transpose()?;
    let control = time.map_or(control, |time| control.with_budget(time));
    let mut limits = Limits::new(control);
    limits.grace = Duration::ZERO;
    let arena = Arc::new(Arena {
        game,
        players: players.iter().cloned().map(PlayerSpec::Plain).collect(),
        names: players.to_vec(),
        limits,
        judge: JudgeOptions { is_match, ..JudgeOptions::default() },
        adjudication: Adjudication::default(),
        openings,
        seed,
        transcripts: None,
    });
    let plan = [[0, 1], [1, 0]].map(|players| Pairing { pair: 0, opening: 0, players });
    let plan = if is_match { &plan[..] } else { &plan[..1] };
    let mut games = Vec::new();
    let all: Vec<usize> = (0..plan.len()).collect();
    let ended = arena.run(plan, &all, 1, |finished| {
        let pairing = plan[finished.index];
        games.push(GameRecord::new("", game, pairing, &players, finished));
        Ok(ControlFlow::Continue(()))
    })?;
    if ended == Ended::Interrupted {
        tell!("interrupted: there are no scores; the same command plays again");
        return Ok(ExitCode::from(ctrl_c::exit_status()));
    }
    for game in &games {
        remarks(game).iter().for_each(|remark| tell!("{remark}"));
    }
    if let Some(path) = log {
        let settings = json!({
            "rules": game.rules.name,
            "players": players,
            "limits": limits.settings(),
            "matches": is_match,
            "openings": arena.openings.description(),
            "seed": seed,
        });
        replace_atomically(&path, &RecordFile::whole(&settings, games.clone())?)?;
    }
    let [one, other] = [0, 1].map(|player| score(&games, player));
    say!("{one} {other}")?;
    Ok(ExitCode::SUCCESS)
}

/// Parses the seed in `seed=N`.
fn seed(data: &[String]) -> Result<u64> {
    let mut seed = 0;
    for text in data {
        let Some(number) = text.strip_prefix("seed=") else { bail!("-d {text}: expected seed=N") };
        let number: i64 =
            number.parse().with_context(|| format!("-d {text}: expected an integer"))?;
        // Runners also use negative seeds.
        seed = number as u64;
    }
    Ok(seed)
}

/// Returns the points of a player in all games; 0 if it lost a game by a fault.
fn score(games: &[GameRecord], player: usize) -> u64 {
    if games.iter().any(|game| game.faulty_player() == Some(player)) {
        return 0;
    }
    let points = games.iter().map(|game| game.points[usize::from(game.players[0] != player)]);
    points.sum::<f64>().round().max(0.0) as u64
}
