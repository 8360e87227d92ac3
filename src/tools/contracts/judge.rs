//! Judges: the judge's side of the protocols that players speak.

use super::{GameState, Side};
use crate::engine::dialogue::codecup::{Greeting, SIDES, START};
use crate::engine::dialogue::Turn;
use crate::engine::score::Score;
use std::time::Duration;

/// The state of a match before one of its games, from one player's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchScore {
    /// Number of the game in the match, from 1.
    pub game: usize,
    /// Points of the player and of its opponent in the earlier games.
    pub points: [i32; 2],
}

impl MatchScore {
    /// State before a single game or the first game of a match.
    pub const START: MatchScore = MatchScore { game: 1, points: [0; 2] };
}

/// Options of a judge.
#[derive(Clone, Copy, Debug, Default)]
pub struct JudgeOptions {
    /// Whether to forward all marks after moves, even those that the contest hides from the opponent.
    pub forwards_marks: bool,
    /// Whether the games belong to matches of two games, as the contest plays them.
    pub is_match: bool,
    /// Seed of the judge's random moves.
    pub seed: u64,
}

/// Fixed properties of a judge's protocol.
#[derive(Clone, Copy, Debug, Default)]
pub struct JudgeProtocol {
    /// Whether the contest suspends a player's process during the opponent's turn.
    pub suspends: bool,
    /// Whether the lines before the game are cupbot's own (`Time`, `Opening`) and unknown to other programs.
    pub has_own_lines: bool,
    /// The last line sent to a player; `None` if the end of the input ends the dialogue.
    pub farewell: Option<&'static str>,
    /// Marks that are removed from the end of a move before it is sent to the opponent.
    pub hidden_marks: &'static [char],
}

impl JudgeProtocol {
    /// Returns a move in the form that is sent to the opponent.
    pub fn forwarded<'a>(&self, text: &'a str) -> &'a str {
        text.trim_end_matches(self.hidden_marks)
    }
}

/// A request for a move.
pub struct Request {
    /// Lines to send.
    pub lines: Vec<String>,
    /// Time limit of this move; `None` if the limits of the match apply.
    pub time: Option<Duration>,
}

/// A player's answer to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The move (or setup) in the protocol's notation.
    pub text: String,
    /// Score for the side to move, if the player reported one.
    pub score: Option<Score>,
}

/// Meaning of a player's line for its judge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Received {
    /// The awaited answer.
    Answer,
    /// A line to which the judge replies with these lines. The time for the answer starts again.
    Reply(Vec<String>),
    /// A line of no consequence.
    Nothing,
}

/// The judge of one player during one game, or during all games of a match.
pub trait Judge: Send {
    /// Returns the fixed properties of the protocol.
    fn protocol(&self) -> JudgeProtocol;

    /// Starts a game and returns the lines to send before it: the budget if it is to be announced, and the opening.
    fn start_game(
        &mut self,
        side: Side,
        opening: &dyn GameState,
        budget: Option<Duration>,
        score: MatchScore,
    ) -> Vec<String>;

    /// Whether the player answers the lines before the coming game.
    fn expects_greeting(&self) -> bool {
        false
    }

    /// Accepts the player's answer to the lines before the game. The error says why the player can't be used.
    fn accept_greeting(&mut self, _line: &str) -> Result<(), String> {
        Ok(())
    }

    /// Returns the request for a move in the current position.
    fn request_move(&mut self, game: &dyn GameState) -> Request;

    /// Processes a line from the player.
    fn receive(&mut self, _line: &str) -> Received {
        Received::Answer
    }

    /// Converts an answer line to a move in the game's notation, with the score last received.
    fn parse_answer(&mut self, line: &str, _game: &dyn GameState) -> Answer {
        Answer { text: line.to_string(), score: None }
    }

    /// Returns the complete state of the current turn, for built-in players; `None` if the protocol sends only moves.
    fn turn(&self, _game: &dyn GameState) -> Option<Turn> {
        None
    }
}

/// CodeCup's judge: see [`crate::engine::dialogue::codecup`].
pub struct CodeCup {
    greeting: Greeting,
    hidden_marks: &'static [char],
    /// The greeting that has not been sent yet.
    unsent: Option<&'static str>,
}

impl CodeCup {
    /// Creates a judge for the protocol that sends `Start` to the player who begins.
    pub fn boxed(_: JudgeOptions) -> Box<dyn Judge> {
        Box::new(CodeCup { greeting: START, hidden_marks: &[], unsent: None })
    }

    /// Creates a judge for contest years in which the protocol sends both players their side.
    pub fn boxed_with_sides(_: JudgeOptions) -> Box<dyn Judge> {
        Box::new(CodeCup { greeting: SIDES, hidden_marks: &[], unsent: None })
    }

    /// Creates a judge that hides these marks from the opponent, unless the options forward them.
    pub fn boxed_without(marks: &'static [char], options: JudgeOptions) -> Box<dyn Judge> {
        let hidden_marks = if options.forwards_marks { &[] } else { marks };
        Box::new(CodeCup { greeting: START, hidden_marks, unsent: None })
    }
}

impl Judge for CodeCup {
    fn protocol(&self) -> JudgeProtocol {
        JudgeProtocol {
            suspends: true,
            has_own_lines: true,
            farewell: Some("Quit"),
            hidden_marks: self.hidden_marks,
        }
    }

    fn start_game(
        &mut self,
        side: Side,
        opening: &dyn GameState,
        budget: Option<Duration>,
        _: MatchScore,
    ) -> Vec<String> {
        let begins = side == opening.side();
        self.unsent = if begins { Some(self.greeting.first) } else { self.greeting.second };
        let moves = opening.texts();
        let time = budget.map(|budget| format!("Time {}", budget.as_millis()));
        let opening = (!moves.is_empty()).then(|| format!("Opening {}", moves.join(" ")));
        time.into_iter().chain(opening).collect()
    }

    fn request_move(&mut self, game: &dyn GameState) -> Request {
        let greeting = self.unsent.take();
        let begins = greeting == Some(self.greeting.first);
        let last = game.texts().pop().filter(|_| !begins);
        let last = last.map(|text| self.protocol().forwarded(&text).to_string());
        let lines = greeting.map(str::to_string).into_iter().chain(last).collect();
        Request { lines, time: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::labs::registry::main_game;

    #[test]
    fn codecup_sends_time_opening_and_last_move() {
        let mut game = (main_game().rules.begin)(None).expect("a game");
        let budget = Some(Duration::from_millis(1500));
        let mut judge = CodeCup::boxed(JudgeOptions::default());
        assert_eq!(
            judge.start_game(Side::First, game.as_ref(), budget, MatchScore::START),
            ["Time 1500"]
        );
        assert_eq!(judge.request_move(game.as_ref()).lines, ["Start"]);
        for text in ["WFNADAAADDFDAAAA", "aaaadddaaadaffnw"] {
            game.play(text).expect("legal");
        }
        assert_eq!(judge.request_move(game.as_ref()).lines, ["aaaadddaaadaffnw"]);
        let opening = "Opening WFNADAAADDFDAAAA aaaadddaaadaffnw";
        for (side, asked) in [(Side::First, "Start"), (Side::Second, "b5d3")] {
            let mut judge = CodeCup::boxed(JudgeOptions::default());
            assert_eq!(judge.start_game(side, game.as_ref(), None, MatchScore::START), [opening]);
            let mut game = game.copy();
            if side == Side::Second {
                game.play("b5d3").expect("legal");
            }
            assert_eq!(judge.request_move(game.as_ref()).lines, [asked]);
        }
    }
}
