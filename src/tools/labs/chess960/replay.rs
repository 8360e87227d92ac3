//! Lenient replay of a recorded game.

use super::rules::{begin, RULES};
use super::{fen, notation};
use crate::games::chess960::game::{Game, ACCEPT, OFFER, RESIGN, START};
use crate::games::chess960::movegen;
use crate::games::chess960::position::{CastlingRule, Position};
use crate::tools::contracts::record::{Outcome, Record, ReplayError};
use anyhow::{bail, Error, Result};

/// Replays a record from exactly its position, even if the arena would end the game there.
pub fn exact_game_of(record: &Record) -> Result<Game> {
    let start = record.start.as_deref().map(|text| fen::read(text, CastlingRule::Arena));
    play_all(start.transpose()?.map_or(Game::default(), |start| Game::new(start.position)), record)
}

/// Replays a record. Unlike for the referee, moves may be in SAN, and the game may continue after the arena would have
/// ended it, because human players need not claim a draw.
pub fn game_of(record: &Record) -> Result<Game> {
    play_all(begin(record.start.as_deref())?, record)
}

fn play_all(mut game: Game, record: &Record) -> Result<Game> {
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
        // Legal by the rules of chess, though not by the arena's.
        game.push(mv);
        return Ok(());
    }
    let text = if is_offer { format!("{mv}{OFFER}") } else { mv.to_string() };
    game.play(&text).map_err(|error| error.to_string())
}

/// Replays a game of a file and returns its outcome on the board by FIDE's rules: mate and stalemate end a game. Draws
/// are claimed or agreed upon, so that any result of another game may be right. Fails if the file has two results.
pub fn judge(record: &Record) -> Result<Option<Outcome>> {
    let tagged = record.tags.iter().find(|(name, _)| name.eq_ignore_ascii_case("Result"));
    if let Some((outcome, (_, tagged))) = record.outcome.as_ref().zip(tagged) {
        bail!("the tag Result is {tagged:?}, but {outcome} was recorded after the moves");
    }
    let position = exact_game_of(record)?.position().with_rule(CastlingRule::Fide);
    Ok(is_over(&position).then(|| match position.checkers().any() {
        true => Outcome::won(RULES.sides[(!position.side()).index()]),
        false => Outcome::Draw,
    }))
}

/// Returns the games after no move, after one, and so on to all moves.
pub fn stages(game: &Game) -> Vec<Game> {
    let mut now = Game::new(*game.start());
    let mut stages = vec![now.clone()];
    for &mv in game.moves() {
        now.push(mv);
        stages.push(now.clone());
    }
    stages
}

/// Returns the index of the text before the first move: 1 if a start position is given.
pub fn texts_before_moves(record: &Record) -> usize {
    record.moves.iter().take_while(|text| text.starts_with(START)).count()
}

/// Formats a move number: `12.` for White, `12...` for Black.
pub fn number_text(position: &Position) -> String {
    let dots = [".", "..."][position.side().index()];
    format!("{}{dots}", position.number())
}

/// Whether the game is over by mate or stalemate.
pub fn is_over(position: &Position) -> bool {
    !movegen::has_moves(position)
}
