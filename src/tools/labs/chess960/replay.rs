//! The game of a record, replayed as people mean it.

use super::notation;
use super::rules::begin;
use crate::games::chess960::game::{Game, ACCEPT, OFFER, RESIGN, START};
use crate::games::chess960::movegen;
use crate::games::chess960::position::Position;
use crate::tools::contracts::record::{Record, ReplayError};
use anyhow::{Error, Result};

/// The game of a record. Unlike the referee's, its moves may be in SAN, and it may go on where the arena would
/// have ended it, as games do that nobody claims a draw in.
pub fn game_of(record: &Record) -> Result<Game> {
    let mut game = begin(record.start.as_deref())?;
    for text in &record.moves {
        play(&mut game, text).map_err(|reason| {
            Error::new(ReplayError { ply: game.moves().len() + 1, text: text.clone(), reason })
        })?;
    }
    Ok(game)
}

/// Plays a text of a record.
pub fn play(game: &mut Game, text: &str) -> Result<(), String> {
    if text.starts_with(START) || [ACCEPT, RESIGN].contains(&text) {
        return game.play(text).map_err(|error| error.to_string());
    }
    let (bare, is_offer) = text.strip_suffix(OFFER).map_or((text, false), |bare| (bare, true));
    let mv = notation::parse_any(game.position(), bare)?;
    if game.outcome().is_some() {
        // The rules of chess allow it, if not those of the arena.
        game.push(mv);
        return Ok(());
    }
    let text = if is_offer { format!("{mv}{OFFER}") } else { mv.to_string() };
    game.play(&text).map_err(|error| error.to_string())
}

/// The games after no move, after one, and so on to all moves.
pub fn stages(game: &Game) -> Vec<Game> {
    let mut now = Game::new(*game.start());
    let mut stages = vec![now.clone()];
    for &mv in game.moves() {
        now.push(mv);
        stages.push(now.clone());
    }
    stages
}

/// The number of the text of a record after which its first move stands: 1 where a start position is named.
pub fn texts_before_moves(record: &Record) -> usize {
    record.moves.iter().take_while(|text| text.starts_with(START)).count()
}

/// The number of a move as people write it: `12.` of White, `12...` of Black.
pub fn number_text(position: &Position) -> String {
    let dots = [".", "..."][position.side().index()];
    format!("{}{dots}", position.number())
}

/// Is the game over by mate or stalemate?
pub fn is_over(position: &Position) -> bool {
    !movegen::has_moves(position)
}
