//! The contract for play by hand at a terminal.

use super::settings::Settings;
use crate::engine::clock::Clock;
use crate::engine::dialogue::Player;
use crate::tools::support::style::{self, painted};
use std::fmt::{self, Display, Formatter};

/// Maximum line width of lists of moves, in characters.
pub const LINE_WIDTH: usize = 78;

/// A game's ability to be played at a terminal.
pub struct ByHand {
    /// Message shown at the start.
    pub welcome: &'static str,
    /// Notation of moves and a short summary of the rules.
    pub rules: &'static str,
    /// Creates a player for a new game.
    pub player: fn(Settings) -> Box<dyn TerminalBoard>,
}

/// A player with a board to show at a terminal.
pub trait TerminalBoard: Player {
    /// Converts a move typed by a person to the contest's notation.
    fn contest_text(&self, text: &str) -> String {
        text.to_string()
    }

    /// Begins a game from a position typed by a person and returns the position as in records. Returns `None`
    /// if all games begin from the same position.
    fn begin_at(&mut self, _start: &str) -> Option<Result<String, String>> {
        None
    }

    /// Draws the board and says whose turn it is; may contain styles (see [`crate::tools::support::style`]).
    fn board(&self) -> String;

    /// Lists all legal moves.
    fn moves(&self) -> String;

    /// Returns the player's evaluation of its last move in words, in the same unit as the board in the
    /// browser; `None` if the move was not searched.
    fn thought(&self) -> Option<String>;

    /// Returns the move that the player would play and its evaluation. Must not be called after the end of
    /// the game.
    fn hint(&mut self, clock: &Clock) -> Option<String>;

    /// Says how the game ended; `None` if it is not over.
    fn end(&self) -> Option<String>;
}

/// Formats a score with the number of nodes searched.
pub fn score_and_nodes(score: &str, nodes: u64) -> String {
    format!("{score} after {nodes} nodes")
}

/// Formats a number of moves: `1 move`, `2 moves`.
pub fn count_of_moves(count: usize) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} move{plural}")
}

/// Formats the line below a board: number of moves, last move, and whose turn it is (`None` if the game is
/// over).
pub fn status_line(ply: usize, last: Option<impl Display>, turn: Option<impl Display>) -> String {
    let last = last.map_or(String::new(), |last| format!(", the last one {last}"));
    let turn = turn.map_or(String::new(), |turn| format!("; {turn}"));
    format!("{} made{last}{turn}\n", count_of_moves(ply))
}

/// Row and column of a square, from 0.
pub type Place = (usize, usize);

/// A board of squares as text, with row and column names around it and the first row at the bottom. The
/// squares of the last move are marked: `( )` for the origin, `[D]` for the target.
pub struct SquareBoard<'a> {
    /// Names of the rows and of the columns, one character each.
    pub names: [&'a str; 2],
    /// Origin and target of the last move.
    pub last: [Option<Place>; 2],
    /// Returns the piece on a square; `None` for an empty square.
    pub piece: &'a dyn Fn(Place) -> Option<String>,
    /// Returns the text to the right of a row.
    pub beside: &'a dyn Fn(usize) -> String,
}

impl Display for SquareBoard<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let [rows, columns] = self.names;
        let columns: String = columns.chars().map(|name| format!("  {name}")).collect();
        let header = painted(format!("   {columns}"), style::FAINT);
        writeln!(f, "{header}")?;
        for (row, name) in rows.char_indices().rev() {
            let name = painted(name, style::FAINT);
            write!(f, "  {name} ")?;
            for place in (0..self.names[1].len()).map(|column| (row, column)) {
                let [is_from, is_to] = self.last.map(|last| last == Some(place));
                let empty = if is_from { " ".to_string() } else { painted('.', style::FAINT) };
                let [left, right] = match (is_from, is_to) {
                    (_, true) => ["[", "]"].map(|mark| painted(mark, style::LAST)),
                    (true, _) => ["(", ")"].map(|mark| painted(mark, style::LAST)),
                    _ => [" ", " "].map(str::to_string),
                };
                write!(f, "{left}{}{right}", (self.piece)(place).unwrap_or(empty))?;
            }
            writeln!(f, " {name}{}", (self.beside)(row))?;
        }
        writeln!(f, "{header}")
    }
}

/// Formats a title and a list of moves, wrapped at [`LINE_WIDTH`].
pub fn list_text(title: &str, moves: impl IntoIterator<Item = impl Display>) -> String {
    let moves: Vec<String> = moves.into_iter().map(|mv| mv.to_string()).collect();
    let mut text = format!("{title} ({}):", moves.len());
    let mut width = text.len();
    for mv in &moves {
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
