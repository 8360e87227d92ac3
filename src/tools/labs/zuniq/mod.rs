//! Tools for Zuniq: the entry in the registry of games, self-play, and training of the network.

mod analysis;
mod board;
mod by_hand;
mod casual;
mod commands;
mod evaluation;
mod lessons;
mod model;
mod monte_carlo;
mod opponent;
mod perft;
mod rules;
mod samples;
mod selfplay;
mod training;

#[cfg(test)]
mod tests;

use crate::games::zuniq::bench;
use crate::games::zuniq::game::{Game, CLAIM};
use crate::games::zuniq::player::DEFAULT_HASH_MB;
use crate::games::zuniq::segment::{Segment, SegmentError};
use crate::games::zuniq::CONTEST;
use crate::tools::contracts::entry::{Commands, Entry, Tools};
use crate::tools::contracts::judge::CodeCup;
use crate::tools::contracts::levels::Strength::{Nodes, Sight};
use crate::tools::contracts::openings::Random;

/// The game in the registry.
pub static ENTRY: Entry = Entry {
    judge: |options| CodeCup::boxed_without(&[CLAIM], options),
    recognise,
    hash_mb: DEFAULT_HASH_MB,
    strengths: [Sight(0.2), Sight(0.5), Sight(0.93), Nodes(15), Nodes(500)],
    tools: Tools {
        by_hand: Some(by_hand::BY_HAND),
        perft: Some(perft::PERFT),
        bench: Some(|options| {
            options.run(bench::run, bench::DEFAULT_DEPTH, |net| evaluation::network(Some(net)))
        }),
        analyse: Some(analysis::ANALYSE),
        board: Some(board::BOARD),
        opponents: Some(opponent::OPPONENTS),
        game_files: Some(samples::GAME_FILES),
        commands: Some(Commands::of::<commands::Command>()),
        ..Tools::NONE
    },
    ..Entry::bare(
        &rules::RULES,
        &CONTEST,
        |settings| Box::new(opponent::player(settings)),
        Random::plies::<Game, MAX_RANDOM_PLIES>(),
    )
};

/// Maximum number of random moves of an opening. Few games end within it.
const MAX_RANDOM_PLIES: usize = 30;

/// Recognises a record by its first word: a move, which may be outside the board.
fn recognise(words: &[&str]) -> Option<usize> {
    let first = words.first()?;
    let bare = first.strip_suffix(CLAIM).unwrap_or(first);
    (bare.parse::<Segment>() != Err(SegmentError::Format)).then_some(0)
}
