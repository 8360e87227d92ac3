//! A search in a thread of its own.

use super::output::{complain, say};
use crate::engine::interrupt;
use crate::engine::score::{self, Score};
use crate::games::chess960::game::Game;
use crate::games::chess960::movegen;
use crate::games::chess960::position::Position;
use crate::games::chess960::types::Move;
use crate::tools::labs::chess960::notation;
use crate::tools::labs::chess960::thinking::{
    best_lines, Limits, SearchResult, Searcher, Thinker, Watch, DEEPEST,
};
use std::io;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// What a program gets in place of a move where there is none.
const NO_MOVE: &str = "(none)";
/// The stack of the thread: the search is as deep as a path is long.
const STACK_BYTES: usize = 16 << 20;

/// What to think about.
pub struct Job {
    /// The game up to the position.
    pub game: Game,
    /// The moves to choose from.
    pub moves: Vec<Move>,
    /// So many of them are told.
    pub lines: usize,
    /// How long.
    pub limits: Limits,
    /// Has the answer to wait for the stop?
    pub waits_for_stop: bool,
    /// Castling is written as king's and rook's square.
    pub is_chess960: bool,
    /// The size of the table, should it have to be made anew.
    pub hash_mb: usize,
}

/// The sign to stop, which can be waited for.
#[derive(Default)]
struct Stop {
    is_given: Arc<AtomicBool>,
    lock: Mutex<()>,
    changed: Condvar,
}

impl Stop {
    fn is_given(&self) -> bool {
        self.is_given.load(Ordering::Relaxed)
    }

    fn give(&self) {
        let guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        self.is_given.store(true, Ordering::Relaxed);
        drop(guard);
        self.changed.notify_all();
    }

    fn wait(&self) {
        let mut guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        while !self.is_given() {
            guard = self.changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// A search that runs.
pub struct Running {
    stop: Arc<Stop>,
    thread: JoinHandle<Thinker>,
    waits_for_stop: bool,
}

impl Running {
    /// Starts a search.
    pub fn start(job: Job, thinker: Thinker) -> io::Result<Running> {
        let stop = Arc::new(Stop::default());
        let waits_for_stop = job.waits_for_stop;
        let shared = stop.clone();
        let builder = thread::Builder::new().stack_size(STACK_BYTES);
        let thread = builder.spawn(move || think(job, thinker, &shared))?;
        Ok(Running { stop, thread, waits_for_stop })
    }

    /// Ends the search, which answers before this returns, and gives its memory back.
    pub fn stop(self) -> Option<Thinker> {
        self.stop.give();
        self.thread.join().ok()
    }

    /// Waits for the end of a search that has one.
    pub fn finish(self) {
        if self.waits_for_stop {
            self.stop.give();
        }
        let _ = self.thread.join();
    }
}

/// Thinks and answers, even if the search should panic.
fn think(job: Job, mut thinker: Thinker, stop: &Stop) -> Thinker {
    let Job { game, moves, lines, limits, waits_for_stop, is_chess960, hash_mb } = job;
    let position = *game.position();
    if moves.is_empty() {
        let is_mate = position.checkers().any();
        say(&format!("info depth 0 score {}", if is_mate { "mate 0" } else { "cp 0" }));
    }
    let mut watch = Teller { position, is_chess960, stop, best: None };
    // The thread ends with the search.
    interrupt::set_flag(Some(stop.is_given.clone()));
    let lines = lines.min(moves.len());
    let search = AssertUnwindSafe(|| match lines {
        0 | 1 => thinker.think(&game, &moves, limits, &mut watch).best,
        _ => several_lines(&mut thinker, &game, &moves, lines, limits, &mut watch),
    });
    let best = match catch_unwind(search) {
        Ok(best) => best,
        Err(_) => {
            complain("the search has panicked");
            // It may be in pieces.
            thinker = Thinker::new(hash_mb);
            watch.best
        }
    };
    if waits_for_stop {
        stop.wait();
    }
    let best = best.filter(|&mv| movegen::is_legal(game.position(), mv));
    let text = match best {
        Some(mv) => notation::uci(mv, is_chess960),
        None => any_move(&moves, is_chess960),
    };
    say(&format!("bestmove {text}"));
    thinker
}

/// Tells of the best lines of each depth until a limit is reached; the best move.
fn several_lines(
    thinker: &mut Thinker,
    game: &Game,
    moves: &[Move],
    lines: usize,
    limits: Limits,
    watch: &mut Teller,
) -> Option<Move> {
    let begun = Instant::now();
    let mut nodes = 0;
    let (mut best, mut unfinished) = (None, None);
    for depth in 1..=limits.depth.unwrap_or(DEEPEST).min(DEEPEST) {
        let found = best_lines(moves, lines, |others| {
            let elapsed = begun.elapsed();
            let limits = Limits {
                depth: Some(depth),
                hard_nodes: limits.hard_nodes.map(|hard| hard.saturating_sub(nodes).max(1)),
                hard_time: limits.hard_time.map(|hard| hard.saturating_sub(elapsed)),
                ..Limits::default()
            };
            let mut last =
                Last { stop: watch.stop, is_finished: false, state: State::default(), depth };
            let line = thinker.think(game, others, limits, &mut last);
            nodes += line.nodes;
            unfinished = line.best;
            last.is_finished.then_some((line, last.state))
        });
        let Some(found) = found else { return best.or(unfinished) };
        best = found.first().and_then(|(line, _)| line.best);
        let elapsed = begun.elapsed();
        for (index, (line, state)) in found.iter().enumerate() {
            let line = SearchResult { nodes, ..line.clone() };
            watch.tell(&line, elapsed, *state, Some(index + 1));
        }
        let is_spent = |limit: Option<Duration>| limit.is_some_and(|limit| elapsed >= limit);
        let is_over = limits.hard_nodes.is_some_and(|hard| nodes >= hard);
        if is_over || is_spent(limits.soft_time) || is_spent(limits.hard_time) {
            break;
        }
    }
    best
}

/// Sees whether a search has come to its depth.
struct Last<'a> {
    stop: &'a Stop,
    is_finished: bool,
    state: State,
    depth: i32,
}

impl Watch for Last<'_> {
    fn report(&mut self, found: &SearchResult, _elapsed: Duration, searcher: &Searcher) {
        self.is_finished = found.depth == self.depth;
        self.state = State::of(searcher);
    }

    fn should_stop(&mut self) -> bool {
        !self.is_finished && self.stop.is_given()
    }
}

/// The first of some moves.
pub fn any_move(moves: &[Move], is_chess960: bool) -> String {
    moves.first().map_or(NO_MOVE.to_string(), |&mv| notation::uci(mv, is_chess960))
}

/// What else is told of a searcher.
#[derive(Clone, Copy, Default)]
struct State {
    longest: usize,
    fill: usize,
}

impl State {
    fn of(searcher: &Searcher) -> State {
        State { longest: searcher.longest_path(), fill: searcher.hashfull() }
    }
}

/// Tells the program how the search goes.
struct Teller<'a> {
    position: Position,
    is_chess960: bool,
    stop: &'a Stop,
    /// The best move of the last finished iteration.
    best: Option<Move>,
}

impl Teller<'_> {
    /// Tells of a finished iteration, of several lines with the number of one.
    fn tell(&mut self, found: &SearchResult, elapsed: Duration, state: State, line: Option<usize>) {
        if line.is_none_or(|line| line == 1) {
            self.best = found.best;
        }
        let head = line.map_or(String::new(), |line| format!(" multipv {line}"));
        let text = info_line(&self.position, found, elapsed, state, &head, self.is_chess960);
        if !say(&text) {
            // Nobody listens.
            self.stop.give();
        }
    }
}

impl Watch for Teller<'_> {
    fn report(&mut self, found: &SearchResult, elapsed: Duration, searcher: &Searcher) {
        self.tell(found, elapsed, State::of(searcher), None);
    }

    fn should_stop(&mut self) -> bool {
        self.stop.is_given()
    }
}

/// A line of information on a finished iteration.
fn info_line(
    position: &Position,
    found: &SearchResult,
    elapsed: Duration,
    state: State,
    line_text: &str,
    is_chess960: bool,
) -> String {
    let SearchResult { score, depth, nodes, line, .. } = found;
    let longest = state.longest.max(*depth as usize);
    let fill = state.fill;
    let speed = (*nodes as f64 / elapsed.as_secs_f64().max(1e-6)) as u64;
    let (score, time) = (score_text(*score), elapsed.as_millis());
    let mut text = format!(
        "info depth {depth} seldepth {longest}{line_text} score {score} nodes {nodes} nps {speed} \
         hashfull {fill} time {time} pv"
    );
    let mut now = *position;
    for &mv in line {
        // The table may have joined parts that do not fit.
        if !movegen::is_legal(&now, mv) {
            break;
        }
        text += &format!(" {}", notation::uci(mv, is_chess960));
        now = now.make(mv);
    }
    text
}

/// A score as UCI has it: hundredths of a pawn, or moves to the mate.
pub fn score_text(score: Score) -> String {
    match score::plies_to_end(score) {
        Some(plies) if score > 0 => format!("mate {}", plies.div_ceil(2)),
        Some(plies) => format!("mate -{}", plies.div_ceil(2)),
        None => format!("cp {score}"),
    }
}
