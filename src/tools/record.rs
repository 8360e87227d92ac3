//! Records of games as the tools exchange them: reading every form, and replaying by the rules.
//!
//! A record is one line of text, in one of these forms:
//! - `RED-SETUP blue-setup move ...`: what was played and nothing else;
//! - `ID OUTCOME RED-SETUP blue-setup move ...`, as the contest's games are listed;
//! - `ROWS HANDS PLIES move ...`: a position in our notation and what was played from there;
//! - `move ...` or `ID OUTCOME move ...`: the same for Zuniq, where there are no setups;
//! - a JSON object with at least `moves`, as match runners log their games and `cupbot analyse`
//!   its findings.
//!
//! Empty lines and lines that begin with `#` hold no record.

use super::rules::{Rules, DRAW, WINS};
use crate::engine::score::Score;
use crate::games::zero_point_one::game::Game;
use crate::games::zero_point_one::position::Position;
use crate::games::zero_point_one::types::Colour;
use crate::games::zuniq;
use crate::games::zuniq::segment::{Segment, SegmentError};
use anyhow::{bail, Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

/// The word that names standard input instead of a file.
const STDIN: &str = "-";
/// The type of the lines in a match's log that hold no game.
const MATCH_HEAD: &str = "match";
/// No word of letters is as long, but for a setup: tells setups, even misprinted ones, from the rest.
const LEAST_SETUP_LETTERS: usize = 10;

/// A game as it was recorded: nothing of it is checked before [`Record::replay`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// The name of the game.
    pub id: Option<String>,
    /// The winning side or `draw`; `SIDE-WHY` where the other side failed.
    pub outcome: Option<String>,
    /// Who played, the one that begins first.
    pub players: [Option<String>; 2],
    /// Where the moves begin, if not with the setups.
    pub start: Option<Position>,
    /// The setups (unless `start` is given) and moves, as written.
    pub moves: Vec<String>,
    /// What is known of single moves, in no particular order.
    pub notes: Vec<Note>,
}

/// What is known of one move of a game, or of the position in which the next one is due.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Note {
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

/// What can be wrong with a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// It costs something.
    Mistake,
    /// It costs much.
    Blunder,
    /// It lets a proved win go.
    MissedWin,
    /// It gives the opponent a proved win.
    AllowedWin,
}

/// A move of a record that can't be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayError {
    /// The number of the move, the two setups included.
    pub ply: usize,
    /// The move as written.
    pub text: String,
    /// What is wrong with it.
    pub reason: String,
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ply {} {:?}: {}", self.ply, self.text, self.reason)
    }
}

impl std::error::Error for ReplayError {}

impl Record {
    /// Reads a line; `None` where it holds no record. Says nothing about the moves' legality.
    pub fn parse(line: &str) -> Result<Option<Record>> {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            Ok(None)
        } else if line.starts_with('{') {
            from_json(line)
        } else {
            let words: Vec<String> = line.split_whitespace().map(String::from).collect();
            from_words(&words).map(Some)
        }
    }

    /// Is it a game of Zuniq? Its first move tells.
    pub fn is_zuniq(&self) -> bool {
        self.start.is_none() && self.moves.first().is_some_and(|text| is_zuniq_move(text))
    }

    /// Plays all moves by the rules of Zero Point One.
    pub fn replay(&self) -> Result<Game, ReplayError> {
        self.play_on(self.start.map_or_else(Game::new, Game::from_position))
    }

    /// Plays all moves by the rules of Zuniq.
    pub fn replay_zuniq(&self) -> Result<zuniq::game::Game, ReplayError> {
        self.play_on(zuniq::game::Game::new())
    }

    fn play_on<G: Rules>(&self, mut game: G) -> Result<G, ReplayError> {
        for text in &self.moves {
            game.play(text).map_err(|refused| ReplayError {
                ply: game.ply() + 1,
                text: text.clone(),
                reason: refused.reason,
            })?;
        }
        Ok(game)
    }

    /// The note about the move with this number.
    pub fn note(&self, ply: usize) -> Option<&Note> {
        self.notes.iter().find(|note| note.ply == ply)
    }
}

/// The outcome of a game in the words of a record; `None` while it goes on.
pub fn outcome_word<G: Rules>(game: &G) -> Option<&'static str> {
    Some(game.end()?.winner.map_or(DRAW, G::side_name))
}

/// Has a word the form of a move of Zuniq, perhaps beyond the board?
fn is_zuniq_move(text: &str) -> bool {
    let bare = text.strip_suffix(zuniq::game::CLAIM).unwrap_or(text);
    bare.parse::<Segment>() != Err(SegmentError::Form)
}

/// Reads a record from its words.
fn from_words(words: &[String]) -> Result<Record> {
    let is_setup = |index: usize| {
        let long = |word: &String| word.len() >= LEAST_SETUP_LETTERS;
        words.get(index).is_some_and(|word| long(word) && word.chars().all(char::is_alphabetic))
    };
    if words.first().is_some_and(|word| word.contains('/')) {
        let (position, moves) = words.split_at(words.len().min(3));
        let start = position.join(" ").parse().map_err(anyhow::Error::new)?;
        return Ok(Record { start: Some(start), moves: moves.to_vec(), ..Record::default() });
    }
    let is_beginning =
        |index: usize| is_setup(index) || words.get(index).is_some_and(|word| is_zuniq_move(word));
    if is_beginning(0) {
        return Ok(Record { moves: words.to_vec(), ..Record::default() });
    }
    match words {
        [id, outcome, moves @ ..] if is_beginning(2) => Ok(Record {
            id: Some(id.clone()),
            outcome: Some(outcome.clone()),
            moves: moves.to_vec(),
            ..Record::default()
        }),
        _ => bail!(
            "no record of a game: expected setups and moves, or moves of Zuniq, perhaps after an id \
             and an outcome, or a position, or a JSON object"
        ),
    }
}

/// Reads a record from the JSON object that a tool has logged; `None` for the head of a match.
fn from_json(line: &str) -> Result<Option<Record>> {
    let object: Map<String, Value> = serde_json::from_str(line).context("no JSON object")?;
    if word(&object, &["type"]).is_some_and(|kind| kind == MATCH_HEAD) {
        return Ok(None);
    }
    let moves = object.get("moves").context("the JSON object has no \"moves\"")?;
    let moves: Vec<String> = Vec::deserialize(moves).context("\"moves\"")?;
    let position = word(&object, &["position"]);
    let start = position.map(|text| text.parse()).transpose().map_err(anyhow::Error::new)?;
    let notes = match object.get("analysis") {
        // What is known of moves of Zuniq has another form, which no tool reads.
        _ if moves.first().is_some_and(|text| is_zuniq_move(text)) => Vec::new(),
        Some(Value::Array(list)) if list.is_empty() => notes_of_scores(&object, &moves)?,
        Some(value) => Vec::deserialize(value).context("\"analysis\"")?,
        None => notes_of_scores(&object, &moves)?,
    };
    let names = match object.get("names") {
        Some(names) => <[String; 2]>::deserialize(names).context("\"names\"")?.map(Some),
        None => [word(&object, &["red", "white"]), word(&object, &["blue", "black"])],
    };
    let (id, outcome) = (word(&object, &["id", "game"]), json_outcome(&object));
    Ok(Some(Record { id, outcome, players: names, start, moves, notes }))
}

/// The first of these fields that is there, as a word.
fn word(object: &Map<String, Value>, keys: &[&str]) -> Option<String> {
    keys.iter().find_map(|key| match object.get(*key)? {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    })
}

/// The outcome of a logged game: `outcome` or `result` in our words, or the `winner` (0: Red, 1:
/// Blue, null: nobody) with the `end` or `reason` (how it ended by the rules, or how the loser
/// failed).
fn json_outcome(object: &Map<String, Value>) -> Option<String> {
    if let Some(outcome) = word(object, &["outcome", "result"]) {
        return Some(outcome);
    }
    let winner = match object.get("winner")? {
        Value::Null => return Some(DRAW.to_string()),
        Value::Number(number) if number.as_u64() == Some(0) => Colour::Red.name(),
        Value::Number(number) if number.as_u64() == Some(1) => Colour::Blue.name(),
        Value::String(name) => name,
        _ => return None,
    };
    let reason = word(object, &["end", "reason"]).unwrap_or_default();
    Some(match reason.split_whitespace().next() {
        None => winner.to_string(),
        Some(why) if WINS.contains(&why) => winner.to_string(),
        Some(why) => format!("{winner}-{why}"),
    })
}

/// The notes of a record with `scores`: one a move after the `opening` moves, null where there is
/// none, each from its mover's view.
fn notes_of_scores(object: &Map<String, Value>, moves: &[String]) -> Result<Vec<Note>> {
    let Some(value) = object.get("scores") else { return Ok(Vec::new()) };
    let scores: Vec<Option<Score>> = Vec::deserialize(value).context("\"scores\"")?;
    let opening = object.get("opening").and_then(Value::as_u64).unwrap_or_default() as usize;
    let note = |((index, mv), score): ((usize, &String), Option<Score>)| {
        let side = Colour::to_move_after(index);
        let score = for_red(score?, side);
        let (side, mv) = (side.name().to_string(), Some(mv.clone()));
        Some(Note { ply: index + 1, side, mv, score, ..Note::default() })
    };
    let scored = moves.iter().enumerate().skip(opening).zip(scores);
    Ok(scored.filter_map(note).collect())
}

/// The score of a side's view from Red's.
pub fn for_red(score: Score, side: Colour) -> Score {
    match side {
        Colour::Red => score,
        Colour::Blue => -score,
    }
}

/// Reads the records of a text and hands each on with the number of its line, 1 for the first.
pub fn read_lines(
    input: impl BufRead,
    mut each: impl FnMut(usize, Result<Record>) -> Result<()>,
) -> Result<()> {
    for (index, line) in input.lines().enumerate() {
        if let Some(record) = Record::parse(&line?).transpose() {
            each(index + 1, record)?;
        }
    }
    Ok(())
}

/// Which record a command works on.
#[derive(clap::Args)]
pub struct Source {
    /// Setups and moves, a position and moves, moves of Zuniq, the name of a file, or - for stdin
    #[arg(value_name = "GAME", required = true)]
    words: Vec<String>,
    /// Of a file with several games, the (last) one with this id, else the N-th
    #[arg(long, value_name = "ID|N")]
    game: Option<String>,
}

impl Source {
    /// Reads the record: the one that is there, or the chosen one of several.
    pub fn read(&self) -> Result<Record> {
        match &self.words[..] {
            [word] if word == STDIN => self.pick(io::stdin().lock()).context("stdin"),
            // The record in one quoted argument has spaces.
            [word] if !word.contains(' ') && !word.starts_with('{') && !is_zuniq_move(word) => {
                let path = Path::new(word);
                let file = File::open(path).with_context(|| format!("reading {word:?}"))?;
                self.pick(BufReader::new(file)).with_context(|| format!("{word:?}"))
            }
            words => Record::parse(&words.join(" ")).and_then(|record| record.context("no record")),
        }
    }

    fn pick(&self, input: impl BufRead) -> Result<Record> {
        let mut records = Vec::new();
        read_lines(input, |line, record| {
            records.push(record.with_context(|| format!("line {line}"))?);
            Ok(())
        })?;
        let count = records.len();
        let index = match &self.game {
            None if count == 1 => Some(0),
            None if count == 0 => bail!("no record in it"),
            None => bail!("{count} games in it: choose one by --game (its id, or 1 to {count})"),
            Some(name) => records
                .iter()
                .rposition(|record| record.id.as_ref() == Some(name))
                .or_else(|| name.parse::<usize>().ok()?.checked_sub(1).filter(|&n| n < count)),
        };
        match index {
            Some(index) => Ok(records.swap_remove(index)),
            None => bail!("no game {:?} among {count}", self.game.as_deref().unwrap_or_default()),
        }
    }
}

#[cfg(test)]
mod tests;
