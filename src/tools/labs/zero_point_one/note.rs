//! What an analysis of Zero Point One says of a move.

use crate::engine::score::Score;
use crate::games::zero_point_one::types::Colour;
use crate::tools::contracts::analysis::Mark;
use crate::tools::contracts::record::for_first;
use serde::{Deserialize, Serialize};

/// What is known of one move of a game, or of the position in which the next one is due.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ScoreNote {
    /// The number of the move, the two setups included: the first board move is 3.
    pub ply: usize,
    /// The side that moves.
    #[serde(default)]
    pub side: String,
    /// The move played; `None` where the record ends here.
    #[serde(rename = "move", default, skip_serializing_if = "Option::is_none")]
    pub mv: Option<String>,
    /// The score of the position before the move, from Red's view; see [`crate::engine::score`].
    pub score: Score,
    /// The depth of the search that found it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<i32>,
    /// The nodes of that search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The expected line, its first move being the best one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub line: Vec<String>,
    /// What the move cost the mover, compared with the best one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss: Option<Score>,
    /// What is wrong with the move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<Mark>,
}

/// A side's score from Red's view.
pub fn for_red(score: Score, side: Colour) -> Score {
    for_first(score, side.into())
}
