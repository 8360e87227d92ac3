//! The stored game: two copies of this player follow it as long as the moves agree with it. It was
//! found by our own beam search over both sides (`cupbot 6561 plan`), which is far stronger than any
//! search during a game.

use super::game::{Game, Move, MoveForm};
use crate::engine::network_file::ReadOnce;
use std::sync::Arc;

/// The moves of the stored game, from the empty board on.
const TEXT: &str = include_str!("plan.txt");

/// A game to follow.
pub struct Plan {
    moves: Vec<Move>,
}

impl Plan {
    /// The stored game. A text that is no game makes an empty plan, which nobody can follow.
    pub fn shared() -> Arc<Plan> {
        static PLAN: ReadOnce<Plan> = ReadOnce::new();
        PLAN.get(|| Plan::parse(TEXT).unwrap_or(Plan { moves: Vec::new() }))
    }

    /// The plan of these moves, with white space between them.
    pub fn parse(text: &str) -> Result<Plan, MoveForm> {
        let moves: Result<Vec<Move>, MoveForm> = text.split_whitespace().map(str::parse).collect();
        Ok(Plan { moves: moves? })
    }

    /// The moves.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// How many moves of the game are those of the plan, from the first one on.
    pub fn followed(&self, game: &Game) -> usize {
        self.moves.iter().zip(game.moves()).take_while(|(planned, made)| planned == made).count()
    }

    /// The plan's move in this position; `None` where the game has left the plan, or at its end.
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
            game.push(mv).expect("legal");
        }
        assert_eq!((game.ending(), game.score()), (Some(Ending::Complete), 4676));
    }

    #[test]
    fn a_game_that_leaves_the_plan_is_not_on_it_again() {
        let plan = Plan::parse("11 12 13 U").expect("moves");
        let mut game = Game::new();
        for text in ["11", "12"] {
            assert!(plan.next(&game).is_some());
            game.play(text).expect("legal");
        }
        assert_eq!(plan.next(&game), Some(Move::Place(2)));
        game.play("14").expect("legal");
        assert_eq!((plan.next(&game), plan.followed(&game)), (None, 2));
        assert!(Plan::parse("11 55").is_err());
        // A move that the rules don't allow is never offered.
        let wrong = Plan::parse("11 11").expect("moves");
        let mut game = Game::new();
        game.play("11").expect("legal");
        assert_eq!(wrong.next(&game), None);
    }
}
