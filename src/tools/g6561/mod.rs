//! The tools' side of 6561: its entry in the registry of games, sparring partners, and the search for
//! the game that two copies of the player follow.

mod analysis;
#[cfg(feature = "lab")]
mod beam;
mod board;
#[cfg(feature = "lab")]
mod curve;
mod opponent;
#[cfg(feature = "board")]
mod page;
mod partners;
mod perft;
#[cfg(feature = "lab")]
mod plan;
mod rules;
mod strangers;
#[cfg(feature = "board")]
mod studio;
#[cfg(feature = "lab")]
mod training;

#[cfg(test)]
mod tests;

use super::files;
use super::game::bench::Options;
#[cfg(feature = "lab")]
use super::game::entry::Commands;
use super::game::entry::{Comparison, Entry, Settings};
use super::game::judge;
use super::game::openings::{opening_of, Random, RandomOpenings, RandomPlies};
use super::game::record::Record;
use crate::games::g6561::bench;
use crate::games::g6561::game::{Game, Move};
use crate::games::g6561::network::Network;
use crate::games::g6561::player::{Player, DEFAULT_HASH_MB};
use crate::games::g6561::CONTEST;
use anyhow::{ensure, Context, Result};
#[cfg(feature = "lab")]
use clap::{FromArgMatches, Subcommand};
use std::path::Path;
#[cfg(feature = "lab")]
use std::process::ExitCode;
use std::sync::Arc;

/// The game in the registry.
pub static ENTRY: Entry = Entry {
    id: "g6561",
    name: "6561",
    title: "6561",
    contest: &CONTEST,
    judge: judge::CodeCup::boxed_with_sides,
    has_matches: false,
    sides: ["a", "b"],
    marks: &[],
    end_reasons: &[rules::COMPLETE, rules::STUCK],
    comparison: Comparison::MeanScore,
    begin: |start| Ok(Box::new(begin(start)?)),
    start_remarks: |_| Vec::new(),
    recognise,
    openings: Random { read: read_openings, options: "plies (random ones, default: 4)" },
    opening: opening_of,
    player: |settings| Box::new(player(settings)),
    hash_mb: DEFAULT_HASH_MB,
    board: Some(|settings| Box::new(player(settings).talkative())),
    perft: Some(perft::PERFT),
    bench: Some(benchmark),
    analyse: Some(analysis::ANALYSE),
    #[cfg(feature = "board")]
    page: Some(page::PAGE),
    #[cfg(feature = "board")]
    studio: Some(studio::STUDIO),
    #[cfg(feature = "board")]
    puzzles: None,
    opponents: Some(opponent::OPPONENTS),
    engines: None,
    uci: None,
    format: None,
    game_files: None,
    #[cfg(feature = "lab")]
    commands: Some(Commands {
        augment: Command::augment_subcommands,
        run: |matches| run(Command::from_arg_matches(matches)?),
    }),
};

/// A game of random moves is rarely over after so many.
const MAX_RANDOM_PLIES: usize = 20;

#[cfg(feature = "lab")]
#[derive(Subcommand)]
enum Command {
    Plan(plan::Args),
    Train(training::Args),
}

#[cfg(feature = "lab")]
fn run(command: Command) -> Result<ExitCode> {
    match command {
        Command::Plan(args) => plan::run(args),
        Command::Train(args) => training::run(args),
    }
}

fn player(settings: Settings) -> Player {
    let player = Player::new(settings.hash_mb);
    match settings.nodes {
        Some(nodes) => player.with_nodes(nodes),
        None => player,
    }
}

fn begin(start: Option<&str>) -> Result<Game> {
    ensure!(start.is_none(), "games of 6561 have no start position");
    Ok(Game::new())
}

fn read_openings(options: &str) -> Result<Box<dyn RandomOpenings>> {
    let begin = || Box::new(Game::new()) as _;
    Ok(Box::new(RandomPlies::parse(options, MAX_RANDOM_PLIES, begin)?))
}

/// A record begins with three squares; a number alone may be the id of another game's.
fn recognise(words: &[&str]) -> Option<usize> {
    let is_square = |word: &&str| matches!(word.parse(), Ok(Move::Place(_)));
    (!words.is_empty() && words.iter().take(3).all(is_square)).then_some(0)
}

/// Replays the game of a record. Fails at an illegal move.
fn game_of(record: &Record) -> Result<Game> {
    let mut game = begin(record.start.as_deref())?;
    record.play_on(&mut game)?;
    Ok(game)
}

fn read_network(path: &Path) -> Result<Arc<Network>> {
    let name = path.display();
    let bytes = files::read(path).with_context(|| format!("opening {name}"))?;
    Ok(Arc::new(Network::from_bytes(&bytes).with_context(|| format!("{name}"))?))
}

/// Returns the benchmark's report.
fn benchmark(options: &Options) -> Result<String> {
    let depth = options.depth.unwrap_or(bench::DEFAULT_DEPTH);
    match &options.net {
        Some(path) => Ok(bench::run_with(depth, read_network(path)?)),
        None => Ok(bench::run(depth)?),
    }
}
