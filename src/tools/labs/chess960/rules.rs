//! The rules of Chess960 for the tools.

use super::{casual, fen};
use crate::engine::rng::Rng;
use crate::games::chess960::game::{Game, MoveError, Outcome, Reason, OFFER};
use crate::games::chess960::movegen;
use crate::games::chess960::types::Colour;
use crate::tools::contracts::sight::Sight;
use crate::tools::contracts::{End, GameState, Refused, Rules, Side};
use anyhow::Result;
use std::fmt;

/// Reasons in records.
pub const REASONS: [&str; 8] = [
    "checkmate",
    "stalemate",
    "repetition",
    "insufficient",
    "fifty",
    "maxmoves",
    "agreement",
    "resign",
];

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason())
    }
}

impl std::error::Error for MoveError {}

/// Returns the word for a reason.
pub fn word(reason: Reason) -> &'static str {
    REASONS[reason as usize]
}

/// The rules in the registry.
pub static RULES: Rules = Rules {
    id: "chess960",
    name: "chess960",
    title: "Chess960",
    sides: ["white", "black"],
    marks: &[OFFER],
    end_reasons: &REASONS,
    begin: |start| Ok(Box::new(begin(start)?)),
};

/// Creates a game by the arena's rules from a position or the classical start, which the first text may replace.
pub fn begin(start: Option<&str>) -> Result<Game> {
    Ok(match start {
        Some(fen) => Game::new(fen::read_to_play(fen)?.position),
        None => Game::default(),
    })
}

impl From<Colour> for Side {
    fn from(colour: Colour) -> Side {
        Side::ALL[colour.index()]
    }
}

impl GameState for Game {
    fn copy(&self) -> Box<dyn GameState> {
        Box::new(self.clone())
    }

    fn play(&mut self, text: &str) -> Result<(), Refused> {
        Game::play(self, text).map_err(|error| {
            let is_move = !matches!(error, MoveError::Form | MoveError::Start);
            Refused { is_move, reason: error.to_string() }
        })
    }

    fn texts(&self) -> Vec<String> {
        Game::texts(self).to_vec()
    }

    /// A start position is not a move.
    fn ply(&self) -> usize {
        self.moves().len()
    }

    fn side(&self) -> Side {
        self.position().side().into()
    }

    fn random_move(&self, rng: &mut Rng) -> Option<String> {
        let moves = movegen::moves(self.position());
        moves.get(rng.below(moves.len())).map(ToString::to_string)
    }

    fn casual_move(&self, sight: &Sight) -> Option<String> {
        casual::casual_move(self.position(), sight).map(|mv| mv.to_string())
    }

    fn end(&self) -> Option<End> {
        let Outcome { winner, reason } = self.outcome()?;
        Some(end(winner.map(Side::from), word(reason)))
    }

    fn forfeit(&self, loser: Side) -> End {
        end(Some(!loser), "fault")
    }

    fn draw(&self) -> Option<End> {
        Some(end(None, word(Reason::Agreement)))
    }
}

/// Returns an end with the arena's points.
fn end(winner: Option<Side>, reason: &'static str) -> End {
    let points = |side| match winner {
        None => 1.0,
        Some(winner) if winner == side => 2.0,
        Some(_) => 0.0,
    };
    End::new(winner, Side::ALL.map(points), reason)
}
