//! The clock of a player: how long to think about each move, by the time control of its contest.
//!
//! The rules (functions of numbers alone, tested by simulation) come first, the measuring of real
//! time last.

use super::sys::os::{cpu_time, processor_wait};
use std::time::{Duration, Instant};

/// The time that a contest gives a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeControl {
    /// So much wall time for a whole game.
    Game(Duration),
    /// So much wall time for every move.
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
}

/// The part of the budget that is never planned with: half a second of 30 s.
const RESERVE_DIVISOR: u32 = 60;
/// The reserve is at least this: starting a process and waking up don't shrink with the budget.
const MIN_RESERVE: Duration = Duration::from_millis(30);
/// All that is kept in hand, but for [`UNSEEN`], is never more than this part of the budget.
const MAX_RESERVE_DIVISOR: u32 = 4;
/// This part of the time that the player has waited for a processor is kept in hand too.
const STALL_DIVISOR: u32 = 8;
/// A machine counts as quiet while waiting for a processor, on waking up and while thinking, took at most one
/// part in so many of the answers' time.
const QUIET_DIVISOR: u32 = 8;
/// What nobody in here can measure of an answer: the way of the line to the player and of the answer to the
/// judge, who must wake up for it. Seen: 0.05 ms on a quiet machine, 0.45 ms on one that shares its
/// processors with others.
const UNSEEN: Duration = Duration::from_micros(500);
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
    (budget / RESERVE_DIVISOR).max(MIN_RESERVE).min(budget / MAX_RESERVE_DIVISOR)
}

/// What a player keeps in hand beside the reserve when its wall time has run ahead of its processor time
/// by `stalled`, since a machine that is busy now may get busier, and when its moves to come will take
/// `waking` for waking up alone.
fn caution(budget: Duration, stalled: Duration, waking: Duration) -> Duration {
    let wanted = stalled / STALL_DIVISOR + waking;
    wanted.min(budget / MAX_RESERVE_DIVISOR - reserve(budget))
}

/// Divides what is left of the budget. `expected` is the number of own moves that the game may
/// still take, at least 1: the smaller, the more is spent at once.
pub fn allot(budget: Duration, spent: Duration, expected: f64) -> Allotment {
    let left = budget.saturating_sub(spent).saturating_sub(reserve(budget)).as_secs_f64();
    let soft = left / expected.max(1.0);
    let hard = (soft * HARD_FACTOR).min(left * HARD_PART).max(soft.min(left * 0.5));
    Allotment { soft: Duration::from_secs_f64(soft.min(hard)), hard: Duration::from_secs_f64(hard) }
}

/// Reads the wall clock; in tests it may be a [`fake`] one.
fn read_time() -> Instant {
    #[cfg(test)]
    if let Some(reading) = fake::read() {
        return reading.now;
    }
    Instant::now()
}

/// Reads the processor time of this process.
fn read_work() -> Option<Duration> {
    #[cfg(test)]
    if let Some(reading) = fake::read() {
        return Some(reading.worked);
    }
    cpu_time()
}

/// Reads the time that this thread has waited for a processor.
fn read_waits() -> Option<Duration> {
    #[cfg(test)]
    if let Some(reading) = fake::read() {
        return Some(reading.waited);
    }
    processor_wait()
}

/// Measures wall time from now on.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    started: Instant,
}

impl Stopwatch {
    /// Starts a stopwatch.
    pub fn start() -> Stopwatch {
        Stopwatch { started: read_time() }
    }

    /// The time since the start.
    pub fn elapsed(&self) -> Duration {
        read_time().duration_since(self.started)
    }

    /// The moment at which so much time will have passed since the start.
    pub fn deadline(self, time: Duration) -> Deadline {
        Deadline { watch: self, time }
    }
}

/// The end of the time of a computation.
#[derive(Clone, Copy, Debug)]
pub struct Deadline {
    watch: Stopwatch,
    time: Duration,
}

impl Deadline {
    /// Whether it is past.
    pub fn is_past(self) -> bool {
        self.watch.elapsed() >= self.time
    }
}

/// What is told of every answer: its charge.
pub type Books = Box<dyn FnMut(Duration)>;

/// Measures what is charged to a player, by the game or by the move: the wall time from the moment at
/// which a line could have been read to the answer. Between an answer and the next line the judge may
/// suspend the process for any time, which costs nothing.
pub struct Clock {
    control: TimeControl,
    /// The number of answers given.
    answers: usize,
    /// The wall time of the answers given, or what else was spent before.
    answered: Duration,
    /// What was charged up to the last answer.
    booked: Duration,
    running_since: Option<Instant>,
    /// What waking up has cost, ours and the judge's.
    woken: Duration,
    /// By how much the wall time of the answers exceeds their processor time.
    stalled: Duration,
    /// The processor time when the clock began to run.
    worked_before: Option<Duration>,
    /// What the thread had waited for a processor when the clock was paused.
    waited_before: Option<Duration>,
    /// Had no line arrived when `waited_before` was read?
    is_line_awaited: bool,
    books: Option<Books>,
}

impl Clock {
    /// A running clock that counts from now: to be made first thing in the process.
    pub fn start(control: TimeControl) -> Clock {
        Clock {
            control,
            answers: 0,
            answered: Duration::ZERO,
            booked: Duration::ZERO,
            running_since: Some(read_time()),
            woken: Duration::ZERO,
            stalled: Duration::ZERO,
            worked_before: None,
            waited_before: None,
            is_line_awaited: false,
            books: None,
        }
    }

    /// A running clock for a single move of a game that has cost so much, whatever the process did
    /// before.
    pub fn for_one_move(control: TimeControl, spent: Duration) -> Clock {
        Clock { answered: spent, answers: 1, ..Clock::start(control) }
    }

    /// Sets the time control, whatever has been spent so far.
    pub fn set_control(&mut self, control: TimeControl) {
        self.control = control;
    }

    /// Tells `books` the charge of every answer from now on, before the judge gets the answer.
    #[allow(dead_code)] // In a submission nobody keeps books.
    pub fn set_books(&mut self, books: Books) {
        self.books = Some(books);
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

    /// No line is there yet: nobody is charged for the start of the process.
    pub fn wait_for_first_line(&mut self) {
        self.running_since = None;
        self.wait_for_line();
    }

    /// No line is there yet: what the thread waited for a processor so far is not charged.
    pub fn wait_for_line(&mut self) {
        self.pause();
        self.waited_before = read_waits();
        self.is_line_awaited = true;
    }

    /// A line has arrived. Without effect on a clock that runs. The time that this thread has waited for a
    /// processor since the pause counts too: the line was there before it could be read. On a busy machine
    /// it counts twice by the game, since the judge has to wake up for the answer as we had for the line. A
    /// process that was suspended before it came to wait for a line may have waited in the opponent's time as
    /// well, though not for long. To count that costs little time; not to count it could lose a game.
    pub fn resume(&mut self) {
        if self.running_since.is_none() {
            let now = read_time();
            let before = self.waited_before.take();
            let late = before.and_then(|before| Some(read_waits()?.saturating_sub(before)));
            let late = late.unwrap_or_default();
            let is_quiet = (self.stalled + self.woken) * QUIET_DIVISOR <= self.answered;
            self.running_since = now.checked_sub(late).or(Some(now));
            self.woken += late;
            if self.is_line_awaited && !is_quiet {
                self.answered += late;
                self.woken += late;
            }
            self.worked_before = read_work();
        }
    }

    /// The player waits for a line.
    fn pause(&mut self) {
        if let Some(since) = self.running_since.take() {
            let wall = read_time().duration_since(since);
            let before = self.worked_before.take();
            let worked = before.and_then(|before| Some(read_work()?.saturating_sub(before)));
            self.answered += wall;
            self.stalled += wall.saturating_sub(worked.unwrap_or(wall));
        }
    }

    /// The answer is ready, and the judge will suspend the process as soon as it has read it: what follows
    /// belongs to the next move.
    pub fn answered(&mut self) {
        let charge = match self.control {
            TimeControl::Game(_) => self.spent().saturating_sub(self.booked),
            TimeControl::Move { .. } => self.spent(),
        };
        self.booked += charge;
        if let Some(books) = &mut self.books {
            books(charge);
        }
        self.answers += 1;
        self.wait_for_line();
        self.is_line_awaited = false;
    }

    /// The answer has been written. Time spent waiting for a processor meanwhile is charged, since it delayed
    /// the answer. The books show it with the next answer.
    pub fn sent(&mut self) {
        let now = read_waits();
        if let (Some(before), Some(now)) = (self.waited_before, now) {
            let late = now.saturating_sub(before);
            self.answered += late;
            self.woken += late;
        }
        self.waited_before = now;
    }

    /// What is charged so far: to the game, or to this move.
    pub fn spent(&self) -> Duration {
        let running =
            self.running_since.map_or(Duration::ZERO, |since| read_time().duration_since(since));
        match self.control {
            TimeControl::Game(_) => self.answered + running,
            TimeControl::Move { .. } => running,
        }
    }

    /// The time for the next move. By the game: see [`allot`]. By the move: what is left of it but
    /// the reserve, however many moves are expected.
    pub fn allot(&self, expected: f64) -> Allotment {
        match self.control {
            TimeControl::Game(budget) => {
                let answers = self.answers as f64;
                let waking = self.woken.mul_f64(expected / answers.max(1.0));
                let unseen = UNSEEN.mul_f64(answers + expected);
                let caution = caution(budget, self.stalled, waking) + unseen;
                allot(budget, self.spent() + caution, expected)
            }
            TimeControl::Move { first, later, reserve } => {
                let limit = if self.answers == 0 { first } else { later };
                let left = limit.saturating_sub(reserve).saturating_sub(self.spent());
                Allotment { soft: left, hard: left }
            }
        }
    }
}

#[cfg(test)]
pub mod fake;
#[cfg(test)]
mod tests;
