//! The board for playing Zuniq by hand.

use super::rules::RULES;
use crate::engine::clock::Clock;
use crate::games::zuniq::game::Side;
use crate::games::zuniq::player::{Choice, Player};
use crate::games::zuniq::segment::Segment;
use crate::tools::contracts::by_hand::{list_text, moves_made, TerminalBoard};
use crate::tools::contracts::capitalised;

const WELCOME: &str = "\
Zuniq by hand. Type a move like B3h to play White, or `Start` to let cupbot play
White. `hint` suggests a move, `help` lists the other commands.
";

const RULES_IN_SHORT: &str = "\
Draw a wall between two neighbouring dots. A region that is walled in all round
is a zone: it shows its size, nobody may draw inside it, and no two zones may
have the same size. The side that can't move loses.
  B3h        the wall right of dot B3
  B3v        the wall below dot B3
  B3h!       the same, and the claim that you are sure of winning
";

impl TerminalBoard for Player {
    fn welcome(&self) -> &'static str {
        WELCOME
    }

    fn rules(&self) -> &'static str {
        RULES_IN_SHORT
    }

    fn ply(&self) -> usize {
        self.game().ply()
    }

    fn go_back_to(&mut self, ply: usize) {
        Player::go_back_to(self, ply);
    }

    fn board(&self) -> String {
        let game = self.game();
        let last = game.moves().last();
        let last = last.map_or(String::new(), |segment| format!(", the last one {segment}"));
        let turn = match game.winner() {
            None => format!("; {} to move", game.side().name()),
            Some(_) => String::new(),
        };
        let claims: String = [Side::White, Side::Black]
            .iter()
            .filter_map(|&side| game.claim(side).map(|number| (side.name(), number)))
            .map(|(name, number)| format!("{name} claimed to win with move {number}\n"))
            .collect();
        format!("{game}{}{last}{turn}\n{claims}", moves_made(game.ply()))
    }

    fn moves(&self) -> String {
        let legal = Segment::each(self.game().position().legal());
        list_text("moves", &legal.map(|segment| segment.to_string()).collect::<Vec<_>>())
    }

    fn thought(&self) -> Option<String> {
        Some(chance_of(self.last_choice()?, self.game().side().other()))
    }

    fn hint(&mut self, clock: &Clock) -> Option<String> {
        let choice = self.think(clock)?;
        Some(format!("{}  ({})", choice.segment(), chance_of(choice, self.game().side())))
    }

    fn end(&self) -> Option<String> {
        let winner = self.game().winner()?;
        let [white, black] = self.game().points()?;
        let loser = winner.other().name();
        Some(format!(
            "{loser} can't move, {} has won; points: White {white}, Black {black}",
            winner.name()
        ))
    }
}

/// What a side's choice is worth.
fn chance_of(choice: Choice, side: Side) -> String {
    match choice {
        Choice::Won(_) => proved_text(side),
        Choice::Lost(_) => proved_text(side.other()),
        Choice::Expected(_, value) if side == Side::White => chance_text(value),
        Choice::Expected(_, value) => chance_text(1.0 - value),
    }
}

/// White's chance, in words.
pub(super) fn chance_text(white: f64) -> String {
    format!("White wins {:.1} %", 100.0 * white)
}

/// A win that is proved, in words.
pub(super) fn proved_text(side: Side) -> String {
    format!("{} is proved to win", capitalised(RULES.side_name(side.into())))
}

#[cfg(test)]
mod tests {
    use crate::tools::commands::play::by_hand::session;
    use crate::tools::labs::zuniq::ENTRY;

    #[test]
    fn shows_walls_zones_claims_and_the_end() {
        let input = "Time 500\nOpening A1h A1v B1h! A2v\nA1h\nundo\nmoves\nhint\nStart\nquit\n";
        let (answer, screen) = session(&ENTRY, input);
        for expected in [
            "A  +---+   +",
            "   | 1 |",
            "White claimed to win with move 3",
            "4 moves made, the last one A2v; White to move",
            "A1h is drawn already. Try again",
            "moves (58):",
            "2 moves made, the last one A1v; White to move",
            "(White wins ",
            "Cupbot has moved: White wins ",
        ] {
            assert!(screen.contains(expected), "{expected} in {screen}");
        }
        assert_eq!(answer.trim_end().len(), 3, "{answer}");
    }
}
