//! Analysis of a game's records.

use super::record::{Note, Outcome, Record};
use super::GameState;
use crate::engine::budget::Limits;
use crate::tools::support::progress_bar::Listener;
use crate::tools::support::style;
use crate::tools::support::units::{integer, parse_time};
use anyhow::{bail, Context, Result};
use clap::builder::styling::Style;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::PathBuf;
use std::time::Duration;

/// Default time per move.
const DEFAULT_TIME: Duration = Duration::from_millis(500);
/// Default hash table size in MiB: small, because a server may review many games at once.
const HASH_MB: u64 = 32;
/// Default loss of a blunder, in percent of the probability of winning, as on lichess.
pub const DEFAULT_BLUNDER: f64 = 15.0;

/// Minimum ratio of an estimated loss to the threshold of a mark: a search with 50 times the nodes rarely finds that
/// the estimate was too large by more than this factor.
const MARGIN: f64 = 4.0 / 3.0;

/// Analysis of a game's records.
pub struct Analyse {
    /// Searches every position that the options select.
    pub run: fn(&Record, &Options) -> Result<Analysis>,
    /// Suggests a move in the last position, by the same search. The game must not be over.
    pub hint: fn(&Record, &Options) -> Result<Hint>,
    /// Help text: the meaning of the scores and the unit of `--blunder`.
    pub scores: &'static str,
}

/// Result of an analysis.
pub struct Analysis {
    /// Notes on the moves, in order.
    pub notes: Vec<Note>,
    /// The notes as a table.
    pub table: String,
    /// How the game ended, if it is over.
    pub outcome: Option<Outcome>,
}

/// A suggested move.
#[derive(Debug, Serialize)]
pub struct Hint {
    /// The move in the contest's notation.
    pub text: String,
    /// Why it is good, as a sentence without a full stop that begins with the move. It states only facts of the
    /// position and proofs.
    pub reason: String,
    /// The score in words, with the depth of the search if it has one.
    pub score: String,
    /// The principal variation, beginning with the move.
    pub line: String,
}

/// Joins what a move does and the facts about it to a sentence. Without facts it names the expected answer, which is
/// the second move of the line.
pub fn sentence(action: &str, facts: &[String], line: &[String]) -> String {
    match (facts, line) {
        ([], [_, answer, ..]) => format!("{action}: the expected answer is {answer}"),
        ([], _) => format!("{action}: the best move that was found"),
        (facts, _) => format!("{action}: {}", facts.join("; ")),
    }
}

/// Options that select the moves and control the search.
#[derive(clap::Args, Default)]
pub struct Options {
    /// Time per move, e.g. 2s or 500ms [default: 500ms]
    #[arg(long, value_name = "TIME", conflicts_with = "nodes", value_parser = parse_time)]
    time: Option<Duration>,
    /// Nodes per move instead of the clock (reproducible)
    #[arg(long, value_name = "N", value_parser = integer::<u64>(1..))]
    pub nodes: Option<u64>,
    /// First move to analyse
    #[arg(long, value_name = "PLY", value_parser = integer::<usize>(0..))]
    pub from: Option<usize>,
    /// Last move to analyse
    #[arg(long, value_name = "PLY", value_parser = integer::<usize>(0..))]
    to: Option<usize>,
    /// Cost of a blunder in the unit of the game (see below); two thirds of it are a mistake, a third is an inaccuracy
    #[arg(long, value_name = "COST", value_parser = integer::<i32>(1..))]
    pub blunder: Option<i32>,
    /// Network file, or another value of the player option `net` (default: the built-in network)
    #[arg(long, value_name = "FILE")]
    pub net: Option<PathBuf>,
    /// Maximum hash table size in MiB
    #[arg(long, value_name = "MB", default_value_t = HASH_MB,
          value_parser = integer::<u64>(1..=4096))]
    pub hash: u64,
    /// Receives the progress instead of the terminal.
    #[arg(skip)]
    pub listener: Option<Listener>,
}

impl Options {
    /// Returns options for all moves with this time per move and the default hash table.
    pub fn by_time(time: Duration) -> Options {
        Options { time: Some(time), hash: HASH_MB, ..Options::default() }
    }

    /// Returns the time per move, for searches without a node limit.
    fn time(&self) -> Duration {
        self.time.unwrap_or(DEFAULT_TIME)
    }

    /// Returns the same options for the next move of a game with this number of moves.
    pub fn at_end(&self, ply: usize) -> Options {
        let (net, next) = (self.net.clone(), Some(ply + 1));
        Options { from: next, to: next, net, listener: None, ..*self }
    }

    /// Returns the limits of a search that gets this part of the effort for a move.
    pub fn limits(&self, part: f64) -> Limits {
        let hard_nodes = self.nodes.map(|nodes| ((nodes as f64 * part) as u64).max(1));
        let hard_time = hard_nodes.is_none().then(|| self.time().mul_f64(part));
        Limits { hard_nodes, hard_time, ..Limits::default() }
    }

    /// Returns the effort of a search, in units of the effort for a move.
    pub fn efforts(&self, nodes: u64, time: Duration) -> f64 {
        match self.nodes {
            Some(unit) => nodes as f64 / unit as f64,
            None => time.as_secs_f64() / self.time().as_secs_f64().max(f64::MIN_POSITIVE),
        }
    }

    /// Returns the numbers of the first and the last move to analyse, limited to moves that exist. `first` is the first
    /// move that can be analysed.
    pub fn plies(&self, game: &dyn GameState, first: usize) -> Result<(usize, usize)> {
        // If the game is not over, the position at the end is analysed too.
        let last = game.ply() + usize::from(game.end().is_none());
        if last < first {
            bail!("there is nothing to analyse: the game is over");
        }
        let (from, to) = (self.from.unwrap_or(first).max(first), self.to.unwrap_or(last).min(last));
        if from > to {
            let asked = match (self.from, self.to) {
                (Some(from), Some(to)) if from > to => format!("--from {from} is after --to {to}"),
                (Some(from), _) if from > last => format!("--from {from} is after the last move"),
                _ => format!("--to {to} is before the first move"),
            };
            bail!("{asked}; the game has moves {first} to {last}");
        }
        Ok((from, to))
    }
}

/// Judgement of a bad move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// Costs at least a third of the blunder threshold.
    Inaccuracy,
    /// Costs at least two thirds of the blunder threshold.
    Mistake,
    /// Costs at least the blunder threshold.
    Blunder,
    /// A blunder that misses a proven win.
    MissedWin,
    /// A blunder that gives the opponent a proven win.
    AllowedWin,
}

impl Mark {
    /// All marks.
    pub const ALL: [Mark; 5] =
        [Mark::Inaccuracy, Mark::Mistake, Mark::Blunder, Mark::MissedWin, Mark::AllowedWin];

    /// Returns the mark of a move by its loss. `was_won`: the position before it was a proven win; `is_lost`: the one
    /// after it is a proven loss. A move that costs little has no mark, even if it makes a loss certain. Unless both
    /// are proved, the loss must exceed the threshold by the factor [`MARGIN`].
    pub fn of(loss: f64, blunder: f64, was_won: bool, is_lost: bool) -> Option<Mark> {
        let certain = if was_won && is_lost { loss } else { loss / MARGIN };
        match 3.0 * certain {
            thrice if thrice < blunder => None,
            thrice if thrice < 2.0 * blunder => Some(Mark::Inaccuracy),
            thrice if thrice < 3.0 * blunder => Some(Mark::Mistake),
            _ if is_lost => Some(Mark::AllowedWin),
            _ if was_won => Some(Mark::MissedWin),
            _ => Some(Mark::Blunder),
        }
    }

    /// Returns the milder of two marks.
    pub fn milder(self, other: Mark) -> Mark {
        let order = |mark: Mark| mark.unproved() as usize;
        if order(other) < order(self) {
            other
        } else {
            self
        }
    }

    /// Returns the mark of a move whose result is not proved.
    pub fn unproved(self) -> Mark {
        match self {
            Mark::MissedWin | Mark::AllowedWin => Mark::Blunder,
            other => other,
        }
    }

    /// Returns the style of the mark on a terminal.
    pub fn style(self) -> Style {
        match self {
            Mark::Inaccuracy | Mark::Mistake => style::WARNING,
            Mark::Blunder | Mark::MissedWin | Mark::AllowedWin => style::BAD,
        }
    }

    /// Returns the annotation symbol that follows the move.
    pub fn symbol(self) -> &'static str {
        match self {
            Mark::Inaccuracy => "?!",
            Mark::Mistake => "?",
            Mark::Blunder | Mark::MissedWin | Mark::AllowedWin => "??",
        }
    }

    /// Returns the mark in words.
    pub fn text(self) -> &'static str {
        match self {
            Mark::Inaccuracy => "inaccuracy",
            Mark::Mistake => "mistake",
            Mark::Blunder => "blunder",
            Mark::MissedWin => "misses a win",
            Mark::AllowedWin => "allows a win",
        }
    }
}

/// Marks with the names of their counts, in the order of [`summary`].
pub const COUNTS: [(&str, Mark); 5] = [
    ("inaccuracies", Mark::Inaccuracy),
    ("mistakes", Mark::Mistake),
    ("blunders", Mark::Blunder),
    ("wins missed", Mark::MissedWin),
    ("wins allowed", Mark::AllowedWin),
];

/// Summarises the moves of a side, with their losses and marks, in one line: their number, the counts, and the mean
/// loss in the unit of the game.
pub fn summary(
    side: &str,
    counts: &[(&str, Mark)],
    moves: &[(f64, Option<Mark>)],
    loss: impl Fn(f64) -> String,
) -> String {
    let mut text = format!("{side} moves {}", moves.len());
    for (name, mark) in counts {
        let count = moves.iter().filter(|(_, found)| *found == Some(*mark)).count();
        text += &format!(" {name} {count}");
    }
    if !moves.is_empty() {
        let sum: f64 = moves.iter().map(|(loss, _)| loss).sum();
        text += &format!(" mean loss {}", loss(sum / moves.len() as f64));
    }
    text
}

/// Parses notes.
pub fn parse_notes<T: DeserializeOwned>(notes: &[Note]) -> Result<Vec<T>> {
    let notes = notes.iter().map(|note| serde_json::from_value(Value::Object(note.clone())));
    notes.collect::<Result<_, _>>().context("\"analysis\"")
}

/// Converts a note to the JSON object that all tools exchange.
pub fn to_note(note: &impl Serialize) -> Note {
    match serde_json::to_value(note) {
        Ok(Value::Object(fields)) => fields,
        // Unreachable: notes are structs of plain fields.
        _ => Note::new(),
    }
}

/// Helpers of the tests of all analyses.
#[cfg(test)]
pub mod tests {
    use super::*;
    use clap::{Args, FromArgMatches};

    /// Parses the options of `cupbot analyse`.
    pub fn options(words: &[&str]) -> Options {
        let command = Options::augment_args(clap::Command::new("analyse").no_binary_name(true));
        Options::from_arg_matches(&command.get_matches_from(words)).expect("good options")
    }
}
