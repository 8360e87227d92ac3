//! A search on its own thread.

use super::client::{complain, say, Options};
use crate::engine::interrupt;
use crate::engine::score::{self, Score};
use crate::games::chess960::game::Game;
use crate::games::chess960::movegen;
use crate::games::chess960::position::Position;
use crate::games::chess960::types::Move;
use crate::tools::labs::chess960::notation;
use crate::tools::labs::chess960::thinking::{
    best_lines, Limits, NoObserver, SearchResult, Searcher, Thinker, Watch, DEEPEST,
};
use std::io;
use std::panic::{catch_unwind, AssertUnwindSafe};
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
    /// Whether the answer waits for `stop`.
    pub is_infinite: bool,
    pub options: Options,
}

/// A running search.
pub struct Running {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<Thinker>,
    is_infinite: bool,
}

impl Running {
    /// Starts a search.
    pub fn start(job: Job, thinker: Thinker) -> io::Result<Running> {
        let stop = Arc::new(AtomicBool::new(false));
        let is_infinite = job.is_infinite;
        let shared = stop.clone();
        let builder = thread::Builder::new().stack_size(STACK_BYTES);
        let thread = builder.spawn(move || think(job, thinker, shared))?;
        Ok(Running { stop, thread, is_infinite })
    }

    /// Stops the search, which answers before this returns, and returns its memory.
    pub fn stop(self) -> Option<Thinker> {
        self.stop.store(true, Ordering::Release);
        self.thread.thread().unpark();
        self.thread.join().ok()
    }

    /// Waits for the end of a search that has limits, and stops any other one.
    pub fn finish(self) {
        if self.is_infinite {
            self.stop();
        } else {
            let _ = self.thread.join();
        }
    }
}

/// Searches and answers, even if the search panics.
fn think(job: Job, mut thinker: Thinker, stop: Arc<AtomicBool>) -> Thinker {
    let position = *job.game.position();
    if job.moves.is_empty() {
        let score = if position.checkers().any() { "mate 0" } else { "cp 0" };
        say(&format!("info depth 0 score {score}"));
    }
    interrupt::set_flag(Some(stop.clone()));
    let is_chess960 = job.options.is_chess960;
    let mut teller = Teller { position, is_chess960, stop: &stop, best: None };
    let search = AssertUnwindSafe(|| {
        if job.options.lines.min(job.moves.len()) > 1 {
            return several_lines(&mut thinker, &job, &mut teller);
        }
        thinker.think(&job.game, &job.moves, job.limits, &mut teller).best
    });
    let best = catch_unwind(search).unwrap_or_else(|_| {
        complain("the search has panicked");
        // Its state may be inconsistent.
        thinker = Thinker::new(job.options.hash_mb);
        teller.best
    });
    while job.is_infinite && !stop.load(Ordering::Acquire) {
        thread::park();
    }
    let best = best.filter(|&mv| movegen::is_legal(&position, mv));
    say_best(best.or(job.moves.first().copied()), is_chess960);
    thinker
}

/// Sends the answer to `go`.
pub fn say_best(mv: Option<Move>, is_chess960: bool) {
    let text = mv.map_or("(none)".to_string(), |mv| notation::uci(mv, is_chess960));
    say(&format!("bestmove {text}"));
}

/// Searches several lines (multi-PV) depth by depth until a limit is reached, and returns the best move.
fn several_lines(thinker: &mut Thinker, job: &Job, teller: &mut Teller) -> Option<Move> {
    let begun = Instant::now();
    let Job { game, moves, limits, options, .. } = job;
    let mut nodes = 0;
    let (mut best, mut unfinished) = (None, None);
    for depth in 1..=limits.depth.unwrap_or(DEEPEST).min(DEEPEST) {
        let found = best_lines(moves, options.lines.min(moves.len()), |others| {
            let elapsed = begun.elapsed();
            let limits = Limits {
                depth: Some(depth),
                hard_nodes: limits.hard_nodes.map(|hard| hard.saturating_sub(nodes).max(1)),
                hard_time: limits.hard_time.map(|hard| hard.saturating_sub(elapsed)),
                ..Limits::default()
            };
            let line = thinker.think(game, others, limits, &mut NoObserver);
            nodes += line.nodes;
            unfinished = line.best;
            (line.depth == depth).then(|| (line, State::of(thinker.searcher())))
        });
        let Some(found) = found else { return best.or(unfinished) };
        best = found.first().and_then(|(line, _)| line.best);
        let elapsed = begun.elapsed();
        for (index, (line, state)) in found.into_iter().enumerate() {
            teller.tell(&SearchResult { nodes, ..line }, elapsed, state, Some(index + 1));
        }
        let is_spent = |limit: Option<Duration>| limit.is_some_and(|limit| elapsed >= limit);
        let is_over = limits.hard_nodes.is_some_and(|hard| nodes >= hard);
        if is_over || is_spent(limits.soft_time) || is_spent(limits.hard_time) {
            break;
        }
    }
    best
}

/// State of the searcher that is reported.
struct State {
    seldepth: usize,
    hashfull: usize,
}

impl State {
    fn of(searcher: &Searcher) -> State {
        State { seldepth: searcher.longest_path(), hashfull: searcher.hashfull() }
    }
}

/// Reports the progress of the search to the client.
struct Teller<'a> {
    position: Position,
    is_chess960: bool,
    stop: &'a AtomicBool,
    /// The best move of the last finished iteration.
    best: Option<Move>,
}

impl Teller<'_> {
    /// Sends a line on a finished iteration; `line` is its number in a multi-PV search.
    fn tell(&mut self, found: &SearchResult, elapsed: Duration, state: State, line: Option<usize>) {
        if line.is_none_or(|line| line == 1) {
            self.best = found.best;
        }
        let SearchResult { score, depth, nodes, .. } = found;
        let multipv = line.map_or(String::new(), |line| format!(" multipv {line}"));
        let seldepth = state.seldepth.max(*depth as usize);
        let nps = (*nodes as f64 / elapsed.as_secs_f64().max(1e-6)) as u64;
        let (score, time, fill) = (score_text(*score), elapsed.as_millis(), state.hashfull);
        let mut text = format!(
            "info depth {depth} seldepth {seldepth}{multipv} score {score} nodes {nodes} nps {nps} \
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
}

impl Watch for Teller<'_> {
    fn report(&mut self, found: &SearchResult, elapsed: Duration, searcher: &Searcher) {
        self.tell(found, elapsed, State::of(searcher), None);
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
