//! The clock of a player: how long to think about each move, by the time control of its contest.
//!
//! The rules (functions of numbers alone, tested by simulation) come first, the measuring of real
//! time last.

use super::system::{cpu_time, processor_wait, Whose};
use std::time::{Duration, Instant};

/// The time that a contest gives a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeControl {
    /// So much processor time for a whole game.
    Game(Duration),
    /// So much wall time for every move.
    #[allow(dead_code)] // A submission has one of the two.
    Move {
        /// The first move, start-up included.
        first: Duration,
        /// Each later move.
        later: Duration,
        /// The part of both that is never planned with: the way of the lines to and from the judge,
        /// and the granularity of the deadline.
        reserve: Duration,
    },
}

impl TimeControl {
    /// The same control with another budget: of the game, or of each later move.
    pub fn with_budget(self, budget: Duration) -> TimeControl {
        match self {
            TimeControl::Game(_) => TimeControl::Game(budget),
            TimeControl::Move { first, reserve, .. } => {
                TimeControl::Move { first, later: budget, reserve }
            }
        }
    }

    /// The budget of the whole game, or of each later move.
    pub fn budget(self) -> Duration {
        match self {
            TimeControl::Game(budget) => budget,
            TimeControl::Move { later, .. } => later,
        }
    }

    /// What is charged to the player.
    pub fn measure(self) -> Measure {
        match self {
            TimeControl::Game(_) => Measure::Processor,
            TimeControl::Move { .. } => Measure::Wall,
        }
    }
}

/// What kind of time is charged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Measure {
    /// The time of the processor, and at least a part of the wall time: see [`WALL_DIVISOR`].
    #[default]
    Processor,
    /// The wall time.
    Wall,
}

/// The part of the budget that is never planned with: 0.4 s of 30 s.
const RESERVE_DIVISOR: u32 = 75;
/// The reserve is at least this, but never more than a tenth of the budget: starting a process and
/// the granularity of the judge's clock don't shrink with the budget.
const MIN_RESERVE: Duration = Duration::from_millis(20);
/// The hard deadline is at most this multiple of the soft one ...
const HARD_FACTOR: f64 = 4.5;
/// ... and at most this part of what is left.
const HARD_PART: f64 = 0.22;

/// How long to think about a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allotment {
    /// Begin no new iteration after this; the search scales it by how stable its best move is.
    pub soft: Duration,
    /// Stop at this, whatever is found.
    pub hard: Duration,
}

/// What is kept in hand of a budget.
pub fn reserve(budget: Duration) -> Duration {
    (budget / RESERVE_DIVISOR).max(MIN_RESERVE.min(budget / 10))
}

/// Divides what is left of the budget. `expected` is the number of own moves that the game may
/// still take, at least 1: the smaller, the more is spent at once.
pub fn allot(budget: Duration, spent: Duration, expected: f64) -> Allotment {
    let left = budget.saturating_sub(spent).saturating_sub(reserve(budget)).as_secs_f64();
    let soft = left / expected.max(1.0);
    let hard = (soft * HARD_FACTOR).min(left * HARD_PART).max(soft.min(left * 0.5));
    Allotment { soft: Duration::from_secs_f64(soft.min(hard)), hard: Duration::from_secs_f64(hard) }
}

/// Where processor time is charged, a referee still takes a program for hung after some multiple of
/// the budget in wall time, often three. So this part of the wall time counts at least: a game
/// stays near twice its budget, and the rest is for waking up, which nobody can measure in here.
const WALL_DIVISOR: u32 = 2;

impl Measure {
    /// What is charged for this wall time if the processor worked `worked` of it; all of it where
    /// nobody knows.
    fn charge(self, wall: Duration, worked: Option<Duration>) -> Duration {
        match self {
            Measure::Processor => worked.map_or(wall, |worked| worked.max(wall / WALL_DIVISOR)),
            Measure::Wall => wall,
        }
    }
}

/// Measures what the work of a thread costs from now on.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    measure: Measure,
    started: Instant,
    /// The thread's processor time at the start.
    worked_before: Option<Duration>,
}

impl Stopwatch {
    /// Starts in this thread.
    pub fn start(measure: Measure) -> Stopwatch {
        Stopwatch { measure, started: Instant::now(), worked_before: cpu_time(Whose::Thread) }
    }

    /// What the work of this thread, which must be the one that started it, has cost since then.
    pub fn elapsed(&self) -> Duration {
        let worked = match (self.worked_before, cpu_time(Whose::Thread)) {
            (Some(before), Some(now)) => Some(now.saturating_sub(before)),
            _ => None,
        };
        self.measure.charge(self.started.elapsed(), worked)
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
    /// Is it past? To be asked by the thread that started the stopwatch (another one would see
    /// the wall time alone, up to twice too late).
    pub fn is_past(self) -> bool {
        self.watch.elapsed() >= self.cost
    }
}

/// Measures what is charged to a player. By the game: the processor time of this process, or half
/// of the wall time from the arrival of each line to the answer where that is more. By the move:
/// the wall time since the line arrived.
#[derive(Debug)]
pub struct Clock {
    control: TimeControl,
    /// The number of answers given.
    answers: usize,
    /// The wall time of the answers given, or what else was spent before.
    answered: Duration,
    running_since: Option<Instant>,
    worked: fn() -> Option<Duration>,
    /// What the thread has waited for a processor, and what it had waited when the clock was paused.
    waited: fn() -> Option<Duration>,
    waited_before: Option<Duration>,
}

impl Clock {
    /// A running clock that counts from now: to be made first thing in the process.
    pub fn start(control: TimeControl) -> Clock {
        Clock {
            control,
            answers: 0,
            answered: Duration::ZERO,
            running_since: Some(Instant::now()),
            worked: || cpu_time(Whose::Process),
            waited: processor_wait,
            waited_before: None,
        }
    }

    /// A running clock for a single move of a game that has cost so much, whatever the process did
    /// before. It counts wall time, since other threads of the process work for others; what the
    /// search then takes is measured by a [`Stopwatch`].
    pub fn for_one_move(control: TimeControl, spent: Duration) -> Clock {
        Clock { answered: spent, answers: 1, worked: || None, ..Clock::start(control) }
    }

    /// Sets the time control, whatever has been spent so far.
    pub fn set_control(&mut self, control: TimeControl) {
        self.control = control;
    }

    /// Sets the budget of the whole game, or of each later move.
    pub fn set_budget(&mut self, budget: Duration) {
        self.control = self.control.with_budget(budget);
    }

    /// The budget of the whole game, or of each later move.
    pub fn budget(&self) -> Duration {
        self.control.budget()
    }

    /// The time control.
    pub fn control(&self) -> TimeControl {
        self.control
    }

    /// A stopwatch that charges as this clock does.
    pub fn stopwatch(&self) -> Stopwatch {
        Stopwatch::start(self.control.measure())
    }

    /// A line has arrived. Without effect on a clock that runs. By the move, the time that this thread has
    /// waited for a processor since the pause counts too: the line was there before it could be read.
    pub fn resume(&mut self) {
        if self.running_since.is_none() {
            let now = Instant::now();
            let before = self.waited_before.take();
            let late = before.and_then(|before| Some((self.waited)()?.saturating_sub(before)));
            self.running_since = now.checked_sub(late.unwrap_or_default()).or(Some(now));
        }
    }

    /// The player waits for a line.
    pub fn pause(&mut self) {
        if let Some(since) = self.running_since.take() {
            self.answered += since.elapsed();
        }
        if self.control.measure() == Measure::Wall {
            self.waited_before = (self.waited)();
        }
    }

    /// The answer is flushed: what follows belongs to the next move.
    pub fn answered(&mut self) {
        self.pause();
        self.answers += 1;
    }

    /// What is charged so far: to the game, or to this move.
    pub fn spent(&self) -> Duration {
        let running = self.running_since.map_or(Duration::ZERO, |since| since.elapsed());
        match self.control {
            TimeControl::Game(_) => {
                Measure::Processor.charge(self.answered + running, (self.worked)())
            }
            TimeControl::Move { .. } => running,
        }
    }

    /// The time for the next move. By the game: see [`allot`]. By the move: what is left of it but
    /// the reserve, however many moves are expected.
    pub fn allot(&self, expected: f64) -> Allotment {
        match self.control {
            TimeControl::Game(budget) => allot(budget, self.spent(), expected),
            TimeControl::Move { first, later, reserve } => {
                let limit = if self.answers == 0 { first } else { later };
                let left = limit.saturating_sub(reserve).saturating_sub(self.spent());
                Allotment { soft: left, hard: left }
            }
        }
    }
}

#[cfg(test)]
mod tests;
