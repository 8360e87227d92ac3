//! A UCI engine on stdin and stdout (universal chess interface of R. Huber and S. Meyer-Kahlen, 2006).
//!
//! One thread reads commands, another one searches, so that `stop` takes effect at once. Invalid commands are answered
//! by `info string`, but `go` always by a move. Castling and repetition follow FIDE's rules, and the arena's move limit
//! does not apply.

mod client;
mod go;
mod mate;
mod search;
mod strength;
mod wdl;

use super::lines::searcher;
use super::{fen, notation};
use crate::games::chess960::game::Game;
use crate::games::chess960::movegen;
use crate::games::chess960::position::{CastlingRule, Position};
use crate::games::chess960::search::Searcher;
use crate::games::chess960::start;
use crate::games::chess960::types::Move;
use crate::tools::contracts::opponent::MAX_HASH_MB;
use crate::tools::contracts::Settings;
use crate::tools::support::text::{shown, TextLines};
use anyhow::Result;
use client::{complain, cut, ensure_written, say, Options};
use go::Go;
use search::{Job, Running};
use std::io;
use std::ops::RangeInclusive;
use std::process::ExitCode;
use std::time::Duration;
use strength::{MAX_ELO, MIN_ELO};

const MAX_OVERHEAD_MS: u64 = 5_000;
/// Maximum number of lines of a multi-PV search.
const MAX_LINES: u64 = 256;
/// Maximum of the option Threads, since some clients set it unasked. The search uses one.
const MAX_THREADS: u64 = 1024;
/// Maximum depth of `go perft`.
const MAX_PERFT: u32 = 12;
/// The first words of commands.
const COMMANDS: &str =
    "uci isready ucinewgame setoption position go stop ponderhit quit exit d debug register";

/// Serves a client until `quit` or the end of the input.
pub fn serve(settings: Settings) -> Result<ExitCode> {
    let mut server = Server::new(settings);
    for line in TextLines::new(io::stdin().lock()) {
        let result = match line?.text {
            Some(text) => server.execute(&text),
            None => server.skip_line(),
        };
        match result {
            Ok(true) => {}
            Ok(false) => break,
            Err(reason) => complain(&reason),
        }
        ensure_written()?;
    }
    server.running.into_iter().for_each(Running::finish);
    ensure_written()?;
    Ok(ExitCode::SUCCESS)
}

/// The state between commands.
struct Server {
    options: Options,
    /// `None` if the last position could not be read.
    game: Option<Game>,
    /// Move number of the position; the game counts from 1, because UCI has no limit.
    number: usize,
    /// `None` during a search and before the first one.
    searcher: Option<Searcher>,
    running: Option<Running>,
}

impl Server {
    fn new(settings: Settings) -> Server {
        let game = Some(Game::new(start::classical(CastlingRule::Fide)));
        let options = Options::new(settings);
        Server { options, game, number: 1, searcher: None, running: None }
    }

    /// Executes a line and returns `false` on `quit`. Words before the command are skipped, as the protocol demands.
    fn execute(&mut self, line: &str) -> Result<bool, String> {
        let line = line.trim().trim_start_matches('\u{feff}');
        let words: Vec<&str> = line.split_whitespace().collect();
        let is_command = |word: &&str| COMMANDS.split(' ').any(|name| is(word, name));
        let Some(at) = words.iter().position(is_command) else {
            return match words[..] {
                [] => Ok(true),
                _ => Err(format!("unknown command {:?}", cut(line))),
            };
        };
        let (name, rest) = (words[at].to_ascii_lowercase(), &words[at + 1..]);
        match (name.as_str(), rest) {
            ("uci", _) => self.introduce(),
            ("isready", _) => {
                self.get_ready();
                say("readyok");
            }
            ("ucinewgame", _) => {
                self.end_search();
                self.get_ready();
                self.searcher.iter_mut().for_each(Searcher::clear);
            }
            ("setoption", words) => self.set_option(words)?,
            ("position", words) => self.set_position(words)?,
            ("go", [word, depth @ ..]) if is(word, "perft") => self.perft(depth)?,
            ("go", words) => self.go(&Go::parse(words)),
            ("ponderhit", _) if self.running.as_ref().is_some_and(Running::ponderhit) => {}
            ("stop" | "ponderhit", _) => self.end_search(),
            ("quit" | "exit", _) => {
                self.end_search();
                return Ok(false);
            }
            ("d", _) => {
                let position = self.game.as_ref().map(|game| {
                    let position = game.position();
                    fen::text(&position.with_clocks(position.halfmoves(), self.number))
                });
                say(&format!("info string {}", position.as_deref().unwrap_or("no position")));
            }
            _ => {}
        }
        Ok(true)
    }

    /// Skips a line that is too long. It may have been a position.
    fn skip_line(&mut self) -> Result<bool, String> {
        self.game = None;
        Err("the line is too long".to_string())
    }

    /// Allocates the hash table and touches its memory, so that the first move does not pay for it.
    fn get_ready(&mut self) {
        if self.searcher.is_none() && self.running.is_none() {
            let mut searcher = searcher(self.options.hash_mb);
            searcher.clear();
            self.searcher = Some(searcher);
        }
    }

    fn introduce(&self) {
        let Options { hash_mb, overhead, .. } = self.options;
        let (version, overhead) = (env!("CARGO_PKG_VERSION"), overhead.as_millis());
        say(&format!(
            "id name cupbot {version}\n\
             id author the authors of cupbot\n\
             option name Hash type spin default {hash_mb} min 1 max {MAX_HASH_MB}\n\
             option name Clear Hash type button\n\
             option name Threads type spin default 1 min 1 max {MAX_THREADS}\n\
             option name Ponder type check default false\n\
             option name Move Overhead type spin default {overhead} min 0 max {MAX_OVERHEAD_MS}\n\
             option name MultiPV type spin default 1 min 1 max {MAX_LINES}\n\
             option name UCI_Chess960 type check default false\n\
             option name UCI_AnalyseMode type check default false\n\
             option name UCI_ShowWDL type check default false\n\
             option name UCI_LimitStrength type check default false\n\
             option name UCI_Elo type spin default {MAX_ELO} min {MIN_ELO} max {MAX_ELO}\n\
             uciok"
        ));
    }

    fn set_option(&mut self, words: &[&str]) -> Result<(), String> {
        let at = words.iter().position(|word| is(word, "value")).unwrap_or(words.len());
        let (name, value) = match words.split_at(at) {
            ([word, name @ ..], value) if is(word, "name") && !name.is_empty() => (name, value),
            _ => return Err("expected setoption name NAME value VALUE".to_string()),
        };
        let (name, value) = (name.join(" "), value.get(1..).unwrap_or_default().join(" "));
        let bad = || format!("option {name}: invalid value {value:?}");
        let number = |range: RangeInclusive<u64>| {
            value.parse().ok().filter(|number| range.contains(number)).ok_or_else(bad)
        };
        let is_on = || value.to_ascii_lowercase().parse::<bool>().map_err(|_| bad());
        match name.to_ascii_lowercase().as_str() {
            "hash" => {
                self.options.hash_mb = number(1..=MAX_HASH_MB)? as usize;
                self.end_search();
                self.searcher = None;
                self.get_ready();
            }
            "clear hash" => {
                self.end_search();
                self.searcher.iter_mut().for_each(Searcher::clear);
            }
            "threads" => {
                if number(1..=MAX_THREADS)? > 1 {
                    say("info string the search uses one thread");
                }
            }
            "move overhead" => {
                self.options.overhead = Duration::from_millis(number(0..=MAX_OVERHEAD_MS)?)
            }
            "multipv" => self.options.lines = number(1..=MAX_LINES)? as usize,
            "uci_chess960" => self.options.is_chess960 = is_on()?,
            "uci_showwdl" => self.options.shows_wdl = is_on()?,
            "uci_limitstrength" => self.options.is_limited = is_on()?,
            "uci_elo" => self.options.elo = number(MIN_ELO..=MAX_ELO)?,
            // `go ponder` works in any case, and the search treats all positions alike.
            "ponder" | "uci_analysemode" => drop(is_on()?),
            _ => return Err(format!("no option is named {name:?}")),
        }
        Ok(())
    }

    /// Sets the position as far as the line can be read. After an error there is no position: an answer about an older
    /// one would belong to another game.
    fn set_position(&mut self, words: &[&str]) -> Result<(), String> {
        self.game = None;
        let at = words.iter().position(|word| is(word, "moves")).unwrap_or(words.len());
        let (first, moves) = words.split_at(at);
        // Some clients leave out `fen` or `moves`.
        let (fen, early) = match first {
            [word, moves @ ..] if is(word, "startpos") => (None, moves),
            [word, fields @ ..] if is(word, "fen") && !fields.is_empty() => (Some(fields), &[][..]),
            [board, ..] if board.contains('/') => (Some(first), &[][..]),
            _ => {
                return Err("expected position startpos or position fen FEN, then moves".to_string())
            }
        };
        let moves: Vec<&str> = early.iter().chain(moves.iter().skip(1)).copied().collect();
        let (game, remarks, number) = game(fen.map(|fields| fields.join(" ")).as_deref(), &moves)?;
        (self.game, self.number) = (Some(game), number);
        remarks.iter().for_each(|remark| complain(remark));
        Ok(())
    }

    /// Starts a search, after the answer of the running one.
    fn go(&mut self, go: &Go) {
        self.end_search();
        if !go.unread.is_empty() {
            let words: Vec<String> = go.unread.iter().take(5).map(|w| format!("{w:?}")).collect();
            complain(&format!("go: can't read {}", words.join(", ")));
        }
        let Some(game) = self.game.clone() else {
            complain("there is no position");
            say("bestmove 0000");
            return;
        };
        let position = *game.position();
        let mut moves: Vec<Move> = movegen::moves(&position).to_vec();
        let wanted = go.searchmoves.iter().filter_map(|text| {
            let mv = notation::parse_uci(&position, text);
            mv.map_err(|error| complain(&format!("searchmoves {text:?}: {error}"))).ok()
        });
        let wanted: Vec<Move> = wanted.collect();
        if !wanted.is_empty() {
            moves.retain(|mv| wanted.contains(mv));
        }
        let options = self.options;
        let mut limits = go.limits(position.side(), &options);
        if options.is_limited {
            let most = strength::nodes(options.elo);
            limits.hard_nodes = Some(limits.hard_nodes.map_or(most, |nodes| nodes.min(most)));
        }
        let first = search::unsearched(&moves);
        let ponder_time = go.ponder_time(position.side(), &options);
        let is_infinite = go.is_infinite;
        let mate = go.mate;
        let job = Job { game, moves, limits, mate, is_infinite, ponder_time, options };
        let searcher = self.searcher.take().unwrap_or_else(|| searcher(options.hash_mb));
        match Running::start(job, searcher) {
            Ok(running) => self.running = Some(running),
            Err(error) => {
                complain(&format!("can't start a search thread: {error}"));
                search::say_best(&position, &first, options.is_chess960);
            }
        }
    }

    /// Stops the running search, if any: it answers before this returns.
    fn end_search(&mut self) {
        if let Some(running) = self.running.take() {
            self.searcher = running.stop();
        }
    }

    /// Counts the leaves below each move of the position.
    fn perft(&mut self, words: &[&str]) -> Result<(), String> {
        let depth = words.first().and_then(|text| text.parse().ok());
        let depth = depth.filter(|depth| (1..=MAX_PERFT).contains(depth));
        let depth = depth.ok_or_else(|| format!("go perft: expected 1 to {MAX_PERFT}"))?;
        self.end_search();
        let game = self.game.as_ref().ok_or("there is no position")?;
        let position = game.position();
        let mut sum = 0;
        for &mv in &movegen::moves(position) {
            let leaves = movegen::perft(&position.make(mv), depth - 1);
            sum += leaves;
            say(&format!("{}: {leaves}", notation::uci(mv, self.options.is_chess960)));
        }
        say(&format!("\nNodes searched: {sum}\n"));
        Ok(())
    }
}

/// Compares a word with a keyword, ignoring case.
fn is(word: &str, keyword: &str) -> bool {
    word.eq_ignore_ascii_case(keyword)
}

/// Returns the game of a `position` command up to the first illegal move, and remarks on what was left out. It starts
/// after the last irreversible move, as move 1: earlier positions can't repeat, and the arena's move limit stays far
/// away.
fn game(text: Option<&str>, moves: &[&str]) -> Result<(Game, Vec<String>, usize), String> {
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
    let mut game = Game::new(with_fide_repetition(first.with_clocks(first.halfmoves(), 1)));
    since.into_iter().for_each(|mv| game.push(mv));
    Ok((game, remarks, now.number()))
}

/// Removes the en passant square if no capture is legal: the arena distinguishes such positions, FIDE does not.
fn with_fide_repetition(position: Position) -> Position {
    let can_take = movegen::moves(&position).iter().any(|mv| mv.is_en_passant());
    if can_take {
        position
    } else {
        position.without_en_passant()
    }
}

#[cfg(test)]
mod tests;
