//! The table of a tournament as one self-contained HTML page. Each game is shown on a page of `cupbot replay`, which is
//! included once; the script puts the data of the game into it.

use super::table::{elo_texts, Row, Table};
use crate::tools::arena::match_file::GameRecord;
use crate::tools::commands::board::replay::{self, MARK};
use crate::tools::contracts::capitalised;
use crate::tools::labs::game_reader;
use crate::tools::support::pages::{self, template};
use anyhow::Result;
use serde_json::{json, Value};
use std::collections::BTreeMap;

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Renders the page of a table.
pub fn page(table: &Table) -> Result<String> {
    let order = table.ranking();
    let games = data_of_games(table);
    let values = json!({
        "title": format!("{} tournament", table.game.rules.title),
        "sides": table.game.rules.sides.map(capitalised),
        "style": format!("{}{STYLE}", pages::STYLE),
        "script": SCRIPT,
        "lines": order.iter().map(|&player| line(table, &order, player)).collect::<Vec<_>>(),
        "meetings": meetings(table, &order, &games),
        "count": table.games.len(),
        "frame": { "page": replay::frame(table.game)?, "mark": json!(MARK).to_string() },
        "games": games,
    });
    template::page(TEMPLATE, &values)
}

/// Returns a row of the table. The cell of a player against itself is null.
fn line(table: &Table, order: &[usize], player: usize) -> Value {
    let Row { points, by_side, faults, against, pairs } = &table.rows[player];
    let cell = |&other: &usize| {
        let results = against[other];
        let share = (100.0 * results.score().unwrap_or(0.5)).round() as u32;
        let meeting = meeting_id(order, [player, other]);
        let cell = || json!({ "text": results.points_text(), "meeting": meeting, "share": share });
        (other != player).then(cell)
    };
    json!({
        "name": table.names[player],
        "points": points.to_string(),
        "games": by_side[0].plus(by_side[1]).count(),
        "by_side": by_side.map(|results| results.text()),
        "elo": elo_texts(pairs),
        "faults": faults,
        "against": order.iter().map(cell).collect::<Vec<_>>(),
    })
}

/// Returns the anchor of a meeting, made of the players' ranks.
fn meeting_id(order: &[usize], players: [usize; 2]) -> String {
    let place = |player| order.iter().position(|&other| other == player).map_or(0, |at| at + 1);
    let [one, other] = players.map(place);
    format!("games-{}-{}", one.min(other), one.max(other))
}

/// Returns the games of every two players in ranking order, each in schedule order.
fn meetings(table: &Table, order: &[usize], data: &BTreeMap<usize, Value>) -> Vec<Value> {
    let mut meetings = Vec::new();
    for (place, &one) in order.iter().enumerate() {
        for &other in &order[place + 1..] {
            let is_theirs =
                |game: &&GameRecord| game.players == [one, other] || game.players == [other, one];
            let mut games: Vec<&GameRecord> = table.games.iter().filter(is_theirs).collect();
            games.sort_by_key(|game| game.game);
            meetings.push(json!({
                "id": meeting_id(order, [one, other]),
                "players": [&table.names[one], &table.names[other]],
                "games": games.iter().map(|game| listed(game, data)).collect::<Vec<_>>(),
            }));
        }
    }
    meetings
}

/// Returns a game in the list of a meeting.
fn listed(game: &GameRecord, data: &BTreeMap<usize, Value>) -> Value {
    let winner = game.winner.as_ref().map_or("draw".to_string(), |side| format!("{side} wins"));
    let reason = match &game.fault {
        Some(fault) => format!("{} lost {}", fault.side, fault.kind.cause()),
        None => game.reason.replace('_', " "),
    };
    json!({
        "key": game.game,
        "number": game.number,
        "has_page": data.contains_key(&game.game),
        "names": game.names,
        "outcome": format!("{winner} ({reason})"),
        "length": game.moves.len(),
        "moves": game.moves.join(" "),
    })
}

/// Returns the data of the games for the replay page, by index in the schedule. Games that it can't show are omitted.
fn data_of_games(table: &Table) -> BTreeMap<usize, Value> {
    let data = |game: &GameRecord| {
        let record = game_reader::parse(&serde_json::to_string(game).ok()?).ok()??;
        Some((game.game, replay::data(&record).ok()?))
    };
    table.games.iter().filter_map(data).collect()
}
