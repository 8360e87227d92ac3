//! The table of a tournament as one self-contained HTML page. Each game is a page of `cupbot replay`; the parts
//! common to all of them are included once.

use super::table::{elo_texts, Row, Table};
use crate::tools::arena::match_file::GameRecord;
use crate::tools::commands::replay::{page_with, Common};
use crate::tools::contracts::page::capitalised;
use crate::tools::labs::game_reader;
use crate::tools::support::pages::template;
use anyhow::{Context, Result};
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeMap;

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// A row of the table.
#[derive(Serialize)]
struct Line {
    name: String,
    points: String,
    games: u64,
    /// Results by side, the one that begins first.
    by_side: [String; 2],
    /// Elo difference to the mean opponent, and likelihood of superiority.
    elo: [String; 2],
    faults: u64,
    /// Results against each player in ranking order; `None` against itself.
    against: Vec<Option<Cell>>,
}

/// The result of two players against each other, a link to their games.
#[derive(Serialize)]
struct Cell {
    text: String,
    meeting: String,
    /// Share of the points, in per cent; 50 without games.
    share: u32,
}

/// The games of two players.
#[derive(Serialize)]
struct Meeting {
    /// Anchor in the page.
    id: String,
    players: [String; 2],
    games: Vec<Game>,
}

/// A game in the list of a meeting.
#[derive(Serialize)]
struct Game {
    /// Index in the schedule, which identifies the game in the page.
    key: usize,
    /// Number in the record.
    number: usize,
    /// Whether there is a page to step through the game.
    has_page: bool,
    /// Players, the one that begins first.
    names: [String; 2],
    outcome: String,
    length: usize,
    moves: String,
}

/// Renders the page of a table.
pub fn page(table: &Table) -> Result<String> {
    let order = table.ranking();
    let pages = pages(table);
    let values = json!({
        "title": format!("{} tournament", table.game.title),
        "sides": table.game.sides.map(capitalised),
        "style": STYLE,
        "script": SCRIPT,
        "lines": order.iter().map(|&player| line(table, &order, player)).collect::<Vec<_>>(),
        "meetings": meetings(table, &order, &pages),
        "count": table.games.len(),
        "common": Common::of(table.game),
        "pages": pages,
    });
    template::render(TEMPLATE, &values).context("filling in the page")
}

fn line(table: &Table, order: &[usize], player: usize) -> Line {
    let Row { points, by_side, faults, against, pairs } = &table.rows[player];
    let cell = |&other: &usize| {
        let results = against[other];
        let share = (100.0 * results.score().unwrap_or(0.5)).round() as u32;
        let meeting = meeting_id(order, [player, other]);
        (other != player).then(|| Cell { text: results.points_text(), meeting, share })
    };
    Line {
        name: table.names[player].clone(),
        points: points.to_string(),
        games: by_side[0].plus(by_side[1]).count(),
        by_side: by_side.map(|results| results.text()),
        elo: elo_texts(pairs),
        faults: *faults,
        against: order.iter().map(cell).collect(),
    }
}

/// Returns the anchor of a meeting, made of the players' ranks.
fn meeting_id(order: &[usize], players: [usize; 2]) -> String {
    let place = |player| order.iter().position(|&other| other == player).map_or(0, |at| at + 1);
    let [one, other] = players.map(place);
    format!("games-{}-{}", one.min(other), one.max(other))
}

/// Returns the games of every two players in ranking order, each in schedule order.
fn meetings(table: &Table, order: &[usize], pages: &BTreeMap<usize, String>) -> Vec<Meeting> {
    let mut meetings = Vec::new();
    for (place, &one) in order.iter().enumerate() {
        for &other in &order[place + 1..] {
            let is_theirs =
                |game: &&GameRecord| game.players == [one, other] || game.players == [other, one];
            let mut games: Vec<&GameRecord> = table.games.iter().filter(is_theirs).collect();
            games.sort_by_key(|game| game.game);
            meetings.push(Meeting {
                id: meeting_id(order, [one, other]),
                players: [one, other].map(|player| table.names[player].clone()),
                games: games.iter().map(|game| listed(game, pages)).collect(),
            });
        }
    }
    meetings
}

fn listed(game: &GameRecord, pages: &BTreeMap<usize, String>) -> Game {
    let winner = game.winner.as_ref().map_or("draw".to_string(), |side| format!("{side} wins"));
    let reason = match &game.fault {
        Some(fault) => format!("{} lost {}", fault.side, fault.kind.cause()),
        None => game.reason.replace('_', " "),
    };
    Game {
        key: game.game,
        number: game.number,
        has_page: pages.contains_key(&game.game),
        names: game.names.clone(),
        outcome: format!("{winner} ({reason})"),
        length: game.moves.len(),
        moves: game.moves.join(" "),
    }
}

/// Renders the pages of the games, by index in the schedule, without the common parts. Games without a page are
/// omitted, e.g. if a fault ended the game before there was a board.
fn pages(table: &Table) -> BTreeMap<usize, String> {
    let page = |game: &GameRecord| {
        let record = game_reader::parse(&serde_json::to_string(game).ok()?).ok()??;
        Some((game.game, page_with(&record, &Common::marks()).ok()?))
    };
    table.games.iter().filter_map(page).collect()
}
