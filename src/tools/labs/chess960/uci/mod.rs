//! The engine for chess programs: UCI (the universal chess interface of R. Huber and S. Meyer-Kahlen, 2006) on
//! stdin and stdout.
//!
//! One thread reads the commands, another one searches, so that `stop` is obeyed at once. What can't be obeyed
//! is answered by `info string`, but `go` by a move always. Castling and repetition are FIDE's, and the arena's
//! limit of moves does not hold.

mod command;
mod output;
mod search;

use super::thinking::{Limits, Thinker};
use super::{fen, notation};
use crate::games::chess960::game::Game;
use crate::games::chess960::movegen;
use crate::games::chess960::position::{CastlingRule, Position};
use crate::games::chess960::start;
use crate::games::chess960::types::{Colour, Move};
use crate::tools::contracts::opponent::MAX_HASH_MB;
use crate::tools::contracts::settings::Settings;
use crate::tools::support::text::{shown, TextLines};
use anyhow::Result;
use command::{Command, Go};
use output::{complain, say};
use search::{Job, Running};
use std::io;
use std::process::ExitCode;
use std::time::Duration;

/// The part of the time that is never planned with, by default: the way of the lines, and waking up.
const DEFAULT_OVERHEAD_MS: u64 = 10;
const MAX_OVERHEAD_MS: u64 = 5_000;
/// A game is expected to take so many more own moves where nobody says.
const EXPECTED_MOVES: u32 = 30;
/// An iteration may run on to this multiple of the planned time ...
const HARD_FACTOR: u32 = 4;
/// ... and to this part of what is left.
const HARD_DIVISOR: u32 = 3;
/// The most lines that are searched.
const MAX_LINES: u64 = 256;
/// What stands for a move where nobody knows the position.
const NULL_MOVE: &str = "0000";
/// The least time for a move.
const MIN_TIME: Duration = Duration::from_millis(1);

/// Serves a program until `quit` or the end of the input.
pub fn serve(settings: Settings) -> Result<ExitCode> {
    let mut server = Server::new(settings);
    for line in TextLines::new(io::stdin().lock()) {
        let is_going_on = match line?.text {
            Some(text) => server.obey(text.trim()),
            None => server.pass_over(),
        };
        if !is_going_on {
            return Ok(ExitCode::SUCCESS);
        }
    }
    server.finish();
    Ok(ExitCode::SUCCESS)
}

/// What the program has set.
#[derive(Clone, Copy)]
struct Options {
    hash_mb: usize,
    overhead: Duration,
    /// Castling is written as king's and rook's square.
    is_chess960: bool,
    /// So many lines are searched.
    lines: usize,
    /// A limit of the command line, where `go` has none but time.
    nodes: Option<u64>,
}

/// The state between commands.
struct Server {
    options: Options,
    /// `None` where the last position could not be read.
    game: Option<Game>,
    /// At rest; `None` while it thinks, and before the first use.
    thinker: Option<Thinker>,
    running: Option<Running>,
}

impl Server {
    fn new(settings: Settings) -> Server {
        let options = Options {
            hash_mb: settings.hash_mb,
            overhead: Duration::from_millis(DEFAULT_OVERHEAD_MS),
            is_chess960: false,
            lines: 1,
            nodes: settings.nodes,
        };
        let game = Game::new(start::classical(CastlingRule::Fide));
        Server { options, game: Some(game), thinker: None, running: None }
    }

    /// Does what a line says; false: it says to quit.
    fn obey(&mut self, line: &str) -> bool {
        match command::parse(line) {
            Ok(Command::Nothing) => {}
            Ok(Command::Uci) => self.introduce(),
            Ok(Command::IsReady) => {
                self.get_ready();
                say("readyok");
            }
            Ok(Command::NewGame) => {
                self.end_search();
                self.get_ready();
                self.thinker.iter_mut().for_each(Thinker::clear);
            }
            Ok(Command::SetOption { name, value }) => self.set_option(&name, value.as_deref()),
            Ok(Command::Position { fen, moves }) => self.set_position(fen.as_deref(), &moves),
            Ok(Command::Go(go)) => self.go(&go),
            Ok(Command::Perft(depth)) => self.perft(depth),
            Ok(Command::Stop) => self.end_search(),
            Ok(Command::Show) => {
                let position = self.game.as_ref().map(|game| game.position().to_string());
                say(&format!("info string {}", position.as_deref().unwrap_or("no position")));
            }
            Ok(Command::Quit) => {
                self.end_search();
                return false;
            }
            Err(reason) => {
                if command::is_position(line) {
                    self.game = None;
                }
                complain(&reason);
            }
        }
        true
    }

    /// A line that is too long may have told a position.
    fn pass_over(&mut self) -> bool {
        self.game = None;
        complain("the line is too long");
        true
    }

    /// Makes what thinks, with memory that has been touched: the time of a first move is not for that.
    fn get_ready(&mut self) {
        let hash_mb = self.options.hash_mb;
        if self.thinker.is_none() && self.running.is_none() {
            let mut thinker = Thinker::new(hash_mb);
            thinker.clear();
            self.thinker = Some(thinker);
        }
    }

    /// Takes a position as far as it makes sense. Where it makes none there is no position any more: an answer
    /// about an older one would be of another game.
    fn set_position(&mut self, fen: Option<&str>, moves: &[String]) {
        match game(fen, moves) {
            Ok((game, remarks)) => {
                self.game = Some(game);
                remarks.iter().for_each(|remark| complain(remark));
            }
            Err(reason) => {
                self.game = None;
                complain(&reason);
            }
        }
    }

    fn introduce(&self) {
        let name = concat!("cupbot ", env!("CARGO_PKG_VERSION"));
        let Options { hash_mb, overhead, .. } = self.options;
        let lines = [
            format!("id name {name}"),
            "id author the authors of cupbot".to_string(),
            format!("option name Hash type spin default {hash_mb} min 1 max {MAX_HASH_MB}"),
            "option name Clear Hash type button".to_string(),
            "option name Threads type spin default 1 min 1 max 1".to_string(),
            format!(
                "option name Move Overhead type spin default {} min 0 max {MAX_OVERHEAD_MS}",
                overhead.as_millis()
            ),
            format!("option name MultiPV type spin default 1 min 1 max {MAX_LINES}"),
            "option name UCI_Chess960 type check default false".to_string(),
            "option name UCI_AnalyseMode type check default false".to_string(),
            "uciok".to_string(),
        ];
        say(&lines.join("\n"));
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        let number = |max: u64| {
            let number = value?.parse().ok();
            number.filter(|number| *number <= max)
        };
        let is_on = || value?.to_ascii_lowercase().parse::<bool>().ok();
        let is_set = match name.to_ascii_lowercase().as_str() {
            "hash" => number(MAX_HASH_MB).filter(|&number| number > 0).map(|megabytes| {
                self.end_search();
                self.options.hash_mb = megabytes as usize;
                self.thinker = None;
                self.get_ready();
            }),
            "clear hash" => {
                self.end_search();
                self.thinker.iter_mut().for_each(Thinker::clear);
                Some(())
            }
            "threads" => number(1).filter(|&number| number == 1).map(drop),
            "move overhead" => number(MAX_OVERHEAD_MS).map(|milliseconds| {
                self.options.overhead = Duration::from_millis(milliseconds);
            }),
            "multipv" => number(MAX_LINES)
                .filter(|&number| number > 0)
                .map(|number| self.options.lines = number as usize),
            "uci_chess960" => is_on().map(|is_chess960| self.options.is_chess960 = is_chess960),
            // All positions are thought about alike: the next move is no secret.
            "uci_analysemode" => is_on().map(drop),
            _ => return complain(&format!("no option is named {name:?}")),
        };
        if is_set.is_none() {
            complain(&format!("option {name}: {:?} is no value of it", value.unwrap_or_default()));
        }
    }

    /// Begins to think. The answer to an earlier command comes first.
    fn go(&mut self, go: &Go) {
        self.end_search();
        if !go.unread.is_empty() {
            complain(&format!("go: can't read {}", quoted(&go.unread)));
        }
        let Some(game) = self.game.clone() else {
            complain("there is no position");
            say(&format!("bestmove {NULL_MOVE}"));
            return;
        };
        let position = *game.position();
        let all = movegen::moves(&position);
        let mut moves: Vec<Move> = all.to_vec();
        if !go.searchmoves.is_empty() {
            let wanted = go.searchmoves.iter().filter_map(|text| {
                let mv = notation::parse_uci(&position, text);
                mv.map_err(|error| complain(&format!("searchmoves {text:?}: {error}"))).ok()
            });
            let wanted: Vec<Move> = wanted.collect();
            if !wanted.is_empty() {
                moves.retain(|mv| wanted.contains(mv));
            }
        }
        let hash_mb = self.options.hash_mb;
        let job = Job {
            game,
            moves,
            lines: self.options.lines,
            limits: limits(go, position.side(), &self.options),
            waits_for_stop: go.is_infinite(),
            is_chess960: self.options.is_chess960,
            hash_mb,
        };
        let thinker = self.thinker.take().unwrap_or_else(|| Thinker::new(hash_mb));
        match Running::start(job, thinker) {
            Ok(running) => self.running = Some(running),
            Err(error) => {
                complain(&format!("no thread to think in: {error}"));
                say(&format!("bestmove {}", search::any_move(&all, self.options.is_chess960)));
            }
        }
    }

    /// Ends the search that runs, if one does: it answers before this returns.
    fn end_search(&mut self) {
        if let Some(running) = self.running.take() {
            self.thinker = running.stop();
        }
    }

    /// The input has ended: a search with a limit may come to its end.
    fn finish(&mut self) {
        if let Some(running) = self.running.take() {
            running.finish();
        }
    }

    /// Counts the leaves below the position, move by move.
    fn perft(&mut self, depth: u32) {
        self.end_search();
        let Some(game) = &self.game else { return complain("there is no position") };
        let position = game.position();
        let mut sum = 0;
        for &mv in &movegen::moves(position) {
            let leaves = movegen::perft(&position.make(mv), depth - 1);
            sum += leaves;
            say(&format!("{}: {leaves}", notation::uci(mv, self.options.is_chess960)));
        }
        say(&format!("\nNodes searched: {sum}\n"));
    }
}

/// The game of a `position` command, up to the first move that is none, and what was left out. It begins after the
/// last move that can't be taken back, with the number of the first move: what lies before does not come back, and
/// the limit of the arena's moves stays far away.
fn game(text: Option<&str>, moves: &[String]) -> Result<(Game, Vec<String>), String> {
    let (mut first, mut remarks) = match text {
        Some(text) => {
            let read = fen::read(text, CastlingRule::Fide).map_err(|error| format!("{error:#}"))?;
            (read.position, read.remarks)
        }
        None => (start::classical(CastlingRule::Fide), Vec::new()),
    };
    let mut now = first;
    let mut since = Vec::new();
    for (index, text) in moves.iter().enumerate() {
        let mv = match notation::parse_uci(&now, text) {
            Ok(mv) => mv,
            Err(error) => {
                remarks.push(format!("move {} {:?}: {error}", index + 1, shown(text)));
                break;
            }
        };
        now = now.make(mv);
        since.push(mv);
        if now.halfmoves() == 0 {
            first = now;
            since.clear();
        }
    }
    let first = fen::with_clocks(&first, [first.halfmoves(), 1]);
    let mut game = Game::new(by_fides_repetition(&first));
    since.into_iter().for_each(|mv| game.push(mv));
    Ok((game, remarks))
}

/// The position without the square behind a pawn that nobody can take: for the arena it tells positions apart, for
/// FIDE only where a capture is legal.
fn by_fides_repetition(position: &Position) -> Position {
    let can_take = movegen::moves(position).iter().any(|mv| mv.is_en_passant());
    match position.en_passant() {
        Some(_) if !can_take => fen::without_en_passant(position),
        _ => *position,
    }
}

/// Some words in quotes.
fn quoted(words: &[String]) -> String {
    let words: Vec<String> = words.iter().take(5).map(|word| format!("{word:?}")).collect();
    words.join(", ")
}

/// How long to think.
fn limits(go: &Go, side: Colour, options: &Options) -> Limits {
    let mut limits = Limits { depth: go.depth, hard_nodes: go.nodes, ..Limits::default() };
    if go.is_infinite() {
        return limits;
    }
    let within = |time: Duration| time.saturating_sub(options.overhead).max(MIN_TIME);
    if let Some(left) = go.time[side.index()] {
        let increment = go.increment[side.index()];
        let left = within(left);
        let moves = go.movestogo.map_or(EXPECTED_MOVES, |moves| moves.min(EXPECTED_MOVES));
        // Nearly all that a move adds can be spent with it.
        let planned = (left / moves + increment * 3 / 4).min(left / 2);
        // The last move before more time comes may take nearly all of it.
        let most = if moves == 1 { left * 9 / 10 } else { left / HARD_DIVISOR };
        limits.soft_time = Some(planned.min(most).max(MIN_TIME));
        limits.hard_time = Some((planned * HARD_FACTOR).min(most).max(MIN_TIME));
    }
    if let Some(time) = go.movetime {
        let time = within(time);
        limits.hard_time = Some(limits.hard_time.map_or(time, |hard| hard.min(time)));
    }
    if limits.hard_nodes.is_none() && limits.depth.is_none() {
        if let Some(nodes) = options.nodes {
            limits = Limits { hard_nodes: Some(nodes), ..Limits::default() };
        }
    }
    limits
}

#[cfg(test)]
mod tests;
