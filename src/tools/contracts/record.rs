//! Recorded games.

use super::Rules;
use super::{capitalised, GameState, Refused, Side};
use crate::engine::score::{lost_in, win_in, Score};
use crate::tools::support::text::shown;
use anyhow::Result;
use serde::de::{Deserializer, Error};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

/// Reason of an adjudicated result in records, and value of [`TERMINATION`].
pub const ADJUDICATION: &str = "adjudication";
/// Tag that says how a game ended.
pub const TERMINATION: &str = "Termination";
/// Name of a draw in records.
const DRAW: &str = "draw";

/// Outcome of a game. Records write it as `draw`, as the name of the winning side, or as `SIDE-WHY` if the other side
/// failed. The name of the side is not checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Outcome {
    /// A draw.
    Draw,
    /// A win.
    Won {
        /// Name of the winning side.
        winner: String,
        /// How the other side failed; `None` if the game ended by its rules.
        failure: Option<String>,
    },
}

impl Outcome {
    /// Creates a win by the rules.
    pub fn won(winner: &str) -> Outcome {
        Outcome::Won { winner: winner.to_string(), failure: None }
    }

    /// Creates a win by a failure of the other side.
    pub fn failed(winner: &str, why: &str) -> Outcome {
        Outcome::Won { winner: winner.to_string(), failure: Some(why.to_string()) }
    }

    /// Returns the outcome by the rules; `None` while the game is running.
    pub fn of(rules: &Rules, game: &dyn GameState) -> Option<Outcome> {
        let winner = game.end()?.winner;
        Some(winner.map_or(Outcome::Draw, |side| Outcome::won(rules.side_name(side))))
    }

    /// Returns the outcome as written in a record: `open` for an unfinished game.
    pub fn text(outcome: Option<&Outcome>) -> String {
        outcome.map_or("open".to_string(), Outcome::to_string)
    }
}

impl FromStr for Outcome {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Outcome, Infallible> {
        Ok(match text.split_once('-') {
            None if text == DRAW => Outcome::Draw,
            None => Outcome::won(text),
            Some((winner, why)) => Outcome::failed(winner, why),
        })
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Draw => f.write_str(DRAW),
            Outcome::Won { winner, failure: None } => f.write_str(winner),
            Outcome::Won { winner, failure: Some(why) } => write!(f, "{winner}-{why}"),
        }
    }
}

impl From<String> for Outcome {
    fn from(text: String) -> Outcome {
        let Ok(outcome) = text.parse();
        outcome
    }
}

impl From<Outcome> for String {
    fn from(outcome: Outcome) -> String {
        outcome.to_string()
    }
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

/// Notes on moves or positions, in the game's own form. Each has at least a `ply`, the number of the move.
pub type Note = Map<String, Value>;

/// A recorded game. Nothing is checked until it is replayed.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The rules.
    pub game: &'static Rules,
    /// Identifier of the game.
    pub id: Option<String>,
    /// The outcome.
    pub outcome: Option<Outcome>,
    /// The players, the side that begins first.
    pub players: [Option<String>; 2],
    /// The start position, if it is not the usual one.
    pub start: Option<String>,
    /// The moves, as written.
    pub moves: Vec<String>,
    /// The answer after these moves that the judge refused, with the reason.
    pub refused: Option<(String, String)>,
    /// Number of opening moves given to the players.
    pub opening: usize,
    /// Notes of an analysis, in no particular order.
    pub notes: Vec<Note>,
    /// Scores of the positions before the moves from the mover's point of view, by move number (1: the first of
    /// `moves`).
    pub scores: BTreeMap<usize, Score>,
    /// Other tags, e.g. `Event` and `Date` in PGN.
    pub tags: Vec<(String, String)>,
    /// Comments and variations.
    pub annotations: Annotations,
    /// Parts of the file that were not used, a sentence each.
    pub remarks: Vec<String>,
    /// Whether the file has more moves that could not be read.
    pub is_cut: bool,
    /// Whether the game comes from a file of other programs, see [`super::game_files`]. The contest's rules did not
    /// judge it.
    pub is_foreign: bool,
}

/// Annotations of a line of moves. Moves are numbered from 1 within the line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Annotations {
    /// Comments by the number of the move before them; 0: before the first move. They contain commands of their format
    /// as written, e.g. `[%clk 0:01:00]`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", deserialize_with = "by_number")]
    pub comments: BTreeMap<usize, String>,
    /// Numeric annotation glyphs (NAGs) of PGN by move number, e.g. 1 for a good move, 4 for a blunder.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", deserialize_with = "by_number")]
    pub glyphs: BTreeMap<usize, Vec<u16>>,
    /// Variations.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<Variation>,
}

/// An alternative line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variation {
    /// Number of the move that it replaces, in its parent line.
    pub ply: usize,
    /// Its moves; never empty.
    pub moves: Vec<String>,
    /// Its annotations and nested variations.
    #[serde(flatten)]
    pub annotations: Annotations,
}

impl Annotations {
    /// Whether there are no annotations.
    pub fn is_empty(&self) -> bool {
        *self == Annotations::default()
    }
}

/// Deserializes a map with numeric keys, which JSON writes as strings. Serde does not convert them in
/// [flattened](Variation) structs.
fn by_number<'de, D, T>(deserializer: D) -> Result<BTreeMap<usize, T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    let texts: BTreeMap<String, T> = Deserialize::deserialize(deserializer)?;
    let number = |text: String| {
        text.parse::<usize>()
            .map_err(|_| Error::custom(format!("{:?} is not a number", shown(&text))))
    };
    texts.into_iter().map(|(text, value)| Ok((number(text)?, value))).collect()
}

/// A move of a record that can't be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayError {
    /// Number of the move in the game.
    pub ply: usize,
    /// The move as written.
    pub text: String,
    /// Why it can't be played.
    pub reason: String,
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ply {} {:?}: {}", self.ply, shown(&self.text), self.reason)
    }
}

impl std::error::Error for ReplayError {}

impl Record {
    /// Creates a record with only moves, and a start position if given.
    pub fn new(game: &'static Rules, start: Option<String>, moves: Vec<String>) -> Record {
        Record {
            game,
            id: None,
            outcome: None,
            players: [None, None],
            start,
            moves,
            refused: None,
            opening: 0,
            notes: Vec::new(),
            scores: BTreeMap::new(),
            tags: Vec::new(),
            annotations: Annotations::default(),
            remarks: Vec::new(),
            is_cut: false,
            is_foreign: false,
        }
    }

    /// Whether the result was adjudicated, so that the game need not be over.
    pub fn is_adjudicated(&self) -> bool {
        self.tags.iter().any(|(name, value)| name == TERMINATION && value == ADJUDICATION)
    }

    /// Replays all moves.
    pub fn replay(&self) -> Result<Box<dyn GameState>> {
        let mut game = (self.game.begin)(self.start.as_deref())?;
        self.play_on(game.as_mut())?;
        Ok(game)
    }

    /// Replays all moves in a game of a known type, created by `begin`.
    pub fn replay_as<G: GameState>(&self, begin: fn(Option<&str>) -> Result<G>) -> Result<G> {
        let mut game = begin(self.start.as_deref())?;
        self.play_on(&mut game)?;
        Ok(game)
    }

    /// Plays all moves in a game that is at the record's start position.
    pub fn play_on(&self, game: &mut dyn GameState) -> Result<(), ReplayError> {
        self.moves.iter().try_for_each(|text| play_text(game, text))
    }
}

/// Returns the moves after a start position. The word `moves` may precede them. In EPD a semicolon ends them.
pub fn moves_of(words: &[&str]) -> Vec<String> {
    let moves = match words {
        ["moves", moves @ ..] => {
            let end = moves.iter().position(|word| word.ends_with(';'));
            &moves[..end.map_or(moves.len(), |end| end + 1)]
        }
        moves => moves,
    };
    moves.iter().map(|word| word.trim_end_matches(';').to_string()).collect()
}

/// Plays a move of a record.
pub fn play_text(game: &mut dyn GameState, text: &str) -> Result<(), ReplayError> {
    game.play(text).map_err(|Refused { reason, .. }| {
        let (ply, text) = (game.ply() + 1, text.to_string());
        ReplayError { ply, text, reason }
    })
}

/// Returns the nearest score that has a meaning: files of other programs may have any number.
pub fn clamped(score: Score) -> Score {
    score.clamp(lost_in(0), win_in(0))
}

/// Converts a mover's score to the point of view of the side that begins.
pub fn for_first(score: Score, side: Side) -> Score {
    match side {
        Side::First => score,
        Side::Second => -score,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_round_trip() {
        for (text, outcome) in [
            ("draw", Outcome::Draw),
            ("red", Outcome::won("red")),
            ("white-rules_infraction", Outcome::failed("white", "rules_infraction")),
            ("white-time-out", Outcome::failed("white", "time-out")),
            ("", Outcome::won("")),
        ] {
            assert_eq!(Outcome::from(text.to_string()), outcome);
            assert_eq!(outcome.to_string(), text);
        }
    }

    #[test]
    fn nested_annotations_round_trip_as_json() {
        let said = |text: &str, variations: Vec<Variation>| Annotations {
            comments: [(0, text.to_string()), (12, "after".to_string())].into(),
            glyphs: [(1, vec![1, 146])].into(),
            variations,
        };
        let line = |annotations| Variation { ply: 2, moves: vec!["e7e5".to_string()], annotations };
        let whole = said("a", vec![line(said("b", vec![line(said("c", Vec::new()))]))]);
        let text = serde_json::to_string(&whole).expect("JSON");
        assert_eq!(serde_json::from_str::<Annotations>(&text).expect(&text), whole);
        assert!(serde_json::from_str::<Annotations>(r#"{"comments":{"x":"y"}}"#).is_err());
    }
}
