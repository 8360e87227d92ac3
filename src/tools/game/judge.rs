//! The judge's side of the protocols that programs speak.

use super::{GameState, Side};
use crate::engine::dialogue::codecup::{Greeting, SIDES, START};
use crate::engine::score::Score;
use std::time::Duration;

/// What a judge sends to one program during one game.
pub trait Judge: Send {
    /// The lines before the game: the budget where the program is to know it, and the opening.
    fn before(
        &mut self,
        side: Side,
        opening: &dyn GameState,
        budget: Option<Duration>,
    ) -> Vec<String>;

    /// The lines that ask for a move in the present position.
    fn ask(&mut self, game: &dyn GameState) -> Vec<String>;

    /// The line that ends the dialogue; `None` where the end of the input does.
    fn farewell(&self) -> Option<&'static str>;

    /// Does the program answer the lines before the game?
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

    /// What the line of an answer plays.
    fn text_of(&self, line: String) -> String {
        line
    }
}

/// CodeCup's judge: see [`crate::engine::dialogue::codecup`].
pub struct CodeCup {
    greeting: Greeting,
    /// What the program has not been told yet, but waits for.
    waiting: Option<&'static str>,
}

impl CodeCup {
    /// A judge before the game.
    pub fn boxed() -> Box<dyn Judge> {
        Box::new(CodeCup { greeting: START, waiting: None })
    }

    /// A judge before the game, of the years that tell both sides who they are.
    pub fn boxed_with_sides() -> Box<dyn Judge> {
        Box::new(CodeCup { greeting: SIDES, waiting: None })
    }
}

impl Judge for CodeCup {
    fn before(
        &mut self,
        side: Side,
        opening: &dyn GameState,
        budget: Option<Duration>,
    ) -> Vec<String> {
        let begins = side == opening.side();
        self.waiting = if begins { Some(self.greeting.first) } else { self.greeting.second };
        let moves = opening.texts();
        let time = budget.map(|budget| format!("Time {}", budget.as_millis()));
        let opening = (!moves.is_empty()).then(|| format!("Opening {}", moves.join(" ")));
        time.into_iter().chain(opening).collect()
    }

    fn ask(&mut self, game: &dyn GameState) -> Vec<String> {
        let greeting = self.waiting.take();
        let begins = greeting == Some(self.greeting.first);
        let last = if begins { None } else { game.texts().pop() };
        greeting.map(str::to_string).into_iter().chain(last).collect()
    }

    fn farewell(&self) -> Option<&'static str> {
        Some("Quit")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::registry::main_game;

    #[test]
    fn codecup_tells_the_time_the_opening_and_the_last_move() {
        let mut game = (main_game().begin)(None).expect("a game");
        let budget = Some(Duration::from_millis(1500));
        let mut judge = CodeCup::boxed();
        assert_eq!(judge.before(Side::First, game.as_ref(), budget), ["Time 1500"]);
        assert_eq!(judge.ask(game.as_ref()), ["Start"]);
        for text in ["WFNADAAADDFDAAAA", "aaaadddaaadaffnw"] {
            game.play(text).expect("legal");
        }
        assert_eq!(judge.ask(game.as_ref()), ["aaaadddaaadaffnw"]);
        let opening = "Opening WFNADAAADDFDAAAA aaaadddaaadaffnw";
        for (side, asked) in [(Side::First, "Start"), (Side::Second, "b5d3")] {
            let mut judge = CodeCup::boxed();
            assert_eq!(judge.before(side, game.as_ref(), None), [opening]);
            let mut game = game.copy();
            if side == Side::Second {
                game.play("b5d3").expect("legal");
            }
            assert_eq!(judge.ask(game.as_ref()), [asked]);
        }
    }
}
