//! What a game brings to the board in the browser, beside the drawing of its replay page: positions with
//! all that can be done there, a player, and an analyst. The page itself knows no rules.

use super::page::Frame;
use super::record::{Record, ReplayError};
use super::settings::Settings;
use super::GameState;
use crate::engine::dialogue::Player;
use anyhow::Result;
use serde::Serialize;
use std::collections::BTreeMap;

/// The capability of a game to be played and analysed in the browser.
pub struct BoardPage {
    /// The positions of a record after so many of its moves and later.
    pub scenes: fn(&Record, usize) -> Result<Vec<Scene>>,
    /// A player before the first move of a game from the beginning, or from a start position.
    pub player: MakePlayer,
    /// Searches positions for analysis, with a table of at most so many MiB.
    pub analyst: fn(usize) -> Box<dyn Analyst>,
    /// What a mark after a move says, for a switch of the page; where the game has such a mark.
    pub mark: Option<Mark>,
    /// Changes positions piece by piece; where games can begin from a position.
    pub editor: Option<Editor>,
    /// Why spots that were picked after a record make no move, where more can be said than that the move made
    /// of them is none.
    pub refusal: fn(&Record, &[String]) -> Result<Option<String>>,
    /// Does a scene count who attacks each square?
    pub has_attacks: bool,
    /// How a move is made on the page, and what for, in a sentence or two for somebody new.
    pub how: &'static str,
    /// The page of its rules.
    pub rules: RulesPage,
}

/// A page of rules: text with drawings, which is read on paper as well.
pub struct RulesPage {
    /// Markdown; see `commands/board/rules.rs` for what of it.
    pub text: &'static str,
    /// The drawings of the text, SVG by the names of their files.
    pub drawings: &'static [(&'static str, &'static str)],
}

/// Nothing more can be said of a pick.
pub fn no_refusal(_record: &Record, _spots: &[String]) -> Result<Option<String>> {
    Ok(None)
}

/// Makes a player that knows a start position, if there is one.
pub type MakePlayer = fn(Settings, Option<&str>) -> Result<Box<dyn Player>>;

/// A mark that may be put after any move.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Mark {
    /// The character.
    pub sign: char,
    /// What it says, as the label of a switch.
    pub label: &'static str,
}

/// A position as the page shows it, and what can be done there. Places of the board and pieces in hand
/// are spots: names that the game's script draws and the page passes back.
#[derive(Default, Serialize)]
pub struct Scene {
    /// What is drawn.
    #[serde(flatten)]
    pub frame: Frame,
    /// Whose turn it is, or how the game ended, in a sentence.
    pub status: String,
    /// The moves by the rules.
    pub moves: Vec<Choice>,
    /// The setup that is due instead of a move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub setup: Option<Arrangement>,
    /// Where the piece of a spot could move if nothing were in its way.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub reach: BTreeMap<String, Vec<String>>,
    /// The position as a text, where games can begin from one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// Is the game over, and for whom?
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<Ending>,
}

/// A move, and the spots to be picked for it one after another.
#[derive(Debug, PartialEq, Serialize)]
pub struct Choice {
    /// As the contest writes it.
    pub text: String,
    /// As its players write it, where that is something else; the page shows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub written: Option<String>,
    /// One or more spots; no two choices have the same ones, or begin with all of another's. A move may be
    /// offered twice, to be made in two ways.
    pub spots: Vec<String>,
    /// Does it lose on the spot?
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_risky: bool,
}

/// A setup to be arranged: its text is the letters of its pieces, in the order of the spots.
#[derive(Debug, PartialEq, Serialize)]
pub struct Arrangement {
    /// Where the pieces stand.
    pub spots: Vec<String>,
    /// Good arrangements with their names, the best first; never empty.
    pub good: Vec<(String, String)>,
}

/// The end of a game.
#[derive(Debug, PartialEq, Serialize)]
pub struct Ending {
    /// The winner, 0 for the side that begins; `None`: nobody.
    pub winner: Option<usize>,
}

/// Changes a position piece by piece. Its texts may be unfinished: what is missing is said when the
/// position is used.
pub struct Editor {
    /// The pieces to put on the board, and what each is called.
    pub palette: &'static [(&'static str, &'static str)],
    /// A text without pieces.
    pub empty: &'static str,
    /// What may be typed as a position, as the label of a field.
    pub form: &'static str,
    /// Positions to begin from that go by numbers below this one, which are texts too; 0: none do.
    pub numbered: usize,
    /// A text in full, as the others write it.
    pub read: fn(&str) -> Result<String>,
    /// What the page draws of a text.
    pub draw: fn(&str) -> Result<Frame>,
    /// The text after putting a piece on a spot, or taking away what is there. On a spot outside the
    /// board, one more of that piece in hand, or one less.
    pub put: fn(&str, spot: &str, piece: Option<&str>) -> Result<String>,
    /// The text with the other side to move.
    pub turn: fn(&str) -> Result<String>,
    /// The rights that a text gives or may give; empty where the game has none.
    pub rights: fn(&str) -> Result<Vec<Right>>,
    /// The text with a right given or taken away.
    pub toggle: fn(&str, right: &str) -> Result<String>,
}

/// A right of a position that is not seen on the board, as to castle.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Right {
    /// Its name.
    pub right: &'static str,
    /// Its name for people.
    pub label: &'static str,
    /// Does the position give it?
    pub is_on: bool,
    /// Could it?
    pub is_possible: bool,
}

/// Puzzles: positions of a game in which something is to be found. What is right is found out anew for each move
/// that is tried, so that another way of the same length counts as well.
pub struct Puzzles {
    /// All of them, the easy ones first.
    pub list: fn() -> Vec<Puzzle>,
    /// Judges the last of the moves that were made from a puzzle's position, the answers among them.
    pub judge: fn(&Puzzle, &[String]) -> Result<Verdict>,
    /// The moves that solve a puzzle after these moves, with the answers between them.
    pub solve: fn(&Puzzle, &[String]) -> Result<Vec<String>>,
}

/// A position, and what is to be found there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Puzzle {
    /// The position as records write it; no two puzzles have the same.
    pub position: String,
    /// The side to move.
    pub side: usize,
    /// The task, as a sentence.
    pub task: String,
    /// How many moves of the side to move solve it.
    pub moves: usize,
}

/// What a move that was tried is worth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase", tag = "is")]
pub enum Verdict {
    /// The puzzle is solved, and what was found in a sentence.
    Solved {
        /// The sentence.
        text: String,
    },
    /// The move is right, and the puzzle goes on after the answer to it.
    Right {
        /// The move of the other side.
        answer: String,
    },
    /// The move solves nothing, and why in a sentence.
    Wrong {
        /// The sentence.
        text: String,
    },
}

/// Searches positions without playing.
pub trait Analyst: Send {
    /// Searches the last position of a record, where the game goes on, and reports its best moves, at
    /// most `lines`, again and again, until nothing more can be found or the thread is interrupted (see
    /// [`crate::engine::interrupt`]).
    fn analyse(
        &mut self,
        record: &Record,
        lines: usize,
        report: &mut dyn FnMut(Finding),
    ) -> Result<()>;
}

/// What an analyst has found so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Finding {
    /// How far the search has come, in words.
    pub depth: String,
    /// What has been searched.
    pub nodes: u64,
    /// The best moves, the best one first; as many as were asked for, or as the game has.
    pub lines: Vec<Line>,
    /// A remark of the search's limits, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remark: Option<&'static str>,
}

/// A move, what it is worth and what is expected to follow.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Line {
    /// 1 where the side that begins has won, -1 where the other one has; as the curve of a page.
    pub height: f64,
    /// The score in words.
    pub score: String,
    /// The expected moves, this one first.
    pub moves: Vec<String>,
}

/// The positions of a record after `from` of its moves and later, drawn by `scene`; `game` stands at the
/// record's beginning.
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

/// The end of a game for the page.
pub fn ending(game: &dyn GameState) -> Option<Ending> {
    game.end().map(|end| Ending { winner: end.winner.map(|side| side.index()) })
}
