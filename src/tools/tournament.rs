//! `cupbot tournament`: everybody plays everybody, as the contest does.

use super::arena::record::GameRecord;
use super::arena::runner::Pairing;
use super::game::Side;
use super::matches::options::Options;
use super::matches::options_help;
use super::matches::session::{self, Scoreboard};
use super::matches::summary::Results;
use anyhow::{ensure, Result};
use serde_json::{json, Value};
use std::fmt::Write;
use std::process::ExitCode;

/// Play a round robin between several players and print its table
///
/// Players are named as in `match`. In each round everybody meets everybody twice, once with each
/// colour, from the same opening (`--openings none`: as in the contest). The table counts the contest's
/// points.
#[derive(clap::Args)]
#[command(after_help = options_help())]
pub struct Args {
    /// The players, at least two
    #[arg(required = true, num_args = 2..)]
    players: Vec<String>,
    /// How often everybody meets everybody
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    rounds: u64,
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
    let mut table = Table::new(args.players.clone(), args.options.game.sides);
    session::play(&args.options, &args.players, &plan, &mut table)?;
    if args.options.json {
        say!("{}", serde_json::to_string_pretty(&table.json())?)?;
    } else {
        say_part!("{}", table.text())?;
    }
    Ok(ExitCode::SUCCESS)
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
    /// What the sides are called, the one that begins first.
    sides: [&'static str; 2],
    names: Vec<String>,
    rows: Vec<Row>,
}

impl Table {
    fn new(names: Vec<String>, sides: [&'static str; 2]) -> Table {
        let row = Row { against: vec![Results::default(); names.len()], ..Row::default() };
        Table { sides, rows: vec![row; names.len()], names }
    }

    /// The players' numbers, the best first; equal ones in the order of the command line.
    fn ranking(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.rows.len()).collect();
        order.sort_by(|&one, &other| self.rows[other].points.total_cmp(&self.rows[one].points));
        order
    }

    fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string can't fail.
        let _ = self.write_text(&mut text);
        text
    }

    fn write_text(&self, out: &mut String) -> std::fmt::Result {
        let order = self.ranking();
        write!(
            out,
            "{:>4} {:>7} {:>6} {:>15} {:>15} {:>6} ",
            "rank",
            "points",
            "games",
            format!("as {}", self.sides[0]),
            format!("as {}", self.sides[1]),
            "faults"
        )?;
        for rank in 1..=order.len() {
            write!(out, " {:>9}", format!("vs {rank}"))?;
        }
        writeln!(out, "  player")?;
        for (index, &player) in order.iter().enumerate() {
            let row = &self.rows[player];
            let [first, second] = row.by_side;
            let games = first.plus(second).count();
            write!(out, "{:>4} {:>7} {games:>6} ", index + 1, row.points)?;
            write!(out, "{:>15} {:>15} {:>6} ", first.text(), second.text(), row.faults)?;
            for &other in &order {
                let score = row.against[other].points_text();
                write!(out, " {:>9}", if other == player { "-".to_string() } else { score })?;
            }
            writeln!(out, "  {}", self.names[player])?;
        }
        Ok(())
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
            for (side, results) in self.sides.iter().zip(row.by_side) {
                value[format!("as_{side}")] = results.json();
            }
            value
        };
        json!({ "ranking": order.iter().map(row).collect::<Vec<_>>() })
    }
}

impl Scoreboard for Table {
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
