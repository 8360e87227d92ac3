//! The replay page of a game: its positions and their analysis.

pub use super::capitalised;

use super::analysis::Mark;
use super::record::{Outcome, Record};
use super::rules::Rules;
use super::GameState;
use anyhow::Result;
use serde::Serialize;
use serde_json::{Map, Value};

/// A game's replay page.
pub struct Page {
    /// Converts a record to the data of the page.
    pub story: fn(&Record) -> Result<Story>,
    /// Script that draws the board; `page.js` documents what it must define.
    pub script: &'static str,
    /// CSS of the board and the colours of the sides.
    pub style: &'static str,
    /// HTML with shapes that the script uses; may be empty.
    pub shapes: &'static str,
}

/// The data of a replay page.
#[derive(Serialize)]
pub struct Story {
    /// Outcome of the game, in a sentence.
    #[serde(skip)]
    pub outcome: String,
    /// The two setups, if the game has setups.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub setups: Option<[String; 2]>,
    /// Description of the first frame.
    pub beginning: &'static str,
    /// Positions: one more than moves.
    pub frames: Vec<Frame>,
}

/// A position, the move that led to it, and their analysis.
#[derive(Default, Serialize)]
pub struct Frame {
    /// Number of moves made, including setups.
    pub ply: usize,
    /// Index of the side to move, 0 for the side that begins; `None` if the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<usize>,
    /// The move that led to this position.
    #[serde(flatten)]
    pub last: Option<LastMove>,
    /// Search result for the position.
    #[serde(flatten)]
    pub view: Option<View>,
    /// Fields for the game's script.
    #[serde(flatten)]
    pub board: Map<String, Value>,
}

/// The move that led to a position.
#[derive(Default, Serialize)]
pub struct LastMove {
    /// The move as written.
    #[serde(rename = "move")]
    pub text: String,
    /// Index of the side that made it, 0 for the side that begins.
    pub mover: usize,
    /// Judgement, if the move is bad.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<Mark>,
    /// Cost of the move, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<String>,
}

/// Search result for a position.
#[derive(Default, Serialize)]
pub struct View {
    /// Height in the evaluation graph: 1 if the side that begins has won, -1 if the other side has.
    pub height: f64,
    /// The score in words.
    #[serde(rename = "view")]
    pub text: String,
    /// Details of the search, e.g. its depth, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// Principal variation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<Vec<String>>,
}

/// Describes a recorded outcome in a sentence; `None` if the record has none.
pub fn result_text(game: &Rules, outcome: Option<&Outcome>) -> Option<String> {
    let Outcome::Won { winner, failure } = outcome? else { return Some("A draw".to_string()) };
    let winner = game.side(winner)?;
    let [winner, loser] = [winner, !winner].map(|side| capitalised(game.side_name(side)));
    let how = match failure.as_deref() {
        None | Some("unknown") => return Some(format!("{winner} has won")),
        Some("time" | "time_forfeit" | "timeout") => "has run out of time".to_string(),
        Some("resigned" | "resignation" | "resign") => "has resigned".to_string(),
        Some("abandoned") => "has left the game".to_string(),
        Some("illegal" | "rules_infraction") => "has broken the rules".to_string(),
        Some(other) => format!("fails ({})", other.replace('_', " ")),
    };
    Some(format!("{winner} has won: {loser} {how}"))
}

/// Describes the end of a record whose game is not over by the rules: a fault, or an unfinished game.
pub fn open_end(record: &Record, game: &dyn GameState) -> String {
    let moves = game.ply();
    if let Some(Outcome::Won { winner, failure: Some(why) }) = &record.outcome {
        if let Some(winner) = record.game.side(winner) {
            let side = |side| capitalised(record.game.side_name(side));
            let (winner, loser) = (side(winner), side(!winner));
            return format!("{winner} wins: {loser} fails after move {moves} ({why})");
        }
    }
    format!("{moves} moves, not played to the end")
}
