//! `cupbot games`: a table of the games and their tools.

use crate::tools::contracts::entry::{Entry, Tools};
use crate::tools::labs::registry::GAMES;
use anyhow::Result;
use serde_json::{json, Value};
use std::process::ExitCode;

/// List the games and the tools that support them
///
/// Every game supports its contest's protocol, `submit`, `check`, and `match` against any program. The columns show
/// what else works.
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

/// Formats the header and a row per game. The first columns are as wide as their contents, the others as their header.
fn table() -> Vec<String> {
    let width = |text: fn(&Entry) -> &'static str, head: &str| {
        GAMES.iter().map(|game| text(game).len()).max().unwrap_or(0).max(head.len())
    };
    let (name, title) =
        (width(|game| game.rules.name, "name"), width(|game| game.rules.title, "game"));
    let contest = width(|game| game.contest.name, "contest");
    let row = |first: [&str; 3], rest: Vec<String>| {
        let [a, b, c] = first;
        format!("{a:name$}  {b:title$}  {c:contest$}  {}", rest.join("  ")).trim_end().to_string()
    };
    let head = Tools::CAPABILITIES.map(|(what, _)| what.to_string()).to_vec();
    let rows = GAMES.iter().map(|game| {
        let marks = Tools::CAPABILITIES.map(|(what, is_in)| {
            let mark = if is_in(&game.tools) { "yes" } else { "-" };
            format!("{mark:width$}", width = what.len())
        });
        row([game.rules.name, game.rules.title, game.contest.name], marks.to_vec())
    });
    std::iter::once(row(["name", "game", "contest"], head)).chain(rows).collect()
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
    fn the_table_has_games_as_rows() {
        let table = table();
        assert_eq!(table.len(), GAMES.len() + 1);
        for (game, row) in GAMES.iter().zip(&table[1..]) {
            assert!(row.starts_with(game.rules.name) && row.contains(game.rules.title), "{row}");
            let count = Tools::CAPABILITIES.iter().filter(|(_, is_in)| is_in(&game.tools)).count();
            assert_eq!(row.matches("yes").count(), count, "{row}");
        }
    }
}
