//! A player with a board for play by hand.

use crate::engine::clock::Clock;
use crate::engine::dialogue::Player;

/// The width that lists of moves are broken at.
pub const LINE_WIDTH: usize = 78;

/// What a person at the board needs of a player, beside the dialogue.
pub trait TerminalBoard: Player {
    /// Shown at the beginning.
    fn welcome(&self) -> &'static str;

    /// How moves are written, and the rules in short.
    fn rules(&self) -> &'static str;

    /// A move as the contest writes it, where people may write it in other ways too.
    fn contest_text(&self, text: &str) -> String {
        text.to_string()
    }

    /// Begins a game from a position that a person names, and returns it as records write it. `None` where
    /// all games begin alike.
    fn begin_at(&mut self, _start: &str) -> Option<Result<String, String>> {
        None
    }

    /// The moves of the game so far.
    fn ply(&self) -> usize;

    /// Goes back to the game after so many moves, or stays where there are no more.
    fn go_back_to(&mut self, ply: usize);

    /// The board and whose turn it is, in lines, perhaps with styles (see [`crate::tools::support::style`]).
    fn board(&self) -> String;

    /// All moves, in lines.
    fn moves(&self) -> String;

    /// What the player thought of its last answer, in words and in the unit of the page of the board; `None`
    /// where it did not think.
    fn thought(&self) -> Option<String>;

    /// What the player would do and what it thinks of that; not asked for once the game is over.
    fn hint(&mut self, clock: &Clock) -> Option<String>;

    /// How the game ended, if it has.
    fn end(&self) -> Option<String>;
}

/// A score, and what was searched for it.
pub fn score_and_nodes(score: &str, nodes: u64) -> String {
    format!("{score} after {nodes} nodes")
}

/// A number of moves: `1 move`, `2 moves`.
pub fn count_of_moves(count: usize) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} move{plural}")
}

/// How far a game has come.
pub fn moves_made(ply: usize) -> String {
    format!("{} made", count_of_moves(ply))
}

/// A title and moves in lines of limited width.
pub fn list_text(title: &str, moves: &[String]) -> String {
    let mut text = format!("{title} ({}):", moves.len());
    let mut width = text.len();
    for mv in moves {
        if width + 1 + mv.len() > LINE_WIDTH {
            text.push_str("\n ");
            width = 1;
        }
        text.push(' ');
        text.push_str(mv);
        width += 1 + mv.len();
    }
    text.push('\n');
    text
}
