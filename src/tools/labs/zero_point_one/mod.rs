//! All that the lab needs of Zero Point One: its adapter for the instruments, and what only it has,
//! the training of its evaluation, tuning, setups, tactics.

mod analysis;
mod board;
mod by_hand;
mod commands;
mod data;
mod handmade;
mod openings;
mod opponent;
mod page;
mod perft;
mod puzzles;
mod random_openings;
mod rules;
mod selfplay;
mod setups;
// The tests of the game take it, too.
pub mod solver;
mod tactics;
mod train;

use crate::games::zero_point_one::bench;
use crate::games::zero_point_one::player::DEFAULT_HASH_MB;
use crate::games::zero_point_one::CONTEST;
use crate::tools::contracts::alpha_beta::AlphaBeta;
use crate::tools::contracts::entry::Commands;
use crate::tools::contracts::entry::Entry;

/// The game in the registry.
pub static ENTRY: Entry = Entry {
    recognise,
    hash_mb: DEFAULT_HASH_MB,
    by_hand: Some(|settings| Box::new(opponent::player(settings))),
    perft: Some(perft::PERFT),
    bench: Some(|options| {
        let evaluator = |net| opponent::Game::evaluator(Some(net));
        let evaluator = options.net.as_deref().map(evaluator).transpose()?;
        Ok(bench::run(options.depth.unwrap_or(bench::DEFAULT_DEPTH), evaluator)?)
    }),
    analyse: Some(analysis::ANALYSE),
    page: Some(page::PAGE),
    board: Some(board::BOARD),
    puzzles: Some(puzzles::PUZZLES),
    opponents: Some(opponent::OPPONENTS),
    game_files: Some(data::file::GAME_FILES),
    commands: Some(Commands::of::<commands::Command>()),
    ..Entry::bare(
        &rules::RULES,
        &CONTEST,
        |settings| Box::new(opponent::player(settings)),
        random_openings::RANDOM,
    )
};

/// Words of a position: placement, hands, plies.
const POSITION_WORDS: usize = 3;
/// A word of so many letters, most of them those of pieces, is a setup, perhaps a misprinted one.
const MIN_SETUP_LETTERS: usize = 10;
const PIECE_LETTERS: &str = "wnfda";

/// A record begins with a setup or a position.
fn recognise(words: &[&str]) -> Option<usize> {
    let first = words.first()?;
    // Kings stand in the positions of another game.
    if first.contains('/') && !first.contains(['k', 'K']) {
        return Some(POSITION_WORDS);
    }
    let of_pieces = first.to_ascii_lowercase().matches(|c| PIECE_LETTERS.contains(c)).count();
    let is_setup = first.chars().all(char::is_alphabetic) && 2 * of_pieces > first.len();
    (is_setup && first.len() >= MIN_SETUP_LETTERS).then_some(0)
}
