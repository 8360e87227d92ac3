//! The lab of Chess960: its adapter to the tools.

mod analysis;
mod board;
mod by_hand;
mod casual;
mod commands;
mod fen;
mod handmade;
mod judge;
mod lessons;
mod lines;
mod notation;
mod note;
mod openings;
mod opponent;
mod perft;
mod pgn;
mod reasons;
mod replay;
mod rules;
mod selfplay;
mod stored_game;
mod train;
mod uci;
mod uci_client;

use crate::games::chess960::bench;
use crate::games::chess960::game::START;
use crate::games::chess960::player::DEFAULT_HASH_MB;
use crate::games::chess960::types::Square;
use crate::games::chess960::CONTEST;
use crate::tools::contracts::alpha_beta::AlphaBeta;
use crate::tools::contracts::entry::{Commands, Entry, Tools};
use crate::tools::contracts::levels::Strength::{Careful, Nodes, Sight};

/// The entry in the registry.
pub static ENTRY: Entry = Entry {
    judge: judge::CodinGame::boxed,
    has_matches: true,
    start_remarks: fen::remarks,
    recognise,
    opening: openings::opening_of,
    hash_mb: DEFAULT_HASH_MB,
    strengths: [Sight(0.32), Sight(0.6), Careful(0.38), Nodes(45), Nodes(100)],
    tools: Tools {
        by_hand: Some(by_hand::BY_HAND),
        perft: Some(perft::PERFT),
        bench: Some(|options| {
            options
                .run(bench::run, bench::DEFAULT_DEPTH, |net| opponent::Game::evaluator(Some(net)))
        }),
        analyse: Some(analysis::ANALYSE),
        board: Some(board::BOARD),
        opponents: Some(opponent::OPPONENTS),
        engines: Some(uci_client::ENGINES),
        uci: Some(uci::serve),
        format: Some(pgn::FORMAT),
        game_files: Some(stored_game::GAME_FILES),
        commands: Some(Commands::of::<commands::Command>()),
        ..Tools::NONE
    },
    ..Entry::bare(
        &rules::RULES,
        &CONTEST,
        |settings| Box::new(opponent::player(settings)),
        openings::RANDOM,
    )
};

/// A record begins with a position, the number of a start position, or two moves.
fn recognise(words: &[&str]) -> Option<usize> {
    let first = words.first()?;
    if let Some(count) = fen::count_words(words) {
        return Some(count);
    }
    let is_start = first
        .strip_prefix(START)
        .is_some_and(|name| name.parse::<u16>().is_ok() || name.contains('/'));
    let is_square = |part: Option<&str>| part.is_some_and(|part| part.parse::<Square>().is_ok());
    let is_first_move =
        |word: &str| word.len() == 4 && is_square(word.get(..2)) && word.ends_with(['3', '4', '1']);
    (is_start || is_first_move(first) || is_first_san(first)).then_some(0)
}

/// Whether a word can be a first move in SAN. Castling can, in some start positions.
fn is_first_san(word: &str) -> bool {
    let is_file = |letter: &u8| (b'a'..=b'h').contains(letter);
    match word.as_bytes() {
        [file, b'3' | b'4'] | [b'N', file, b'3'] => is_file(file),
        _ => ["O-O", "O-O-O"].contains(&word),
    }
}
