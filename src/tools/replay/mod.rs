//! `cupbot replay`: a game as one self-contained HTML page.
//!
//! The rules are applied here; the page's script only draws the frames that it is given. The frame of
//! the page is the same for all games; each game brings its board: a script, a style and the fields that
//! the script reads.

use super::analyse::Mark;
use super::game::{GameState, Side};
use super::record::{Record, Source};
use anyhow::{Context, Result};
use minijinja::{context, Environment};
use serde::Serialize;
use serde_json::{Map, Value};
use std::io::{self, Write};
use std::process::ExitCode;

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// By its ending all that is filled in is escaped as HTML asks.
const TEMPLATE_NAME: &str = "page.html";

/// What a game brings to its page.
pub struct Page {
    /// The positions and what is known of them.
    pub story: fn(&Record) -> Result<Story>,
    /// The script that draws the board; see `page.js` for what it defines.
    pub script: &'static str,
    /// The style of the board and the colours of the sides.
    pub style: &'static str,
    /// Shapes for the script to use, as HTML; may be empty.
    pub shapes: &'static str,
}

/// A game as a page shows it.
#[derive(Serialize)]
pub struct Story {
    /// How the game ended, in a sentence.
    #[serde(skip)]
    pub outcome: String,
    /// The two setups, where the game has them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub setups: Option<[String; 2]>,
    /// What the first frame shows, in words.
    pub beginning: &'static str,
    /// The positions, one more than moves.
    pub frames: Vec<Frame>,
}

/// A position, the move that led to it, and what is known of both.
#[derive(Default, Serialize)]
pub struct Frame {
    /// The moves made, setups included.
    pub ply: usize,
    /// The side to move, 0 for the one that begins; `None` once the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<usize>,
    /// The move that led here.
    #[serde(flatten)]
    pub last: Option<LastMove>,
    /// What a search thought of the position.
    #[serde(flatten)]
    pub view: Option<View>,
    /// What the game's script reads.
    #[serde(flatten)]
    pub board: Map<String, Value>,
}

/// The move that led to a position.
#[derive(Default, Serialize)]
pub struct LastMove {
    /// The move as written.
    #[serde(rename = "move")]
    pub text: String,
    /// The side that made it, 0 for the one that begins.
    pub mover: usize,
    /// What is wrong with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<Mark>,
    /// What it cost, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<String>,
}

/// What a search thought of a position.
#[derive(Default, Serialize)]
pub struct View {
    /// The height of the curve: 1 where the side that begins has won, -1 where the other one has.
    pub height: f64,
    /// The score in words.
    #[serde(rename = "view")]
    pub text: String,
    /// How it was found, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The expected line, its first move being the best one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<Vec<String>>,
}

/// Write a game as an HTML page to step through, on stdout
///
/// The page needs nothing else and no network. Where the record has scores, as `cupbot analyse --json`
/// writes them, it shows them as a curve, the best moves and the mistakes. `page.html#17` opens it
/// after move 17.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    source: Source,
}

/// Prints the page of a game.
pub fn run(args: Args) -> Result<ExitCode> {
    let page = page(&args.source.read()?)?;
    io::stdout().lock().write_all(page.as_bytes()).context("writing the page")?;
    Ok(ExitCode::SUCCESS)
}

/// What the page's script reads.
#[derive(Serialize)]
struct Data {
    /// The names of the players, the one that begins first.
    players: [String; 2],
    #[serde(flatten)]
    story: Story,
}

/// The page of a game.
pub fn page(record: &Record) -> Result<String> {
    let page = record.game.require(&record.game.page, "replay page")?;
    let story = (page.story)(record)?;
    let outcome = story.outcome.clone();
    let sides = record.game.sides.map(capitalised);
    let [first, second] = &record.players;
    let named = |player: &Option<String>, side: &String| player.clone().unwrap_or(side.clone());
    let players = [named(first, &sides[0]), named(second, &sides[1])];
    let mut environment = Environment::new();
    environment.add_template(TEMPLATE_NAME, TEMPLATE)?;
    let page = environment.get_template(TEMPLATE_NAME)?.render(context! {
        title => title(record),
        outcome,
        sides,
        moves => record.moves.join(" "),
        style => format!("{STYLE}{}", page.style),
        shapes => page.shapes,
        script => format!("'use strict';\n{}{SCRIPT}", page.script),
        data => Data { players, story },
    });
    page.context("filling in the page")
}

fn title(record: &Record) -> String {
    match (&record.players, &record.id) {
        ([Some(first), Some(second)], _) => format!("{first} – {second}"),
        (_, Some(id)) => format!("Game {id}"),
        _ => format!("A game of {}", record.game.title),
    }
}

/// A word at the head of a sentence.
pub fn capitalised(word: &str) -> String {
    let mut characters = word.chars();
    let first = characters.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + characters.as_str()
}

/// How a game ended that its record ends before its end by the rules: by a fault, or not at all.
pub fn open_end(record: &Record, game: &dyn GameState) -> String {
    let moves = game.ply();
    let recorded = record.outcome.as_deref().unwrap_or_default();
    let failed = Side::ALL.into_iter().find_map(|winner| {
        let [name, other] = [winner, !winner].map(|side| record.game.side_name(side));
        let reason = recorded.strip_prefix(name)?.strip_prefix('-')?;
        let (winner, loser) = (capitalised(name), capitalised(other));
        Some(format!("{winner} wins: {loser} fails after move {moves} ({reason})"))
    });
    failed.unwrap_or_else(|| format!("{moves} moves, not played to the end"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::registry::GAMES;

    #[test]
    fn the_pages_are_self_contained() {
        let parts = GAMES.iter().filter_map(|game| game.page.as_ref());
        let parts = parts.flat_map(|page| [page.script, page.style, page.shapes]);
        for part in parts.chain([TEMPLATE, STYLE, SCRIPT]) {
            for reference in ["http://", "https://", "src=", "@import", "url(//", "<link"] {
                let found = part.replace("http://www.w3.org/2000/svg", "").contains(reference);
                assert!(!found, "{reference}");
            }
        }
    }
}
