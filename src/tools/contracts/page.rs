//! The replay page of a game: its positions and what is known of them.

pub use super::capitalised;

use super::analysis::Mark;
use super::record::{Outcome, Record};
use super::rules::Rules;
use super::GameState;
use anyhow::Result;
use serde::Serialize;
use serde_json::{Map, Value};

/// What a game brings to its page.
pub struct Page {
    /// The positions and what is known of them.
    pub story: fn(&Record) -> Result<Story>,
    /// The script that draws the board; see `page.js` for what it defines.
    pub script: &'static str,
    /// The style of the board and the colours of the sides.
    pub style: &'static str,
    /// Shapes for the script to use, as HTML; may be empty.
    pub shapes: &'static str,
}

/// A game as a page shows it.
#[derive(Serialize)]
pub struct Story {
    /// How the game ended, in a sentence.
    #[serde(skip)]
    pub outcome: String,
    /// The two setups, where the game has them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub setups: Option<[String; 2]>,
    /// What the first frame shows, in words.
    pub beginning: &'static str,
    /// The positions, one more than moves.
    pub frames: Vec<Frame>,
}

/// A position, the move that led to it, and what is known of both.
#[derive(Default, Serialize)]
pub struct Frame {
    /// The moves made, setups included.
    pub ply: usize,
    /// The side to move, 0 for the one that begins; `None` once the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<usize>,
    /// The move that led here.
    #[serde(flatten)]
    pub last: Option<LastMove>,
    /// What a search thought of the position.
    #[serde(flatten)]
    pub view: Option<View>,
    /// What the game's script reads.
    #[serde(flatten)]
    pub board: Map<String, Value>,
}

/// The move that led to a position.
#[derive(Default, Serialize)]
pub struct LastMove {
    /// The move as written.
    #[serde(rename = "move")]
    pub text: String,
    /// The side that made it, 0 for the one that begins.
    pub mover: usize,
    /// What is wrong with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<Mark>,
    /// What it cost, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<String>,
}

/// What a search thought of a position.
#[derive(Default, Serialize)]
pub struct View {
    /// The height of the curve: 1 where the side that begins has won, -1 where the other one has.
    pub height: f64,
    /// The score in words.
    #[serde(rename = "view")]
    pub text: String,
    /// How it was found, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The expected line, its first move being the best one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<Vec<String>>,
}

/// How a recorded outcome reads, in a sentence; `None` where the record has none.
pub fn result_text(game: &Rules, outcome: Option<&Outcome>) -> Option<String> {
    let Outcome::Won { winner, failure } = outcome? else { return Some("A draw".to_string()) };
    let winner = game.side(winner)?;
    let [winner, loser] = [winner, !winner].map(|side| capitalised(game.side_name(side)));
    Some(match failure.as_deref() {
        None | Some("unknown") => format!("{winner} has won"),
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

/// How a game ended that its record ends before its end by the rules: by a fault, or not at all.
pub fn open_end(record: &Record, game: &dyn GameState) -> String {
    let moves = game.ply();
    if let Some(Outcome::Won { winner, failure: Some(why) }) = &record.outcome {
        if let Some(winner) = record.game.side(winner) {
            let side = |side| capitalised(record.game.side_name(side));
            let (winner, loser) = (side(winner), side(!winner));
            return format!("{winner} wins: {loser} {} after move {moves}", failure_text(why));
        }
    }
    format!("{moves} moves, not played to the end")
}
