//! Data and functions of a game for its pages, the board in the browser and the replay of a game: drawings, positions
//! with their legal moves, a player and an analyst. The pages themselves know no rules.

use super::analysis::Mark as Judgement;
use super::lessons::Lesson;
use super::record::{play_text, Record};
use super::{capitalised, End, GameState, Rules, Settings};
use crate::engine::dialogue::Player;
use anyhow::{Context, Result};
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Everything needed to play, analyse and show a game in the browser.
pub struct BoardPage {
    /// Script that draws the board; see `support/pages/parts.js` for what it defines.
    pub script: &'static str,
    /// CSS of the board and the colours of the sides.
    pub style: &'static str,
    /// Shapes for the script, as HTML; may be empty.
    pub shapes: &'static str,
    /// Returns the scenes of a record, beginning with the one after this many moves.
    pub scenes: fn(&Record, usize) -> Result<Vec<Scene>>,
    /// Returns what the notes and scores of a record say about its positions and moves.
    pub views: fn(&Record) -> Result<Vec<View>>,
    /// Creates a player for a game from the beginning or from a start position.
    pub player: MakePlayer,
    /// Creates an analyst with a hash table of at most this many MiB.
    pub analyst: fn(usize) -> Box<dyn Analyst>,
    /// A mark that may follow a move, if the game has one.
    pub mark: Option<Mark>,
    /// Position editor, for games that can begin from any position.
    pub editor: Option<Editor>,
    /// Explains why the spots picked after a record are not a legal move; `None` if there is nothing to say but that
    /// the move is illegal.
    pub refusal: fn(&Record, &[String]) -> Result<Option<String>>,
    /// Whether a scene counts the attackers of each square.
    pub has_attacks: bool,
    /// The aim of the game in one line.
    pub goal: &'static str,
    /// Help for beginners in one or two sentences: how to enter a move.
    pub how: &'static str,
    /// Lessons for beginners, in order.
    pub lessons: &'static [Lesson],
    /// Page with the rules of the game.
    pub rules: RulesPage,
}

impl BoardPage {
    /// Returns a move that solves a lesson.
    pub fn solution(&self, rules: &'static Rules, lesson: &Lesson) -> Result<String> {
        let record = lesson.record(rules);
        let scene = (self.scenes)(&record, record.moves.len())?.pop();
        let moves = scene.map(|scene| scene.moves).unwrap_or_default();
        let solving =
            moves.into_iter().find(|choice| lesson.solves(rules, &choice.text).unwrap_or(false));
        Ok(solving.context("no move solves the lesson")?.text)
    }
}

/// A page of rules: text with drawings, also readable on paper.
pub struct RulesPage {
    /// Markdown, in the subset of `commands/board/rules.rs`.
    pub text: &'static str,
    /// SVG drawings of the text, by file name.
    pub drawings: &'static [(&'static str, &'static str)],
}

/// Default of [`BoardPage::refusal`]: no explanation.
pub fn no_refusal(_record: &Record, _spots: &[String]) -> Result<Option<String>> {
    Ok(None)
}

/// Creates a player that is given the start position, if there is one.
pub type MakePlayer = fn(Settings, Option<&str>) -> Result<Box<dyn Player>>;

/// A mark that may follow any move.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Mark {
    /// The character.
    pub symbol: char,
    /// Its meaning, as the label of a switch.
    pub label: &'static str,
    /// If the mark is an offer: the message that cupbot's next move declines it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub declined: Option<&'static str>,
}

/// A position as the page shows it, with its legal moves. Squares and pieces in hand are spots: names that the game's
/// script draws and the page sends back.
#[derive(Default, Serialize)]
pub struct Scene {
    /// Number of moves made, including setups.
    pub ply: usize,
    /// The side to move, 0 for the side that begins; `None` if the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<usize>,
    /// The move that led to the position.
    #[serde(flatten)]
    pub last: Option<LastMove>,
    /// Data for the game's script.
    #[serde(flatten)]
    pub board: Map<String, Value>,
    /// The side to move or the result, as a sentence.
    pub status: String,
    /// The legal moves.
    pub moves: Vec<Choice>,
    /// The setup to be made instead of a move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub setup: Option<Arrangement>,
    /// Pseudo-legal targets of a spot, for hints on refused moves.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub reach: BTreeMap<String, Vec<String>>,
    /// Number of attackers of each side, by attacked square.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub attacked: BTreeMap<String, [usize; 2]>,
    /// The position as text, if games can begin from one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// The result, if the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<Ending>,
}

/// The move that led to a position.
#[derive(Default, Serialize)]
pub struct LastMove {
    /// The move as written.
    #[serde(rename = "move")]
    pub text: String,
    /// The side that made it, 0 for the side that begins.
    pub mover: usize,
}

/// Result of an analysis for a position and the move that led to it.
#[derive(Default, Serialize)]
pub struct View {
    /// Number of moves made, as in [`Scene::ply`].
    pub ply: usize,
    /// Height in the score graph: 1 if the side that begins wins, -1 if the other side wins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height: Option<f64>,
    /// The score in words.
    #[serde(rename = "view", skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Depth and nodes of the search, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// Principal variation, beginning with the best move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<Vec<String>>,
    /// Mark of a bad move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<Judgement>,
    /// Loss of the move, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<String>,
    /// Whether the results with the best move and after the move played are proved.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub certain: bool,
    /// Why the move is bad, if the game says more than the best reply.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// Gives the last view the score of a finished game, which needs no search.
pub fn show_end(views: &mut [View], rules: &Rules, end: Option<End>) {
    let Some((end, last)) = end.zip(views.last_mut()) else { return };
    let winner = end.winner.map(|side| capitalised(rules.side_name(side)));
    last.height = Some(end.winner.map_or(0.0, |side| 1.0 - 2.0 * side.index() as f64));
    last.text = Some(winner.map_or("A draw".to_string(), |winner| format!("{winner} has won")));
    (last.detail, last.line) = (None, None);
}

/// A legal move and the spots to click for it, in order.
#[derive(Debug, PartialEq, Serialize)]
pub struct Choice {
    /// The move in the contest's notation.
    pub text: String,
    /// The move in the notation of the game's players, if that differs; shown by the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub written: Option<String>,
    /// One or more spots. No two moves have the same spots, and none is a prefix of another's. A move may be listed
    /// twice if it can be entered in two ways.
    pub spots: Vec<String>,
    /// Whether the move loses at once.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_risky: bool,
}

impl Choice {
    /// Whether a text means this move, in either notation.
    pub fn is(&self, text: &str) -> bool {
        self.text == text || self.written.as_deref() == Some(text)
    }
}

/// A setup to be arranged. Its text is the letters of its pieces in the order of the spots.
#[derive(Debug, PartialEq, Serialize)]
pub struct Arrangement {
    /// The spots of the pieces.
    pub spots: Vec<String>,
    /// Good arrangements with their names, best first; never empty.
    pub good: Vec<(String, String)>,
}

/// The result of a game.
#[derive(Debug, PartialEq, Serialize)]
pub struct Ending {
    /// The winner: 0 for the side that begins, 1 for the other; `None` for a draw.
    pub winner: Option<usize>,
}

/// Edits a position piece by piece. Its texts may be incomplete: errors are reported when the position is used.
pub struct Editor {
    /// The pieces that can be placed, with their names.
    pub palette: &'static [(&'static str, &'static str)],
    /// The text of an empty position.
    pub empty: &'static str,
    /// Label of the field for a position's text.
    pub form: &'static str,
    /// Number of start positions that can be given by number, counted from 0.
    pub numbered: usize,
    /// Completes a text to the form that other programs write.
    pub read: fn(&str) -> Result<String>,
    /// Returns the data to draw for a text.
    pub draw: fn(&str) -> Result<Scene>,
    /// Returns the text after placing a piece on a spot or removing the piece there. On a hand's spot the piece is
    /// added to or removed from the hand.
    pub put: fn(&str, spot: &str, piece: Option<&str>) -> Result<String>,
    /// Returns what an unfinished position lacks, if that is known, e.g. "each side needs a king".
    pub missing: fn(&str) -> Option<&'static str>,
    /// Returns the text with the other side to move.
    pub turn: fn(&str) -> Result<String>,
    /// Returns the rights that a text has or could have, e.g. castling rights; empty if the game has none.
    pub rights: fn(&str) -> Result<Vec<Right>>,
    /// Returns the text with a right added or removed.
    pub toggle: fn(&str, right: &str) -> Result<String>,
}

/// A right that the board does not show, e.g. to castle.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Right {
    /// Identifier.
    pub right: &'static str,
    /// Name shown to the user.
    pub label: &'static str,
    /// Whether the position has it.
    pub is_on: bool,
    /// Whether the position could have it.
    pub is_possible: bool,
}

/// Puzzles: positions in which a win must be found. Each attempt is judged by a new search, so any other solution of
/// the same length counts as well.
pub struct Puzzles {
    /// All puzzles, easy ones first.
    pub list: fn() -> Vec<Puzzle>,
    /// Judges the last move made from a puzzle's position. The moves include the replies.
    pub judge: fn(&Puzzle, &[String]) -> Result<Verdict>,
    /// Returns the rest of a solution after these moves, with the replies.
    pub solve: fn(&Puzzle, &[String]) -> Result<Vec<String>>,
}

/// A puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Puzzle {
    /// The position as written in records; unique among the puzzles.
    pub position: String,
    /// Index of the side to move, 0 for the side that begins.
    pub side: usize,
    /// The task, in a sentence.
    pub task: String,
    /// Length of the solution, in moves of the side to move.
    pub moves: usize,
}

/// Result of an attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase", tag = "is")]
pub enum Verdict {
    /// The puzzle is solved.
    Solved {
        /// The result, as a sentence.
        text: String,
    },
    /// The move is right, and the puzzle continues after the reply.
    Right {
        /// The reply.
        answer: String,
    },
    /// The move is wrong.
    Wrong {
        /// Why, as a sentence.
        text: String,
    },
}

/// Receives the findings of an analysis.
pub type Report<'a> = dyn FnMut(Finding) + 'a;

/// A search of positions for analysis.
pub trait Analyst: Send {
    /// Searches the last position of a record, in which the game must not be over. Reports at most `lines` best moves
    /// repeatedly, until the search is complete or the thread is interrupted (see [`crate::engine::interrupt`]).
    fn analyse(&mut self, record: &Record, lines: usize, report: &mut Report) -> Result<()>;
}

/// Result of an analysis so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Finding {
    /// Progress of the search, in words.
    pub depth: String,
    /// Amount of search, e.g. a number of nodes.
    pub nodes: u64,
    /// The best moves, best first: as many as requested or as exist.
    pub lines: Vec<Line>,
    /// A remark on the limits of the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remark: Option<&'static str>,
}

/// A move with its score and principal variation.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Line {
    /// Height in the score graph: 1 if the side that begins wins, -1 if the other side wins.
    pub height: f64,
    /// The score in words.
    pub score: String,
    /// The principal variation, beginning with the move.
    pub moves: Vec<String>,
}

/// Returns the scenes of a record from move `from` on, drawn by `scene`. `game` is the position before the record's
/// first move.
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
        play_text(&mut game, text)?;
        if index + 1 >= from {
            scenes.push(scene(&game));
        }
    }
    Ok(scenes)
}

/// Returns the result of a game for the page.
pub fn ending(game: &dyn GameState) -> Option<Ending> {
    game.end().map(|end| Ending { winner: end.winner.map(|side| side.index()) })
}

/// Helpers of the tests of all boards.
#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::engine::interrupt;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::Arc;

    /// Creates a record of moves separated by spaces.
    pub fn record(rules: &'static Rules, start: Option<&str>, moves: &str) -> Record {
        let moves = moves.split_whitespace().map(str::to_string).collect();
        Record::new(rules, start.map(str::to_string), moves)
    }

    /// Analyses a record with a small table and interrupts the analysis after a finding for which `is_last` is true.
    /// Returns all findings.
    pub fn findings(
        board: &BoardPage,
        record: &Record,
        lines: usize,
        is_last: impl Fn(usize, &Finding) -> bool,
    ) -> Vec<Finding> {
        let flag = Arc::new(AtomicBool::new(false));
        interrupt::set_flag(Some(flag.clone()));
        let mut findings = Vec::new();
        let done = (board.analyst)(4).analyse(record, lines, &mut |finding| {
            flag.store(is_last(findings.len() + 1, &finding), Ordering::Relaxed);
            findings.push(finding);
        });
        interrupt::set_flag(None);
        done.expect("a legal game");
        findings
    }
}
