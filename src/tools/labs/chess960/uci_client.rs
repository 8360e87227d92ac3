//! UCI engines as players of matches (universal chess interface of R. Huber and S. Meyer-Kahlen, 2006).

use super::judge::replayed;
use super::{fen, notation};
use crate::engine::clock::Stopwatch;
use crate::engine::score::{self, Score};
use crate::games::chess960::game::Game;
use crate::games::chess960::movegen;
use crate::games::chess960::position::{CastlingRule, Position};
use crate::games::chess960::types::Move;
use crate::games::chess960::CONTEST;
use crate::tools::contracts::engines::{Engine, Engines, GameClock, GameClocks};
use crate::tools::contracts::judge::{Answer, Judge, JudgeProtocol, MatchScore, Received, Request};
use crate::tools::contracts::opponent::{pairs, positive};
use crate::tools::contracts::{GameState, Side};
use crate::tools::support::units::parse_time;
use anyhow::{bail, ensure, Context, Result};
use std::collections::BTreeMap;
use std::time::Duration;

/// Entry for matches.
pub const ENGINES: Engines = Engines {
    read: |text, common| Ok(Box::new(read(text, common)?)),
    options: "a shell command that speaks UCI, then any of nodes=N, depth=N, movetime=MS, tc=SECONDS+INCREMENT \
              (of a game), margin=MS (a tolerated overrun, default: 100), option.NAME=VALUE, name=NAME (in \
              records; in quotes '...' if it has blanks); without a limit the contest's time for each move",
};

/// Default margin for overruns: pipe latency and scheduling delay.
const DEFAULT_MARGIN: Duration = Duration::from_millis(100);
/// The option for Chess960.
const CHESS960: &str = "UCI_Chess960";
/// Asks whether all previous commands are done.
const READY: &str = "isready";
/// The option for the engine's name in records.
const NAME: &str = "name";
/// Prefix of an engine option.
const OPTION_PREFIX: &str = "option.";

/// Limits per move; several may be set.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Limit {
    nodes: Option<u64>,
    depth: Option<u64>,
    movetime: Option<Duration>,
    /// Time per game and increment per move.
    clock: Option<GameClock>,
}

/// An engine with its options.
#[derive(Clone, Debug, PartialEq)]
struct UciEngine {
    command: String,
    /// Name in records.
    name: Option<String>,
    limit: Limit,
    margin: Duration,
    /// Engine options to set: names and values.
    options: Vec<(String, String)>,
}

/// Parses a command and options, in any order.
fn read(text: &str, common: &str) -> Result<UciEngine> {
    let mut engine = UciEngine {
        command: String::new(),
        name: None,
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
    fn is_mark(&mut self, character: char) -> bool {
        let is_mark = self.0.map_or(matches!(character, '\'' | '"'), |open| open == character);
        if is_mark {
            self.0 = if self.0.is_none() { Some(character) } else { None };
        }
        is_mark
    }
}

/// Splits a text at spaces outside single or double quotes.
fn words(text: &str) -> Result<Vec<&str>> {
    let mut quotes = Quotes::default();
    let is_gap = |character: char| {
        !quotes.is_mark(character) && quotes.0.is_none() && character.is_whitespace()
    };
    let words = text.split(is_gap).filter(|word| !word.is_empty()).collect();
    ensure!(quotes.0.is_none(), "a quote is not closed");
    Ok(words)
}

impl UciEngine {
    /// Parses a word that is an option; returns false if it belongs to the command.
    fn take_option(&mut self, word: &str) -> Result<bool> {
        let mut quotes = Quotes::default();
        let plain: String = word.chars().filter(|&character| !quotes.is_mark(character)).collect();
        let Some((key, value)) = plain.split_once('=') else { return Ok(false) };
        let milliseconds = || Ok::<_, anyhow::Error>(Duration::from_millis(positive(key, value)?));
        match key {
            "nodes" => self.limit.nodes = Some(positive(key, value)?),
            "depth" => self.limit.depth = Some(positive(key, value)?),
            "movetime" => self.limit.movetime = Some(milliseconds()?),
            "margin" if value == "0" => self.margin = Duration::ZERO,
            "margin" => self.margin = milliseconds()?,
            "tc" => self.limit.clock = Some(parse_clock(value)?),
            NAME if value.is_empty() => bail!("option name=: expected a name"),
            NAME => self.name = Some(value.to_string()),
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
fn parse_clock(text: &str) -> Result<GameClock> {
    let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
    let seconds = |text: &str| {
        let number = text.parse().ok().filter(|number: &f64| (0.0..1e6).contains(number));
        number.map(Duration::from_secs_f64)
    };
    let clock = seconds(base).filter(|base| !base.is_zero()).zip(seconds(increment));
    clock.map(|(left, increment)| GameClock { left, increment }).with_context(|| {
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
            clock.map(|clock| format!(" tc={}", clock_text(clock))),
        ];
        limits.into_iter().flatten().for_each(|limit| text += &limit);
        for (name, value) in &self.options {
            text += &format!(" '{OPTION_PREFIX}{name}={value}'");
        }
        if let Some(name) = &self.name {
            text += &format!(" '{NAME}={name}'");
        }
        text
    }

    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    fn time_control(&self) -> String {
        match self.limit {
            Limit { clock: Some(clock), .. } => clock_text(clock),
            Limit { movetime: Some(time), .. } => format!("1/{}", time.as_secs_f64()),
            _ => "-".to_string(),
        }
    }

    fn command(&self) -> &str {
        &self.command
    }

    fn judge(&self, clocks: GameClocks) -> Box<dyn Judge> {
        Box::new(UciJudge {
            engine: self.clone(),
            declared: BTreeMap::new(),
            error: None,
            awaits: Awaits::Nothing,
            start: *Game::default().start(),
            position: *Game::default().start(),
            is_white: true,
            left: Duration::ZERO,
            clocks,
            asked: None,
            score: None,
        })
    }

    fn longest_move(&self) -> Option<Duration> {
        let clock = self.limit.clock.map(|clock| clock.left + clock.increment);
        self.limit.movetime.or(clock).map(|time| time + self.margin)
    }
}

/// Formats a clock as `SECONDS+INCREMENT`.
fn clock_text(GameClock { left, increment }: GameClock) -> String {
    format!("{}+{}", left.as_secs_f64(), increment.as_secs_f64())
}

/// An option that an engine has declared.
#[derive(Debug)]
struct Declared {
    /// Its name in the engine's spelling.
    name: String,
    kind: String,
    /// Range of a number.
    min: i64,
    max: i64,
    /// Possible values of a `combo`.
    values: Vec<String>,
}

impl Declared {
    /// Parses `option name NAME type TYPE ...`.
    fn parse(line: &str) -> Option<Declared> {
        let (name, rest) = line.split_once("name ")?.1.split_once(" type ")?;
        let words: Vec<&str> = rest.split_whitespace().collect();
        let number = |key| {
            let at = words.iter().position(|word| *word == key)?;
            words.get(at + 1)?.parse::<i64>().ok()
        };
        Some(Declared {
            name: name.trim().to_string(),
            kind: words.first()?.to_string(),
            min: number("min").unwrap_or(i64::MIN),
            max: number("max").unwrap_or(i64::MAX),
            values: rest.split(" var ").skip(1).map(|value| value.trim().to_string()).collect(),
        })
    }

    /// Returns the command that sets it; an error that names the possible values if it can't have this one.
    fn set(&self, value: &str) -> Result<String, String> {
        let Declared { name, kind, min, max, values } = self;
        let bad =
            |expected: String| format!("option {name}={value}: the engine expects {expected}");
        let among = |values: &[String]| {
            let found = values.iter().find(|other| other.eq_ignore_ascii_case(value));
            found.cloned().ok_or_else(|| bad(values.join(" or ")))
        };
        let value = match kind.as_str() {
            "button" => return Ok(format!("setoption name {name}")),
            "spin" => {
                let number = value.parse().ok().filter(|number| (min..=max).contains(&number));
                number
                    .map(|number: i64| number.to_string())
                    .ok_or_else(|| bad(format!("{min} to {max}")))?
            }
            "check" => among(&["true", "false"].map(str::to_string))?,
            "combo" => among(values)?,
            _ => value.to_string(),
        };
        Ok(format!("setoption name {name} value {value}"))
    }
}

/// The line that the judge waits for.
#[derive(Clone, Copy, PartialEq)]
enum Awaits {
    Nothing,
    /// `uciok`, the end of the options.
    Options,
    /// `readyok` before a game.
    Game,
    /// `readyok` before a search: output before it belongs to an earlier request.
    Search,
    /// `bestmove`.
    Move,
}

/// The dialogue with an engine during a match.
struct UciJudge {
    engine: UciEngine,
    /// Options that the engine has, by their names in lower case.
    declared: BTreeMap<String, Declared>,
    /// Why the engine can't play.
    error: Option<String>,
    awaits: Awaits,
    /// The first position of the game.
    start: Position,
    /// The position of the request.
    position: Position,
    is_white: bool,
    /// Time left on its clock, if it has one.
    left: Duration,
    clocks: GameClocks,
    /// Time of the request.
    asked: Option<Stopwatch>,
    /// The engine's score of the position.
    score: Option<Score>,
}

impl UciJudge {
    fn is_chess960(&self) -> bool {
        self.declared.contains_key(&CHESS960.to_ascii_lowercase())
    }

    /// Returns the commands before the first game: only options that the engine has are set.
    fn setup(&self) -> Result<Vec<String>, String> {
        if !self.is_chess960() && !fen::is_classical(&self.start) {
            return Err(format!(
                "the engine has no option {CHESS960}, which this start position needs"
            ));
        }
        let chess960 = self.is_chess960().then(|| (CHESS960.to_string(), true.to_string()));
        let lines: Result<Vec<String>, String> = chess960
            .iter()
            .chain(&self.engine.options)
            .map(|(name, value)| match self.declared.get(&name.to_ascii_lowercase()) {
                Some(option) => option.set(value),
                None => Err(format!("the engine has no option {name:?}")),
            })
            .collect();
        Ok(lines?.into_iter().chain(new_game()).collect())
    }

    /// Sets the time left on its clock, if it has one.
    fn set_clock(&mut self, left: Duration) {
        self.left = left;
        self.clocks.set(self.engine.limit.clock.map(|clock| GameClock { left, ..clock }));
    }

    /// Subtracts the time since the request from the engine's clock and adds the increment.
    fn stop_clock(&mut self) {
        if let (Some(clock), Some(asked)) = (self.engine.limit.clock, self.asked.take()) {
            self.set_clock(self.left.saturating_sub(asked.elapsed()) + clock.increment);
        }
    }

    /// Returns the `go` command.
    fn go(&self) -> String {
        let Limit { nodes, depth, movetime, clock } = self.engine.limit;
        let mut text = "go".to_string();
        if let Some(clock) = clock {
            let own = GameClock { left: self.left, ..clock };
            // An opponent without a clock has as much time.
            let other = self.clocks.opponents().unwrap_or(own);
            let [white, black] = if self.is_white { [own, other] } else { [other, own] };
            let [wtime, btime] = [white, black].map(|clock| clock.left.as_millis());
            let [winc, binc] = [white, black].map(|clock| clock.increment.as_millis());
            text += &format!(" wtime {wtime} btime {btime} winc {winc} binc {binc}");
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

/// Returns the commands before a game.
fn new_game() -> [String; 2] {
    ["ucinewgame", READY].map(str::to_string)
}

impl Judge for UciJudge {
    fn protocol(&self) -> JudgeProtocol {
        JudgeProtocol { farewell: Some("quit"), ..JudgeProtocol::default() }
    }

    fn start_game(
        &mut self,
        side: Side,
        opening: &dyn GameState,
        _budget: Option<Duration>,
        score: MatchScore,
    ) -> Vec<String> {
        self.start = *replayed(opening).start();
        self.is_white = side == Side::First;
        self.asked = None;
        self.set_clock(self.engine.limit.clock.map_or(Duration::ZERO, |clock| clock.left));
        if score.game > 1 {
            self.awaits = Awaits::Game;
            return new_game().to_vec();
        }
        self.awaits = Awaits::Options;
        vec!["uci".to_string()]
    }

    fn request_move(&mut self, game: &dyn GameState) -> Request {
        let game = replayed(game);
        self.position = *game.position();
        self.score = None;
        self.awaits = Awaits::Search;
        let position = position_line(&game, self.is_chess960());
        let Limit { movetime, clock, .. } = self.engine.limit;
        let left = clock.map(|_| self.left);
        let time = movetime.into_iter().chain(left).min().map(|time| time + self.engine.margin);
        Request { lines: vec![position, READY.to_string()], time }
    }

    fn expects_greeting(&self) -> bool {
        true
    }

    fn receive(&mut self, line: &str) -> Received {
        let word = line.split_whitespace().next().unwrap_or_default();
        match (self.awaits, word) {
            (Awaits::Options, "option") => {
                let found = Declared::parse(line);
                self.declared
                    .extend(found.map(|option| (option.name.to_ascii_lowercase(), option)));
            }
            (Awaits::Options, "uciok") => match self.setup() {
                Ok(lines) => {
                    self.awaits = Awaits::Game;
                    return Received::Reply(lines);
                }
                Err(error) => {
                    self.error = Some(error);
                    return Received::Answer;
                }
            },
            (Awaits::Search, "readyok") => {
                self.awaits = Awaits::Move;
                self.asked = Some(Stopwatch::start());
                return Received::Reply(vec![self.go()]);
            }
            (Awaits::Move, "info") => self.score = score_of(line).or(self.score),
            (Awaits::Game, "readyok") | (Awaits::Move, "bestmove") => {
                self.awaits = Awaits::Nothing;
                self.stop_clock();
                return Received::Answer;
            }
            _ => {}
        }
        Received::Nothing
    }

    fn accept_greeting(&mut self, _line: &str) -> Result<(), String> {
        self.error.take().map_or(Ok(()), Err)
    }

    /// Returns the move of `bestmove MOVE ponder MOVE` in the arena's notation if it is legal.
    fn parse_answer(&mut self, line: &str, _game: &dyn GameState) -> Answer {
        let text = line.split_whitespace().nth(1).unwrap_or_default();
        let mv = notation::parse_uci(&self.position, &text.to_ascii_lowercase());
        let text = mv.map_or(text.to_string(), |mv| mv.to_string());
        Answer { text, score: self.score }
    }
}

/// Returns the `position` command. It starts after the last castling that FIDE's rules forbid, which an engine could
/// not follow; earlier positions can't recur after castling.
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
    let mut text = match fen::is_classical(&first) {
        // An engine for classical chess knows no other letters.
        true => format!("position fen {}", fen::text(&first)),
        false => format!("position fen {first}"),
    };
    if !moves.is_empty() {
        text += " moves";
        moves.iter().for_each(|&mv| text += &format!(" {}", notation::uci(mv, is_chess960)));
    }
    text
}

/// Parses the score of an `info` line, from the engine's point of view; mates in plies. Bounds and the scores of lines
/// other than the best one don't count, nor does text for people.
fn score_of(line: &str) -> Option<Score> {
    let words: Vec<&str> = line.split_whitespace().take_while(|word| *word != "string").collect();
    let after = |key| words.iter().position(|word| *word == key).map(|at| &words[at + 1..]);
    let is_bound = ["lowerbound", "upperbound"].iter().any(|word| words.contains(word));
    let is_best = after("multipv").is_none_or(|rest| rest.first() == Some(&"1"));
    let [unit, value, ..] = after("score").filter(|_| is_best && !is_bound)? else { return None };
    let value = value.parse::<i32>().ok()?;
    match *unit {
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
