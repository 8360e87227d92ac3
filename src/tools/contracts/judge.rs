//! The judge's side of the protocols that programs speak.

use super::{GameState, Side};
use crate::engine::dialogue::codecup::{Greeting, SIDES, START};
use crate::engine::dialogue::Turn;
use crate::engine::score::Score;
use std::time::Duration;

/// Where a game stands in its match, as one side sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The number of the game in the match, from 1.
    pub game: usize,
    /// The side's own and the opponent's points in the match before this game.
    pub score: [i32; 2],
}

impl Standing {
    /// A game by itself, or the first one of a match.
    pub const FIRST: Standing = Standing { game: 1, score: [0; 2] };
}

/// How a judge is to do what different uses want differently.
#[derive(Clone, Copy, Debug, Default)]
pub struct Manner {
    /// Hand on the marks after moves that the contest may keep from the opponent?
    pub forwards_marks: bool,
    /// Does the game belong to a match as the contest plays it?
    pub is_match: bool,
    /// Decides what the judge draws.
    pub seed: u64,
}

/// What a judge sends to one player during one game, or during the games of one match.
pub trait Judge: Send {
    /// The lines before a game: the budget where the program is to know it, and the opening.
    fn before(
        &mut self,
        side: Side,
        opening: &dyn GameState,
        budget: Option<Duration>,
        standing: Standing,
    ) -> Vec<String>;

    /// Are the lines before the game ours alone, so that a program need not know them?
    fn has_own_lines(&self) -> bool {
        false
    }

    /// Does the contest suspend a program out of turn?
    fn suspends(&self) -> bool {
        false
    }

    /// A move of the opponent, as the player is told it.
    fn told(&self, text: &str) -> String {
        text.to_string()
    }

    /// All that is told of a turn of a match; `None` where moves alone are told.
    fn turn(&self, _game: &dyn GameState) -> Option<Turn> {
        None
    }

    /// The lines that ask for a move in the present position.
    fn ask(&mut self, game: &dyn GameState) -> Vec<String>;

    /// The line that ends the dialogue; `None` where the end of the input does.
    fn farewell(&self) -> Option<&'static str>;

    /// Does the program answer the lines before this game?
    fn is_greeted(&self) -> bool {
        false
    }

    /// Takes the answer to the lines before the game.
    fn hear_greeting(&mut self, _line: &str) {}

    /// What is wrong with the program, as its greeting shows.
    fn objection(&self) -> Option<String> {
        None
    }

    /// Is a line the answer that is waited for? If not, the next one may be.
    fn is_answer(&mut self, _line: &str) -> bool {
        true
    }

    /// The answer has arrived in time.
    fn hear_answer(&mut self) {}

    /// What the program thinks of the position that it has answered.
    fn score(&self) -> Option<Score> {
        None
    }

    /// The wall time of the next answer, where it is not that of the contest.
    fn time(&self) -> Option<Duration> {
        None
    }

    /// What the line of an answer plays in the present position.
    fn text_of(&mut self, line: String, _game: &dyn GameState) -> String {
        line
    }
}

/// CodeCup's judge: see [`crate::engine::dialogue::codecup`].
pub struct CodeCup {
    greeting: Greeting,
    /// Marks after moves that are kept from the opponent.
    hidden: &'static [char],
    /// What the program has not been told yet, but waits for.
    waiting: Option<&'static str>,
}

impl CodeCup {
    /// A judge before the game.
    pub fn boxed(_: Manner) -> Box<dyn Judge> {
        Box::new(CodeCup { greeting: START, hidden: &[], waiting: None })
    }

    /// A judge before the game, of the years that tell both sides who they are.
    pub fn boxed_with_sides(_: Manner) -> Box<dyn Judge> {
        Box::new(CodeCup { greeting: SIDES, hidden: &[], waiting: None })
    }

    /// A judge before the game that keeps these marks from the opponent, unless it is to hand them on.
    pub fn boxed_without(marks: &'static [char], manner: Manner) -> Box<dyn Judge> {
        let hidden = if manner.forwards_marks { &[] } else { marks };
        Box::new(CodeCup { greeting: START, hidden, waiting: None })
    }
}

impl Judge for CodeCup {
    fn before(
        &mut self,
        side: Side,
        opening: &dyn GameState,
        budget: Option<Duration>,
        _: Standing,
    ) -> Vec<String> {
        let begins = side == opening.side();
        self.waiting = if begins { Some(self.greeting.first) } else { self.greeting.second };
        let moves = opening.texts();
        let time = budget.map(|budget| format!("Time {}", budget.as_millis()));
        let opening = (!moves.is_empty()).then(|| format!("Opening {}", moves.join(" ")));
        time.into_iter().chain(opening).collect()
    }

    fn has_own_lines(&self) -> bool {
        true
    }

    fn suspends(&self) -> bool {
        true
    }

    fn told(&self, text: &str) -> String {
        text.trim_end_matches(self.hidden).to_string()
    }

    fn ask(&mut self, game: &dyn GameState) -> Vec<String> {
        let greeting = self.waiting.take();
        let begins = greeting == Some(self.greeting.first);
        let last = if begins { None } else { game.texts().pop().map(|text| self.told(&text)) };
        greeting.map(str::to_string).into_iter().chain(last).collect()
    }

    fn farewell(&self) -> Option<&'static str> {
        Some("Quit")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::labs::registry::main_game;

    #[test]
    fn codecup_tells_time_opening_and_last_move() {
        let mut game = (main_game().begin)(None).expect("a game");
        let budget = Some(Duration::from_millis(1500));
        let mut judge = CodeCup::boxed(Manner::default());
        assert_eq!(
            judge.before(Side::First, game.as_ref(), budget, Standing::FIRST),
            ["Time 1500"]
        );
        assert_eq!(judge.ask(game.as_ref()), ["Start"]);
        for text in ["WFNADAAADDFDAAAA", "aaaadddaaadaffnw"] {
            game.play(text).expect("legal");
        }
        assert_eq!(judge.ask(game.as_ref()), ["aaaadddaaadaffnw"]);
        let opening = "Opening WFNADAAADDFDAAAA aaaadddaaadaffnw";
        for (side, asked) in [(Side::First, "Start"), (Side::Second, "b5d3")] {
            let mut judge = CodeCup::boxed(Manner::default());
            assert_eq!(judge.before(side, game.as_ref(), None, Standing::FIRST), [opening]);
            let mut game = game.copy();
            if side == Side::Second {
                game.play("b5d3").expect("legal");
            }
            assert_eq!(judge.ask(game.as_ref()), [asked]);
        }
    }
}
