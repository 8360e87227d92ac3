//! The judge's side of the protocols that programs speak.

use super::{GameState, Side};
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

    /// The line that ends the dialogue.
    fn farewell(&self) -> &'static str;
}

/// CodeCup's judge: see [`crate::engine::dialogue::codecup`].
#[derive(Default)]
pub struct CodeCup {
    /// Does the program begin, so that it waits for `Start`?
    begins: bool,
}

impl CodeCup {
    /// A judge before the game.
    pub fn boxed() -> Box<dyn Judge> {
        Box::<CodeCup>::default()
    }
}

impl Judge for CodeCup {
    fn before(
        &mut self,
        side: Side,
        opening: &dyn GameState,
        budget: Option<Duration>,
    ) -> Vec<String> {
        self.begins = side == opening.side();
        let moves = opening.texts();
        let time = budget.map(|budget| format!("Time {}", budget.as_millis()));
        let opening = (!moves.is_empty()).then(|| format!("Opening {}", moves.join(" ")));
        time.into_iter().chain(opening).collect()
    }

    fn ask(&mut self, game: &dyn GameState) -> Vec<String> {
        if std::mem::take(&mut self.begins) {
            return vec!["Start".to_string()];
        }
        game.texts().pop().into_iter().collect()
    }

    fn farewell(&self) -> &'static str {
        "Quit"
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
