//! `cupbot play` of Zero Point One at a terminal.

use super::opponent;
use super::rules::begin;
use crate::engine::clock::Clock;
use crate::engine::dialogue::Player as _;
use crate::engine::score::{self, Score};
use crate::games::zero_point_one::game::{Game, Outcome};
use crate::games::zero_point_one::movegen;
use crate::games::zero_point_one::notation::Setup;
use crate::games::zero_point_one::player::Player;
use crate::games::zero_point_one::position::{Board as Squares, Position};
use crate::games::zero_point_one::types::{Colour, Kind, Piece, Square};
use crate::tools::contracts::by_hand::{
    list_text, status_line, ByHand, SquareBoard, TerminalBoard,
};
use crate::tools::contracts::capitalised;
use crate::tools::contracts::record::for_first;
use crate::tools::support::style::painted;
use clap::builder::styling::{AnsiColor, Style};
use std::fmt::Write as _;
use std::mem;

/// Play at a terminal.
pub const BY_HAND: ByHand = ByHand {
    pitch: "chess of leapers and drops: capture the wazir",
    welcome: "\
Zero Point One by hand. All pieces leap, also over others:
  W  1 wazir     1 square straight; captured, it loses the game
  N  1 knight    like a chess knight
  F  2 ferzes    1 square diagonally
  D  4 dabbabas  2 squares straight
  A  8 alfils    2 squares diagonally
Captured pieces change sides and may be dropped on empty squares. Enter takes a
good setup, or type your own: 16 letters in any order. `Start` lets cupbot play
Red; `help` lists the other commands.
",
    rules: "\
A setup names the pieces on a1 to a8 and b1 to b8 (Red) or g1 to g8 and h1 to h8
(Blue): W wazir (0,1), N knight (1,2), F ferz (1,1), D dabbaba (0,2), A alfil
(2,2). All leap. Who captures the wazir wins; there is no check. After 102 moves
it is a draw.
  b5d3       a board move, from b5 to d3; a capture looks the same
  Df8        a drop: the letter of the piece (Blue: lower case) and its square
",
    player: |settings| Box::new(opponent::player(settings)),
};

impl TerminalBoard for Player {
    fn begin_at(&mut self, start: &str) -> Option<Result<String, String>> {
        let game = begin(Some(start)).map_err(|error| format!("{error:#}"));
        Some(game.map(|game| {
            let text = game.position().map_or(String::new(), Position::to_string);
            *self = mem::replace(self, Player::new(1)).in_game(game);
            text
        }))
    }

    fn board(&self) -> String {
        let game = self.game();
        match game.position() {
            Some(position) => board_text(game, position),
            None => setup_text(game),
        }
    }

    /// Returns a text in the case that its side uses.
    fn contest_text(&self, text: &str) -> String {
        let is_red = self.game().side() == Colour::Red;
        match text.len() {
            16 if is_red => text.to_uppercase(),
            3 if is_red => capitalised(&text.to_lowercase()),
            _ => text.to_lowercase(),
        }
    }

    fn wanted(&self) -> &'static str {
        match self.game().position() {
            Some(_) => "a move like b5d3 or Df8",
            None => "a setup of 16 letters",
        }
    }

    fn usual_move(&mut self, clock: &Clock) -> Option<String> {
        let side = self.game().side();
        let is_setup = self.game().position().is_none();
        is_setup.then(|| self.choose_setup(clock).text(side))
    }

    fn last_move(&self) -> Option<String> {
        let (position, mv) = (self.game().position()?, self.game().moves().last()?);
        let text = self.game().texts().last()?.clone();
        let kind = position.board().piece_on(mv.to())?.kind.name();
        Some(match mv.from() {
            Some(from) => format!("{text}, the {kind} from {from} to {}", mv.to()),
            None => format!("{text}, drops a {kind} on {}", mv.to()),
        })
    }

    /// Lists all moves; those that leave the wazir en prise are listed separately.
    fn moves(&self) -> String {
        let Some(position) = self.game().position() else {
            return "Any setup of 16 letters.\n".to_string();
        };
        let (mut safe, mut risky) = (Vec::new(), Vec::new());
        if !self.is_over() {
            movegen::pseudo_legal(position, |mv| {
                let list = if position.is_safe(mv) { &mut safe } else { &mut risky };
                list.push(mv.text(position.side()).to_string());
            });
        }
        let lists = [("moves", safe), ("leaving the wazir en prise", risky)].into_iter();
        let lists = lists.filter(|(_, moves)| !moves.is_empty());
        lists.map(|(title, moves)| list_text(title, &moves)).collect()
    }

    fn thought(&self) -> Option<String> {
        let report = self.report();
        Some(score_in_words(for_first(report.score?, (!self.game().side()).into())))
    }

    fn end(&self) -> Option<String> {
        end_text(self.game())
    }
}

/// Describes how a game ended; `None` if it is not over.
pub(super) fn end_text(game: &Game) -> Option<String> {
    Some(match game.outcome()? {
        Outcome::Won(side) => format!("{} has captured the wazir and won", side.name()),
        Outcome::Drawn => format!("a draw: {} moves are made", game.ply()),
    })
}

/// Styles of Red's and Blue's pieces.
const STYLES: [Style; 2] =
    [AnsiColor::BrightRed.on_default().bold(), AnsiColor::BrightBlue.on_default().bold()];

/// Returns the name of a side in its colour.
fn side_text(side: Colour) -> String {
    painted(side.name(), STYLES[side.index()])
}

/// Draws the board with row h on top, coordinates, both hands and the side to move.
fn board_text(game: &Game, position: &Position) -> String {
    let hands =
        |side: Colour| format!("    {} holds {}", side_text(side), hand_text(position, side));
    let text = squares_text(game, &|square| position.board().piece_on(square), &hands);
    let side = side_text(position.side());
    let turn = game.outcome().is_none().then(|| format!("{side} to move"));
    text + &status_line(position.ply(), game.texts().last(), turn)
}

/// Draws the board before both setups are chosen, with the side to choose next.
fn setup_text(game: &Game) -> String {
    let mut board = Squares::EMPTY;
    for (setup, colour) in game.setups().iter().zip(Colour::ALL) {
        for (index, &kind) in setup.kinds().iter().enumerate() {
            board.toggle(Piece { colour, kind }, Setup::square(colour, index));
        }
    }
    let mut text = squares_text(game, &|square| board.piece_on(square), &|_| String::new());
    for (setup, side) in game.setups().iter().zip(Colour::ALL) {
        let _ = writeln!(text, "{} has set up {}", side.name(), setup.text(side));
    }
    let _ = writeln!(text, "{} to set up", side_text(game.side()));
    text
}

/// Draws the squares with their pieces, and the texts `beside` each side's first row.
fn squares_text(
    game: &Game,
    piece_on: &dyn Fn(Square) -> Option<Piece>,
    beside: &dyn Fn(Colour) -> String,
) -> String {
    let last = game.moves().last();
    let place = |square: Square| (square.row(), square.column());
    SquareBoard {
        names: ["abcdefgh", "12345678"],
        last: [last.and_then(|mv| mv.from()), last.map(|mv| mv.to())].map(|at| at.map(place)),
        piece: &|(row, column)| {
            let piece = piece_on(Square::new(row, column))?;
            Some(painted(piece.letter(), STYLES[piece.colour.index()]))
        },
        beside: &|row| match row {
            7 => beside(Colour::Blue),
            0 => beside(Colour::Red),
            _ => String::new(),
        },
    }
    .to_string()
}

/// Formats a hand, e.g. `3 D, 1 A` or `nothing`.
fn hand_text(position: &Position, colour: Colour) -> String {
    let hand = position.hand(colour);
    let held = Kind::DROPPABLE.iter().filter(|&&kind| hand.count(kind) > 0);
    let parts: Vec<String> = held
        .map(|&kind| format!("{} {}", hand.count(kind), Piece { colour, kind }.letter()))
        .collect();
    if parts.is_empty() {
        "nothing".to_string()
    } else {
        parts.join(", ")
    }
}

/// Formats a score for Red in words, e.g. `+1.2 pieces for Red`.
pub(super) fn score_in_words(score: Score) -> String {
    match score::plies_to_end(score) {
        Some(_) => score_text(score),
        // Adding zero turns -0 into 0.
        None => format!("{:+.1} pieces for Red", (f64::from(score) / 10.0).round() / 10.0 + 0.0),
    }
}

/// Formats a score for Red in the unit of `cupbot analyse`, e.g. `Red wins in 5` or `Score -120`.
pub(super) fn score_text(score: Score) -> String {
    let winner = if score > 0 { Colour::Red } else { Colour::Blue };
    match score::plies_to_end(score) {
        Some(plies) => format!("{} wins in {plies}", capitalised(winner.name())),
        None => format!("Score {score:+}"),
    }
}

#[cfg(test)]
mod tests;
