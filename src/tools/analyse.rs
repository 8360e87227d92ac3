//! `cupbot analyse`: what the search thinks of every move of a game.

use super::game::GameState;
use super::progress;
use super::record::{Note, Record, Source};
use super::registry;
use anyhow::{bail, Context, Result};
use indicatif::ProgressBar;
use serde::{Deserialize, Serialize};
use serde_json::{json, Map, Value};
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// How long to think about a move by default.
const DEFAULT_TIME: Duration = Duration::from_millis(500);
/// A mistake costs this part of what a blunder costs.
pub const MISTAKE_DIVISOR: i32 = 2;

/// The analysis of a game's records.
pub struct Analyse {
    /// Searches every position that the options ask for.
    pub run: fn(&Record, &Options) -> Result<Analysis>,
    /// What the scores mean and in which unit the cost of a blunder is, for the help.
    pub scores: &'static str,
}

/// What an analysis has found.
pub struct Analysis {
    /// The notes on the moves, in order.
    pub notes: Vec<Note>,
    /// The same as a table for people.
    pub table: String,
    /// How the game ended, once it has: a side's name or `draw`.
    pub outcome: Option<String>,
}

/// Search every position of a game: score, depth and best line, with mistakes marked
///
/// The game is recognised by its moves. A move is numbered as in the whole game, setups included.
#[derive(clap::Args)]
#[command(after_help = scores_help())]
pub struct Args {
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    options: Options,
    /// Print one JSON object on one line, which `cupbot replay` reads
    #[arg(long)]
    json: bool,
}

/// How to search, and which moves.
#[derive(clap::Args)]
pub struct Options {
    /// Think so many milliseconds about a move [default: 500]
    #[arg(long, value_name = "MS", conflicts_with = "nodes",
          value_parser = clap::value_parser!(u64).range(1..))]
    time: Option<u64>,
    /// Search so many nodes a move; the result is the same every time
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Begin at this move
    #[arg(long, value_name = "PLY")]
    from: Option<usize>,
    /// End with this move
    #[arg(long, value_name = "PLY")]
    to: Option<usize>,
    /// What a move must cost to be a blunder, in the unit of the game, see below; half of it is a
    /// mistake
    #[arg(long, value_name = "COST", value_parser = clap::value_parser!(i32).range(1..))]
    pub blunder: Option<i32>,
    /// The network to evaluate by, a file or another name that the game's players take (default: the
    /// built-in one)
    #[arg(long, value_name = "FILE")]
    pub net: Option<PathBuf>,
    /// The size of the table, in MiB
    #[arg(long, value_name = "MB", default_value_t = 64,
          value_parser = clap::value_parser!(u64).range(1..=4096))]
    pub hash: u64,
}

impl Options {
    /// How long to think about a move, where nodes are no limit.
    pub fn time(&self) -> Duration {
        self.time.map_or(DEFAULT_TIME, Duration::from_millis)
    }

    /// The first and the last move to analyse, as numbers: those asked for, as far as they exist.
    /// `first` is the first that could be.
    pub fn plies(&self, game: &dyn GameState, first: usize) -> Result<(usize, usize)> {
        // Where the game goes on, the next move counts too.
        let last = game.ply() + usize::from(game.end().is_none());
        if last < first {
            bail!("the game is over, there is nothing to analyse");
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

/// The meaning of the scores of all games.
fn scores_help() -> String {
    registry::help_of_games("Scores:", |game| Some(game.analyse.as_ref()?.scores))
}

/// Prints the analysis of a game or position.
pub fn run(args: Args) -> Result<ExitCode> {
    let record = args.source.read()?;
    let analyse = record.game.require(&record.game.analyse, "analysis")?;
    let analysis = (analyse.run)(&record, &args.options)?;
    let mut out = io::stdout().lock();
    let written = if args.json {
        writeln!(out, "{}", report(record, analysis))
    } else {
        out.write_all(analysis.table.as_bytes())
    };
    written.context("writing the analysis")?;
    Ok(ExitCode::SUCCESS)
}

/// The analysis of a game as a record.
fn report(record: Record, analysis: Analysis) -> Value {
    let mut report = Map::new();
    report.insert("rules".to_string(), json!(record.game.name));
    let players = record.game.sides.into_iter().zip(record.players);
    let outcome = record.outcome.or(analysis.outcome);
    let fields = [("id", record.id)]
        .into_iter()
        .chain(players)
        .chain([("outcome", outcome), ("position", record.start)]);
    for (name, value) in fields {
        value.map(|value| report.insert(name.to_string(), json!(value)));
    }
    report.insert("moves".to_string(), json!(record.moves));
    report.insert("analysis".to_string(), json!(analysis.notes));
    Value::Object(report)
}

/// What can be wrong with a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// It costs something.
    Mistake,
    /// It costs much.
    Blunder,
    /// It misses a proved win.
    MissedWin,
    /// It gives the opponent a proved win.
    AllowedWin,
}

impl Mark {
    /// How it is written behind a move.
    pub fn sign(self) -> &'static str {
        match self {
            Mark::Mistake => "?",
            Mark::Blunder | Mark::MissedWin | Mark::AllowedWin => "??",
        }
    }

    /// In words.
    pub fn text(self) -> &'static str {
        match self {
            Mark::Mistake => "mistake",
            Mark::Blunder => "blunder",
            Mark::MissedWin => "misses a win",
            Mark::AllowedWin => "allows a win",
        }
    }
}

/// A note in the form that all tools exchange.
pub fn to_note(note: &impl Serialize) -> Note {
    match serde_json::to_value(note) {
        Ok(Value::Object(fields)) => fields,
        // Not reached: notes are structures of plain fields.
        _ => Note::new(),
    }
}

/// A progress bar on stderr, where that is a terminal.
pub fn progress_bar(moves: usize) -> ProgressBar {
    progress::bar(moves as u64, "{bar:30} {pos}/{len} moves, {eta} left")
}
