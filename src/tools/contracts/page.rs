//! The replay page of a game: positions, moves and their notes.

pub use super::capitalised;

use super::analysis::Mark;
use super::by_hand::count_of_moves;
use super::record::{Outcome, Record};
use super::rules::Rules;
use super::GameState;
use anyhow::Result;
use serde::Serialize;
use serde_json::{Map, Value};

/// Everything needed for the replay page of a game.
pub struct Page {
    /// Returns the positions of a record with their notes.
    pub story: fn(&Record) -> Result<Story>,
    /// Script that draws the board; see `page.js` for what it defines.
    pub script: &'static str,
    /// CSS of the board and the colours of the sides.
    pub style: &'static str,
    /// Shapes for the script, as HTML; may be empty.
    pub shapes: &'static str,
}

/// A game as shown on a page.
#[derive(Serialize)]
pub struct Story {
    /// How the game ended, as a sentence.
    #[serde(skip)]
    pub outcome: String,
    /// Both setups, if the game has setups.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub setups: Option<[String; 2]>,
    /// Caption of the first frame.
    pub beginning: &'static str,
    /// The positions: one more than moves.
    pub frames: Vec<Frame>,
    /// The stages before the first position, without a drawing: what the board in the browser shows of a review of the
    /// setups.
    #[serde(skip)]
    pub opening: Vec<Frame>,
}

/// A position with the move that led to it.
#[derive(Default, Serialize)]
pub struct Frame {
    /// Number of moves made, including setups.
    pub ply: usize,
    /// The side to move, 0 for the side that begins; `None` if the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<usize>,
    /// The move that led to the position.
    #[serde(flatten)]
    pub last: Option<LastMove>,
    /// Result of a search of the position.
    #[serde(flatten)]
    pub view: Option<View>,
    /// Data for the game's script.
    #[serde(flatten)]
    pub board: Map<String, Value>,
}

/// The move that led to a position.
#[derive(Default, Serialize)]
pub struct LastMove {
    /// The move as written.
    #[serde(rename = "move")]
    pub text: String,
    /// The side that made it, 0 for the side that begins.
    pub mover: usize,
    /// Mark of a bad move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<Mark>,
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

/// Result of a search, as shown on a page.
#[derive(Default, Serialize)]
pub struct View {
    /// Height in the score graph: 1 if the side that begins wins, -1 if the other side wins.
    pub height: f64,
    /// The score in words.
    #[serde(rename = "view")]
    pub text: String,
    /// Depth and nodes of the search, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// Principal variation, beginning with the best move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<Vec<String>>,
}

/// Describes a recorded outcome in a sentence; `None` if the record has none.
pub fn result_text(game: &Rules, outcome: Option<&Outcome>) -> Option<String> {
    let Outcome::Won { winner, failure } = outcome? else { return Some("A draw".to_string()) };
    let winner = game.side(winner)?;
    let [winner, loser] = [winner, !winner].map(|side| capitalised(game.side_name(side)));
    Some(match failure.as_deref() {
        None => format!("{winner} has won"),
        Some(why) => format!("{winner} has won: {loser} has {}", failure_text(why)),
    })
}

/// Returns what the loser did, as a past participle that is also the past tense.
fn failure_text(why: &str) -> String {
    let text = match why {
        "time" | "time_forfeit" | "timeout" | "wall_time" | "cpu_time" => "exceeded its time",
        "resigned" | "resignation" | "resign" => "resigned",
        "abandoned" => "left the game",
        "rules_infraction" => "violated the rules",
        "illegal" => "played an illegal move",
        "garbage" => "sent an unreadable answer",
        "silence" => "sent no answer",
        "exit" => "exited",
        other => return format!("lost by a fault ({})", other.replace('_', " ")),
    };
    text.to_string()
}

/// Describes the end of a game that its rules did not end: by a fault, or unfinished.
pub fn open_end(record: &Record, game: &dyn GameState) -> String {
    let moves = game.ply();
    match result_text(record.game, record.outcome.as_ref()) {
        Some(result) => format!("{result} after move {moves}"),
        None => format!("{}, unfinished", count_of_moves(moves)),
    }
}
