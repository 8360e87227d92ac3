//! `cupbot replay`: writes a game as a self-contained HTML page.
//!
//! The moves are replayed here; the page's script only draws the positions that it receives. The layout is the same for
//! all games; each game provides its board: a script, a style sheet and the data for the script. The board in the
//! browser shares these parts.

use crate::tools::contracts::entry::{Comparison, Entry};
use crate::tools::labs::registry::entry;

use crate::tools::contracts::page::{capitalised, Story};
use crate::tools::contracts::record::Record;
use crate::tools::labs::game_reader::Source;
use crate::tools::support::ctrl_c;
use crate::tools::support::pages::{self, template};
use crate::tools::support::text::{shown, warn};
use anyhow::{ensure, Context, Result};
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::process::ExitCode;

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Write a game as an interactive HTML page to stdout
///
/// The page is self-contained and works offline. If the record has scores, e.g. from `cupbot analyse --json`, it shows
/// a score graph, the best moves and the mistakes. `page.html#17` opens the position after move 17.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    source: Source,
    /// Write PGN instead of a page: the chosen game, or all games of the file
    #[arg(long)]
    pgn: bool,
}

/// Prints the page of a game.
pub fn run(args: Args) -> Result<ExitCode> {
    ctrl_c::start_over();
    if let Some(list) = args.source.list(false)? {
        say_part!("{list}")?;
        return Ok(ExitCode::SUCCESS);
    }
    if args.pgn {
        return write_pgn(&args.source);
    }
    let page = page(&args.source.read()?)?;
    io::stdout().lock().write_all(page.as_bytes()).context("writing the page")?;
    Ok(ExitCode::SUCCESS)
}

/// Prints games in PGN, and says in a line which ones have none.
fn write_pgn(source: &Source) -> Result<ExitCode> {
    let mut written = 0;
    let mut left_out: BTreeMap<&str, usize> = BTreeMap::new();
    source.read_several(|record| {
        let Some(format) = &entry(record.game).tools.format else {
            *left_out.entry(record.game.title).or_default() += 1;
            return Ok(());
        };
        written += 1;
        Ok(say_part!("{}", (format.write)(&record)?)?)
    })?;
    let games = left_out.iter().map(|(title, count)| format!("{title} ({count})"));
    let games = games.collect::<Vec<_>>().join(", ");
    ensure!(written > 0, "no game can be written in PGN: {games}");
    if !games.is_empty() {
        warn(&format!("left out, since they can't be written in PGN: {games}"));
    }
    Ok(ExitCode::SUCCESS)
}

/// Data for the page's script.
#[derive(Serialize)]
struct Data {
    /// Names of the players; the one that begins comes first.
    players: [String; 2],
    /// Height of the score graph's base line, from -1 to 1.
    base: f64,
    /// The answer that ended the game because it was refused, with the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<String>,
    #[serde(flatten)]
    story: Story,
}

/// Parts that all pages of the same game share.
#[derive(Clone, Debug, Serialize)]
pub struct Common {
    style: String,
    shapes: String,
    script: String,
}

impl Common {
    /// Returns the parts of a game; `None` if it has no replay page.
    pub fn of(game: &Entry) -> Option<Common> {
        let page = game.tools.page.as_ref()?;
        Some(Common {
            style: format!("{}{}{STYLE}", pages::STYLE, page.style),
            shapes: page.shapes.to_string(),
            script: pages::script(page.script, SCRIPT),
        })
    }

    /// Returns placeholders, for a page that contains many games but the shared parts only once. The text of records
    /// can't be confused with them, since `<` is escaped there.
    pub fn marks() -> Common {
        let mark = |name: &str| format!("<!--{name}-->");
        Common { style: mark("style"), shapes: mark("shapes"), script: mark("script") }
    }
}

/// Returns the page of a game.
pub fn page(record: &Record) -> Result<String> {
    let game = entry(record.game);
    page_with(record, game.require(&Common::of(game), "replay page")?)
}

/// Returns the page of a game with these shared parts.
pub fn page_with(record: &Record, common: &Common) -> Result<String> {
    let game = entry(record.game);
    let page = game.require(&game.tools.page, "replay page")?;
    let story = (page.story)(record)?;
    let outcome = story.outcome.clone();
    let sides = record.game.sides.map(capitalised);
    let [first, second] = &record.players;
    let named = |player: &Option<String>, side: &String| player.clone().unwrap_or(side.clone());
    let players = [named(first, &sides[0]), named(second, &sides[1])];
    let (base, curve) = curve_of(game.comparison, &sides);
    let refused = record.refused.as_ref();
    let refused = refused.map(|(text, reason)| format!("{} was refused: {reason}", shown(text)));
    let values = json!({
        "title": title(record),
        "outcome": outcome,
        "curve": curve,
        "moves": record.moves.join(" "),
        "style": common.style,
        "shapes": common.shapes,
        "script": common.script,
        "data": Data { players, base, refused, story },
    });
    template::page(TEMPLATE, &values)
}

/// Returns the height of the score graph's base line and the labels of its upper and lower end.
pub fn curve_of(comparison: Comparison, sides: &[String; 2]) -> (f64, [String; 2]) {
    match comparison {
        Comparison::Elo => (0.0, sides.each_ref().map(|side| format!("{side} is better"))),
        Comparison::MeanScore => (-1.0, ["more points", "none"].map(str::to_string)),
    }
}

fn title(record: &Record) -> String {
    match (&record.players, &record.id) {
        ([Some(first), Some(second)], _) => format!("{first} – {second}"),
        (_, Some(id)) => format!("Game {id}"),
        _ => format!("A game of {}", record.game.title),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::labs::registry::GAMES;

    #[test]
    fn pages_are_self_contained() {
        let parts = GAMES.iter().filter_map(|game| game.tools.page.as_ref());
        let parts = parts.flat_map(|page| [page.script, page.style, page.shapes]);
        for part in parts.chain([TEMPLATE, STYLE, SCRIPT, pages::STYLE, pages::SCRIPT]) {
            for reference in ["http://", "https://", "src=", "@import", "url(//", "<link"] {
                let found = part.replace("http://www.w3.org/2000/svg", "").contains(reference);
                assert!(!found, "{reference}");
            }
        }
    }
}
