//! The clock of a whole game: how long to think about each move.
//!
//! The rules (functions of numbers alone, tested by simulation) come first, the measuring of real
//! time last.

use std::time::{Duration, Instant};

/// The budget of a game unless the judge says otherwise.
pub const OFFICIAL_BUDGET: Duration = Duration::from_secs(30);

/// The part of the budget that is never planned with: 0.4 s of 30 s.
const RESERVE_DIVISOR: u32 = 75;
/// The reserve is at least this, but never more than a tenth of the budget: starting a process and
/// the granularity of the judge's clock don't shrink with the budget.
const LEAST_RESERVE: Duration = Duration::from_millis(20);
/// The hard deadline is at most this multiple of the soft one ...
const HARD_FACTOR: f64 = 4.5;
/// ... and at most this part of what is left.
const HARD_PART: f64 = 0.22;

/// How long to think about a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allotment {
    /// Begin no new iteration after this; the search scales it by how settled its choice is.
    pub soft: Duration,
    /// Stop at this, whatever is found.
    pub hard: Duration,
}

/// What is kept in hand of a budget.
pub fn reserve(budget: Duration) -> Duration {
    (budget / RESERVE_DIVISOR).max(LEAST_RESERVE.min(budget / 10))
}

/// Divides what is left of the budget. `expected` is the number of own moves that the game may still
/// take, at least 1: the smaller, the more is spent at once.
pub fn allot(budget: Duration, spent: Duration, expected: f64) -> Allotment {
    let left = budget.saturating_sub(spent).saturating_sub(reserve(budget)).as_secs_f64();
    let soft = left / expected.max(1.0);
    let hard = (soft * HARD_FACTOR).min(left * HARD_PART).max(soft.min(left * 0.5));
    Allotment { soft: Duration::from_secs_f64(soft.min(hard)), hard: Duration::from_secs_f64(hard) }
}

/// Measures what a game has cost so far: the wall time from the arrival of each line to the answer,
/// or the CPU time of the process where that is more.
#[derive(Debug)]
pub struct Clock {
    budget: Duration,
    spent: Duration,
    running_since: Option<Instant>,
    cpu: fn() -> Duration,
}

impl Clock {
    /// A running clock that counts from now: to be made first thing in the process.
    pub fn start() -> Clock {
        Clock {
            budget: OFFICIAL_BUDGET,
            spent: Duration::ZERO,
            running_since: Some(Instant::now()),
            cpu: process_cpu_time,
        }
    }

    /// A running clock with nothing spent that counts wall time alone: for a single move where what
    /// the process did before does not matter.
    pub fn fresh(budget: Duration) -> Clock {
        Clock { budget, cpu: || Duration::ZERO, ..Clock::start() }
    }

    /// Sets the budget of the whole game.
    pub fn set_budget(&mut self, budget: Duration) {
        self.budget = budget;
    }

    /// The budget of the whole game.
    pub fn budget(&self) -> Duration {
        self.budget
    }

    /// A line has arrived. Without effect on a clock that runs.
    pub fn resume(&mut self) {
        self.running_since.get_or_insert_with(Instant::now);
    }

    /// The answer is flushed.
    pub fn pause(&mut self) {
        if let Some(since) = self.running_since.take() {
            self.spent += since.elapsed();
        }
        self.spent = self.spent.max((self.cpu)());
    }

    /// What the game has cost so far.
    pub fn spent(&self) -> Duration {
        let running = self.running_since.map_or(Duration::ZERO, |since| since.elapsed());
        (self.spent + running).max((self.cpu)())
    }

    /// The time for the next move; see [`allot`].
    pub fn allot(&self, expected: f64) -> Allotment {
        allot(self.budget, self.spent(), expected)
    }
}

/// The user and system time that this process has used, in ticks of 10 ms (Linux; zero elsewhere).
pub fn process_cpu_time() -> Duration {
    const TICK_MS: u64 = 10;
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The second field, the name in parentheses, may hold spaces. After it, user and system time
    // are the 12th and 13th fields (man 5 proc).
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
    let ticks: u64 =
        fields.split_whitespace().skip(11).take(2).filter_map(|t| t.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * TICK_MS)
}

#[cfg(test)]
mod tests;
