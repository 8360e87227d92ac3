//! Playing by hand at a terminal.

use super::Settings;
use crate::engine::clock::Clock;
use crate::engine::dialogue::Player;
use crate::tools::support::style::{self, painted};
use crate::tools::support::text::count_of;
use std::fmt::{self, Display, Formatter};

/// Maximum width of lists of moves.
pub const LINE_WIDTH: usize = 72;

/// Everything needed to play a game at a terminal.
pub struct ByHand {
    /// The game in a few words, for the list of games.
    pub pitch: &'static str,
    /// Text shown at the beginning.
    pub welcome: &'static str,
    /// Move notation and a summary of the rules.
    pub rules: &'static str,
    /// Creates a player for a new game.
    pub player: fn(Settings) -> Box<dyn TerminalBoard>,
}

/// A player with a board at the terminal.
pub trait TerminalBoard: Player {
    /// Converts a move from another notation to the contest's.
    fn contest_text(&self, text: &str) -> String {
        text.to_string()
    }

    /// Starts a game from a position given by the user and returns the position as records write it. `None` if the game
    /// has no start positions.
    fn begin_at(&mut self, _start: &str) -> Option<Result<String, String>> {
        None
    }

    /// Draws the board with the side to move, possibly with styles (see [`crate::tools::support::style`]).
    fn board(&self) -> String;

    /// Lists all legal moves.
    fn moves(&self) -> String;

    /// Describes the score of the player's last answer; `None` if it did not search.
    fn thought(&self) -> Option<String>;

    /// Describes the last move for readers; `None`: as records write it.
    fn last_move(&self) -> Option<String> {
        None
    }

    /// Describes what the side to move may type, e.g. `a wall like B3h`.
    fn wanted(&self) -> &'static str;

    /// Returns the move that an empty line plays, if there is one.
    fn usual_move(&mut self, _clock: &Clock) -> Option<String> {
        None
    }

    /// Describes how the game ended, if it is over.
    fn end(&self) -> Option<String>;
}

/// Returns the line below a board: number of moves, last move, and the side to move unless the game is over.
pub fn status_line(ply: usize, last: Option<impl Display>, turn: Option<impl Display>) -> String {
    let last = last.map_or(String::new(), |last| format!(", the last one {last}"));
    let turn = turn.map_or(String::new(), |turn| format!("; {turn}"));
    format!("{} made{last}{turn}\n", count_of(ply, "move"))
}

/// A square by its row and column, from 0.
pub type Place = (usize, usize);

/// A board of squares with one-letter names of rows and columns, first row at the bottom. The last move is marked: `(
/// )` for its origin, `[D]` for its target.
pub struct SquareBoard<'a> {
    /// Names of the rows and of the columns.
    pub names: [&'a str; 2],
    /// Origin and target of the last move.
    pub last: [Option<Place>; 2],
    /// Returns the text of the piece on a square.
    pub piece: &'a dyn Fn(Place) -> Option<String>,
    /// Returns the text beside a row.
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

/// Formats a title and moves in lines of limited width.
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
