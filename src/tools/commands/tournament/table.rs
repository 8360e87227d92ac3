//! Tournament table.

use crate::tools::arena::match_file::GameRecord;
use crate::tools::commands::r#match::session::Scoreboard;
use crate::tools::commands::r#match::summary::Results;
use crate::tools::contracts::entry::Entry;
use crate::tools::contracts::Side;
use crate::tools::support::style::{self, painted, painted_if};
use anyhow::Result;
use serde_json::{json, Value};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Minimum width of a shortened name.
const MIN_NAME: usize = 8;

/// Totals of one player.
#[derive(Clone, Debug, Default)]
pub struct Row {
    pub points: f64,
    /// Results by side, the one that begins first.
    pub by_side: [Results; 2],
    pub faults: u64,
    /// Results against each player.
    pub against: Vec<Results>,
}

/// The table of a tournament.
pub struct Table {
    pub game: &'static Entry,
    pub names: Vec<String>,
    pub rows: Vec<Row>,
    pub games: Vec<GameRecord>,
    /// Faults which show that a player can't play at all, by player.
    pub unable: BTreeMap<usize, String>,
}

impl Table {
    pub fn new(game: &'static Entry, names: Vec<String>) -> Table {
        let row = Row { against: vec![Results::default(); names.len()], ..Row::default() };
        Table {
            game,
            rows: vec![row; names.len()],
            names,
            games: Vec::new(),
            unable: BTreeMap::new(),
        }
    }

    /// Returns the players' numbers, best first; ties in the order of the command line.
    pub fn ranking(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.rows.len()).collect();
        order.sort_by(|&one, &other| self.rows[other].points.total_cmp(&self.rows[one].points));
        order
    }

    /// Whether fewer than two players are left that can play.
    pub fn is_void(&self) -> bool {
        self.names.len() < self.unable.len() + 2
    }

    /// Describes why players can't play.
    pub fn unable_text(&self) -> String {
        self.unable.values().cloned().collect::<Vec<_>>().join("; ")
    }

    pub fn print(&self, is_json: bool) -> Result<()> {
        if is_json {
            say!("{}", serde_json::to_string_pretty(&self.json())?)?;
        } else {
            show!("{}", self.text(style::stdout_width()))?;
        }
        Ok(())
    }

    /// Returns the table; the results between players are a second table if one is wider than `width`.
    pub fn text(&self, width: usize) -> String {
        let mut text = String::new();
        // Writing to a string can't fail.
        let _ = self.write_text(&mut text, width);
        text
    }

    fn write_text(&self, out: &mut String, width: usize) -> std::fmt::Result {
        let order = self.ranking();
        let longest = self.names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let head = self.head(order.len());
        let is_wide = head.len() + longest > width;
        let head = if is_wide { self.head(0) } else { head };
        writeln!(out, "{}", painted(&head, style::HEAD))?;
        let name_width = width.saturating_sub(head.len() - "player".len());
        for (index, &player) in order.iter().enumerate() {
            let row = &self.rows[player];
            let [first, second] = row.by_side;
            let games = first.plus(second).count();
            let points = painted(format!("{:>7}", row.points), style::HEAD);
            let faults = painted_if(row.faults > 0, format!("{:>6}", row.faults), style::BAD);
            write!(out, "{:>4} {points} {games:>6} ", index + 1)?;
            write!(out, "{:>15} {:>15} {faults} ", first.text(), second.text())?;
            if !is_wide {
                write!(out, "{}", self.results_text(player, &order))?;
            }
            let name = shortened(&self.names[player], name_width);
            writeln!(out, "  {}", painted_if(index == 0, name, style::GOOD))?;
        }
        if is_wide {
            writeln!(out, "{}", painted(format!("rank {}", ranks(order.len())), style::HEAD))?;
            for (index, &player) in order.iter().enumerate() {
                writeln!(out, "{:>4} {}", index + 1, self.results_text(player, &order))?;
            }
        }
        Ok(())
    }

    /// Formats the results of a player against all others.
    fn results_text(&self, player: usize, order: &[usize]) -> String {
        let result = |&other: &usize| match other == player {
            true => format!(" {:>9}", "-"),
            false => format!(" {:>9}", self.rows[player].against[other].points_text()),
        };
        order.iter().map(result).collect()
    }

    /// Formats the header for this many players.
    pub fn head(&self, players: usize) -> String {
        let [first, second] = self.game.sides.map(|side| format!("as {side}"));
        let ranks = ranks(players);
        format!(
            "{:>4} {:>7} {:>6} {first:>15} {second:>15} {:>6} {ranks}  player",
            "rank", "points", "games", "faults"
        )
    }

    pub fn json(&self) -> Value {
        let order = self.ranking();
        let row = |&player: &usize| {
            let row = &self.rows[player];
            let against: Vec<Value> =
                order.iter().map(|&other| row.against[other].json()).collect();
            let mut value = json!({
                "name": self.names[player],
                "points": row.points,
                "faults": row.faults,
                "against": against,
            });
            for (side, results) in self.game.sides.iter().zip(row.by_side) {
                value[format!("as_{side}")] = results.json();
            }
            value
        };
        json!({
            "ranking": order.iter().map(row).collect::<Vec<_>>(),
        })
    }
}

impl Scoreboard for Table {
    /// The others continue without a player that can't play, as long as there are at least two of them.
    fn is_void(&mut self, game: &GameRecord) -> bool {
        if let Some(player) = game.unable_player() {
            let can_play = |game: &GameRecord| {
                game.players.contains(&player) && game.unable_player().is_none()
            };
            if !self.games.iter().any(can_play) {
                self.unable.entry(player).or_insert_with(|| game.fault_text().unwrap_or_default());
            }
        }
        Table::is_void(self)
    }

    fn add(&mut self, game: &GameRecord) {
        for side in Side::ALL {
            let [own, other] = [game.players[side.index()], game.players[(!side).index()]];
            let half_points = game.half_points(side);
            let row = &mut self.rows[own];
            row.points += game.points[side.index()];
            row.by_side[side.index()].add(half_points);
            row.against[other].add(half_points);
            row.faults += u64::from(game.failed(side));
        }
        self.games.push(game.clone());
    }

    fn is_settled(&self) -> bool {
        false
    }

    fn line(&self) -> String {
        let place =
            |&player: &usize| format!("{} {}", self.names[player], self.rows[player].points);
        self.ranking().iter().map(place).collect::<Vec<_>>().join(", ")
    }
}
/// Formats the headers of the results against this many players.
fn ranks(players: usize) -> String {
    (1..=players).map(|rank| format!(" {:>9}", format!("vs {rank}"))).collect()
}

/// Shortens a name that is wider than `width`, in the middle.
fn shortened(name: &str, width: usize) -> String {
    let letters: Vec<char> = name.chars().collect();
    if letters.len() <= width || width < MIN_NAME {
        return name.to_string();
    }
    let half = (width - 1) / 2;
    let (start, end) = (&letters[..width - 1 - half], &letters[letters.len() - half..]);
    start.iter().chain(&['…']).chain(end).collect()
}
