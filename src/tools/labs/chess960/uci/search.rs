//! A search on its own thread.

use super::client::{complain, say, Options};
use super::mate::{prove, Proof};
use super::wdl::wdl;
use crate::engine::alpha_beta::Search;
use crate::engine::guarded;
use crate::engine::interrupt;
use crate::engine::score::{self, Score};
use crate::games::chess960::game::Game;
use crate::games::chess960::movegen;
use crate::games::chess960::position::Position;
use crate::games::chess960::search::{Limits, SearchResult, Searcher};
use crate::games::chess960::types::Move;
use crate::tools::labs::chess960::lines::{self, search_lines, Task};
use crate::tools::labs::chess960::notation;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Stack size of the thread: the search is recursive.
const STACK_BYTES: usize = 16 << 20;

/// What to search.
pub struct Job {
    pub game: Game,
    /// The root moves.
    pub moves: Vec<Move>,
    pub limits: Limits,
    /// Maximum number of moves of the mate to search for.
    pub mate: Option<usize>,
    /// Whether the answer waits for `stop` or `ponderhit`.
    pub is_infinite: bool,
    /// Time for the move after `ponderhit`; `None` if the search was not for pondering.
    pub ponder_time: Option<Duration>,
    pub options: Options,
}

/// A running search.
pub struct Running {
    stop: Arc<AtomicBool>,
    /// Whether the answer waits for `stop` or `ponderhit`.
    waits: Arc<AtomicBool>,
    thread: JoinHandle<Searcher>,
    started: Instant,
    ponder_time: Option<Duration>,
    /// Whether it ends by itself after a number of nodes or at a depth.
    has_end: bool,
}

impl Running {
    /// Starts a search.
    pub fn start(job: Job, searcher: Searcher) -> io::Result<Running> {
        let stop = Arc::new(AtomicBool::new(false));
        let waits = Arc::new(AtomicBool::new(job.is_infinite));
        let ponder_time = job.ponder_time;
        let has_end = job.limits.hard_nodes.or(job.limits.depth.map(|_| 0)).is_some();
        let shared = (stop.clone(), waits.clone());
        let builder = thread::Builder::new().stack_size(STACK_BYTES);
        let thread = builder.spawn(move || think(job, searcher, shared.0, &shared.1))?;
        Ok(Running { stop, waits, thread, started: Instant::now(), ponder_time, has_end })
    }

    /// The expected move was made: from now on the search has its time limit, if there is one. The time spent pondering
    /// counts, so a long enough search ends at once. Returns `false` if the search has no limit.
    pub fn ponderhit(&self) -> bool {
        if let Some(time) = self.ponder_time {
            let (stop, left) = (self.stop.clone(), time.saturating_sub(self.started.elapsed()));
            let timer = move || {
                thread::sleep(left);
                stop.store(true, Ordering::Release);
            };
            if left.is_zero() || thread::Builder::new().spawn(timer).is_err() {
                self.stop.store(true, Ordering::Release);
            }
        } else if !self.has_end {
            return false;
        }
        self.waits.store(false, Ordering::Release);
        self.thread.thread().unpark();
        true
    }

    /// Stops the search, which answers before this returns, and returns its memory.
    pub fn stop(self) -> Option<Searcher> {
        self.stop.store(true, Ordering::Release);
        self.thread.thread().unpark();
        self.thread.join().ok()
    }

    /// Waits for the end of a search that is limited by nodes or depth, and stops any other one: there is no client
    /// whose time it could use.
    pub fn finish(self) {
        if self.has_end && !self.waits.load(Ordering::Acquire) {
            let _ = self.thread.join();
        } else {
            self.stop();
        }
    }
}

/// Searches and answers, even if the search panics.
fn think(job: Job, mut searcher: Searcher, stop: Arc<AtomicBool>, waits: &AtomicBool) -> Searcher {
    let position = *job.game.position();
    if job.moves.is_empty() {
        let score = if position.checkers().any() { "mate 0" } else { "cp 0" };
        say(&format!("info depth 0 score {score}"));
    }
    interrupt::set_flag(Some(stop.clone()));
    let is_chess960 = job.options.is_chess960;
    let shows_wdl = job.options.shows_wdl;
    let mut reporter =
        Reporter { position, is_chess960, shows_wdl, stop: &stop, last_report: None };
    let found = guarded(|| {
        let Job { game, moves, limits, options, .. } = &job;
        let task = Task { game, moves, lines: options.lines, limits: *limits };
        let found = search_lines(&mut searcher, &task, &mut |found, searcher| {
            (1..).zip(found).for_each(|(number, line)| reporter.report(line, searcher, number));
            if found.first().is_some_and(|best| is_wanted_mate(&job, best)) && !job.is_infinite {
                stop.store(true, Ordering::Release);
            }
        });
        found.unwrap_or_else(|| unsearched(moves))
    });
    let found = found.unwrap_or_else(|| {
        complain("the search has panicked");
        // Its state may be inconsistent.
        searcher = lines::searcher(job.options.hash_mb);
        reporter.last_report.clone().unwrap_or_else(|| unsearched(&job.moves))
    });
    reporter.conclude(&found, &searcher);
    let found = mate_of(&job, found, &mut reporter, &searcher);
    while waits.load(Ordering::Acquire) && !stop.load(Ordering::Acquire) {
        thread::park();
    }
    say_best(&position, &found, is_chess960);
    searcher
}

/// Whether a result is the mate that is searched for, or a shorter one.
fn is_wanted_mate(job: &Job, found: &SearchResult) -> bool {
    let plies = score::plies_to_end(found.score).filter(|_| found.score > 0);
    plies.zip(job.mate).is_some_and(|(plies, moves)| plies < 2 * moves)
}

/// Proves or refutes the mate that is searched for, unless the search of play has found it or was stopped.
fn mate_of(
    job: &Job,
    found: SearchResult,
    reporter: &mut Reporter,
    searcher: &Searcher,
) -> SearchResult {
    let Some(moves) = job.mate.filter(|_| !is_wanted_mate(job, &found)) else { return found };
    // The stop flag interrupts it.
    let mut budget = searcher.core().budget;
    let mut may_continue = || budget.count_node().is_ok();
    match prove(job.game.position(), &job.moves, moves, &mut may_continue) {
        Proof::Mate(line) => {
            let score = score::win_in(line.len());
            let depth = line.len() as i32;
            let nodes = budget.nodes();
            let proved = SearchResult { best: line.first().copied(), score, depth, nodes, line };
            reporter.report(&proved, searcher, 1);
            proved
        }
        Proof::Refuted => {
            say(&format!("info string there is no mate in {moves}"));
            found
        }
        Proof::Stopped => found,
    }
}

/// Returns the result of a search that found nothing: the first move.
pub fn unsearched(moves: &[Move]) -> SearchResult {
    let line = moves.iter().take(1).copied().collect();
    SearchResult { line, ..SearchResult::unsearched(moves.first().copied()) }
}

/// Sends the answer to `go`, with the expected reply if there is one.
pub fn say_best(position: &Position, found: &SearchResult, is_chess960: bool) {
    let Some(best) = found.best else {
        say("bestmove (none)");
        return;
    };
    let mut text = format!("bestmove {}", notation::uci(best, is_chess960));
    let reply = found.line.get(1).filter(|_| found.line[0] == best);
    if let Some(&reply) = reply.filter(|&&mv| movegen::is_legal(&position.make(best), mv)) {
        text += &format!(" ponder {}", notation::uci(reply, is_chess960));
    }
    say(&text);
}

/// Reports the progress of the search to the client.
struct Reporter<'a> {
    position: Position,
    is_chess960: bool,
    shows_wdl: bool,
    stop: &'a AtomicBool,
    /// The best line sent last.
    last_report: Option<SearchResult>,
}

impl Reporter<'_> {
    /// Sends the line of a move; `number` is its rank in a multi-PV search.
    fn report(&mut self, found: &SearchResult, searcher: &Searcher, number: usize) {
        if number == 1 {
            self.last_report = Some(found.clone());
        }
        let SearchResult { score, nodes, .. } = found;
        // Before the end of the first iteration the depth is 0.
        let depth = found.depth.max(1);
        let seldepth = searcher.longest_path().max(depth as usize);
        let elapsed = searcher.core().budget.elapsed();
        let nps = (*nodes as f64 / elapsed.as_secs_f64().max(1e-6)) as u64;
        let mut score_text = score_text(*score);
        if self.shows_wdl {
            let [win, draw, loss] = wdl(*score, &self.position);
            score_text += &format!(" wdl {win} {draw} {loss}");
        }
        let (score, time, fill) = (score_text, elapsed.as_millis(), searcher.hashfull());
        let mut text = format!(
            "info depth {depth} seldepth {seldepth} multipv {number} score {score} nodes {nodes} nps {nps} \
             hashfull {fill} time {time} pv"
        );
        let mut now = self.position;
        for &mv in &found.line {
            // A line from the table may contain illegal moves.
            if !movegen::is_legal(&now, mv) {
                break;
            }
            text += &format!(" {}", notation::uci(mv, self.is_chess960));
            now = now.make(mv);
        }
        if !say(&text) {
            // There is no reader.
            self.stop.store(true, Ordering::Release);
        }
    }

    /// Sends the result if an unfinished iteration has changed the best move, or if no iteration was finished: clients
    /// expect `bestmove` to be the first move of the last line.
    fn conclude(&mut self, found: &SearchResult, searcher: &Searcher) {
        let reported = self.last_report.as_ref().map(|report| report.best);
        if found.best.is_some() && reported != Some(found.best) {
            self.report(found, searcher, 1);
        }
    }
}

/// Formats a score: centipawns, or moves to the mate.
pub fn score_text(score: Score) -> String {
    match score::plies_to_end(score) {
        Some(plies) if score > 0 => format!("mate {}", plies.div_ceil(2)),
        Some(plies) => format!("mate -{}", plies.div_ceil(2)),
        None => format!("cp {score}"),
    }
}
