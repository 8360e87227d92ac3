//! `cupbot games`: a table of the games and their tools.

use crate::tools::contracts::entry::{Entry, Tools};
use crate::tools::labs::registry::GAMES;
use anyhow::Result;
use serde_json::{json, Value};
use std::process::ExitCode;

/// List the games and the tools that support them
///
/// Every game supports its contest's protocol, `submit`, `check`, and `match` against any program. The rows show what
/// else works.
#[derive(clap::Args)]
pub struct Args {
    /// Print only the names, one per line
    #[arg(long, conflicts_with = "json")]
    names: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Prints the table.
pub fn run(args: Args) -> Result<ExitCode> {
    if args.json {
        let games: Vec<Value> = GAMES.iter().map(|game| to_json(game)).collect();
        say!("{}", serde_json::to_string_pretty(&games)?)?;
    } else if args.names {
        GAMES.iter().try_for_each(|game| say!("{}", game.rules.name))?;
    } else {
        table().iter().try_for_each(|row| say!("{row}"))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Formats the header and a row per property. Games are columns, since their number fits into 80 columns.
fn table() -> Vec<String> {
    let row = |what: &'static str, of_game: &dyn Fn(&Entry) -> &'static str| {
        let cells = GAMES.iter().map(|&game| of_game(game));
        std::iter::once(what).chain(cells).collect::<Vec<&str>>()
    };
    let mut rows = vec![
        row("name", &|game| game.rules.name),
        row("game", &|game| game.rules.title),
        row("contest", &|game| game.contest.name),
    ];
    for (what, is_in) in Tools::CAPABILITIES {
        rows.push(row(what, &|game| if is_in(&game.tools) { "yes" } else { "-" }));
    }
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let text = |row: &Vec<&str>| {
        let cells =
            row.iter().enumerate().map(|(column, cell)| format!("{cell:0$}", width(column)));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_string()
    };
    rows.iter().map(text).collect()
}

fn to_json(game: &Entry) -> Value {
    let has = Tools::CAPABILITIES.into_iter().filter(|(_, is_in)| is_in(&game.tools));
    json!({
        "name": game.rules.name,
        "title": game.rules.title,
        "contest": game.contest.name,
        "sides": game.rules.sides,
        "compares": game.comparison.text(),
        "capabilities": has.map(|(what, _)| what).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_games_as_columns() {
        let table = table();
        assert_eq!(table.len(), 3 + Tools::CAPABILITIES.len());
        for game in GAMES {
            assert!(table[0].contains(game.rules.name) && table[1].contains(game.rules.title));
        }
        for ((what, is_in), row) in Tools::CAPABILITIES.iter().zip(&table[3..]) {
            let count = GAMES.iter().filter(|game| is_in(&game.tools)).count();
            assert!(row.starts_with(what) && row.matches("yes").count() == count, "{row}");
        }
    }
}
