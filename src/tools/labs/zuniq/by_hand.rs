//! The board for playing Zuniq by hand.

use super::opponent;
use super::rules::RULES;
use crate::games::zuniq::game::Side;
use crate::games::zuniq::player::{Choice, Player};
use crate::games::zuniq::segment::Segment;
use crate::tools::contracts::by_hand::{list_text, status_line, ByHand, TerminalBoard};
use crate::tools::contracts::{capitalised, GameState as _};

/// Play at a terminal.
pub const BY_HAND: ByHand = ByHand {
    pitch: "draw walls; no two closed zones may have the same size",
    welcome: "\
Zuniq by hand. Both players draw walls between dots; who can't draw one loses.
No two closed zones may have the same size. B3h is the wall to the right of dot
B3, B3v the wall below it. Type a wall to play White, or `Start` to let cupbot
play White. `hint` suggests a move, `help` lists the other commands.
",
    rules: "\
Draw a wall between two neighbouring dots. A region that is walled in all round
is a zone: it shows its size, no walls may be drawn in it, and no two zones may
have the same size. Whoever can't draw a wall loses.
  B3h        the wall to the right of dot B3
  B3v        the wall below dot B3
  B3h!       the same, with a claim that you will win
",
    player: |settings| Box::new(opponent::player(settings)),
};

impl TerminalBoard for Player {
    fn board(&self) -> String {
        let game = self.game();
        let turn = game.winner().is_none().then(|| format!("{} to move", game.side().name()));
        let claims: String = [Side::White, Side::Black]
            .iter()
            .filter_map(|&side| game.claim(side).map(|number| (side.name(), number)))
            .map(|(name, number)| format!("{name} claimed a win with move {number}\n"))
            .collect();
        format!("{game}{}{claims}", status_line(game.ply(), game.moves().last(), turn))
    }

    fn contest_text(&self, text: &str) -> String {
        capitalised(&text.to_lowercase())
    }

    fn wanted(&self) -> &'static str {
        "a wall like B3h"
    }

    fn moves(&self) -> String {
        list_text("moves", Segment::each(self.game().position().legal()))
    }

    fn thought(&self) -> Option<String> {
        Some(chance_of(self.last_choice()?, self.game().side().other()))
    }

    fn end(&self) -> Option<String> {
        let winner = self.game().winner()?;
        let [white, black] = self.game().end()?.points;
        let loser = winner.other().name();
        Some(format!(
            "{loser} can't move, {} has won; points: White {white}, Black {black}",
            winner.name()
        ))
    }
}

/// Describes the value of a side's choice.
fn chance_of(choice: Choice, side: Side) -> String {
    match choice {
        Choice::Won(_) => proved_text(side),
        Choice::Lost(_) => proved_text(side.other()),
        Choice::Expected(_, value) if side == Side::White => chance_text(value),
        Choice::Expected(_, value) => chance_text(1.0 - value),
    }
}

/// Describes White's winning probability.
pub(super) fn chance_text(white: f64) -> String {
    format!("White's chances: {:.0} %", 100.0 * white)
}

/// Describes a proved win.
pub(super) fn proved_text(side: Side) -> String {
    format!("{} is proved to win", capitalised(RULES.side_name(side.into())))
}

#[cfg(test)]
mod tests {
    use crate::tools::commands::play::by_hand::session;
    use crate::tools::labs::zuniq::ENTRY;

    #[test]
    fn shows_walls_zones_claims_and_the_end() {
        let input = "Time 500\nOpening A1h a1V b1h! A2v\na1h\nundo\nmoves\nhint\nStart\nquit\n";
        let (answer, screen) = session(&ENTRY, input);
        for expected in [
            "A  +---+   +",
            "   | 1 |",
            "White claimed a win with move 3",
            "4 moves made, the last one A2v; White to move",
            "Not possible: A1h is drawn already.",
            "moves (58):",
            "2 moves made, the last one A1v; White to move",
            "  (White's chances: ",
            " (White's chances: ",
        ] {
            assert!(screen.contains(expected), "{expected} in {screen}");
        }
        assert_eq!(answer.trim_end().len(), 3, "{answer}");
    }
}
