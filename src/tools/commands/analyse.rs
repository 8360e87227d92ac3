//! `cupbot analyse`: searches every position of a game and marks mistakes.

use crate::tools::contracts::analysis::{Analysis, Mark, Options};
use crate::tools::contracts::record::Record;
use crate::tools::labs::game_reader::Source;
use crate::tools::labs::registry;
use crate::tools::support::ctrl_c;
use crate::tools::support::style::{self, painted};
use anyhow::{Context, Result};
use serde_json::{json, Map, Value};
use std::process::ExitCode;

/// Search every position of a game: score, depth and best line, with mistakes marked
///
/// The game is recognised by its moves. Moves are numbered from the start of the game, including setups.
#[derive(clap::Args)]
#[command(after_help = scores_help())]
pub struct Args {
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    options: Options,
    /// Print the analysis as a line of JSON, e.g. for `cupbot replay`; with --list a line per game
    #[arg(long)]
    json: bool,
}

/// Returns the help on the scores of all games.
fn scores_help() -> String {
    registry::help_of_games("Scores:", |game| Some(game.tools.analyse.as_ref()?.scores))
}

/// Prints the analysis of a game or position.
pub fn run(args: Args) -> Result<ExitCode> {
    if let Some(list) = args.source.list(args.json)? {
        say_part!("{list}")?;
        return Ok(ExitCode::SUCCESS);
    }
    let record = args.source.read()?;
    let game = registry::entry(record.game);
    let analyse = game.require(&game.tools.analyse, "analysis")?;
    ctrl_c::stop_soon();
    let analysis = (analyse.run)(&record, &args.options);
    let analysis = analysis.with_context(|| args.source.place(&record))?;
    let plies: Vec<u64> = analysis.notes.iter().filter_map(|note| note["ply"].as_u64()).collect();
    if ctrl_c::is_interrupted() && plies.is_empty() {
        ctrl_c::end(ctrl_c::START_OVER);
    }
    let written = if args.json {
        say!("{}", report(record, analysis))
    } else {
        show!("{}", in_colour(&analysis.table))
    };
    written.context("writing the analysis")?;
    if let (true, [first, .., last] | [first @ last]) = (ctrl_c::is_interrupted(), &plies[..]) {
        tell!("interrupted: moves {first} to {last} are analysed; --from and --to select others");
        return Ok(ExitCode::from(ctrl_c::exit_status()));
    }
    Ok(ExitCode::SUCCESS)
}

/// First words of the table's header and result lines.
const HIGHLIGHTED: [&str; 2] = ["ply", "outcome"];

/// Colours the mistakes, the header and the result of a table.
fn in_colour(table: &str) -> String {
    table.split_inclusive('\n').map(line_in_colour).collect()
}

/// Colours a line of a table. The row of a marked move ends with the text of the mark.
fn line_in_colour(line: &str) -> String {
    let (text, end) = line.strip_suffix('\n').map_or((line, ""), |text| (text, "\n"));
    if text.split_whitespace().next().is_some_and(|word| HIGHLIGHTED.contains(&word)) {
        return painted(text, style::HEAD) + end;
    }
    let marked = Mark::ALL.into_iter().find_map(|mark| {
        let before = text.strip_suffix(mark.text())?;
        let (head, rest) = before.split_once(&format!("{} ", mark.symbol()))?;
        let (start, played) = head.split_at(head.rfind(' ').map_or(0, |at| at + 1));
        let played = painted(format!("{played}{}", mark.symbol()), mark.style());
        Some(format!("{start}{played} {rest}{}", painted(mark.text(), mark.style())))
    });
    marked.unwrap_or_else(|| text.to_string()) + end
}

/// Converts the analysis of a game to a record in JSON.
fn report(record: Record, analysis: Analysis) -> Value {
    let mut report = Map::new();
    report.insert("rules".to_string(), json!(record.game.name));
    let players = record.game.sides.into_iter().zip(record.players);
    let outcome = record.outcome.or(analysis.outcome).map(String::from);
    let fields = [("id", record.id)]
        .into_iter()
        .chain(players)
        .chain([("outcome", outcome), ("position", record.start)]);
    for (name, value) in fields {
        value.map(|value| report.insert(name.to_string(), json!(value)));
    }
    report.insert("moves".to_string(), json!(record.moves));
    if !record.tags.is_empty() {
        report.insert("tags".to_string(), json!(record.tags));
    }
    if !record.annotations.is_empty() {
        report.insert("annotations".to_string(), json!(record.annotations));
    }
    report.insert("analysis".to_string(), json!(analysis.notes));
    Value::Object(report)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_header_and_result_are_coloured() {
        let row = "  8 blue g6e6??       -182     9  1182  h7f5 c6e4   allows a win\n";
        let table = format!("ply side\n{row}  9 red  a3c1\nred moves 1\noutcome open\n");
        let coloured = in_colour(&table);
        assert_eq!(style::plain(&coloured), table);
        let bad = |text: &str| painted(text, style::BAD);
        for part in [bad("g6e6??"), bad("allows a win"), painted("outcome open", style::HEAD)] {
            assert!(coloured.contains(&part), "{coloured:?}");
        }
        assert!(coloured.contains("\n  9 red  a3c1\nred moves 1\n"), "{coloured:?}");
        let mistake = line_in_colour("  7 white B3h?   51.0 % A1v      16  mistake");
        assert!(mistake.contains(&painted("B3h?", style::WARNING)), "{mistake:?}");
    }
}
