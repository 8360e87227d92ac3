//! The contract for the board in the browser: the game provides positions with their legal moves, a player
//! and an analyst; the page itself knows no rules. The board is drawn by the script of the replay page.

use super::page::Frame;
use super::record::{Record, ReplayError};
use super::settings::Settings;
use super::GameState;
use crate::engine::dialogue::Player;
use anyhow::Result;
use serde::Serialize;
use std::collections::BTreeMap;

/// A game's ability to be played and analysed in the browser.
pub struct BoardPage {
    /// Returns the positions of a record from the given number of moves on.
    pub scenes: fn(&Record, usize) -> Result<Vec<Scene>>,
    /// Creates a player for a new game.
    pub player: MakePlayer,
    /// Creates an analyst; the argument is the maximum hash table size in MiB.
    pub analyst: fn(usize) -> Box<dyn Analyst>,
    /// Mark that players can add to a move, if the game has one. The page shows a switch for it.
    pub mark: Option<Mark>,
    /// Position editor, if games can begin from a position.
    pub editor: Option<Editor>,
    /// Returns why the picked spots do not form a legal move after a record; `None` if there is nothing to
    /// add to "illegal".
    pub refusal: fn(&Record, &[String]) -> Result<Option<String>>,
    /// Whether scenes contain the number of attackers of each square.
    pub has_attacks: bool,
    /// Explains to a new player, in a sentence or two, how to move on the page and what the aim is.
    pub how: &'static str,
    /// Page with the rules of the game.
    pub rules: RulesPage,
}

/// A page of rules: text with drawings; it can also be printed.
pub struct RulesPage {
    /// Text in the subset of Markdown that `commands/board/rules.rs` supports.
    pub text: &'static str,
    /// Drawings in the text: file name and SVG source.
    pub drawings: &'static [(&'static str, &'static str)],
}

/// [`BoardPage::refusal`] of games that give no reasons.
pub fn no_refusal(_record: &Record, _spots: &[String]) -> Result<Option<String>> {
    Ok(None)
}

/// Creates a player for a game from this start position, or from the standard one if `None`.
pub type MakePlayer = fn(Settings, Option<&str>) -> Result<Box<dyn Player>>;

/// A mark that may follow any move.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Mark {
    /// The character.
    pub sign: char,
    /// Meaning, as the label of a switch.
    pub label: &'static str,
}

/// A position as the page shows it, with its legal moves. Squares of the board and pieces in hand are called
/// spots; the game's script draws them, and the page refers to them by name.
#[derive(Default, Serialize)]
pub struct Scene {
    /// Board and score as on the replay page.
    #[serde(flatten)]
    pub frame: Frame,
    /// Sentence that says whose turn it is or how the game ended.
    pub status: String,
    /// Legal moves.
    pub moves: Vec<Choice>,
    /// Setup to be chosen instead of a move, if one is due.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub setup: Option<Arrangement>,
    /// For each spot with a piece, the spots that the piece could reach on an empty board.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub reach: BTreeMap<String, Vec<String>>,
    /// The position as text, if games can begin from a position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// Result, if the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<Ending>,
}

/// A move and the sequence of spots to pick for it.
#[derive(Debug, PartialEq, Serialize)]
pub struct Choice {
    /// The move in the contest's notation.
    pub text: String,
    /// The move in the usual notation, if different; the page shows this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub written: Option<String>,
    /// Spots to pick, at least one. No choice's spots equal or are a prefix of another's. The same move may
    /// be offered in two ways.
    pub spots: Vec<String>,
    /// Whether the move loses at once.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_risky: bool,
}

/// A setup to be chosen: its text is the letters of the pieces in the order of the spots.
#[derive(Debug, PartialEq, Serialize)]
pub struct Arrangement {
    /// Spots of the pieces.
    pub spots: Vec<String>,
    /// Good setups with their names, best first; never empty.
    pub good: Vec<(String, String)>,
}

/// The end of a game.
#[derive(Debug, PartialEq, Serialize)]
pub struct Ending {
    /// Index of the winner, 0 for the side that begins; `None` for a draw.
    pub winner: Option<usize>,
}

/// A position editor. It works on the text of a position, which may be incomplete: positions are validated
/// only when they are used.
pub struct Editor {
    /// Pieces to put on the board, with their names for people.
    pub palette: &'static [(&'static str, &'static str)],
    /// The position without pieces.
    pub empty: &'static str,
    /// Label of the text field: the forms of a position that can be typed.
    pub form: &'static str,
    /// Number of numbered start positions; a number below it is accepted as a position. 0 if there are none.
    pub numbered: usize,
    /// Parses a typed position and returns its full text.
    pub read: fn(&str) -> Result<String>,
    /// Returns the board of a position for the page to draw.
    pub draw: fn(&str) -> Result<Frame>,
    /// Returns the position with a piece put on a spot, or with the spot cleared if `None`. On a spot in
    /// hand, adds or removes one of that piece.
    pub put: fn(&str, spot: &str, piece: Option<&str>) -> Result<String>,
    /// Returns the position with the other side to move.
    pub turn: fn(&str) -> Result<String>,
    /// Returns the rights of a position, such as castling; empty if the game has none.
    pub rights: fn(&str) -> Result<Vec<Right>>,
    /// Returns the position with a right toggled.
    pub toggle: fn(&str, right: &str) -> Result<String>,
}

/// A right that the board does not show, e.g. to castle.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Right {
    /// Identifier.
    pub right: &'static str,
    /// Name for people.
    pub label: &'static str,
    /// Whether the position has the right.
    pub is_on: bool,
    /// Whether the placement of the pieces allows the right.
    pub is_possible: bool,
}

/// A game's puzzles. Each move that is tried is checked by a solver, so any solution of the same length is
/// accepted.
pub struct Puzzles {
    /// Returns all puzzles, easiest first.
    pub list: fn() -> Vec<Puzzle>,
    /// Judges the last of the moves made from the puzzle's position; the moves include the answers.
    pub judge: fn(&Puzzle, &[String]) -> Result<Verdict>,
    /// Returns the rest of the solution after these moves, including the answers.
    pub solve: fn(&Puzzle, &[String]) -> Result<Vec<String>>,
}

/// A puzzle: a position and a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Puzzle {
    /// The position as in records; unique among the puzzles.
    pub position: String,
    /// Index of the side to move, 0 for the side that begins.
    pub side: usize,
    /// The task, in a sentence.
    pub task: String,
    /// Number of moves of the side to move in the solution.
    pub moves: usize,
}

/// Judgement of a move in a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase", tag = "is")]
pub enum Verdict {
    /// The puzzle is solved.
    Solved {
        /// What was found, in a sentence.
        text: String,
    },
    /// The move is correct; the puzzle continues after the answer.
    Right {
        /// Move of the other side.
        answer: String,
    },
    /// The move is wrong.
    Wrong {
        /// The reason, in a sentence.
        text: String,
    },
}

/// A search of positions for analysis.
pub trait Analyst: Send {
    /// Searches the last position of a record, whose game must not be over. Reports up to `lines` best moves
    /// repeatedly, until the search is complete or the thread is interrupted (see
    /// [`crate::engine::interrupt`]).
    fn analyse(
        &mut self,
        record: &Record,
        lines: usize,
        report: &mut dyn FnMut(Finding),
    ) -> Result<()>;
}

/// Intermediate or final result of an analysis.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Finding {
    /// Progress of the search, in words.
    pub depth: String,
    /// Nodes searched.
    pub nodes: u64,
    /// The best moves, best first: as many as requested, or fewer if there are fewer moves.
    pub lines: Vec<Line>,
    /// Remark about limitations of the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remark: Option<&'static str>,
}

/// A principal variation and its score.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Line {
    /// Height in the evaluation graph: 1 if the side that begins has won, -1 if the other side has.
    pub height: f64,
    /// The score in words.
    pub score: String,
    /// Moves of the variation.
    pub moves: Vec<String>,
}

/// Returns the scenes of a record from `from` moves on. `game` is at the record's start position; `scene`
/// converts a position.
pub fn scenes_of<G: GameState>(
    mut game: G,
    record: &Record,
    from: usize,
    scene: impl Fn(&G) -> Scene,
) -> Result<Vec<Scene>> {
    let mut scenes = Vec::new();
    if from == 0 {
        scenes.push(scene(&game));
    }
    for (index, text) in record.moves.iter().enumerate() {
        game.play(text).map_err(|refused| ReplayError {
            ply: game.ply() + 1,
            text: text.clone(),
            reason: refused.reason,
        })?;
        if index + 1 >= from {
            scenes.push(scene(&game));
        }
    }
    Ok(scenes)
}

/// Returns the end of a game for the page; `None` if it is not over.
pub fn ending(game: &dyn GameState) -> Option<Ending> {
    game.end().map(|end| Ending { winner: end.winner.map(|side| side.index()) })
}
