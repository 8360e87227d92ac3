//! The board for playing 6561 by hand.

use super::opponent;
use crate::engine::dialogue::Player as _;
use crate::games::g6561::board::{Board as Squares, Colour, SIDE};
use crate::games::g6561::game::{Ending, Game, Turn, MAX_PLIES};
use crate::games::g6561::player::Player;
use crate::tools::contracts::by_hand::{list_text, status_line, ByHand, TerminalBoard};
use crate::tools::support::style::painted;
use crate::tools::support::text::count_of;
use clap::builder::styling::{AnsiColor, Style};

/// Play at a terminal.
pub const BY_HAND: ByHand = ByHand {
    pitch: "build one board together: equal tiles merge when they slide",
    welcome: "\
6561 by hand. Both players build one board and get the same points: its highest
sum. The turns are blue, red, gray, slide, slide, and so on. Equal tiles that
meet become three times as much in one colour and vanish in two.
Type a square to place a tile, e.g. 23 for row 2, column 3, or U, D, L or R to
slide. `Start` lets cupbot play A; `hint` suggests a move, `help` lists the rest.
",
    rules: "\
The turns are blue, red, gray, slide, slide, and so on; the players
alternate. Two equal pieces that a slide brings together become one of three
times the value if they have one colour, and vanish if they have two. Both
players get the highest sum of values that the board has had in 1,000 moves.
  23         a piece in the colour of the turn on row 2, column 3
  U D L R    slide up, down, left, right
",
    player: |settings| Box::new(opponent::player(settings).verbose()),
};

/// Remark on a move of the plan.
const STORED: &str = "from cupbot's plan";

/// Returns the style of a tile.
fn tile_style(colour: Colour) -> Style {
    match colour {
        Colour::Blue => AnsiColor::BrightWhite.on(AnsiColor::Blue),
        Colour::Red => AnsiColor::BrightWhite.on(AnsiColor::Red),
        Colour::Gray => AnsiColor::Black.on(AnsiColor::White),
    }
}

/// Describes the turn.
pub(super) fn turn_text(game: &Game) -> String {
    let side = ["A", "B"][game.ply() % 2];
    match game.position().turn() {
        Turn::Place(colour) => format!("{side} places a {} tile", colour.name()),
        Turn::Slide => format!("{side} slides"),
    }
}

/// Formats the board as rows of tiles with their values and the first letters of their colours.
fn squares_text(board: Squares) -> String {
    let mut text = String::from("       1     2     3     4\n");
    for row in 0..SIDE {
        text += &format!("  {} ", row + 1);
        for column in 0..SIDE {
            let tile = match board.piece(SIDE * row + column) {
                None => format!("{:^5}", "."),
                Some(piece) => {
                    let letter = &piece.colour.name()[..1];
                    let shown = format!("{:^5}", format!("{}{letter}", piece.value()));
                    painted(shown, tile_style(piece.colour))
                }
            };
            text += " ";
            text += &tile;
        }
        text.push('\n');
    }
    text
}

impl TerminalBoard for Player {
    fn board(&self) -> String {
        let game = self.game();
        let board = game.position().board;
        let turn = game.ending().is_none().then(|| turn_text(game));
        let units = Colour::ALL.map(|colour| format!("{} {}", colour.name(), board.units(colour)));
        format!(
            "{}{}{} to go; sum {}, highest {}; units: {}\n",
            squares_text(board),
            status_line(game.ply(), game.moves().last(), turn),
            count_of(MAX_PLIES - game.ply(), "move"),
            board.sum(),
            game.score(),
            units.join(", ")
        )
    }

    fn contest_text(&self, text: &str) -> String {
        text.to_uppercase()
    }

    fn wanted(&self) -> &'static str {
        match self.game().position().turn() {
            Turn::Place(_) => "a square like 23",
            Turn::Slide => "U, D, L or R",
        }
    }

    fn moves(&self) -> String {
        list_text("moves", self.game().position().moves())
    }

    fn thought(&self) -> Option<String> {
        let report = self.report();
        if report.nodes == 0 {
            return Some(STORED.to_string());
        }
        Some(format!("{} points expected", report.score?))
    }

    fn end(&self) -> Option<String> {
        end_text(self.game())
    }
}

/// Describes how a game ended; `None` if it is not over.
pub(super) fn end_text(game: &Game) -> Option<String> {
    let how = match game.ending()? {
        Ending::Complete => "all moves are made",
        Ending::Stuck => "no move is possible",
    };
    Some(format!("{how}; both players get {}", count_of(game.score(), "point")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::commands::play::by_hand::session;
    use crate::tools::labs::g6561::ENTRY;
    use crate::tools::support::style::plain;

    #[test]
    fn the_review_shows_marked_moves() {
        let input = "nodes 2000\nOpening 11 44 43 R D 12 42 31 L D\nanalyse\nquit\nno\n";
        let (_, screen) = session(&ENTRY, input);
        let marked = |line: &&str| line.trim_end().ends_with("inaccuracy");
        let found: Vec<&str> = screen.lines().filter(marked).collect();
        assert!(matches!(found[..], [line] if line.contains("42?!")), "{screen}");
        assert!(screen.contains("ply side move"), "{screen}");
    }

    #[test]
    fn shows_tiles_sums_and_errors() {
        let input = "Time 1000\nOpening 11 12 14\n11\nOpening l\nmoves\nhint\nundo\nStart\nquit\n";
        let (answer, screen) = session(&ENTRY, input);
        for expected in [
            "3 moves made, the last one 14; B slides",
            "Not possible: the turn is a slide, U, D, L or R.",
            "A slides\n996 moves to go; sum 1, highest 3; units: blue 0, red 0, gray 1",
            "moves (2): D R",
            " points expected at depth ",
        ] {
            assert!(screen.contains(expected), "{expected} in {screen}");
        }
        assert!(!answer.is_empty());
    }

    #[test]
    fn tiles_have_their_colours() {
        let mut game = Game::new();
        game.play("23").expect("legal");
        let text = squares_text(game.position().board);
        assert!(text.contains(&painted(" 1b  ", tile_style(Colour::Blue))), "{text}");
        assert!(plain(&text).lines().nth(2).is_some_and(|row| row.contains("1b")), "{text}");
    }
}
