//! The lab of Zero Point One: its adapter to the tools that all games share, and its own tools: training, tuning, setup
//! search and tactics.

mod analysis;
mod board;
mod by_hand;
mod casual;
mod commands;
mod data;
mod handmade;
mod lessons;
mod match_openings;
mod opening_generator;
mod opponent;
mod perft;
mod puzzles;
mod reasons;
mod rules;
mod selfplay;
mod setups;
mod solver;
mod stored_game;
mod suite;
mod tactics;
mod train;

use crate::games::zero_point_one::bench;
use crate::games::zero_point_one::player::DEFAULT_HASH_MB;
use crate::games::zero_point_one::CONTEST;
use crate::tools::contracts::alpha_beta::AlphaBeta;
use crate::tools::contracts::entry::{Commands, Entry, Tools};
use crate::tools::contracts::levels::Strength::{Careful, Nodes, Sight};
use crate::tools::labs::placement::is_placement;

/// The game in the registry.
pub static ENTRY: Entry = Entry {
    recognise,
    hash_mb: DEFAULT_HASH_MB,
    strengths: [Sight(0.48), Sight(0.83), Careful(0.58), Nodes(25), Nodes(60)],
    tools: Tools {
        by_hand: Some(by_hand::BY_HAND),
        perft: Some(perft::PERFT),
        bench: Some(|options| {
            options
                .run(bench::run, bench::DEFAULT_DEPTH, |net| opponent::Game::evaluator(Some(net)))
        }),
        analyse: Some(analysis::ANALYSE),
        board: Some(board::BOARD),
        puzzles: Some(puzzles::PUZZLES),
        opponents: Some(opponent::OPPONENTS),
        game_files: Some(stored_game::GAME_FILES),
        commands: Some(Commands::of::<commands::Command>()),
        ..Tools::NONE
    },
    ..Entry::bare(
        &rules::RULES,
        &CONTEST,
        |settings| Box::new(opponent::player(settings)),
        match_openings::RANDOM,
    )
};

/// Number of words of a position: placement, hands, plies.
const POSITION_WORDS: usize = 3;
/// Minimum length of a word that is recognised as a setup, possibly a misspelled one.
const MIN_SETUP_LETTERS: usize = 10;
/// Letters of the pieces.
const PIECE_LETTERS: &str = "wnfda";

/// Recognises records of the game, which begin with a setup or a position. Returns the number of words of the start
/// position.
fn recognise(words: &[&str]) -> Option<usize> {
    let first = words.first()?;
    // Positions with kings belong to another game, and so do those whose third word is not a number.
    let is_numbered = words.get(2).is_none_or(|plies| plies.parse::<u32>().is_ok());
    let is_other = first.contains(['k', 'K']) || !is_numbered && ["w", "b"].contains(&words[1]);
    // A single word may be a path.
    let is_board = words.len() > 1 || is_placement(first, PIECE_LETTERS);
    if first.contains('/') && is_board && !is_other {
        return Some(POSITION_WORDS);
    }
    let of_pieces = first.to_ascii_lowercase().matches(|c| PIECE_LETTERS.contains(c)).count();
    let is_setup = first.chars().all(char::is_alphabetic) && 2 * of_pieces > first.len();
    (is_setup && first.len() >= MIN_SETUP_LETTERS).then_some(0)
}
