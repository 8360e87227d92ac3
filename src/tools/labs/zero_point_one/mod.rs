//! All that the lab needs of Zero Point One: its adapter for the instruments, and what only it has,
//! the training of its evaluation, tuning, setups, tactics.

mod analysis;
mod benchmark;
#[cfg(feature = "board")]
mod board;
mod by_hand;
mod data;
mod evaluation;
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
// The tests of the game take it, too.
pub mod solver;
#[cfg(feature = "lab")]
mod tactics;
#[cfg(feature = "lab")]
mod train;

use crate::games::zero_point_one::player::DEFAULT_HASH_MB;
#[cfg(feature = "lab")]
use crate::games::zero_point_one::search::params::Params;
use crate::games::zero_point_one::CONTEST;
#[cfg(feature = "lab")]
use crate::tools::contracts::entry::Commands;
use crate::tools::contracts::entry::{Comparison, Entry};
use crate::tools::contracts::judge;
use crate::tools::contracts::openings::opening_of;
#[cfg(feature = "lab")]
use crate::tools::contracts::params;
#[cfg(feature = "lab")]
use crate::tools::training::tune;
#[cfg(feature = "lab")]
use anyhow::Result;
#[cfg(feature = "lab")]
use clap::{FromArgMatches, Subcommand};
#[cfg(feature = "lab")]
use std::process::ExitCode;

/// The game in the registry.
pub static ENTRY: Entry = Entry {
    rules: &rules::RULES,
    contest: &CONTEST,
    judge: judge::CodeCup::boxed,
    has_matches: false,
    comparison: Comparison::Elo,
    start_remarks: |_| Vec::new(),
    recognise,
    openings: random_openings::RANDOM,
    opening: opening_of,
    player: |settings| Box::new(opponent::player(settings)),
    hash_mb: DEFAULT_HASH_MB,
    by_hand: Some(|settings| Box::new(opponent::player(settings))),
    perft: Some(perft::PERFT),
    bench: Some(benchmark::run),
    analyse: Some(analysis::ANALYSE),
    #[cfg(feature = "board")]
    page: Some(page::PAGE),
    #[cfg(feature = "board")]
    board: Some(board::BOARD),
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
