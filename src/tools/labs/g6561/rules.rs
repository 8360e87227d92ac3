//! Rules of 6561 for the tools.

use super::casual;
use crate::engine::rng::Rng;
use crate::games::g6561::game::{Ending, Game, GameError};
use crate::tools::contracts::record::Record;
use crate::tools::contracts::sight::Sight;
use crate::tools::contracts::{End, GameState, Refused, Rules, Side};
use anyhow::{ensure, Result};

/// End reason of a game in which all moves were made.
pub const COMPLETE: &str = "complete";
/// End reason of a game in which no move is possible.
pub const STUCK: &str = "stuck";

/// The rules in the registry.
pub static RULES: Rules = Rules {
    id: "g6561",
    name: "6561",
    title: "6561",
    sides: ["a", "b"],
    marks: &[],
    end_reasons: &[COMPLETE, STUCK],
    begin: |start| Ok(Box::new(begin(start)?)),
};

/// Creates a game. Returns an error if there is a start position.
pub fn begin(start: Option<&str>) -> Result<Game> {
    ensure!(start.is_none(), "games of 6561 have no start position");
    Ok(Game::new())
}

/// Replays the game of a record. Returns an error at an illegal move.
pub fn game_of(record: &Record) -> Result<Game> {
    record.replay_as(begin)
}

impl GameState for Game {
    fn copy(&self) -> Box<dyn GameState> {
        Box::new(self.clone())
    }

    fn play(&mut self, text: &str) -> Result<(), Refused> {
        Game::play(self, text).map_err(|error| {
            let is_move = !matches!(error, GameError::Format(_));
            Refused { is_move, reason: error.to_string() }
        })
    }

    fn texts(&self) -> Vec<String> {
        self.moves().iter().map(ToString::to_string).collect()
    }

    fn ply(&self) -> usize {
        Game::ply(self)
    }

    fn side(&self) -> Side {
        Side::to_move_after(Game::ply(self))
    }

    fn random_move(&self, rng: &mut Rng) -> Option<String> {
        let moves = self.position().moves();
        moves.get(rng.below(moves.len())).map(ToString::to_string)
    }

    fn casual_move(&self, sight: &Sight) -> Option<String> {
        casual::casual_move(self, sight).map(|mv| mv.to_string())
    }

    fn end(&self) -> Option<End> {
        let reason = match self.ending()? {
            Ending::Complete => COMPLETE,
            Ending::Stuck => STUCK,
        };
        Some(End::new(None, [f64::from(self.score()); 2], reason))
    }

    /// Returns the end after a fault: no points. (In the contest, a random mover continues for the faulty player.)
    fn forfeit(&self, _loser: Side) -> End {
        End::new(None, [0.0; 2], "fault")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_get_the_highest_sum() {
        let mut game = Game::new();
        for text in ["11", "12", "14", "L"] {
            GameState::play(&mut game, text).expect("legal");
        }
        assert_eq!((game.side(), game.score(), game.end()), (Side::First, 3, None));
        // The remaining piece can't slide left again, but in other directions.
        let refused = GameState::play(&mut game, "L").expect_err("no change");
        assert!(refused.is_move && refused.reason.contains("moves no piece"));
        assert!(!GameState::play(&mut game, "5").expect_err("no move").is_move);
        assert_eq!(game.forfeit(Side::First).points, [0.0; 2]);
    }

    #[test]
    fn random_games_end_with_equal_points() {
        let mut game = Game::new();
        // Blue and red vanish, then gray and the next blue.
        for text in ["11", "12", "21", "U", "R", "31", "32"] {
            let _ = GameState::play(&mut game, text);
        }
        let mut rng = Rng::new(1);
        while let Some(text) = game.random_move(&mut rng) {
            GameState::play(&mut game, &text).expect("offered");
        }
        let end = game.end().expect("over");
        assert_eq!(end.winner, None);
        assert_eq!(end.points, [f64::from(game.score()); 2]);
    }
}
