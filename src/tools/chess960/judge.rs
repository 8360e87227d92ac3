//! The judge's side of the arena's protocol: see [`crate::engine::dialogue::codingame`].

use crate::engine::dialogue::codingame::INPUTS;
use crate::games::chess960::game::{Game, MAX_PLIES};
use crate::games::chess960::movegen;
use crate::tools::game::judge::Judge;
use crate::tools::game::{GameState, Side};
use std::time::Duration;

/// A judge of one game; to the program it is the first one of a match.
pub struct CodinGame {
    /// The inputs that the program wants, in its order.
    inputs: Vec<String>,
}

impl CodinGame {
    /// A judge before the game.
    pub fn boxed() -> Box<dyn Judge> {
        Box::new(CodinGame { inputs: INPUTS.split(' ').map(str::to_string).collect() })
    }
}

impl Judge for CodinGame {
    fn before(
        &mut self,
        _side: Side,
        _opening: &dyn GameState,
        _budget: Option<Duration>,
    ) -> Vec<String> {
        vec!["2".into(), "crazyHouse 0".into(), format!("maxMoves {}", MAX_PLIES / 2)]
    }

    fn ask(&mut self, game: &dyn GameState) -> Vec<String> {
        let mut played = Game::default();
        for text in game.texts() {
            let replayed = played.play(&text);
            debug_assert_eq!(replayed, Ok(()), "games of matches begin with a start position");
        }
        self.inputs.iter().flat_map(|input| lines_of(&played, input)).collect()
    }

    fn farewell(&self) -> Option<&'static str> {
        None
    }

    fn is_greeted(&self) -> bool {
        true
    }

    fn hear_greeting(&mut self, line: &str) {
        self.inputs = line.split(' ').map(str::to_string).collect();
    }

    /// What stands behind a blank is a comment.
    fn text_of(&self, line: String) -> String {
        line.split(' ').next().unwrap_or_default().to_string()
    }
}

/// The lines of one input.
fn lines_of(game: &Game, input: &str) -> Vec<String> {
    match input {
        "fen" => vec![game.position().to_string()],
        "moves" => {
            let moves = movegen::moves(game.position());
            let texts = moves.iter().map(ToString::to_string);
            std::iter::once(moves.len().to_string()).chain(texts).collect()
        }
        "lastmove" => {
            let last = game.moves().last().map(ToString::to_string);
            vec![last.unwrap_or_else(|| "none".to_string())]
        }
        "draw" => vec![u8::from(game.is_offered()).to_string()],
        "game" => vec!["1".to_string()],
        "score" => vec!["0 0".to_string()],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::chess960::game::OFFER;

    #[test]
    fn a_block_has_the_inputs_in_the_programs_order() {
        let mut judge = CodinGame::boxed();
        let mut game = Game::default();
        game.play("start518").expect("a start position");
        judge.hear_greeting("score lastmove nothing draw fen moves game");
        let lines = judge.ask(&game);
        assert_eq!(lines[..3], ["0 0", "none", "0"]);
        assert!(lines[3].starts_with("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w AHah - 0 1"));
        assert_eq!((lines[4].as_str(), lines.len()), ("20", 26));
        game.play(&format!("e2e4{OFFER}")).expect("legal");
        assert_eq!(judge.ask(&game)[1..3], ["e2e4", "1"]);
        assert_eq!(judge.text_of("e2e4= hello".to_string()), "e2e4=");
    }
}
