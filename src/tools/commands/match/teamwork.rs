//! The result of a match in which both sides get the same points: their mean score.

use super::summary::Summary;
use crate::tools::arena::match_file::GameRecord;
use crate::tools::arena::{faults_text, FaultKind};
use crate::tools::commands::r#match::session::Scoreboard;
use crate::tools::contracts::entry::Entry;
use crate::tools::support::stats::{mean_interval, Interval};
use crate::tools::support::style::{self, painted, painted_if};
use serde_json::{json, Value};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Result of a match.
pub struct Teamwork {
    /// Names of the sides, the one that begins first.
    sides: [&'static str; 2],
    names: [String; 2],
    planned: usize,
    /// Points of the games that A begins, and of those that B begins.
    by_beginner: [Vec<f64>; 2],
    /// Points of the games of each pair. Both games have the same opening, so the mean of a pair is the unit of
    /// observation.
    pairs: BTreeMap<usize, Vec<f64>>,
    /// Faults by player.
    faults: [BTreeMap<FaultKind, u64>; 2],
    /// Maximum wall time of a game by player, in seconds.
    most: [f64; 2],
}

impl Teamwork {
    /// Creates the empty result of a match of `planned` games.
    pub fn new(game: &Entry, names: [String; 2], planned: usize) -> Teamwork {
        Teamwork {
            sides: game.rules.sides,
            names,
            planned,
            by_beginner: [Vec::new(), Vec::new()],
            pairs: BTreeMap::new(),
            faults: Default::default(),
            most: Default::default(),
        }
    }

    fn all(&self) -> Vec<f64> {
        self.by_beginner.concat()
    }

    /// Returns the mean score with its 95 % interval from whole pairs; `None` if there are fewer than two.
    fn interval(&self) -> Option<Interval> {
        let whole = self.pairs.values().filter(|games| games.len() == 2);
        mean_interval(&whole.map(|games| mean(games)).collect::<Vec<_>>())
    }

    fn interval_text(&self) -> String {
        match self.interval() {
            Some(Interval { value, low, high }) => {
                format!("{value:.2} [{low:.2}, {high:.2}] (95%)")
            }
            None => format!("{:.2}, too few pairs for an interval", mean(&self.all())),
        }
    }
}

impl Scoreboard for Teamwork {
    fn add(&mut self, game: &GameRecord) {
        // Both sides have the same points.
        let points = game.points[0];
        self.by_beginner[game.players[0]].push(points);
        for (index, &player) in game.players.iter().enumerate() {
            self.most[player] = self.most[player].max(game.wall[index]);
        }
        self.pairs.entry(game.pair).or_default().push(points);
        if let Some((player, fault)) = game.faulty_player().zip(game.fault.as_ref()) {
            *self.faults[player].entry(fault.kind).or_default() += 1;
        }
    }

    fn line(&self) -> String {
        format!("mean score {}", self.interval_text())
    }
}

impl Summary for Teamwork {
    fn write_text(&self, out: &mut String) -> std::fmt::Result {
        let all = self.all();
        writeln!(out, "A: {}\nB: {}", self.names[0], self.names[1])?;
        writeln!(out, "games {} (pairs {})", all.len(), self.pairs.len())?;
        let result = format!("mean score {}", self.interval_text());
        writeln!(out, "{}", painted(result, style::HEAD))?;
        for (name, points) in ["A", "B"].iter().zip(&self.by_beginner) {
            writeln!(out, "{name} as {}: mean score {:.2}", self.sides[0], mean(points))?;
        }
        let lowest = all.iter().copied().fold(f64::INFINITY, f64::min);
        let highest = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if !all.is_empty() {
            writeln!(out, "scores from {lowest} to {highest}")?;
        }
        for ((name, faults), most) in ["A", "B"].iter().zip(&self.faults).zip(self.most) {
            let faults = painted_if(!faults.is_empty(), faults_text(faults), style::BAD);
            writeln!(out, "{name}: wall time at most {most:.2} s per game, {faults}")?;
        }
        Ok(())
    }
    fn json(&self) -> Value {
        let player = |index: usize| {
            json!({
                "name": self.names[index],
                "mean_score_beginning": mean(&self.by_beginner[index]),
                "faults": self.faults[index],
                "most_wall": self.most[index],
            })
        };
        let interval = self.interval();
        let interval =
            interval.map(|Interval { low, high, .. }| json!({ "low": low, "high": high }));
        json!({
            "games": self.all().len(),
            "planned": self.planned,
            "mean_score": mean(&self.all()),
            "interval": interval,
            "a": player(0),
            "b": player(1),
        })
    }
}

/// Returns the mean; 0 if there are no values.
fn mean(values: &[f64]) -> f64 {
    // The sum of no numbers would be -0.
    values.iter().fold(0.0, |sum, value| sum + value) / values.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_of_no_games_has_no_sign() {
        assert_eq!(format!("{:.2} {:.2}", mean(&[]), mean(&[1.0, 2.0])), "0.00 1.50");
    }
}
