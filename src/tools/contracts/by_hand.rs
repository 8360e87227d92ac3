//! A player with a board for play by hand.

use super::settings::Settings;
use crate::engine::clock::Clock;
use crate::engine::dialogue::Player;
use crate::tools::support::style::{self, painted};
use std::fmt::{self, Display, Formatter};

/// The width that lists of moves are broken at.
pub const LINE_WIDTH: usize = 78;

/// The capability of a game to be played at a terminal.
pub struct ByHand {
    /// Shown at the beginning.
    pub welcome: &'static str,
    /// How moves are written, and the rules in short.
    pub rules: &'static str,
    /// Creates a player at the start of a game.
    pub player: fn(Settings) -> Box<dyn TerminalBoard>,
}

/// What a person at the board needs of a player, beside the dialogue.
pub trait TerminalBoard: Player {
    /// A move as the contest writes it, where people may write it in other ways too.
    fn contest_text(&self, text: &str) -> String {
        text.to_string()
    }

    /// Begins a game from a position that a person names, and returns it as records write it. `None` where
    /// all games begin alike.
    fn begin_at(&mut self, _start: &str) -> Option<Result<String, String>> {
        None
    }

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

/// The line below a board: the number of moves, the last one, and whose turn it is unless the game is over.
pub fn status_line(ply: usize, last: Option<impl Display>, turn: Option<impl Display>) -> String {
    let last = last.map_or(String::new(), |last| format!(", the last one {last}"));
    let turn = turn.map_or(String::new(), |turn| format!("; {turn}"));
    format!("{} made{last}{turn}\n", count_of_moves(ply))
}

/// A square of a board by its row and column, from 0.
pub type Place = (usize, usize);

/// A board of squares with the names of rows and columns, one letter each, the first row at the bottom. The last
/// move's squares are marked: `( )` where it came from, `[D]` where it went.
pub struct SquareBoard<'a> {
    /// The names of the rows and of the columns.
    pub names: [&'a str; 2],
    /// The square that the last move came from, and the one where it went.
    pub last: [Option<Place>; 2],
    /// The text of the piece on a square.
    pub piece: &'a dyn Fn(Place) -> Option<String>,
    /// The text beside a row.
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

/// A title and moves in lines of limited width.
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
