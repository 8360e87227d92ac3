//! Computes the result of a match between two opponents from the records of its games.

use crate::tools::arena::match_file::GameRecord;
use crate::tools::arena::{faults_text, FaultKind};
use crate::tools::commands::r#match::session::Scoreboard;
use crate::tools::contracts::entry::Entry;
use crate::tools::contracts::Side;
use crate::tools::support::stats::{EloScale, Interval, Pairs, Sprt, Verdict};
use crate::tools::support::style::{self, painted, painted_if};
use clap::builder::styling::Style;
use serde_json::{json, Value};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The result of a match.
pub trait Summary: Scoreboard {
    /// Writes the result as styled text.
    fn write_text(&self, out: &mut String) -> std::fmt::Result;

    /// Returns the result as styled text.
    fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string can't fail.
        let _ = self.write_text(&mut text);
        text
    }

    /// Returns the result as JSON. Infinite numbers are null.
    fn json(&self) -> Value;

    /// Returns the verdict of the SPRT once it is decided.
    fn verdict(&self) -> Option<Verdict> {
        None
    }
}

/// Wins, draws and losses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Results {
    /// Counts by half points: losses, draws, wins.
    by_half_points: [u64; 3],
}

impl Results {
    /// Adds a game.
    pub fn add(&mut self, half_points: usize) {
        self.by_half_points[half_points] += 1;
    }

    /// Formats as `+3 =1 -2`.
    pub fn text(self) -> String {
        let [losses, draws, wins] = self.by_half_points;
        format!("+{wins} ={draws} -{losses}")
    }

    /// Returns an object with wins, draws and losses.
    pub fn json(self) -> Value {
        let [losses, draws, wins] = self.by_half_points;
        json!({ "wins": wins, "draws": draws, "losses": losses })
    }

    /// Returns the sum.
    pub fn plus(self, other: Results) -> Results {
        let mut sum = self;
        for (count, more) in sum.by_half_points.iter_mut().zip(other.by_half_points) {
            *count += more;
        }
        sum
    }

    /// Returns the number of games.
    pub fn count(self) -> u64 {
        self.by_half_points.iter().sum()
    }

    /// Returns the points: 1 for a win and 0.5 for a draw.
    fn points(self) -> f64 {
        let [_, draws, wins] = self.by_half_points;
        wins as f64 + draws as f64 / 2.0
    }

    /// Formats points and number of games as `2.5/4`.
    pub fn points_text(self) -> String {
        format!("{}/{}", self.points(), self.count())
    }

    /// Returns the points per game.
    pub fn score(self) -> Option<f64> {
        (self.count() > 0).then(|| self.points() / self.count() as f64)
    }
}

/// Totals of one player, in addition to wins, draws and losses.
#[derive(Clone, Debug, Default)]
struct Costs {
    points: f64,
    /// Other figures that the contest counts, by name.
    facts: BTreeMap<String, f64>,
    nodes: u64,
    /// Wall time of all games, in seconds.
    wall: f64,
    /// Maximum wall time of a game, in seconds.
    max_wall: f64,
    /// Wall time of the slowest answer, in seconds.
    longest: f64,
    faults: BTreeMap<FaultKind, u64>,
    complaints: u64,
}

/// Result of a match. All results are from player A's view.
#[derive(Default)]
pub struct Tally {
    /// Names of the sides, the one that begins first.
    sides: [&'static str; 2],
    names: [String; 2],
    planned: usize,
    sprt: Option<Sprt>,
    jobs: usize,
    /// A's results by A's side; the side that begins comes first.
    by_side: [Results; 2],
    /// A's results of two-game matches.
    matches: Results,
    pairs: Pairs,
    /// Finished games whose second game is not finished yet, by pair: A's half points, and the player that failed.
    single: BTreeMap<usize, (usize, Option<usize>)>,
    /// Half points of finished pairs that are not tested yet because an earlier pair is unfinished.
    waiting: BTreeMap<usize, usize>,
    /// Pairs tested by the SPRT. They are tested in schedule order: otherwise short games would come first and bias the
    /// test.
    tested: Pairs,
    verdict: Option<Verdict>,
    costs: [Costs; 2],
    plies: u64,
    /// Lengths of the shortest and the longest game in plies.
    lengths: Option<[usize; 2]>,
    elapsed: f64,
}

impl Tally {
    /// Creates the empty result of a match of `planned` games.
    pub fn new(
        game: &Entry,
        names: [String; 2],
        planned: usize,
        sprt: Option<Sprt>,
        jobs: usize,
    ) -> Tally {
        Tally { sides: game.rules.sides, names, planned, sprt, jobs, ..Tally::default() }
    }

    /// Runs the SPRT on the pairs that are next in order.
    fn test(&mut self) {
        while self.verdict.is_none() {
            let next = self.tested.count() as usize;
            let Some(half_points) = self.waiting.remove(&next) else { break };
            self.tested.add(half_points);
            self.verdict = self.sprt.and_then(|sprt| sprt.verdict(&self.tested));
        }
    }

    fn results(&self) -> Results {
        self.by_side[0].plus(self.by_side[1])
    }

    fn ratio(&self) -> Option<(f64, f64, f64)> {
        let sprt = self.sprt?;
        let (lower, upper) = sprt.bounds();
        Some((sprt.ratio(&self.tested), lower, upper))
    }

    /// Returns nodes/s of the whole match and of the search time only, both over all jobs.
    fn speeds(&self) -> Option<(f64, f64)> {
        let thought: f64 = self.costs.iter().map(|costs| costs.wall).sum();
        let nodes: u64 = self.costs.iter().map(|costs| costs.nodes).sum();
        let nodes = nodes as f64 * self.jobs as f64;
        (nodes > 0.0 && thought > 0.0).then(|| (nodes / self.elapsed, nodes / thought))
    }
}

impl Summary for Tally {
    fn write_text(&self, out: &mut String) -> std::fmt::Result {
        let games = self.results().count();
        let [first, second] = self.by_side;
        let [first_name, second_name] = self.sides;
        writeln!(out, "A: {}\nB: {}", self.names[0], self.names[1])?;
        writeln!(out, "games {games} (pairs {})", self.pairs.count())?;
        let score = percent(self.results().score());
        let result = painted(format!("A {} score {score}", self.results().text()), style::HEAD);
        writeln!(out, "{result}")?;
        writeln!(out, "A as {first_name} {}, as {second_name} {}", first.text(), second.text())?;
        if self.matches.count() > 0 {
            writeln!(out, "A's two-game matches {}", self.matches.text())?;
        }
        let counts = self.pairs.0.map(|count| count.to_string()).join(" ");
        writeln!(out, "pairs by A's points 0, 0.5, 1, 1.5, 2: {counts}")?;
        let elo = self.pairs.elo();
        writeln!(out, "{} (95%)", painted(format!("elo {}", interval_text(elo)), style_of(elo)))?;
        writeln!(out, "likelihood of superiority {:.1}%", 100.0 * self.pairs.superiority())?;
        if let (Some(sprt), Some((ratio, lower, upper))) = (self.sprt, self.ratio()) {
            let verdict = verdict_in_colour(self.verdict);
            let Sprt { elo0, elo1, alpha, beta, scale } = sprt;
            let name = if scale == EloScale::Normalized { "normalised elo" } else { "elo" };
            writeln!(
                out,
                "SPRT {name} {elo0} against {elo1}, alpha {alpha}, beta {beta}: LLR {ratio:.2} in \
                 [{lower:.2}, {upper:.2}]: {verdict}"
            )?;
        }
        for (name, costs) in ["A", "B"].iter().zip(&self.costs) {
            let mean = costs.points / games.max(1) as f64;
            write!(out, "{name}: contest points {} ({mean:.2} per game)", costs.points)?;
            write!(out, ", {}, ", costs.time_text())?;
            let is_faulty = !costs.faults.is_empty() || costs.complaints > 0;
            writeln!(out, "{}", painted_if(is_faulty, costs.faults_text(), style::BAD))?;
        }
        for (name, costs) in ["A", "B"].iter().zip(&self.costs) {
            if !costs.facts.is_empty() {
                writeln!(out, "{name}: {}", facts_text(&costs.facts))?;
            }
        }
        let mean = self.plies as f64 / games.max(1) as f64;
        let [shortest, longest] = self.lengths.unwrap_or_default();
        writeln!(out, "mean length {mean:.1} plies, from {shortest} to {longest}")?;
        if let Some((speed, own)) = self.speeds() {
            writeln!(
                out,
                "speed {speed:.0} nodes/s over the whole match, {own:.0} nodes/s while thinking \
                 ({:.1}%)",
                100.0 * speed / own
            )?;
        }
        Ok(())
    }

    fn json(&self) -> Value {
        let elo = self.pairs.elo();
        let player = |index: usize| {
            let costs = &self.costs[index];
            json!({
                "name": self.names[index],
                "contest_points": costs.points,
                "faults": costs.faults,
                "complaints": costs.complaints,
                "most_wall": costs.max_wall,
                "longest": costs.longest,
                "nodes": costs.nodes,
                "facts": costs.facts,
            })
        };
        let sprt = self.sprt.zip(self.ratio()).map(|(sprt, (ratio, lower, upper))| {
            json!({
                "elo0": sprt.elo0, "elo1": sprt.elo1, "alpha": sprt.alpha, "beta": sprt.beta,
                "scale": sprt.scale,
                "llr": ratio, "lower": lower, "upper": upper,
                "verdict": verdict_text(self.verdict),
            })
        });
        let mut summary = json!({
            "games": self.results().count(),
            "planned": self.planned,
            "a": player(0),
            "b": player(1),
            "total": self.results().json(),
            "score": self.results().score(),
            "pentanomial": self.pairs.0,
            "elo": { "value": elo.value, "low": elo.low, "high": elo.high },
            "superiority": self.pairs.superiority(),
            "sprt": sprt,
            "mean_plies": self.plies as f64 / self.results().count().max(1) as f64,
            "lengths": self.lengths,
            "speed": self.speeds().map(|(speed, own)| json!({ "match": speed, "search": own })),
        });
        if self.matches.count() > 0 {
            summary["matches"] = self.matches.json();
        }
        for (side, results) in self.sides.iter().zip(self.by_side) {
            summary[format!("as_{side}")] = results.json();
        }
        summary
    }

    fn verdict(&self) -> Option<Verdict> {
        self.verdict
    }
}

impl Scoreboard for Tally {
    fn add(&mut self, game: &GameRecord) {
        let side = if game.players[0] == 0 { Side::First } else { Side::Second };
        let half_points = game.half_points(side);
        self.by_side[side.index()].add(half_points);
        for (costs, side) in self.costs.iter_mut().zip([side, !side]) {
            costs.points += game.points[side.index()];
            for fact in &game.facts[side.index()] {
                *costs.facts.entry(fact.name.clone()).or_default() += fact.value;
            }
            costs.nodes += game.nodes[side.index()];
            costs.wall += game.wall[side.index()];
            costs.max_wall = costs.max_wall.max(game.wall[side.index()]);
            costs.longest = costs.longest.max(game.longest[side.index()]);
            let is_own = |name: &str| game.side(name) == Some(side);
            costs.complaints +=
                game.complaints.iter().filter(|(whose, _)| is_own(whose)).count() as u64;
            if let Some(fault) = game.fault.as_ref().filter(|fault| is_own(&fault.side)) {
                *costs.faults.entry(fault.kind).or_default() += 1;
            }
        }
        let length = game.moves.len();
        self.plies += length as u64;
        let [shortest, longest] = self.lengths.unwrap_or([length; 2]);
        self.lengths = Some([shortest.min(length), longest.max(length)]);
        self.elapsed += game.elapsed;
        let failed = game.faulty_player();
        if let Some((twin, failed_before)) = self.single.remove(&game.pair) {
            let sum = twin + half_points;
            if game.of_match.is_some() {
                self.matches.add(match_result(sum, failed_before.or(failed)));
            }
            self.pairs.add(sum);
            self.waiting.insert(game.pair, sum);
            self.test();
        } else {
            self.single.insert(game.pair, (half_points, failed));
        }
    }

    fn is_settled(&self) -> bool {
        self.verdict.is_some()
    }

    fn line(&self) -> String {
        let mut line = format!(
            "{} {} elo {} LOS {:.1}%",
            self.results().text(),
            percent(self.results().score()),
            interval_text(self.pairs.elo()),
            100.0 * self.pairs.superiority()
        );
        if let Some((ratio, lower, upper)) = self.ratio() {
            line.push_str(&format!(" LLR {ratio:.2} [{lower:.2}, {upper:.2}]"));
        }
        let faults: u64 = self.costs.iter().flat_map(|costs| costs.faults.values()).sum();
        if faults > 0 {
            line.push_str(&format!(", {faults} lost by faults"));
        }
        line
    }
}

/// Returns A's half points of a match: by the sum of its games, or by the player whose fault lost it.
fn match_result(half_points: usize, failed: Option<usize>) -> usize {
    match failed {
        Some(0) => 0,
        Some(_) => 2,
        None => match half_points.cmp(&2) {
            Ordering::Less => 0,
            Ordering::Equal => 1,
            Ordering::Greater => 2,
        },
    }
}

impl Costs {
    /// Formats the maximum wall times of a game and of an answer.
    fn time_text(&self) -> String {
        let (wall, longest) = (self.max_wall, 1e3 * self.longest);
        format!("wall time at most {wall:.2} s per game, {longest:.1} ms per answer")
    }

    fn faults_text(&self) -> String {
        let mut text = faults_text(&self.faults);
        if self.complaints > 0 {
            text += &format!(", errors after the end of the game: {}", self.complaints);
        }
        text
    }
}

/// Formats sums by name as `bonus 21, claims right 3`.
fn facts_text(facts: &BTreeMap<String, f64>) -> String {
    facts.iter().map(|(name, sum)| format!("{name} {sum}")).collect::<Vec<_>>().join(", ")
}

/// Returns the word for a verdict.
fn verdict_text(verdict: Option<Verdict>) -> &'static str {
    match verdict {
        Some(Verdict::Accepted) => "accepted",
        Some(Verdict::Rejected) => "rejected",
        None => "undecided",
    }
}

fn verdict_in_colour(verdict: Option<Verdict>) -> String {
    let style = match verdict {
        Some(Verdict::Accepted) => style::GOOD,
        Some(Verdict::Rejected) => style::BAD,
        None => style::HEAD,
    };
    painted(verdict_text(verdict), style)
}

/// Returns the style: good or bad if the whole interval is on one side of zero.
fn style_of(difference: Interval) -> Style {
    match difference {
        Interval { low, .. } if low > 0.0 => style::GOOD,
        Interval { high, .. } if high < 0.0 => style::BAD,
        _ => style::HEAD,
    }
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "-".to_string(), |share| format!("{:.1}%", 100.0 * share))
}

fn interval_text(interval: Interval) -> String {
    let Interval { value, low, high } = interval;
    // An interval with an infinite end that contains 0 says nothing.
    if low < 0.0 && high > 0.0 && (low.is_infinite() || high.is_infinite()) {
        return "unknown (too few games)".to_string();
    }
    format!("{value:+.1} [{low:+.1}, {high:+.1}]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_that_says_nothing_is_unknown() {
        let text = |value, low, high| interval_text(Interval { value, low, high });
        assert_eq!(text(f64::INFINITY, -126.4, f64::INFINITY), "unknown (too few games)");
        assert_eq!(text(f64::INFINITY, 126.4, f64::INFINITY), "+inf [+126.4, +inf]");
        assert_eq!(text(3.0, -4.0, 10.0), "+3.0 [-4.0, +10.0]");
    }
}
