//! Budgets of searches and solvers: limits on nodes and time, and interruptions from outside.

use super::clock::{Deadline, Stopwatch};
use super::interrupt;
use std::time::Duration;

/// Interval at which searches and solvers read the clock, in nodes.
const NODES_BETWEEN_CLOCK_READS: u64 = 256;

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

/// The time and nodes that a running search has used, and their limits.
pub struct Budget {
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

impl Budget {
    /// Begins a search.
    pub fn begin(limits: Limits) -> Budget {
        Budget {
            nodes: 0,
            limits,
            started: Stopwatch::start(),
            looked: Duration::ZERO,
            longest_pause: Duration::ZERO,
        }
    }

    /// Counts a node. Fails if the search must end.
    #[inline(always)]
    pub fn count_node(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        let mut is_over = self.limits.hard_nodes.map_or(false, |hard| self.nodes >= hard);
        if self.nodes % NODES_BETWEEN_CLOCK_READS == 0 {
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

    /// Returns the deadline of the hard time limit.
    pub fn deadline(&self) -> Option<Deadline> {
        self.limits.hard_time.map(|hard| self.started.deadline(hard))
    }
}
