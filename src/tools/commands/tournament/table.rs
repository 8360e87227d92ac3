//! Tournament table.

use crate::tools::arena::match_file::GameRecord;
use crate::tools::commands::r#match::session::Scoreboard;
use crate::tools::commands::r#match::summary::Results;
use crate::tools::contracts::entry::Entry;
use crate::tools::contracts::Side;
use crate::tools::support::stats::{Interval, Pairs};
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
    /// Results of complete pairs of games against all players.
    pub pairs: Pairs,
}

/// The table of a tournament.
pub struct Table {
    pub game: &'static Entry,
    pub names: Vec<String>,
    pub rows: Vec<Row>,
    pub games: Vec<GameRecord>,
    /// Faults which show that a player can't play at all, by player.
    pub unable: BTreeMap<usize, String>,
    /// Half points of games whose pair is not complete yet, by pair and player.
    single: BTreeMap<(usize, usize), usize>,
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
            single: BTreeMap::new(),
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
        let sides = self.sides_text();
        let results = format!("{sides} {}", ranks(order.len()));
        let is_wide = self.head(&results).len() + longest > width;
        let head = self.head(if is_wide { "" } else { &results });
        writeln!(out, "{}", painted(&head, style::HEAD))?;
        let name_width = width.saturating_sub(head.len() - "player".len());
        for (index, &player) in order.iter().enumerate() {
            let row = &self.rows[player];
            let games = row.by_side[0].plus(row.by_side[1]).count();
            let points = painted(format!("{:>7}", row.points), style::HEAD);
            let [elo, los] = elo_texts(&row.pairs);
            let faults = painted_if(row.faults > 0, format!("{:>6}", row.faults), style::BAD);
            write!(out, "{:>4} {points} {games:>6} ", index + 1)?;
            write!(out, "{elo:>12} {los:>6} {faults} ")?;
            if !is_wide {
                write!(out, "{}", self.results_text(player, &order))?;
            }
            let name = shortened(&self.names[player], name_width);
            writeln!(out, "  {}", painted_if(index == 0, name, style::GOOD))?;
        }
        if is_wide {
            writeln!(out, "{}", painted(format!("rank {results}"), style::HEAD))?;
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
        let [first, second] = self.rows[player].by_side;
        let results: String = order.iter().map(result).collect();
        format!("{:>15} {:>15} {results}", first.text(), second.text())
    }

    /// Formats the headers of the results by side.
    fn sides_text(&self) -> String {
        let [first, second] = self.game.rules.sides.map(|side| format!("as {side}"));
        format!("{first:>15} {second:>15}")
    }

    /// Formats the header with these columns of results.
    fn head(&self, results: &str) -> String {
        format!(
            "{:>4} {:>7} {:>6} {:>12} {:>6} {:>6} {results}  player",
            "rank", "points", "games", "elo", "LOS", "faults"
        )
    }

    pub fn json(&self) -> Value {
        let order = self.ranking();
        let row = |&player: &usize| {
            let row = &self.rows[player];
            let against: Vec<Value> =
                order.iter().map(|&other| row.against[other].json()).collect();
            let elo = row.pairs.elo();
            let mut value = json!({
                "elo": { "value": elo.value, "low": elo.low, "high": elo.high },
                "superiority": row.pairs.superiority(),
                "name": self.names[player],
                "points": row.points,
                "faults": row.faults,
                "against": against,
            });
            for (side, results) in self.game.rules.sides.iter().zip(row.by_side) {
                value[format!("as_{side}")] = results.json();
            }
            value
        };
        json!({
            "ranking": order.iter().map(row).collect::<Vec<_>>(),
        })
    }
}

/// Formats the elo difference to the mean opponent with half its 95 % interval, and the likelihood of superiority.
pub fn elo_texts(pairs: &Pairs) -> [String; 2] {
    let Interval { value, low, high } = pairs.elo();
    let half = (high - low) / 2.0;
    let is_known = value.is_finite() && half.is_finite();
    let elo = if is_known { format!("{value:+.0} ±{half:.0}") } else { "-".to_string() };
    [elo, format!("{:.1}%", 100.0 * pairs.superiority())]
}

impl Scoreboard for Table {
    /// The others continue without a player that can't play, as long as there are at least two of them.
    fn is_void(&mut self, game: &GameRecord) -> bool {
        if let Some(player) = game.unable_player() {
            if !self.games.iter().any(|game| game.has_moved(player)) {
                self.unable.entry(player).or_insert_with(|| game.fault_text().unwrap_or_default());
            }
        }
        Table::is_void(self)
    }

    fn add(&mut self, game: &GameRecord) {
        for side in Side::ALL {
            let [own, other] = [game.players[side.index()], game.players[(!side).index()]];
            let half_points = game.half_points(side);
            if let Some(twin) = self.single.remove(&(game.pair, own)) {
                self.rows[own].pairs.add(twin + half_points);
            } else {
                self.single.insert((game.pair, own), half_points);
            }
            let row = &mut self.rows[own];
            row.points += game.points[side.index()];
            row.by_side[side.index()].add(half_points);
            row.against[other].add(half_points);
            row.faults += u64::from(game.failed(side));
        }
        self.games.push(game.clone());
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
