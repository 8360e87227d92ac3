//! All that the lab needs of Zero Point One: its adapter for the instruments, and what only it has,
//! the training of its evaluation, tuning, setups, tactics.

mod analysis;
mod benchmark;
mod board;
mod data;
mod evaluation;
mod note;
mod openings;
mod opponent;
#[cfg(feature = "board")]
mod page;
mod perft;
#[cfg(feature = "board")]
mod puzzles;
mod random_openings;
mod rules;
#[cfg(feature = "lab")]
mod selfplay;
#[cfg(feature = "lab")]
mod setups;
#[cfg(feature = "board")]
mod studio;
#[cfg(feature = "lab")]
mod tactics;
#[cfg(feature = "lab")]
mod train;

#[cfg(feature = "lab")]
use super::game::entry::Commands;
use super::game::entry::{Comparison, Entry, Settings};
use super::game::judge;
use super::game::openings::opening_of;
#[cfg(feature = "lab")]
use super::game::params;
use super::game::record::Record;
#[cfg(feature = "lab")]
use super::tune;
use crate::games::zero_point_one::game::Game;
use crate::games::zero_point_one::player::{Player, DEFAULT_HASH_MB};
#[cfg(feature = "lab")]
use crate::games::zero_point_one::search::params::Params;
use crate::games::zero_point_one::CONTEST;
use anyhow::Result;
#[cfg(feature = "lab")]
use clap::{FromArgMatches, Subcommand};
#[cfg(feature = "lab")]
use std::process::ExitCode;

/// The game in the registry.
pub static ENTRY: Entry = Entry {
    id: "zero_point_one",
    name: "zero-point-one",
    title: "Zero Point One (0.1)",
    contest: &CONTEST,
    judge: judge::CodeCup::boxed,
    has_matches: false,
    sides: ["red", "blue"],
    marks: &[],
    end_reasons: &["wazir", "moves"],
    comparison: Comparison::Elo,
    begin: |start| Ok(Box::new(begin(start)?)),
    start_remarks: |_| Vec::new(),
    recognise,
    openings: random_openings::RANDOM,
    opening: opening_of,
    player: |settings| Box::new(player(settings)),
    hash_mb: DEFAULT_HASH_MB,
    board: Some(|settings| Box::new(player(settings))),
    perft: Some(perft::PERFT),
    bench: Some(benchmark::run),
    analyse: Some(analysis::ANALYSE),
    #[cfg(feature = "board")]
    page: Some(page::PAGE),
    #[cfg(feature = "board")]
    studio: Some(studio::STUDIO),
    #[cfg(feature = "board")]
    puzzles: Some(puzzles::PUZZLES),
    opponents: Some(opponent::OPPONENTS),
    engines: None,
    uci: None,
    format: None,
    game_files: Some(data::file::GAME_FILES),
    #[cfg(feature = "lab")]
    commands: Some(Commands {
        augment: Command::augment_subcommands,
        run: |matches| run(Command::from_arg_matches(matches)?),
    }),
};

/// Words of a position: placement, hands, plies.
const POSITION_WORDS: usize = 3;
/// Only setups have words of so many letters: by this they are recognised, even misprinted ones.
const MIN_SETUP_LETTERS: usize = 10;

#[cfg(feature = "lab")]
#[derive(Subcommand)]
enum Command {
    Tactics(tactics::Args),
    Selfplay(selfplay::Args),
    Data(data::command::Args),
    Train(train::Args),
    Tune(tune::Args),
    Setups(setups::Args),
    Params(params::Args),
}

#[cfg(feature = "lab")]
fn run(command: Command) -> Result<ExitCode> {
    match command {
        Command::Tactics(args) => tactics::run(args),
        Command::Selfplay(args) => selfplay::run(args),
        Command::Data(args) => data::command::run(args),
        Command::Train(args) => train::run(args),
        Command::Tune(args) => tune::run(&ENTRY, &opponent::TUNABLE, args),
        Command::Setups(args) => setups::run(args),
        Command::Params(args) => params::list::<Params>(&args),
    }
}

fn player(settings: Settings) -> Player {
    let player = Player::new(settings.hash_mb);
    match settings.nodes {
        Some(nodes) => player.with_nodes(nodes),
        None => player,
    }
}

/// A game from the setups on, or from a position.
fn begin(start: Option<&str>) -> Result<Game> {
    Ok(match start {
        Some(position) => Game::from_position(position.parse()?),
        None => Game::new(),
    })
}

/// A record begins with a setup or a position.
fn recognise(words: &[&str]) -> Option<usize> {
    let first = words.first()?;
    // Kings stand in the positions of another game.
    if first.contains('/') && !first.contains(['k', 'K']) {
        return Some(POSITION_WORDS);
    }
    let is_setup = first.len() >= MIN_SETUP_LETTERS && first.chars().all(char::is_alphabetic);
    is_setup.then_some(0)
}

/// The game of a record, replayed.
fn game_of(record: &Record) -> Result<Game> {
    let mut game = begin(record.start.as_deref())?;
    record.play_on(&mut game)?;
    Ok(game)
}
