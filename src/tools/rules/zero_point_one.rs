//! Zero Point One.

use super::{End, Points, Refused, Rules, Side, WINS};
use crate::engine::rng::Rng;
use crate::games::zero_point_one::game::{Game, GameError, Outcome};
use crate::games::zero_point_one::movegen;
use crate::games::zero_point_one::notation::NotationError;
use crate::games::zero_point_one::setup;
use crate::games::zero_point_one::types::Colour;

/// The contest's points for a win, a draw, a loss, and a loss by a fault of one's own.
const POINTS_WIN: u64 = 21;
const POINTS_DRAW: u64 = 11;
const POINTS_LOSS: u64 = 1;
const POINTS_FAULT: u64 = 0;

impl Rules for Game {
    const NAME: &'static str = "zero-point-one";
    const SIDES: [&'static str; 2] = ["red", "blue"];
    const CLAIM_MARK: Option<char> = None;

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

    fn to_move(&self) -> Side {
        Side::from(self.side())
    }

    fn end(&self) -> Option<End> {
        Some(match self.outcome()? {
            Outcome::Won(side) => End { winner: Some(side.into()), reason: WINS[0] },
            Outcome::Drawn => End { winner: None, reason: "moves" },
        })
    }

    fn can_move(&self) -> bool {
        let mut any = self.position().is_none();
        if let Some(position) = self.position() {
            movegen::pseudo_legal(position, |_| any = true);
        }
        any
    }

    fn random_move(&self, rng: &mut Rng) -> Option<String> {
        let side = self.side();
        let Some(position) = self.position() else {
            return Some(setup::random(rng).text(side));
        };
        let mut moves = Vec::new();
        movegen::pseudo_legal(position, |mv| moves.push(mv));
        moves.get(rng.below(moves.len())).map(|mv| mv.text(side).to_string())
    }

    fn points(&self, winner: Option<Side>, failed: bool) -> [Points; 2] {
        Side::ALL.map(|side| {
            let total = match winner {
                None => POINTS_DRAW,
                Some(winner) if winner == side => POINTS_WIN,
                Some(_) if failed => POINTS_FAULT,
                Some(_) => POINTS_LOSS,
            };
            Points { total, claim: None }
        })
    }
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
    fn sides_are_called_as_in_the_game() {
        for colour in Colour::ALL {
            assert_eq!(Game::side_name(colour.into()), colour.name());
            assert_eq!(Side::named(colour.name()), Some(colour.into()));
        }
        assert_eq!(Side::named("black"), Some(Side::Second));
        assert_eq!(Side::named("green"), None);
    }
}
