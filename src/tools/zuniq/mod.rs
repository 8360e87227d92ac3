//! The tools' side of Zuniq: its entry in the registry of games, and the training of its network on
//! self-play games.

mod amaf;
mod analysis;
mod board;
#[cfg(feature = "lab")]
mod model;
mod opponent;
#[cfg(feature = "board")]
mod page;
mod perft;
mod rules;
mod samples;
#[cfg(feature = "lab")]
mod selfplay;
#[cfg(feature = "board")]
mod studio;
#[cfg(feature = "lab")]
mod training;
mod uct;

#[cfg(all(test, feature = "lab"))]
mod tests;

use super::files;
use super::game::bench::Options;
#[cfg(feature = "lab")]
use super::game::entry::Commands;
use super::game::entry::{Comparison, Entry, Settings};
use super::game::judge;
use super::game::openings::{opening_of, Random, RandomOpenings, RandomPlies};
use super::game::record::Record;
use crate::games::zuniq::bench;
use crate::games::zuniq::game::{Game, CLAIM};
use crate::games::zuniq::network::Network;
use crate::games::zuniq::player::{Player, DEFAULT_HASH_MB};
use crate::games::zuniq::segment::{Segment, SegmentError};
use crate::games::zuniq::CONTEST;
use anyhow::{ensure, Context, Result};
#[cfg(feature = "lab")]
use clap::{FromArgMatches, Subcommand};
use std::path::Path;
#[cfg(feature = "lab")]
use std::process::ExitCode;
use std::sync::Arc;

/// The game in the registry.
pub static ENTRY: Entry = Entry {
    id: "zuniq",
    name: "zuniq",
    title: "Zuniq",
    contest: &CONTEST,
    judge: |manner| judge::CodeCup::boxed_without(&[CLAIM], manner),
    has_matches: false,
    sides: ["white", "black"],
    marks: &[CLAIM],
    end_reasons: &["stuck"],
    comparison: Comparison::Elo,
    begin: |start| Ok(Box::new(begin(start)?)),
    start_remarks: |_| Vec::new(),
    recognise,
    openings: Random { read: read_openings, options: "plies (random ones; default: 4)" },
    opening: opening_of,
    player: |settings| Box::new(player(settings)),
    hash_mb: DEFAULT_HASH_MB,
    board: Some(|settings| Box::new(player(settings))),
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
    game_files: Some(samples::GAME_FILES),
    #[cfg(feature = "lab")]
    commands: Some(Commands {
        augment: Command::augment_subcommands,
        run: |matches| run(Command::from_arg_matches(matches)?),
    }),
};

/// The maximum number of random moves of an opening: hardly a game is over by then.
const MAX_RANDOM_PLIES: usize = 30;

#[cfg(feature = "lab")]
#[derive(Subcommand)]
enum Command {
    Selfplay(selfplay::Args),
    Train(training::Args),
}

#[cfg(feature = "lab")]
fn run(command: Command) -> Result<ExitCode> {
    match command {
        Command::Selfplay(args) => selfplay::run(args),
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
    ensure!(start.is_none(), "games of Zuniq have no start position");
    Ok(Game::new())
}

fn read_openings(options: &str) -> Result<Box<dyn RandomOpenings>> {
    let begin = || Box::new(Game::new()) as _;
    Ok(Box::new(RandomPlies::parse(options, MAX_RANDOM_PLIES, begin)?))
}

/// Recognises a record by its first word: a move, which may be outside the board.
fn recognise(words: &[&str]) -> Option<usize> {
    let first = words.first()?;
    let bare = first.strip_suffix(CLAIM).unwrap_or(first);
    (bare.parse::<Segment>() != Err(SegmentError::Form)).then_some(0)
}

/// Replays the game of a record. Fails at an illegal move.
fn game_of(record: &Record) -> Result<Game> {
    let mut game = begin(record.start.as_deref())?;
    record.play_on(&mut game)?;
    Ok(game)
}

/// Returns the benchmark's report.
fn benchmark(options: &Options) -> Result<String> {
    let depth = options.depth.unwrap_or(bench::DEFAULT_DEPTH);
    match options.net.as_deref() {
        None => Ok(bench::run(depth)?),
        net => Ok(bench::run_with(depth, &network(net)?)),
    }
}

/// The value of `--net` and `--start-from` for no network.
const NONE: &str = "none";

/// The network of a file, a network of zeros for [`NONE`], or the built-in one without a path.
fn network(path: Option<&Path>) -> Result<Arc<Network>> {
    match path {
        None => Ok(Network::built_in()),
        Some(path) if path == Path::new(NONE) => Ok(Arc::new(Network::zero())),
        Some(path) => {
            let name = path.display();
            let bytes = files::read(path).with_context(|| format!("opening {name}"))?;
            let network = Network::from_bytes(&bytes).with_context(|| format!("{name}"))?;
            Ok(Arc::new(network))
        }
    }
}
