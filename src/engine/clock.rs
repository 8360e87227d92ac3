//! The clock of a whole game: how long to think about each move.
//!
//! The rules (functions of numbers alone, tested by simulation) come first, the measuring of real
//! time last.

use super::system::{cpu_time, Whose};
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

/// A referee charges the time of the processor, but takes a program for hung after some multiple of the
/// budget in wall time, often three. So this part of the wall time counts at least: a game stays near twice
/// its budget, and the rest is for waking up, which nobody can measure in here.
const WALL_DIVISOR: u32 = 2;

/// What is charged for this wall time if the processor worked `worked` of it; all of it where nobody knows.
fn charge(wall: Duration, worked: Option<Duration>) -> Duration {
    worked.map_or(wall, |worked| worked.max(wall / WALL_DIVISOR))
}

/// Measures what the work of a thread costs from now on.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    started: Instant,
    /// The thread's processor time at the start.
    worked_before: Option<Duration>,
}

impl Stopwatch {
    /// Starts in this thread.
    pub fn start() -> Stopwatch {
        Stopwatch { started: Instant::now(), worked_before: cpu_time(Whose::Thread) }
    }

    /// What the work of this thread, which must be the one that started it, has cost since then.
    pub fn elapsed(&self) -> Duration {
        let worked = match (self.worked_before, cpu_time(Whose::Thread)) {
            (Some(before), Some(now)) => Some(now.saturating_sub(before)),
            _ => None,
        };
        charge(self.started.elapsed(), worked)
    }

    /// The moment at which the work will have cost so much.
    pub fn deadline(self, cost: Duration) -> Deadline {
        Deadline { watch: self, cost }
    }
}

/// The end of the time of a computation.
#[derive(Clone, Copy, Debug)]
pub struct Deadline {
    watch: Stopwatch,
    cost: Duration,
}

impl Deadline {
    /// Is it past? To be asked by the thread that started the stopwatch (another one would be told by the
    /// wall time alone, up to twice too late).
    pub fn is_past(self) -> bool {
        self.watch.elapsed() >= self.cost
    }
}

/// Measures what a game has cost so far: the processor time of this process, or half of the wall time
/// from the arrival of each line to the answer where that is more.
#[derive(Debug)]
pub struct Clock {
    budget: Duration,
    /// The wall time of the answers given, or what else was spent before.
    answered: Duration,
    running_since: Option<Instant>,
    worked: fn() -> Option<Duration>,
}

impl Clock {
    /// A running clock that counts from now: to be made first thing in the process.
    pub fn start() -> Clock {
        Clock {
            budget: OFFICIAL_BUDGET,
            answered: Duration::ZERO,
            running_since: Some(Instant::now()),
            worked: || cpu_time(Whose::Process),
        }
    }

    /// A running clock for a single move of a game that has cost so much, whatever the process did
    /// before. It counts wall time, since other threads of the process work for others; what the search
    /// then takes is measured by a [`Stopwatch`].
    pub fn for_one_move(budget: Duration, spent: Duration) -> Clock {
        Clock { budget, answered: spent, worked: || None, ..Clock::start() }
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
            self.answered += since.elapsed();
        }
    }

    /// What the game has cost so far.
    pub fn spent(&self) -> Duration {
        let running = self.running_since.map_or(Duration::ZERO, |since| since.elapsed());
        charge(self.answered + running, (self.worked)())
    }

    /// The time for the next move; see [`allot`].
    pub fn allot(&self, expected: f64) -> Allotment {
        allot(self.budget, self.spent(), expected)
    }
}

#[cfg(test)]
mod tests;
