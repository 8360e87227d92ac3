//! The stored game. Two copies of this player follow it as long as both play its moves. It was found by a beam search
//! over both sides (`cupbot 6561 plan`), which is far stronger than any search during a game.

use super::game::{Game, Move, MoveFormatError};
use crate::engine::network_file::ReadOnce;
use std::sync::Arc;

/// Moves of the stored game from the empty board.
const TEXT: &str = include_str!("plan.txt");

/// A game that the player follows.
pub struct Plan {
    moves: Vec<Move>,
}

impl Plan {
    /// Returns the stored game, or an empty plan if its text is invalid.
    pub fn shared() -> Arc<Plan> {
        static PLAN: ReadOnce<Plan> = ReadOnce::new();
        PLAN.get(|| Plan::parse(TEXT).unwrap_or(Plan { moves: Vec::new() }))
    }

    /// Parses moves separated by white space.
    pub fn parse(text: &str) -> Result<Plan, MoveFormatError> {
        let moves: Result<Vec<Move>, MoveFormatError> =
            text.split_whitespace().map(str::parse).collect();
        Ok(Plan { moves: moves? })
    }

    /// Returns the moves.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Returns the number of initial moves of `game` that agree with the plan.
    pub fn followed(&self, game: &Game) -> usize {
        self.moves.iter().zip(game.moves()).take_while(|(planned, made)| planned == made).count()
    }

    /// Returns the plan's next move, or `None` if the game has left the plan or the plan has ended.
    pub fn next(&self, game: &Game) -> Option<Move> {
        let mv = *self.moves.get(game.ply())?;
        let is_followed = self.followed(game) == game.ply();
        (is_followed && game.position().after(mv).is_ok()).then_some(mv)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::g6561::game::Ending;

    #[test]
    fn the_stored_game_is_legal_and_complete() {
        let plan = Plan::shared();
        let mut game = Game::new();
        while let Some(mv) = plan.next(&game) {
            game.push(mv).expect("a legal move");
        }
        assert_eq!((game.ending(), game.score()), (Some(Ending::Complete), 4676));
    }

    #[test]
    fn a_game_that_left_the_plan_does_not_return_to_it() {
        let plan = Plan::parse("11 12 13 U").expect("moves");
        let mut game = Game::new();
        for text in ["11", "12"] {
            assert!(plan.next(&game).is_some());
            game.play(text).expect("a legal move");
        }
        assert_eq!(plan.next(&game), Some(Move::Place(2)));
        game.play("14").expect("a legal move");
        assert_eq!((plan.next(&game), plan.followed(&game)), (None, 2));
        assert!(Plan::parse("11 55").is_err());
        // An illegal move of the plan is never returned.
        let wrong = Plan::parse("11 11").expect("moves");
        let mut game = Game::new();
        game.play("11").expect("a legal move");
        assert_eq!(wrong.next(&game), None);
    }
}
