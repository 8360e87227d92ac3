//! The `go` command and the search limits that it asks for.

use super::client::{cut, Options};
use crate::games::chess960::search::Limits;
use crate::games::chess960::types::Colour;
use std::time::Duration;

/// Own moves that a game is expected to last, if the client sends no number.
const EXPECTED_MOVES: u32 = 30;
/// The hard limit as a multiple of the planned time.
const HARD_FACTOR: u32 = 4;
/// The hard limit as a divisor of the time left.
const HARD_DIVISOR: u32 = 3;
/// Minimum time for a move.
pub const MIN_TIME: Duration = Duration::from_millis(1);
/// Time for a move if the only limit of the line can't be read.
const UNREAD_MOVETIME: Duration = Duration::from_millis(100);
/// Maximum time on a clock, in milliseconds: a year.
const MAX_MILLISECONDS: i64 = 365 * 86_400_000;
/// Maximum number of moves of a mate to search for.
const MAX_MATE: i64 = 1000;
/// Words of `go` that end a list of moves.
const KEYWORDS: &str =
    "searchmoves ponder wtime btime winc binc movestogo depth nodes mate movetime infinite";

/// A `go` command.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Go {
    /// Moves to search; all if empty.
    pub searchmoves: Vec<String>,
    /// Remaining time of White and Black.
    pub time: [Option<Duration>; 2],
    /// Increments of White and Black.
    pub increment: [Duration; 2],
    /// Moves to the next time control.
    pub movestogo: Option<u32>,
    /// Maximum depth, in plies.
    pub depth: Option<i32>,
    /// Maximum number of moves of the mate to search for.
    pub mate: Option<usize>,
    /// Node limit.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// Words that could not be read.
    pub unread: Vec<String>,
    /// Whether the answer waits for `stop` or `ponderhit`.
    pub is_infinite: bool,
    /// Whether the position is one after the expected reply, on the opponent's time.
    is_ponder: bool,
}

impl Go {
    /// Parses the words after `go`. The client waits for a move whatever they are, so words that can't be read are
    /// skipped.
    pub fn parse(words: &[&str]) -> Go {
        let mut go = Go::default();
        let mut rest = words;
        while let [word, after @ ..] = rest {
            rest = after;
            match word.to_ascii_lowercase().as_str() {
                "infinite" => go.is_infinite = true,
                "ponder" => (go.is_infinite, go.is_ponder) = (true, true),
                "searchmoves" => {
                    let is_keyword =
                        |word: &&str| KEYWORDS.split(' ').any(|key| word.eq_ignore_ascii_case(key));
                    let count = rest.iter().position(is_keyword).unwrap_or(rest.len());
                    go.searchmoves.extend(rest[..count].iter().map(|text| text.to_string()));
                    rest = &rest[count..];
                }
                name => match rest.first().and_then(|text| whole_number(text)) {
                    Some(number) if go.set(name, number) => rest = &rest[1..],
                    _ => go.unread.push(cut(word)),
                },
            }
        }
        go.complete();
        go
    }

    /// Sets a limit by name; returns `false` if the name is unknown.
    fn set(&mut self, name: &str, number: i64) -> bool {
        // A clock may be below zero.
        let time = Duration::from_millis(number.clamp(0, MAX_MILLISECONDS) as u64);
        let positive = number.max(1);
        match name {
            "wtime" => self.time[0] = Some(time),
            "btime" => self.time[1] = Some(time),
            "winc" => self.increment[0] = time,
            "binc" => self.increment[1] = time,
            // Some clients send 0 if there is no next time control.
            "movestogo" => self.movestogo = u32::try_from(number).ok().filter(|&moves| moves > 0),
            "depth" => self.depth = Some(positive.min(i64::from(i32::MAX)) as i32),
            "mate" => self.mate = Some(positive.min(MAX_MATE) as usize),
            "nodes" => self.nodes = Some(positive as u64),
            "movetime" => self.movetime = Some(time),
            _ => return false,
        }
        true
    }

    /// Sets defaults for missing limits.
    fn complete(&mut self) {
        // A mate in N moves takes 2N plies.
        self.depth = self.depth.or(self.mate.map(|moves| 2 * moves as i32));
        let is_limited = self.depth.is_some() || self.nodes.is_some() || self.movetime.is_some();
        if !is_limited && self.time == [None; 2] && !self.is_infinite {
            let is_timed = self.increment != [Duration::ZERO; 2] || self.movestogo.is_some();
            self.is_infinite = !is_timed && self.unread.is_empty();
            // Otherwise the limit was among the words that could not be read.
            self.movetime = (!self.is_infinite).then_some(UNREAD_MOVETIME);
        }
        let [white, black] = self.time;
        self.time = [white.or(black), black.or(white)];
    }

    /// Returns the time for the move from the start of pondering, if the search has to end some time after `ponderhit`.
    pub fn ponder_time(&self, side: Colour, options: &Options) -> Option<Duration> {
        let limits = Go { is_infinite: false, ..self.clone() }.limits(side, options);
        limits.soft_time.or(limits.hard_time).filter(|_| self.is_ponder)
    }

    /// Returns the search limits for the side to move.
    pub fn limits(&self, side: Colour, options: &Options) -> Limits {
        let mut limits = Limits { depth: self.depth, hard_nodes: self.nodes, ..Limits::default() };
        if self.is_infinite {
            return limits;
        }
        let within = |time: Duration| time.saturating_sub(options.overhead).max(MIN_TIME);
        if let Some(left) = self.time[side.index()] {
            let left = within(left);
            let moves = self.movestogo.map_or(EXPECTED_MOVES, |moves| moves.min(EXPECTED_MOVES));
            // Nearly all of the increment can be spent.
            let increment = self.increment[side.index()] * 3 / 4;
            let planned = (left / moves + increment).min(left / 2);
            // The last move before the time control may take nearly all that is left.
            let most = if moves == 1 { left * 9 / 10 } else { left / HARD_DIVISOR };
            limits.soft_time = Some(planned.min(most).max(MIN_TIME));
            limits.hard_time = Some((planned * HARD_FACTOR).min(most).max(MIN_TIME));
        }
        if let Some(time) = self.movetime {
            let time = within(time);
            limits.hard_time = Some(limits.hard_time.map_or(time, |hard| hard.min(time)));
        }
        match options.nodes {
            Some(nodes) if self.nodes.is_none() && self.depth.is_none() => {
                Limits { hard_nodes: Some(nodes), ..Limits::default() }
            }
            _ => limits,
        }
    }
}

/// Parses a number, truncated to an integer and clamped to the range of the type.
fn whole_number(text: &str) -> Option<i64> {
    let real = || text.parse::<f64>().ok().filter(|number| !number.is_nan());
    text.parse().ok().or_else(|| Some(real()? as i64))
}
