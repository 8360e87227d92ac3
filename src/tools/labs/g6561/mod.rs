//! Tools for 6561: the entry in the registry of games, sparring policies, training, and the search for the game that
//! two copies of the player follow.

mod analysis;
mod beam;
mod board;
mod by_hand;
mod casual;
mod commands;
mod evaluation;
mod judged_value;
mod lessons;
mod opponent;
mod perft;
mod plan;
mod reasons;
mod rules;
mod sparring;
mod successors;
mod training;

#[cfg(test)]
mod tests;

use crate::games::g6561::bench;
use crate::games::g6561::game::{Game, Move};
use crate::games::g6561::CONTEST;
use crate::tools::contracts::entry::{Commands, Comparison, Entry, Tools};
use crate::tools::contracts::judge::CodeCup;
use crate::tools::contracts::levels::Strength::Sight;
use crate::tools::contracts::openings::Random;

/// The game in the registry.
pub static ENTRY: Entry = Entry {
    judge: CodeCup::boxed_with_sides,
    comparison: Comparison::MeanScore,
    recognise,
    // The player's tables have fixed sizes.
    hash_mb: 1,
    strengths: [Sight(0.75), Sight(0.88), Sight(0.94), Sight(0.98), Sight(1.0)],
    tools: Tools {
        by_hand: Some(by_hand::BY_HAND),
        perft: Some(perft::PERFT),
        bench: Some(|options| options.run(bench::run, bench::DEFAULT_DEPTH, evaluation::network)),
        analyse: Some(analysis::ANALYSE),
        board: Some(board::BOARD),
        opponents: Some(opponent::OPPONENTS),
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
const MAX_RANDOM_PLIES: usize = 20;

/// Recognises a record whose first three words (or all, if fewer) are squares. Returns the number of words of the start
/// position, which is 0.
fn recognise(words: &[&str]) -> Option<usize> {
    let is_square = |word: &&str| matches!(word.parse(), Ok(Move::Place(_)));
    (!words.is_empty() && words.iter().take(3).all(is_square)).then_some(0)
}
