//! Adapter of the rules of Zero Point One for the tools.

use super::casual;
use crate::engine::rng::Rng;
use crate::games::zero_point_one::game::{Game, GameError, Outcome};
use crate::games::zero_point_one::movegen;
use crate::games::zero_point_one::notation::NotationError;
use crate::games::zero_point_one::setup;
use crate::games::zero_point_one::types::Colour;
use crate::tools::contracts::record::Record;
use crate::tools::contracts::sight::Sight;
use crate::tools::contracts::{End, GameState, Refused, Rules, Side};
use anyhow::Result;

/// Contest points for a win.
const POINTS_WIN: f64 = 21.0;
/// Contest points for a draw.
const POINTS_DRAW: f64 = 11.0;
/// Contest points for a loss by the rules.
const POINTS_LOSS: f64 = 1.0;
/// Contest points for a loss by a fault.
const POINTS_FAULT: f64 = 0.0;

impl GameState for Game {
    fn copy(&self) -> Box<dyn GameState> {
        Box::new(self.clone())
    }

    fn play(&mut self, text: &str) -> Result<(), Refused> {
        Game::play(self, text).map_err(|error| {
            let garbage = matches!(
                error,
                GameError::Notation(NotationError::MoveForm | NotationError::SetupLength(_))
            );
            Refused { is_move: !garbage, reason: error.to_string() }
        })
    }

    fn texts(&self) -> Vec<String> {
        Game::texts(self)
    }

    fn ply(&self) -> usize {
        Game::ply(self)
    }

    fn side(&self) -> Side {
        Game::side(self).into()
    }

    fn random_move(&self, rng: &mut Rng) -> Option<String> {
        let side = Game::side(self);
        let Some(position) = self.position() else {
            return Some(setup::random(rng).text(side));
        };
        let mut moves = Vec::new();
        movegen::pseudo_legal(position, |mv| moves.push(mv));
        moves.get(rng.below(moves.len())).map(|mv| mv.text(side).to_string())
    }

    fn casual_move(&self, sight: &Sight) -> Option<String> {
        casual::casual_move(self, sight)
    }

    fn end(&self) -> Option<End> {
        Some(match self.outcome()? {
            Outcome::Won(winner) => won(winner.into(), POINTS_LOSS, "wazir"),
            Outcome::Drawn => drawn(),
        })
    }

    fn forfeit(&self, loser: Side) -> End {
        won(!loser, POINTS_FAULT, "fault")
    }

    fn draw(&self) -> Option<End> {
        Some(drawn())
    }
}

/// Returns the end of a drawn game.
fn drawn() -> End {
    End::new(None, [POINTS_DRAW; 2], "moves")
}

/// Returns the end of a game with a winner and the loser's points.
fn won(winner: Side, loser_points: f64, reason: &'static str) -> End {
    let points = Side::ALL.map(|side| if side == winner { POINTS_WIN } else { loser_points });
    End::new(Some(winner), points, reason)
}

/// The rules in the registry.
pub static RULES: Rules = Rules {
    id: "zero_point_one",
    name: "zero-point-one",
    title: "Zero Point One (0.1)",
    sides: ["red", "blue"],
    marks: &[],
    end_reasons: &["wazir", "moves"],
    begin: |start| Ok(Box::new(begin(start)?)),
};

/// Creates a game before the setups, or from a start position.
pub fn begin(start: Option<&str>) -> Result<Game> {
    Ok(match start {
        Some(position) => Game::from_position(position.parse()?),
        None => Game::new(),
    })
}

/// Replays a record.
pub fn game_of(record: &Record) -> Result<Game> {
    record.replay_as(begin)
}

impl From<Colour> for Side {
    fn from(colour: Colour) -> Side {
        Side::ALL[colour.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn side_names_match_the_game() {
        for colour in Colour::ALL {
            assert_eq!(RULES.side_name(colour.into()), colour.name());
        }
    }
}
