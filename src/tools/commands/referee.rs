//! `cupbot referee`: one game or match between two programs, called as local runners of the field call their
//! referees (brutaltester and those that follow it).

use crate::tools::arena::children::Children;
use crate::tools::arena::match_file::{GameRecord, RecordFile};
use crate::tools::arena::opening_book::Openings;
use crate::tools::arena::process::Limits;
use crate::tools::arena::runner::{Arena, Ended, Pairing};
use crate::tools::arena::spec::PlayerSpec;
use crate::tools::contracts::entry::Entry;
use crate::tools::contracts::judge::JudgeOptions;
use crate::tools::labs::registry;
use crate::tools::support::ctrl_c;
use crate::tools::support::files::outputs::OutputFile;
use crate::tools::support::files::replace_atomically;
use crate::tools::support::units::parse_time;
use anyhow::{bail, ensure, Context, Result};
use serde_json::json;
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

/// Play one game, or a match of the arena, and print the scores of both players
///
/// Called as local runners call a referee: `-p1 COMMAND -p2 COMMAND -d seed=N -l FILE`. The players hear nothing but
/// the lines of the contest and have its time. The only line on stdout are two whole numbers that are not negative:
/// the contest's points, rounded; 0 for who fails. What went wrong is said on stderr.
#[derive(clap::Args)]
pub struct Args {
    /// Which game
    #[arg(value_parser = registry::parser())]
    game: &'static Entry,
    /// The player that begins, a shell command (-p1)
    #[arg(long, value_name = "COMMAND")]
    p1: String,
    /// The other player (-p2)
    #[arg(long, value_name = "COMMAND")]
    p2: String,
    /// `seed=N` decides what is random, such as start positions
    #[arg(short = 'd', value_name = "seed=N")]
    data: Vec<String>,
    /// The time of each player, of a game or of a move as its contest counts (default: the contest's)
    #[arg(long, value_parser = parse_time)]
    time: Option<Duration>,
    /// Write the games to this file, as a match records them
    #[arg(short = 'l', value_name = "FILE")]
    log: Option<OutputFile>,
}

/// The options that runners write with a single dash, as the grammar of options has them.
pub fn with_long_options(
    arguments: impl Iterator<Item = std::ffi::OsString>,
) -> Vec<std::ffi::OsString> {
    let mut arguments: Vec<_> = arguments.collect();
    if arguments.get(1).is_some_and(|word| word == "referee") {
        for argument in &mut arguments {
            if argument == "-p1" || argument == "-p2" {
                *argument = format!("-{}", argument.to_string_lossy()).into();
            }
        }
    }
    arguments
}

/// Plays and prints.
pub fn run(args: Args) -> Result<ExitCode> {
    let Args { game, p1, p2, data, time, log } = args;
    let players = [p1, p2];
    for command in &players {
        ensure!(!command.trim().is_empty(), "a player is empty, expected a shell command");
    }
    let seed = seed(&data)?;
    let is_match = game.has_matches;
    let openings = if is_match { Openings::parse(game, "random")? } else { Openings::None };
    let control = game.contest.time;
    let control = time.map_or(control, |time| control.with_budget(time));
    let mut limits = Limits::new(control);
    limits.grace = Duration::ZERO;
    let arena = Arc::new(Arena {
        game,
        players: players.iter().cloned().map(PlayerSpec::Plain).collect(),
        limits,
        judge: JudgeOptions { is_match, ..JudgeOptions::default() },
        openings,
        seed,
        children: Children::default(),
    });
    let children = arena.children.clone();
    ctrl_c::at_once(move || children.end_all());
    let plan = [[0, 1], [1, 0]].map(|players| Pairing { pair: 0, players });
    let plan = if is_match { &plan[..] } else { &plan[..1] };
    let mut games = Vec::new();
    let all: Vec<usize> = (0..plan.len()).collect();
    let ended = arena.run(plan, &all, 1, |finished| {
        let pairing = plan[finished.index];
        games.push(GameRecord::new("", game, pairing, &players, finished));
        Ok(ControlFlow::Continue(()))
    })?;
    if ended == Ended::Interrupted {
        return Ok(ExitCode::from(ctrl_c::exit_status()));
    }
    for text in games.iter().filter_map(GameRecord::fault_text) {
        tell!("{text}");
    }
    if let Some(path) = log {
        let settings = json!({
            "rules": game.name,
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

/// The seed of `seed=N`.
fn seed(data: &[String]) -> Result<u64> {
    let mut seed = 0;
    for text in data {
        let Some(number) = text.strip_prefix("seed=") else { bail!("-d {text}: expected seed=N") };
        let number: i64 =
            number.parse().with_context(|| format!("-d {text}: expected a whole number"))?;
        // Runners draw seeds of either sign.
        seed = number as u64;
    }
    Ok(seed)
}

/// The points of a player in all games; none where it has failed.
fn score(games: &[GameRecord], player: usize) -> u64 {
    if games.iter().any(|game| game.faulty_player() == Some(player)) {
        return 0;
    }
    let points = games.iter().map(|game| game.points[usize::from(game.players[0] != player)]);
    points.sum::<f64>().round().max(0.0) as u64
}
