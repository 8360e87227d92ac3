//! `cupbot tournament`: everybody plays everybody, as the contest does.

mod page;

use super::r#match::options::Options;
use super::r#match::options_help;
use super::r#match::session::{self, Scoreboard};
use super::r#match::summary::{Clock, Results};
use crate::tools::arena::match_file::GameRecord;
use crate::tools::arena::runner::{Ended, Pairing};
use crate::tools::contracts::entry::Entry;
use crate::tools::contracts::Side;
use crate::tools::support::ctrl_c;
use crate::tools::support::files::outputs::OutputFile;
use crate::tools::support::files::{ensure_replaceable, replace_atomically};
use crate::tools::support::style::{self, painted, painted_if};
use anyhow::{bail, ensure, Result};
use serde_json::{json, Value};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::process::ExitCode;

/// Play a round robin between several players and print its table
///
/// Players are named as in `match`. In each round everybody meets everybody twice, once with each
/// colour, from the same opening (`--openings none`: as in the contest). The table counts the contest's
/// points. Ctrl-C ends the tournament with the table of what was played.
#[derive(clap::Args)]
#[command(after_help = options_help())]
pub struct Args {
    /// The players, at least two
    #[arg(required = true, num_args = 2..)]
    players: Vec<String>,
    /// How often everybody meets everybody
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    rounds: u64,
    /// Write the table as an HTML page too, with all games to step through; it needs no network
    #[arg(long, value_name = "FILE")]
    html: Option<OutputFile>,
    #[command(flatten)]
    options: Options,
}

/// Plays the tournament.
pub fn run(args: Args) -> Result<ExitCode> {
    let mut names = args.players.clone();
    names.sort();
    names.dedup();
    ensure!(names.len() == args.players.len(), "a player is named twice");
    let plan = plan(args.players.len(), args.rounds as usize);
    let mut table = Table::new(args.options.game, args.players.clone());
    args.html.as_deref().map_or(Ok(()), ensure_replaceable)?;
    let ended = session::play(&args.options, &args.players, &plan, &mut table)?;
    if let Some(path) = &args.html {
        replace_atomically(path, page::page(&table)?.as_bytes())?;
    }
    if table.is_void() && table.games.is_empty() {
        bail!("{}: the tournament is ended before its first game", table.unable_text());
    }
    table.print(args.options.json)?;
    if table.is_void() {
        bail!("{}: fewer than two players are left, the tournament is ended", table.unable_text());
    }
    Ok(match ended {
        Ended::Interrupted => ExitCode::from(ctrl_c::exit_status()),
        Ended::Complete | Ended::BrokenOff => ExitCode::SUCCESS,
    })
}

/// Prints the table of a tournament of these players from its games.
pub fn print_table(
    game: &'static Entry,
    names: Vec<String>,
    games: &[GameRecord],
    is_json: bool,
) -> Result<()> {
    let mut table = Table::new(game, names);
    games.iter().for_each(|game| table.add(game));
    table.print(is_json)
}

/// All games: round by round, everybody against everybody, twice with colours swapped.
fn plan(players: usize, rounds: usize) -> Vec<Pairing> {
    let mut plan = Vec::new();
    for _ in 0..rounds {
        for first in 0..players {
            for second in first + 1..players {
                let pair = plan.len() / 2;
                plan.push(Pairing { pair, players: [first, second] });
                plan.push(Pairing { pair, players: [second, first] });
            }
        }
    }
    plan
}

/// What a player has reached.
#[derive(Clone, Debug, Default)]
struct Row {
    points: f64,
    /// By side, as the one that begins first.
    by_side: [Results; 2],
    faults: u64,
    /// Against each player.
    against: Vec<Results>,
}

/// The table of a tournament.
struct Table {
    game: &'static Entry,
    names: Vec<String>,
    rows: Vec<Row>,
    games: Vec<GameRecord>,
    clock: Clock,
    /// What shows of players that they can't play at all as they are called.
    unable: BTreeMap<usize, String>,
}

impl Table {
    fn new(game: &'static Entry, names: Vec<String>) -> Table {
        let row = Row { against: vec![Results::default(); names.len()], ..Row::default() };
        Table {
            game,
            rows: vec![row; names.len()],
            names,
            games: Vec::new(),
            clock: Clock::default(),
            unable: BTreeMap::new(),
        }
    }

    /// The players' numbers, the best first; equal ones in the order of the command line.
    fn ranking(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.rows.len()).collect();
        order.sort_by(|&one, &other| self.rows[other].points.total_cmp(&self.rows[one].points));
        order
    }

    /// Are fewer than two players left that can play?
    fn is_void(&self) -> bool {
        self.names.len() < self.unable.len() + 2
    }

    /// Why players can't play.
    fn unable_text(&self) -> String {
        self.unable.values().cloned().collect::<Vec<_>>().join("; ")
    }

    fn print(&self, is_json: bool) -> Result<()> {
        if is_json {
            say!("{}", serde_json::to_string_pretty(&self.json())?)?;
        } else {
            show!("{}", self.text())?;
        }
        Ok(())
    }

    fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string can't fail.
        let _ = self.write_text(&mut text);
        text
    }

    fn write_text(&self, out: &mut String) -> std::fmt::Result {
        let order = self.ranking();
        writeln!(out, "{}", painted(self.head(order.len()), style::HEAD))?;
        for (index, &player) in order.iter().enumerate() {
            let row = &self.rows[player];
            let [first, second] = row.by_side;
            let games = first.plus(second).count();
            let points = painted(format!("{:>7}", row.points), style::HEAD);
            let faults = painted_if(row.faults > 0, format!("{:>6}", row.faults), style::BAD);
            write!(out, "{:>4} {points} {games:>6} ", index + 1)?;
            write!(out, "{:>15} {:>15} {faults} ", first.text(), second.text())?;
            for &other in &order {
                let score = row.against[other].points_text();
                write!(out, " {:>9}", if other == player { "-".to_string() } else { score })?;
            }
            writeln!(out, "  {}", painted_if(index == 0, &self.names[player], style::GOOD))?;
        }
        if let Some(clock) = self.clock.name() {
            writeln!(out, "charged: {clock} time")?;
        }
        Ok(())
    }

    /// The head of the table for so many players.
    fn head(&self, players: usize) -> String {
        let [first, second] = self.game.sides.map(|side| format!("as {side}"));
        let ranks: String =
            (1..=players).map(|rank| format!(" {:>9}", format!("vs {rank}"))).collect();
        format!(
            "{:>4} {:>7} {:>6} {first:>15} {second:>15} {:>6} {ranks}  player",
            "rank", "points", "games", "faults"
        )
    }

    fn json(&self) -> Value {
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
            "clock": self.clock.name(),
            "ranking": order.iter().map(row).collect::<Vec<_>>(),
        })
    }
}

impl Scoreboard for Table {
    /// The others go on without a player that can't play, as long as there are two of them.
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
        self.clock.add(game);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_meets_everybody_with_both_colours() {
        let plan = plan(4, 2);
        assert_eq!(plan.len(), 24);
        for red in 0..4 {
            for blue in (0..4).filter(|&blue| blue != red) {
                let games: Vec<&Pairing> =
                    plan.iter().filter(|pairing| pairing.players == [red, blue]).collect();
                assert_eq!(games.len(), 2);
                assert_ne!(games[0].pair, games[1].pair, "each round has openings of its own");
            }
        }
        assert!(plan.chunks(2).all(|twins| twins[0].pair == twins[1].pair));
    }
}
