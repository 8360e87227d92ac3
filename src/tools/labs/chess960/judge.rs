//! The judge's side of the arena's protocol: see [`crate::engine::dialogue::codingame`].

use crate::engine::dialogue::Turn;
use crate::engine::rng::Rng;
use crate::games::chess960::game::{Game, ACCEPT, OFFER, RESIGN};
use crate::games::chess960::movegen;
use crate::games::chess960::position::MAX_PLIES;
use crate::tools::contracts::judge::{
    Answer, Judge, JudgeOptions, JudgeProtocol, MatchScore, Request,
};
use crate::tools::contracts::{GameState, Side};
use std::time::Duration;

/// The arena's keyword for a random move.
const RANDOM: &str = "random";
/// Number of characters from which only the first two squares of a move count.
const LONG_MOVE: usize = 6;
/// Number of characters of two squares.
const SQUARES: usize = 4;

/// The judge of a match, or of a single game that is presented as the first of a match.
pub struct CodinGame {
    /// Inputs that the program requested, in its order; empty before that.
    inputs: Vec<String>,
    options: JudgeOptions,
    rng: Rng,
    score: MatchScore,
}

impl CodinGame {
    /// Creates a judge before the first game.
    pub fn boxed(options: JudgeOptions) -> Box<dyn Judge> {
        let rng = Rng::new(options.seed);
        Box::new(CodinGame { inputs: Vec::new(), options, rng, score: MatchScore::START })
    }
}

impl Judge for CodinGame {
    fn protocol(&self) -> JudgeProtocol {
        JudgeProtocol::default()
    }

    fn start_game(
        &mut self,
        _side: Side,
        _opening: &dyn GameState,
        _budget: Option<Duration>,
        score: MatchScore,
    ) -> Vec<String> {
        self.score = score;
        if !self.expects_greeting() {
            return Vec::new();
        }
        vec!["2".into(), "crazyHouse 0".into(), format!("maxMoves {}", MAX_PLIES / 2)]
    }

    fn turn(&self, game: &dyn GameState) -> Option<Turn> {
        self.options.is_match.then(|| turn_of(&replayed(game), self.score))
    }

    fn request_move(&mut self, game: &dyn GameState) -> Request {
        let turn = turn_of(&replayed(game), self.score);
        let lines = self.inputs.iter().flat_map(|input| lines_of(&turn, input)).collect();
        Request { lines, time: None }
    }

    fn expects_greeting(&self) -> bool {
        self.inputs.is_empty()
    }

    fn accept_greeting(&mut self, line: &str) -> Result<(), String> {
        self.inputs = line.split(' ').map(str::to_string).collect();
        Ok(())
    }

    /// As the arena parses it: text after a space is a comment, text after a long move is ignored, and a random move is
    /// drawn.
    fn parse_answer(&mut self, line: &str, game: &dyn GameState) -> Answer {
        let word = line.split(' ').next().unwrap_or_default();
        let (text, offer) = match word.strip_suffix(OFFER) {
            Some(text) => (text, OFFER.to_string()),
            None => (word, String::new()),
        };
        let text = match text {
            RANDOM => game.random_move(&mut self.rng).unwrap_or_default(),
            ACCEPT | RESIGN => text.to_string(),
            _ if text.chars().count() >= LONG_MOVE => text.chars().take(SQUARES).collect(),
            _ => text.to_string(),
        };
        Answer { text: text + &offer, score: None }
    }
}

/// Returns a game with the same moves.
pub fn replayed(game: &dyn GameState) -> Game {
    let mut played = Game::default();
    for text in game.texts() {
        let replayed = played.play(&text);
        debug_assert_eq!(replayed, Ok(()), "games of matches begin with a start position");
    }
    played
}

/// Returns the state of the current turn.
fn turn_of(game: &Game, score: MatchScore) -> Turn {
    Turn {
        position: game.position().to_string(),
        moves: movegen::moves(game.position()).iter().map(ToString::to_string).collect(),
        last_move: game.moves().last().map(ToString::to_string),
        is_draw_offered: game.is_offered(),
        game: score.game,
        score: score.points,
    }
}

/// Returns the lines of one input.
fn lines_of(turn: &Turn, input: &str) -> Vec<String> {
    let [own, other] = turn.score;
    match input {
        "fen" => vec![turn.position.clone()],
        "moves" => {
            let count = turn.moves.len().to_string();
            std::iter::once(count).chain(turn.moves.iter().cloned()).collect()
        }
        "lastmove" => vec![turn.last_move.clone().unwrap_or_else(|| "none".to_string())],
        "draw" => vec![u8::from(turn.is_draw_offered).to_string()],
        "game" => vec![turn.game.to_string()],
        "score" => vec![format!("{own} {other}")],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_has_the_inputs_in_the_programs_order() {
        let mut judge = CodinGame::boxed(JudgeOptions::default());
        let mut game = Game::default();
        game.play("start518").expect("a start position");
        judge.accept_greeting("score lastmove nothing draw fen moves game").expect("inputs");
        let lines = judge.request_move(&game).lines;
        assert_eq!(lines[..3], ["0 0", "none", "0"]);
        assert!(lines[3].starts_with("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w AHah - 0 1"));
        assert_eq!((lines[4].as_str(), lines.len()), ("20", 26));
        game.play(&format!("e2e4{OFFER}")).expect("legal");
        assert_eq!(judge.request_move(&game).lines[1..3], ["e2e4", "1"]);
    }

    #[test]
    fn answers_are_read_as_the_arena_reads_them() {
        let mut judge = CodinGame::boxed(JudgeOptions::default());
        let mut game = Game::default();
        for (line, text) in [
            ("e2e4= hello", "e2e4="),
            ("e2e4 = hello", "e2e4"),
            ("E2E4", "E2E4"),
            ("e2e4xy", "e2e4"),
            ("e2e4hello= x", "e2e4="),
            ("e7e8q", "e7e8q"),
            ("e7e8qq", "e7e8"),
            ("resign", "resign"),
            ("draw x", "draw"),
            ("", ""),
            (" e2e4", ""),
        ] {
            assert_eq!(judge.parse_answer(line, &game).text, text, "{line}");
        }
        let mut drawn = Vec::new();
        for line in ["random", "random=", "random comment"].repeat(20) {
            let text = judge.parse_answer(line, &game).text;
            assert_eq!(text.ends_with(OFFER), line.ends_with(OFFER));
            assert!(game.copy().play(&text).is_ok(), "{text}");
            drawn.push(text);
        }
        drawn.sort();
        drawn.dedup();
        assert!(drawn.len() > 10, "{drawn:?}");
        game.play("e2e4").expect("legal");
        assert!(judge.parse_answer("random", &game).text.contains(['5', '6']));
    }

    #[test]
    fn the_game_and_score_of_a_match_are_sent() {
        let mut judge =
            CodinGame::boxed(JudgeOptions { is_match: true, ..JudgeOptions::default() });
        let game = Game::default();
        assert_eq!(judge.start_game(Side::First, &game, None, MatchScore::START).len(), 3);
        judge.accept_greeting("game score").expect("inputs");
        assert_eq!(judge.request_move(&game).lines, ["1", "0 0"]);
        let second = MatchScore { game: 2, points: [2, 0] };
        assert!(judge.start_game(Side::Second, &game, None, second).is_empty());
        assert!(!judge.expects_greeting());
        assert_eq!(judge.request_move(&game).lines, ["2", "2 0"]);
        let turn = judge.turn(&game).expect("a match");
        assert_eq!((turn.game, turn.score, turn.moves.len()), (2, [2, 0], 20));
        assert!(CodinGame::boxed(JudgeOptions::default()).turn(&game).is_none());
    }
}
