//! The search that the tools think with. A stand-in until the engine's own is there.

use crate::engine::score::{self, Score, INFINITE};
use crate::games::chess960::game::Game;
use crate::games::chess960::movegen;
use crate::games::chess960::position::Position;
use crate::games::chess960::types::{Colour, Kind, Move};
use std::time::{Duration, Instant};

/// When to stop.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    pub depth: Option<i32>,
    pub hard_nodes: Option<u64>,
    pub soft_time: Option<Duration>,
    pub hard_time: Option<Duration>,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct SearchResult {
    pub best: Option<Move>,
    pub score: Score,
    pub depth: i32,
    pub nodes: u64,
    pub line: Vec<Move>,
}

/// What watches a search.
pub trait Watch {
    fn report(&mut self, _found: &SearchResult, _elapsed: Duration) {}
    fn should_stop(&mut self) -> bool {
        false
    }
}

/// Thinks.
pub struct Thinker {
    nodes: u64,
    stopped: bool,
}

struct Run<'a> {
    limits: Limits,
    started: Instant,
    watch: &'a mut dyn Watch,
}

impl Thinker {
    pub fn new(_hash_mb: usize) -> Thinker {
        Thinker { nodes: 0, stopped: false }
    }

    pub fn clear(&mut self) {}

    pub fn think(
        &mut self,
        game: &Game,
        moves: &[Move],
        limits: Limits,
        watch: &mut dyn Watch,
    ) -> SearchResult {
        self.nodes = 0;
        self.stopped = false;
        let mut run = Run { limits, started: Instant::now(), watch };
        let best = moves.first().copied();
        let mut found = SearchResult { best, score: 0, depth: 0, nodes: 0, line: best.into_iter().collect() };
        for depth in 1..=limits.depth.unwrap_or(64) {
            let mut top = (-INFINITE, Vec::new());
            for &mv in moves {
                let (value, mut line) = self.search(&game.position().make(mv), depth - 1, -INFINITE, -top.0, 1, &mut run);
                if self.stopped {
                    break;
                }
                if -value > top.0 {
                    line.insert(0, mv);
                    top = (-value, line);
                }
            }
            if self.stopped || top.1.is_empty() {
                break;
            }
            found = SearchResult { best: top.1.first().copied(), score: top.0, depth, nodes: self.nodes, line: top.1 };
            run.watch.report(&found, run.started.elapsed());
            if limits.soft_time.is_some_and(|soft| run.started.elapsed() >= soft) {
                break;
            }
        }
        found.nodes = self.nodes;
        found
    }

    fn search(&mut self, position: &Position, depth: i32, mut alpha: Score, beta: Score, ply: usize, run: &mut Run) -> (Score, Vec<Move>) {
        self.nodes += 1;
        if self.nodes % 256 == 0 {
            self.stopped |= run.watch.should_stop() || run.limits.hard_time.is_some_and(|hard| run.started.elapsed() >= hard);
        }
        self.stopped |= run.limits.hard_nodes.is_some_and(|hard| self.nodes >= hard);
        if self.stopped {
            return (0, Vec::new());
        }
        let moves = movegen::moves(position);
        if moves.is_empty() {
            let is_mate = position.checkers().any();
            return (if is_mate { score::lost_in(ply) } else { 0 }, Vec::new());
        }
        if depth <= 0 {
            return (evaluate(position), Vec::new());
        }
        let mut best = (-INFINITE, Vec::new());
        for &mv in &moves {
            let (value, mut line) = self.search(&position.make(mv), depth - 1, -beta, -alpha, ply + 1, run);
            if -value > best.0 {
                line.insert(0, mv);
                best = (-value, line);
                alpha = alpha.max(-value);
            }
            if alpha >= beta {
                break;
            }
        }
        best
    }
}

fn evaluate(position: &Position) -> Score {
    let worth = [100, 300, 320, 500, 900, 0];
    let of = |colour: Colour| -> Score {
        Kind::ALL.iter().zip(worth).map(|(&kind, worth)| position.pieces(colour, kind).count() as Score * worth).sum()
    };
    of(position.side()) - of(!position.side()) + movegen::count(position) as Score
}
