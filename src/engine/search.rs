//! Common parts of alpha-beta searches: limits, windows, results and principal variations.

use super::clock::Stopwatch;
use super::interrupt;
use super::score::{self, Score, INFINITE};
use std::cmp::Ordering;
use std::ops::Neg;
use std::time::Duration;

/// Search limits. By default only the built-in maximum depth applies.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// Maximum depth, in plies.
    pub depth: Option<i32>,
    /// Soft node limit: no new iteration starts beyond it.
    pub soft_nodes: Option<u64>,
    /// Hard node limit: the search stops at it.
    pub hard_nodes: Option<u64>,
    /// Soft time limit: no new iteration starts beyond it. A search may scale it by the stability of the best
    /// move.
    pub soft_time: Option<Duration>,
    /// Hard time limit: the search stops at it.
    pub hard_time: Option<Duration>,
}

/// A limit or an interruption has stopped the search.
#[derive(Clone, Copy, Debug)]
pub struct Stopped;

/// The score of a node.
pub type Searched = Result<Score, Stopped>;

/// A search window: scores from `alpha` on up to `beta` are exact, others are bounds.
#[derive(Clone, Copy)]
pub struct Window {
    /// The lower bound.
    pub alpha: Score,
    /// The upper bound.
    pub beta: Score,
}

impl Window {
    /// All scores.
    pub const FULL: Window = Window { alpha: -INFINITE, beta: INFINITE };

    /// Returns the null window that decides whether a score is above `alpha`.
    #[inline(always)]
    pub const fn null(alpha: Score) -> Window {
        Window { alpha, beta: alpha + 1 }
    }
}

/// The window of the other side.
impl Neg for Window {
    type Output = Window;

    #[inline(always)]
    fn neg(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}

/// The best of the moves tried at a node.
pub struct Best<M> {
    /// The best score; `-INFINITE` before the first move.
    pub score: Score,
    /// The move with this score, if it is above the first alpha.
    pub mv: Option<M>,
    /// The window of the next move.
    pub window: Window,
}

impl<M> Best<M> {
    /// Begins a node with this window.
    #[inline(always)]
    pub fn new(window: Window) -> Best<M> {
        Best { score: -INFINITE, mv: None, window }
    }

    /// Adds the score of a move. Returns whether it is above alpha.
    #[inline(always)]
    pub fn add(&mut self, mv: M, score: Score) -> bool {
        self.score = self.score.max(score);
        let is_raised = score > self.window.alpha;
        if is_raised {
            self.window.alpha = score;
            self.mv = Some(mv);
        }
        is_raised
    }

    /// Whether the node fails high.
    #[inline(always)]
    pub fn is_cutoff(&self) -> bool {
        self.score >= self.window.beta
    }
}

/// The time and nodes that a running search has used, and their limits.
pub struct Effort {
    /// Nodes visited.
    pub nodes: u64,
    /// The limits.
    pub limits: Limits,
    /// Time since the beginning of the search.
    pub started: Stopwatch,
    /// When the clock was last read.
    looked: Duration,
    /// The longest time between two readings of the clock, if the clock limits the search: long if another process
    /// had the processor.
    pub longest_pause: Duration,
}

impl Effort {
    /// Begins a search.
    pub fn begin(limits: Limits) -> Effort {
        Effort {
            nodes: 0,
            limits,
            started: Stopwatch::start(),
            looked: Duration::ZERO,
            longest_pause: Duration::ZERO,
        }
    }

    /// Counts a node. Fails if the search must end. The clock is read once in `interval` nodes.
    #[inline(always)]
    pub fn count_node(&mut self, interval: u64) -> Result<(), Stopped> {
        self.nodes += 1;
        let mut is_over = self.limits.hard_nodes.map_or(false, |hard| self.nodes >= hard);
        if self.nodes % interval == 0 {
            is_over |= interrupt::is_raised();
            if let Some(hard) = self.limits.hard_time {
                let elapsed = self.started.elapsed();
                self.longest_pause = self.longest_pause.max(elapsed.saturating_sub(self.looked));
                self.looked = elapsed;
                is_over |= elapsed >= hard;
            }
        }
        if is_over {
            Err(Stopped)
        } else {
            Ok(())
        }
    }

    /// Whether no new iteration may start: `soft_time` or the soft node limit has passed.
    pub fn is_past(&self, soft_time: Option<Duration>) -> bool {
        self.limits.soft_nodes.map_or(false, |soft| self.nodes >= soft)
            || soft_time.map_or(false, |soft| self.started.elapsed() >= soft)
    }
}

/// The window of an iteration: narrow around the score of the last one, widened until the score is inside.
pub struct Aspiration {
    /// The window.
    pub window: Window,
    width: Score,
}

impl Aspiration {
    /// Returns the first window of an iteration to this depth.
    pub fn new(depth: i32, last: Score, width: Score) -> Aspiration {
        let window = if depth >= 4 && !score::is_decisive(last) {
            Window { alpha: last - width, beta: last + width }
        } else {
            Window::FULL
        };
        Aspiration { window, width }
    }

    /// Compares a score with the window, and widens the window on the side on which the score is outside.
    pub fn widen(&mut self, score: Score) -> Ordering {
        self.width *= 3;
        let Window { alpha, beta } = &mut self.window;
        let is_decisive = score::is_decisive(score);
        if score <= *alpha && *alpha > -INFINITE {
            *alpha = if is_decisive { -INFINITE } else { score - self.width };
            Ordering::Less
        } else if score >= *beta && *beta < INFINITE {
            *beta = if is_decisive { INFINITE } else { score + self.width };
            Ordering::Greater
        } else {
            Ordering::Equal
        }
    }
}

/// A table of late move reductions by depth and move number.
pub struct Reductions(Vec<[i32; 64]>);

impl Reductions {
    /// Creates a table of what `reduction` returns for a depth and a move number.
    pub fn new(reduction: impl Fn(usize, usize) -> i32) -> Reductions {
        let row = |depth| {
            let mut row = [0; 64];
            row.iter_mut().enumerate().for_each(|(count, entry)| *entry = reduction(depth, count));
            row
        };
        Reductions((0..64).map(row).collect())
    }

    /// Returns the reduction of the `count`-th move (from 1) at a depth.
    #[inline(always)]
    pub fn of(&self, depth: i32, count: usize) -> i32 {
        self.0[depth.clamp(0, 63) as usize][count.min(63)]
    }
}

/// Options of a player.
#[derive(Clone)]
pub struct Options<P, E> {
    /// Maximum size of the transposition table, in MiB.
    pub hash_mb: usize,
    /// Search parameters.
    pub params: P,
    /// Evaluator; `None` for the built-in network.
    pub evaluator: Option<E>,
    /// Limits of every move's search, in addition to the clock or instead of it.
    pub limits: Limits,
    /// Whether searches are limited by the clock. If not, games are reproducible.
    pub by_clock: bool,
}

impl<P: Default, E> Options<P, E> {
    /// Returns the options of the contest player, with a transposition table of at most `hash_mb` MiB.
    pub fn contest(hash_mb: usize) -> Options<P, E> {
        Options {
            hash_mb,
            params: P::default(),
            evaluator: None,
            limits: Limits::default(),
            by_clock: true,
        }
    }
}

/// Result of a search.
#[derive(Clone, Debug)]
pub struct SearchResult<M> {
    /// Best move; `None` only if there is no legal move.
    pub best: Option<M>,
    /// Score for the side to move.
    pub score: Score,
    /// Depth of the last completed iteration.
    pub depth: i32,
    /// Number of nodes searched.
    pub nodes: u64,
    /// Principal variation, beginning with the best move.
    pub line: Vec<M>,
}

impl<M> SearchResult<M> {
    /// Creates a result without a search.
    pub fn unsearched(best: Option<M>) -> SearchResult<M> {
        SearchResult { best, score: score::DRAW, depth: 0, nodes: 0, line: Vec::new() }
    }
}

/// A root move.
pub struct RootMove<M> {
    /// The move.
    pub mv: M,
    /// Score in the last iteration in which the move was best; `-INFINITE` before that.
    pub score: Score,
    /// Principal variation from that iteration.
    pub line: Vec<M>,
    /// Nodes searched below it, in all iterations.
    pub nodes: u64,
}

impl<M: Copy> RootMove<M> {
    /// Creates a move that has not been searched.
    pub fn new(mv: M) -> RootMove<M> {
        RootMove { mv, score: -INFINITE, line: vec![mv], nodes: 0 }
    }
}

/// Sets the principal variation of a node: `mv`, followed by that of the child, if there is one.
pub fn set_line<M: Copy>(line: &mut Vec<M>, mv: M, below: Option<&[M]>) {
    line.clear();
    line.push(mv);
    line.extend_from_slice(below.unwrap_or_default());
}

/// Returns a history value after a bonus, with gravity: the closer the value is to `limit`, the less it
/// changes.
#[inline(always)]
pub fn with_gravity(value: i16, bonus: i32, limit: i32) -> i16 {
    let bonus = bonus.clamp(-limit, limit);
    let value = i32::from(value);
    (value + bonus - value * bonus.abs() / limit) as i16
}
