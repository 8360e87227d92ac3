//! Budgets of searches and solvers: limits on nodes and time, and interruptions from outside.

use super::clock::{Deadline, Stopwatch};
use super::interrupt;
use std::time::Duration;

/// Interval at which searches and solvers read the clock, in nodes.
const NODES_BETWEEN_CLOCK_READS: u64 = 256;
/// Interval at which they check for interruptions, in clock reads: a check may be a system call.
const CLOCK_READS_BETWEEN_CHECKS: u32 = 4;

/// Search limits. By default only the built-in maximum depth applies.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// Maximum depth, in plies.
    pub depth: Option<i32>,
    /// Soft node limit: no new iteration starts beyond it.
    pub soft_nodes: Option<u64>,
    /// Hard node limit: the search stops at it.
    pub hard_nodes: Option<u64>,
    /// Soft time limit: no new iteration starts beyond it. A search may scale it by the stability of the best move.
    pub soft_time: Option<Duration>,
    /// Hard time limit: the search stops at it.
    pub hard_time: Option<Duration>,
}

/// A limit or an interruption has stopped the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// The nodes that a search or solver has used since its start, and its limits.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    nodes: u64,
    max_nodes: u64,
    deadline: Option<Deadline>,
    /// Node count at which the limits are checked next.
    next_check: u64,
    clock_reads: u32,
    started: Stopwatch,
    /// When the clock was last read.
    last_read: Duration,
    longest_pause: Duration,
}

impl Budget {
    /// Begins a budget of at most this many nodes, until the deadline. The first node reads the clock: a series of
    /// short calls of a solver would not read it otherwise.
    pub fn new(max_nodes: Option<u64>, deadline: Option<Deadline>) -> Budget {
        Budget {
            nodes: 0,
            max_nodes: max_nodes.unwrap_or(u64::MAX),
            deadline,
            next_check: 0,
            clock_reads: 0,
            started: Stopwatch::start(),
            last_read: Duration::ZERO,
            longest_pause: Duration::ZERO,
        }
    }

    /// Begins a budget without limits.
    pub fn unlimited() -> Budget {
        Budget::new(None, None)
    }

    /// Begins a budget with the hard limits of a search. The clock is not read at the start, so some nodes are searched
    /// in any case.
    pub fn of(limits: &Limits) -> Budget {
        // The search stops at the last node.
        let max_nodes = limits.hard_nodes.map_or(u64::MAX, |nodes| nodes.saturating_sub(1));
        let mut budget = Budget::new(Some(max_nodes), None);
        budget.deadline = limits.hard_time.map(|time| budget.started.deadline(time));
        budget.next_check = max_nodes.saturating_add(1).min(NODES_BETWEEN_CLOCK_READS);
        budget
    }

    /// Counts a node. Fails if the search must end.
    #[inline(always)]
    pub fn count_node(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        if self.is_spent() {
            Err(Stopped)
        } else {
            Ok(())
        }
    }

    /// Whether the search must end: more nodes than allowed have been used, the deadline has passed, or the search is
    /// interrupted.
    #[inline(always)]
    pub fn is_spent(&mut self) -> bool {
        self.nodes >= self.next_check && self.check()
    }

    /// Adds nodes without a check.
    #[inline(always)]
    pub fn add(&mut self, nodes: u64) {
        self.nodes += nodes;
    }

    #[inline(never)]
    fn check(&mut self) -> bool {
        let mut is_over = self.nodes > self.max_nodes
            || self.clock_reads % CLOCK_READS_BETWEEN_CHECKS == 0 && interrupt::is_raised();
        self.clock_reads += 1;
        if let Some(deadline) = self.deadline {
            let elapsed = self.started.elapsed();
            self.longest_pause = self.longest_pause.max(elapsed.saturating_sub(self.last_read));
            self.last_read = elapsed;
            is_over |= deadline.is_past();
        }
        if is_over {
            self.max_nodes = 0;
        }
        let next_check = self.nodes.saturating_add(NODES_BETWEEN_CLOCK_READS);
        self.next_check = next_check.min(self.max_nodes.saturating_add(1));
        is_over
    }

    /// Number of nodes used.
    #[inline(always)]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Number of nodes left.
    #[inline(always)]
    pub fn nodes_left(&self) -> u64 {
        self.max_nodes.saturating_sub(self.nodes)
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// The deadline.
    pub fn deadline(&self) -> Option<Deadline> {
        self.deadline
    }

    /// The longest time between two readings of the clock, if there is a deadline: long if another process had the
    /// processor.
    pub fn longest_pause(&self) -> Duration {
        self.longest_pause
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nodes_until_stopped(budget: &mut Budget) -> u64 {
        (1..).find(|_| budget.count_node().is_err()).expect("a limit")
    }

    #[test]
    fn a_budget_ends_after_its_nodes() {
        for nodes in [0, 1, 255, 256, 257, 5000] {
            let mut budget = Budget::new(Some(nodes), None);
            assert_eq!(nodes_until_stopped(&mut budget), nodes + 1);
            assert_eq!(budget.count_node(), Err(Stopped));
        }
    }

    #[test]
    fn a_search_ends_at_its_last_node() {
        for nodes in [1, 256, 257, 5000] {
            let mut budget = Budget::of(&Limits { hard_nodes: Some(nodes), ..Limits::default() });
            assert_eq!(nodes_until_stopped(&mut budget), nodes);
        }
    }

    #[test]
    fn a_past_deadline_ends_a_solver_at_once() {
        let past = Stopwatch::start().deadline(Duration::ZERO);
        assert_eq!(nodes_until_stopped(&mut Budget::new(None, Some(past))), 1);
        let limits = Limits { hard_time: Some(Duration::ZERO), ..Limits::default() };
        assert_eq!(nodes_until_stopped(&mut Budget::of(&limits)), NODES_BETWEEN_CLOCK_READS);
    }
}
