//! `cupbot analyse`: what the search thinks of every move of a game.

use super::game::analysis::{Analysis, Options};
use super::game::record::Record;
use super::record::Source;
use super::registry;
use anyhow::{Context, Result};
use serde_json::{json, Map, Value};
use std::io::{self, Write};
use std::process::ExitCode;

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

/// The meaning of the scores of all games.
fn scores_help() -> String {
    registry::help_of_games("Scores:", |game| Some(game.analyse.as_ref()?.scores))
}

/// Prints the analysis of a game or position.
pub fn run(args: Args) -> Result<ExitCode> {
    if let Some(list) = args.source.list()? {
        say_part!("{list}")?;
        return Ok(ExitCode::SUCCESS);
    }
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
