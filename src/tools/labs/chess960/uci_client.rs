//! UCI engines as players of matches (universal chess interface of R. Huber and S. Meyer-Kahlen, 2006).

use super::judge::replayed;
use super::notation;
use crate::engine::clock::Stopwatch;
use crate::engine::score::{self, Score};
use crate::games::chess960::game::Game;
use crate::games::chess960::movegen;
use crate::games::chess960::position::{CastlingRule, Position};
use crate::games::chess960::start;
use crate::games::chess960::types::Move;
use crate::games::chess960::CONTEST;
use crate::tools::contracts::engines::{Engine, Engines};
use crate::tools::contracts::judge::{Answer, Judge, JudgeProtocol, MatchScore, Request};
use crate::tools::contracts::opponent::{pairs, positive};
use crate::tools::contracts::{GameState, Side};
use crate::tools::support::units::parse_time;
use anyhow::{bail, ensure, Context, Result};
use std::collections::BTreeSet;
use std::time::Duration;

/// Entry for matches.
pub const ENGINES: Engines = Engines {
    read: |text, common| Ok(Box::new(read(text, common)?)),
    options: "a shell command that speaks UCI, then any of nodes=N, depth=N, movetime=MS, tc=SECONDS+INCREMENT \
              (of a game), margin=MS (an overrun that is no fault, default: 100), option.NAME=VALUE (quote with \
              '...' what has blanks); without a limit the contest's time for each move",
};

/// Default margin for overruns: pipe latency and scheduling delay.
const DEFAULT_MARGIN: Duration = Duration::from_millis(100);
/// The option for Chess960.
const CHESS960: &str = "UCI_Chess960";
/// Asks whether all previous commands are done.
const READY: &str = "isready";
/// Prefix of an engine option.
const OPTION_PREFIX: &str = "option.";

/// Limits per move; several may be set.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Limit {
    nodes: Option<u64>,
    depth: Option<u64>,
    movetime: Option<Duration>,
    /// Time per game and increment per move.
    clock: Option<(Duration, Duration)>,
}

/// An engine with its options.
#[derive(Clone, Debug, PartialEq)]
struct UciEngine {
    command: String,
    limit: Limit,
    margin: Duration,
    /// Engine options to set: names and values.
    options: Vec<(String, String)>,
}

/// Parses a command and options, in any order.
fn read(text: &str, common: &str) -> Result<UciEngine> {
    let mut engine = UciEngine {
        command: String::new(),
        limit: Limit::default(),
        margin: DEFAULT_MARGIN,
        options: Vec::new(),
    };
    for word in words(text)? {
        if !engine.take_option(word)? {
            engine.command += if engine.command.is_empty() { "" } else { " " };
            engine.command += word;
        }
    }
    ensure!(
        !engine.command.is_empty(),
        "expected uci:COMMAND, such as \"uci:stockfish nodes=1000\""
    );
    if engine.limit == Limit::default() {
        engine.limit = common_limit(common)?;
    }
    Ok(engine)
}

/// Default limit of an engine.
fn common_limit(common: &str) -> Result<Limit> {
    let mut limit = Limit::default();
    for pair in pairs(common) {
        match pair? {
            ("nodes", value) => limit.nodes = Some(positive("nodes", value)?),
            ("depth", value) => limit.depth = Some(positive("depth", value)?),
            ("time", value) => {
                limit.movetime = Some(parse_time(value).map_err(anyhow::Error::msg)?)
            }
            _ => {}
        }
    }
    if limit == Limit::default() {
        limit.movetime = Some(CONTEST.time.budget());
    }
    Ok(limit)
}

/// The quotation mark that is open in a command line, if any.
#[derive(Default)]
struct Quotes(Option<char>);

impl Quotes {
    /// Processes a character. Returns whether it opens or closes a quotation.
    fn is_mark(&mut self, sign: char) -> bool {
        let is_mark = self.0.map_or(matches!(sign, '\'' | '"'), |open| open == sign);
        if is_mark {
            self.0 = if self.0.is_none() { Some(sign) } else { None };
        }
        is_mark
    }
}

/// Splits a text at spaces outside single or double quotes.
fn words(text: &str) -> Result<Vec<&str>> {
    let mut quotes = Quotes::default();
    let is_gap = |sign: char| !quotes.is_mark(sign) && quotes.0.is_none() && sign.is_whitespace();
    let words = text.split(is_gap).filter(|word| !word.is_empty()).collect();
    ensure!(quotes.0.is_none(), "a quote is not closed");
    Ok(words)
}

impl UciEngine {
    /// Parses a word that is an option; returns false if it belongs to the command.
    fn take_option(&mut self, word: &str) -> Result<bool> {
        let mut quotes = Quotes::default();
        let plain: String = word.chars().filter(|&sign| !quotes.is_mark(sign)).collect();
        let Some((key, value)) = plain.split_once('=') else { return Ok(false) };
        let milliseconds = || Ok::<_, anyhow::Error>(Duration::from_millis(positive(key, value)?));
        match key {
            "nodes" => self.limit.nodes = Some(positive(key, value)?),
            "depth" => self.limit.depth = Some(positive(key, value)?),
            "movetime" => self.limit.movetime = Some(milliseconds()?),
            "margin" if value == "0" => self.margin = Duration::ZERO,
            "margin" => self.margin = milliseconds()?,
            "tc" => self.limit.clock = Some(parse_clock(value)?),
            _ => match key.strip_prefix(OPTION_PREFIX) {
                Some("") => bail!("option {key}={value}: expected option.NAME=VALUE"),
                Some(name) => self.options.push((name.to_string(), value.to_string())),
                None => return Ok(false),
            },
        }
        Ok(true)
    }
}

/// Parses `SECONDS` or `SECONDS+INCREMENT`.
fn parse_clock(text: &str) -> Result<(Duration, Duration)> {
    let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
    let seconds = |text: &str| {
        let number = text.parse().ok().filter(|number: &f64| (0.0..1e6).contains(number));
        number.map(Duration::from_secs_f64)
    };
    let clock = seconds(base).filter(|base| !base.is_zero()).zip(seconds(increment));
    clock.with_context(|| {
        format!("option tc={text}: expected SECONDS or SECONDS+INCREMENT, as 10+0.1")
    })
}

impl Engine for UciEngine {
    fn describe(&self) -> String {
        let Limit { nodes, depth, movetime, clock } = self.limit;
        let mut text = self.command.clone();
        let limits = [
            nodes.map(|nodes| format!(" nodes={nodes}")),
            depth.map(|depth| format!(" depth={depth}")),
            movetime.map(|time| format!(" movetime={}", time.as_millis())),
            clock.map(|(base, more)| format!(" tc={}+{}", base.as_secs_f64(), more.as_secs_f64())),
        ];
        limits.into_iter().flatten().for_each(|limit| text += &limit);
        for (name, value) in &self.options {
            text += &format!(" '{OPTION_PREFIX}{name}={value}'");
        }
        text
    }

    fn command(&self) -> &str {
        &self.command
    }

    fn judge(&self) -> Box<dyn Judge> {
        Box::new(UciJudge {
            engine: self.clone(),
            declared: BTreeSet::new(),
            is_ready: false,
            is_asked: false,
            begins_classical: true,
            position: start::classical(CastlingRule::Arena),
            left: self.limit.clock.map_or(Duration::ZERO, |(base, _)| base),
            asked: None,
            score: None,
        })
    }

    fn longest_move(&self) -> Option<Duration> {
        let clock = self.limit.clock.map(|(base, increment)| base + increment);
        self.limit.movetime.or(clock).map(|time| time + self.margin)
    }
}

/// The dialogue with an engine during one game.
struct UciJudge {
    engine: UciEngine,
    /// Options that the engine has, in lower case.
    declared: BTreeSet<String>,
    /// Whether the engine is ready, initially and for the current request.
    is_ready: bool,
    /// Whether it has been asked for a move.
    is_asked: bool,
    /// Whether the game begins with the position of classical chess.
    begins_classical: bool,
    /// The position of the request.
    position: Position,
    /// Time left on its clock, if it has one.
    left: Duration,
    /// Time of the request.
    asked: Option<Stopwatch>,
    /// The engine's score of the position.
    score: Option<Score>,
}

impl UciJudge {
    fn is_chess960(&self) -> bool {
        self.declared.contains(&CHESS960.to_ascii_lowercase())
    }

    /// Subtracts the time since the request from the engine's clock and adds the increment, if it has a
    /// clock.
    fn stop_clock(&mut self) {
        if let (Some((_, increment)), Some(asked)) = (self.engine.limit.clock, self.asked.take()) {
            self.left = self.left.saturating_sub(asked.elapsed()) + increment;
        }
    }

    /// Returns the `go` command.
    fn go(&self) -> String {
        let Limit { nodes, depth, movetime, clock } = self.engine.limit;
        let mut text = "go".to_string();
        if let Some((_, increment)) = clock {
            // The opponent's clock is reported as equal: it is ignored here.
            let (left, increment) = (self.left.as_millis(), increment.as_millis());
            text += &format!(" wtime {left} btime {left} winc {increment} binc {increment}");
        }
        let limits = [
            nodes.map(|nodes| format!(" nodes {nodes}")),
            depth.map(|depth| format!(" depth {depth}")),
            movetime.map(|time| format!(" movetime {}", time.as_millis())),
        ];
        limits.into_iter().flatten().for_each(|limit| text += &limit);
        text
    }
}

impl Judge for UciJudge {
    fn protocol(&self) -> JudgeProtocol {
        JudgeProtocol { farewell: Some("quit"), ..JudgeProtocol::default() }
    }

    fn start_game(
        &mut self,
        _side: Side,
        opening: &dyn GameState,
        _budget: Option<Duration>,
        score: MatchScore,
    ) -> Vec<String> {
        let classical = start::classical(CastlingRule::Arena);
        self.begins_classical = *replayed(opening).start() == classical;
        let last = ["ucinewgame", READY].map(str::to_string);
        (self.is_ready, self.is_asked) = (false, false);
        self.asked = None;
        self.left = self.engine.limit.clock.map_or(Duration::ZERO, |(base, _)| base);
        if score.game > 1 {
            return last.to_vec();
        }
        let option = |name: &str, value: &str| format!("setoption name {name} value {value}");
        let given = self.engine.options.iter().map(|(name, value)| option(name, value));
        let first = ["uci".to_string(), option(CHESS960, "true")];
        first.into_iter().chain(given).chain(last).collect()
    }

    fn request_move(&mut self, game: &dyn GameState) -> Request {
        let game = replayed(game);
        self.position = *game.position();
        self.score = None;
        self.asked = Some(Stopwatch::start());
        // Output before `readyok` belongs to an earlier request.
        (self.is_ready, self.is_asked) = (false, true);
        let position = position_line(&game, self.is_chess960());
        let Limit { movetime, clock, .. } = self.engine.limit;
        let time = movetime.or(clock.map(|_| self.left)).map(|time| time + self.engine.margin);
        Request { lines: vec![position, READY.to_string(), self.go()], time }
    }

    fn expects_greeting(&self) -> bool {
        true
    }

    fn receive(&mut self, line: &str) -> bool {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("readyok") if !self.is_ready => {
                self.is_ready = true;
                !self.is_asked
            }
            Some("option") if !self.is_ready => {
                self.declared.extend(option_name(line));
                false
            }
            Some("info") if self.is_ready => {
                self.score = score_of(line).or(self.score);
                false
            }
            Some("bestmove") if self.is_ready => {
                self.stop_clock();
                true
            }
            _ => false,
        }
    }

    fn accept_greeting(&mut self, _line: &str) -> Result<(), String> {
        let is_missing = |name: &&String| !self.declared.contains(&name.to_ascii_lowercase());
        let mut names = self.engine.options.iter().map(|(name, _)| name);
        if let Some(name) = names.find(is_missing) {
            return Err(format!("the engine has no option {name:?}"));
        }
        if !self.begins_classical && !self.is_chess960() {
            return Err(format!(
                "the engine has no option {CHESS960}, which this start position needs"
            ));
        }
        Ok(())
    }

    /// Returns the move of `bestmove MOVE ponder MOVE` in the arena's notation if it is legal.
    fn parse_answer(&mut self, line: &str, _game: &dyn GameState) -> Answer {
        let text = line.split_whitespace().nth(1).unwrap_or_default();
        let mv = notation::parse_uci(&self.position, text);
        let text = mv.map_or(text.to_string(), |mv| mv.to_string());
        Answer { text, score: self.score }
    }
}

/// Returns the `position` command. It starts after the last castling that FIDE's rules forbid, which an
/// engine could not follow; earlier positions can't recur after castling.
fn position_line(game: &Game, is_chess960: bool) -> String {
    let mut first = *game.start();
    let mut moves: Vec<Move> = Vec::new();
    let mut now = first;
    for &mv in game.moves() {
        let is_strange =
            mv.is_castling() && !movegen::is_legal(&now.with_rule(CastlingRule::Fide), mv);
        now = now.make(mv);
        if is_strange {
            first = now;
            moves.clear();
        } else {
            moves.push(mv);
        }
    }
    let mut text = format!("position fen {first}");
    if !moves.is_empty() {
        text += " moves";
        moves.iter().for_each(|&mv| text += &format!(" {}", notation::uci(mv, is_chess960)));
    }
    text
}

/// Returns the lower-case name in `option name NAME type ...`.
fn option_name(line: &str) -> Option<String> {
    let (_, rest) = line.split_once("name ")?;
    let name = rest.split_once(" type ").map_or(rest, |(name, _)| name);
    Some(name.trim().to_ascii_lowercase())
}

/// Parses the score of an `info` line, from the engine's point of view; mates in plies.
fn score_of(line: &str) -> Option<Score> {
    let mut words = line.split_whitespace().skip_while(|word| *word != "score").skip(1);
    let (unit, value) = (words.next()?, words.next()?.parse::<i32>().ok()?);
    match unit {
        "cp" => Some(score::clamp_eval(value)),
        "mate" if value > 0 => Some(score::win_in(2 * value.min(MAX_MATE) as usize - 1)),
        "mate" => Some(score::lost_in(2 * value.max(-MAX_MATE).unsigned_abs() as usize)),
        _ => None,
    }
}

/// Maximum distance of a mate, in moves.
const MAX_MATE: i32 = 400;

#[cfg(test)]
mod tests;
