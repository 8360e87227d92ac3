//! `cupbot replay`: a game as one self-contained HTML page.
//!
//! The rules are applied here; the page's script only draws the frames that it is given. The frame of
//! the page is the same for all games; each game brings its board: a script, a style and the fields that
//! the script reads. The board in the browser is made from the same parts (`look`).

use crate::tools::contracts::entry::{Comparison, Entry};
use crate::tools::labs::registry::entry;

use crate::tools::contracts::page::{capitalised, Story};
use crate::tools::contracts::record::Record;
use crate::tools::labs::game_reader::Source;
use crate::tools::support::pages::{self, template};
use anyhow::{Context, Result};
use serde::Serialize;
use serde_json::json;
use std::io::{self, Write};
use std::process::ExitCode;

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// What completes "this game has no ...".
const PGN: &str = "games in PGN";

/// Write a game as an HTML page to step through, on stdout
///
/// The page needs nothing else and no network. Where the record has scores, as `cupbot analyse --json`
/// writes them, it shows them as a curve, the best moves and the mistakes. `page.html#17` opens it
/// after move 17.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    source: Source,
    /// Write PGN instead of a page, of all games where none is chosen
    #[arg(long)]
    pgn: bool,
}

/// Prints the page of a game.
pub fn run(args: Args) -> Result<ExitCode> {
    if let Some(list) = args.source.list()? {
        say_part!("{list}")?;
        return Ok(ExitCode::SUCCESS);
    }
    if args.pgn {
        args.source.read_several(|record| {
            let game = entry(record.game);
            let format = game.require(&game.format, PGN)?;
            Ok(say_part!("{}", (format.write)(&record)?)?)
        })?;
        return Ok(ExitCode::SUCCESS);
    }
    let page = page(&args.source.read()?)?;
    io::stdout().lock().write_all(page.as_bytes()).context("writing the page")?;
    Ok(ExitCode::SUCCESS)
}

/// What the page's script reads.
#[derive(Serialize)]
struct Data {
    /// The names of the players, the one that begins first.
    players: [String; 2],
    /// The height of the curve's base line.
    base: f64,
    #[serde(flatten)]
    story: Story,
}

/// What the pages of all games of one kind have in common.
#[derive(Clone, Debug, Serialize)]
pub struct Common {
    style: String,
    shapes: String,
    script: String,
}

impl Common {
    /// That of a game which has pages.
    pub fn of(game: &Entry) -> Option<Common> {
        let page = game.page.as_ref()?;
        Some(Common {
            style: format!("{}{}{STYLE}", pages::STYLE, page.style),
            shapes: page.shapes.to_string(),
            script: pages::script(page.script, SCRIPT),
        })
    }

    /// Marks in its place, for a page that has many games and this only once. No text of a record
    /// looks like them: there `<` is escaped.
    pub fn marks() -> Common {
        let mark = |name: &str| format!("<!--{name}-->");
        Common { style: mark("style"), shapes: mark("shapes"), script: mark("script") }
    }
}

/// The page of a game.
pub fn page(record: &Record) -> Result<String> {
    let game = entry(record.game);
    page_with(record, game.require(&Common::of(game), "replay page")?)
}

/// The page of a game with this in place of what it has in common with others.
pub fn page_with(record: &Record, common: &Common) -> Result<String> {
    let game = entry(record.game);
    let page = game.require(&game.page, "replay page")?;
    let story = (page.story)(record)?;
    let outcome = story.outcome.clone();
    let sides = record.game.sides.map(capitalised);
    let [first, second] = &record.players;
    let named = |player: &Option<String>, side: &String| player.clone().unwrap_or(side.clone());
    let players = [named(first, &sides[0]), named(second, &sides[1])];
    let (base, curve) = curve_of(game.comparison, &sides);
    let values = json!({
        "title": title(record),
        "outcome": outcome,
        "curve": curve,
        "moves": record.moves.join(" "),
        "style": common.style,
        "shapes": common.shapes,
        "script": common.script,
        "data": Data { players, base, story },
    });
    template::render(TEMPLATE, &values).context("filling in the page")
}

/// The height of a curve's base line, and what its upper and its lower end stand for.
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
    fn the_pages_are_self_contained() {
        let parts = GAMES.iter().filter_map(|game| game.page.as_ref());
        let parts = parts.flat_map(|page| [page.script, page.style, page.shapes]);
        for part in parts.chain([TEMPLATE, STYLE, SCRIPT, pages::STYLE, pages::SCRIPT]) {
            for reference in ["http://", "https://", "src=", "@import", "url(//", "<link"] {
                let found = part.replace("http://www.w3.org/2000/svg", "").contains(reference);
                assert!(!found, "{reference}");
            }
        }
    }
}
