//! The clock of a player: measures what the judge charges and divides the time that is left.
//!
//! The judge charges the wall time from its line to the answer. From the answer to the next line it may suspend the
//! process for any time, which costs nothing: the clock runs only while the player answers. Before the player reads the
//! line and while it writes the answer, its thread may have to wait for a processor: the operating system reports these
//! waits, and the clock charges them ([`Clock::resume`], [`Clock::sent`]). Part of a game's budget is held back for
//! delays in the last moves: a [`reserve`] for a search that ends late; [`UNSEEN`] per answer for the pipes and the
//! wake-up of the judge, which the player cannot see; and a [`caution`] that grows with the waits and stalls so far,
//! because a busy machine stays busy and may get busier. A time control by the move has a fixed reserve instead, and an
//! additional one that grows with the pauses of the searches ([`Clock::note_pause`]).
//!
//! The rules are functions of numbers, tested by simulation; the types below them measure.

use super::sys::os::{cpu_time, processor_wait};
use std::time::{Duration, Instant};

/// The time that a contest gives a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeControl {
    /// Wall time of a whole game.
    Game(Duration),
    /// Wall time of each move.
    Move {
        /// The first move, start-up included.
        first: Duration,
        /// Each later move.
        later: Duration,
        /// Move overhead, never planned with: pipe latency and the granularity of the deadline.
        reserve: Duration,
    },
}

impl TimeControl {
    /// Returns the same control with another budget: of the game, or of each later move. The first move gets at least
    /// as much.
    pub fn with_budget(self, budget: Duration) -> TimeControl {
        match self {
            TimeControl::Game(_) => TimeControl::Game(budget),
            TimeControl::Move { first, reserve, .. } => {
                TimeControl::Move { first: first.max(budget), later: budget, reserve }
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

/// The reserve of a game, as a divisor of its budget: half a second of 30 s.
const RESERVE_DIVISOR: u32 = 60;
/// Minimum reserve of a game: starting a process and waking up don't shrink with the budget.
const MIN_RESERVE: Duration = Duration::from_millis(30);
/// Maximum of the reserve and the caution together, as a divisor of the budget.
const MAX_RESERVE_DIVISOR: u32 = 4;
/// Allowance for future stalls, as a divisor of the stalls so far.
const STALL_DIVISOR: u32 = 8;
/// A machine is quiet if stalls and waits for a processor are at most this part of the time charged, as a divisor.
const QUIET_DIVISOR: u32 = 8;
/// Allowance per answer for the pipes and for the judge's wake-up. Measured: 0.05 ms on a quiet machine, 0.45 ms on one
/// that shares its processors with others.
const UNSEEN: Duration = Duration::from_micros(500);
/// Maximum hard deadline, as a multiple of the soft one.
const HARD_FACTOR: f64 = 4.5;
/// Maximum hard deadline, as a fraction of the time left, unless the soft one is later.
const HARD_PART: f64 = 0.22;
/// Maximum soft deadline, as a fraction of the time left.
const SOFT_PART: f64 = 0.5;

/// Normal maximum interval between two clock readings of a search. Longer ones mean that the thread waited for a
/// processor.
const USUAL_PAUSE: Duration = Duration::from_millis(1);
/// Maximum reserve for pauses.
const MAX_PAUSE_RESERVE: Duration = Duration::from_millis(20);
/// Decay of the reserve for pauses per answer, as a divisor.
const PAUSE_RESERVE_DIVISOR: u32 = 64;

/// Time limits of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allotment {
    /// Soft limit: no new iteration starts beyond it. A search may scale it by the stability of the best move.
    pub soft: Duration,
    /// Hard limit: the search stops at it.
    pub hard: Duration,
}

/// Returns the reserve of a game with this budget.
pub fn reserve(budget: Duration) -> Duration {
    (budget / RESERVE_DIVISOR).max(MIN_RESERVE).min(budget / MAX_RESERVE_DIVISOR)
}

/// Returns the time to hold back beyond the reserve: `stalled` is the stalled time so far, `waits` the expected waits
/// for a processor in the remaining moves.
fn caution(budget: Duration, stalled: Duration, waits: Duration) -> Duration {
    let wanted = stalled / STALL_DIVISOR + waits;
    wanted.min(budget / MAX_RESERVE_DIVISOR - reserve(budget))
}

/// Whether the machine is quiet if `delayed` of the time charged was lost to waits and stalls.
fn is_quiet(charged: Duration, delayed: Duration) -> bool {
    delayed * QUIET_DIVISOR <= charged
}

/// Returns the reserve for pauses after an answer whose search had this longest pause: the next pause may come just
/// before an answer.
fn next_pause_reserve(before: Duration, longest: Duration) -> Duration {
    let decayed = before - before / PAUSE_RESERVE_DIVISOR;
    decayed.max(longest.saturating_sub(USUAL_PAUSE)).min(MAX_PAUSE_RESERVE)
}

/// Divides the remaining budget. `expected` is the expected number of remaining own moves.
pub fn allot(budget: Duration, spent: Duration, expected: f64) -> Allotment {
    let left = budget.saturating_sub(spent).saturating_sub(reserve(budget)).as_secs_f64();
    let soft = left / expected.max(1.0);
    let hard = (soft * HARD_FACTOR).min(left * HARD_PART).max(soft.min(left * SOFT_PART));
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

/// Reads the processor time of this process; `None` if unknown.
fn read_work() -> Option<Duration> {
    #[cfg(test)]
    if let Some(reading) = fake::read() {
        return Some(reading.worked);
    }
    cpu_time()
}

/// Reads the time that this thread, while ready to run, has waited for a processor; `None` if unknown.
fn read_waits() -> Option<Duration> {
    #[cfg(test)]
    if let Some(reading) = fake::read() {
        return Some(reading.waited);
    }
    processor_wait()
}

/// Returns the growth between two readings if both are known.
fn growth(before: Option<Duration>, now: Option<Duration>) -> Option<Duration> {
    Some(now?.saturating_sub(before?))
}

/// Measures wall time.
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
    pub fn elapsed(self) -> Duration {
        read_time().duration_since(self.started)
    }

    /// The deadline this long after the start.
    pub fn deadline(self, time: Duration) -> Deadline {
        Deadline { watch: self, time }
    }
}

/// The moment at which a computation must end.
#[derive(Clone, Copy, Debug)]
pub struct Deadline {
    watch: Stopwatch,
    time: Duration,
}

impl Deadline {
    /// Whether the deadline has passed.
    pub fn is_past(self) -> bool {
        self.watch.elapsed() >= self.time
    }
}

/// Callback that receives the time charged for each answer.
pub type ChargeLog = Box<dyn FnMut(Duration)>;

/// State of the player, with the readings at its start.
#[derive(Clone, Copy, Debug)]
enum Phase {
    /// Works on an answer: wall time is charged.
    Answering { since: Instant, worked: Option<Duration> },
    /// Waits for a line. `is_line_awaited` is false if a line had already arrived when `waited` was read.
    Waiting { waited: Option<Duration>, is_line_awaited: bool },
}

/// Measures what is charged to a player, and allots what is left.
pub struct Clock {
    control: TimeControl,
    phase: Phase,
    /// The number of answers given.
    answers: usize,
    /// Time charged for the answers given, plus the time spent before the clock was started.
    charged: Duration,
    /// Waits for a processor before a line was read and while an answer was written: ours, and the judge's estimated.
    waits: Duration,
    /// Excess of the wall time of the answers over their processor time.
    stalled: Duration,
    /// Reserve of a time control by the move for pauses of the search.
    pause_reserve: Duration,
    log: Option<ChargeLog>,
    /// The time spent in the game when the last answer was logged.
    logged: Duration,
}

impl Clock {
    /// Starts a running clock. Call it first in the process: the start-up may be charged.
    pub fn start(control: TimeControl) -> Clock {
        Clock {
            control,
            phase: Phase::Answering { since: read_time(), worked: None },
            answers: 0,
            charged: Duration::ZERO,
            waits: Duration::ZERO,
            stalled: Duration::ZERO,
            pause_reserve: Duration::ZERO,
            log: None,
            logged: Duration::ZERO,
        }
    }

    /// Starts a running clock for a single move of a game that has cost `spent`, whatever the process did before.
    pub fn for_one_move(control: TimeControl, spent: Duration) -> Clock {
        Clock { charged: spent, answers: 1, ..Clock::start(control) }
    }

    /// Replaces the time control; time already used stays charged.
    pub fn set_control(&mut self, control: TimeControl) {
        self.control = control;
    }

    /// Passes the charge of every answer to `log` from now on, before the judge gets the answer.
    pub fn set_log(&mut self, log: ChargeLog) {
        self.log = Some(log);
    }

    /// Sets the budget of the whole game, or of each later move.
    pub fn set_budget(&mut self, budget: Duration) {
        self.control = self.control.with_budget(budget);
    }

    /// The budget of the whole game, or of each later move.
    pub fn budget(&self) -> Duration {
        self.control.budget()
    }

    /// Pauses the clock before the judge's first line has arrived: the start-up is not charged.
    pub fn wait_for_first_line(&mut self) {
        self.phase = Phase::Waiting { waited: read_waits(), is_line_awaited: true };
    }

    /// Pauses the clock while no line has arrived. Waits for a processor before now are not charged.
    pub fn wait_for_line(&mut self) {
        self.pause(true);
    }

    /// Resumes the clock when a line has been read. Waits for a processor since the pause are charged: the line may
    /// have been there. On a busy machine they count twice in a game: the judge has to wake up for the answer as we had
    /// for the line. A process that was suspended before it awaited the line may have waited in the opponent's time as
    /// well, though not for long. Charging that costs little time; not charging it could lose a game.
    ///
    /// A game on a busy machine, in milliseconds:
    ///
    /// | time | event | charged |
    /// |---|---|---|
    /// | 0 to 3 | [`answered`](Clock::answered) pauses the clock. The thread waits for a processor while it writes. | |
    /// | 3 | [`sent`](Clock::sent): the answer was late. | 3 |
    /// | 3 to 8 | The thread waits again, in the opponent's time. | |
    /// | 8 | [`wait_for_line`](Clock::wait_for_line): no line has arrived. | 0 |
    /// | 500 to 507 | The line arrives; the thread waits for a processor. | |
    /// | 507 | `resume`: the clock runs since 500. The judge's wake-up is expected to take as long. | 7 + 7 |
    ///
    /// If the line had arrived before 8, `wait_for_line` would not be called, and `resume` would charge the 5 ms since
    /// 3, once.
    pub fn resume(&mut self) {
        if let Phase::Waiting { waited, is_line_awaited } = self.phase {
            let now = read_time();
            let late = growth(waited, read_waits()).unwrap_or_default();
            if is_line_awaited && !is_quiet(self.charged, self.stalled + self.waits) {
                self.charged += late;
                self.waits += late;
            }
            self.waits += late;
            let since = now.checked_sub(late).unwrap_or(now);
            self.phase = Phase::Answering { since, worked: read_work() };
        }
    }

    fn pause(&mut self, is_line_awaited: bool) {
        if let Phase::Answering { since, worked } = self.phase {
            let wall = read_time().duration_since(since);
            self.charged += wall;
            let worked = growth(worked, read_work()).unwrap_or(wall);
            self.stalled += wall.saturating_sub(worked);
        }
        self.phase = Phase::Waiting { waited: read_waits(), is_line_awaited };
    }

    /// Pauses the clock when an answer is ready: the judge may suspend the process as soon as it has read it.
    pub fn answered(&mut self) {
        let spent = self.spent();
        let charge = match self.control {
            TimeControl::Game(_) => spent.saturating_sub(self.logged),
            TimeControl::Move { .. } => spent,
        };
        self.logged = spent;
        if let Some(log) = &mut self.log {
            log(charge);
        }
        self.answers += 1;
        self.pause(false);
    }

    /// Charges the waits for a processor while the answer was written, which delayed it. The log has them with the next
    /// answer.
    pub fn sent(&mut self) {
        if let Phase::Waiting { waited, .. } = &mut self.phase {
            let now = read_waits();
            let late = growth(*waited, now).unwrap_or_default();
            *waited = now;
            self.charged += late;
            self.waits += late;
        }
    }

    /// Takes note of the longest time between two clock readings of the last answer's search. It raises the reserve of
    /// a time control by the move, which has no budget to make up for a late answer.
    pub fn note_pause(&mut self, longest: Duration) {
        self.pause_reserve = next_pause_reserve(self.pause_reserve, longest);
    }

    /// The time charged so far: to the game, or to the current move.
    pub fn spent(&self) -> Duration {
        let running = match self.phase {
            Phase::Answering { since, .. } => read_time().duration_since(since),
            Phase::Waiting { .. } => Duration::ZERO,
        };
        match self.control {
            TimeControl::Game(_) => self.charged + running,
            TimeControl::Move { .. } => running,
        }
    }

    /// Allots time to the next move. Where each move has its time, `expected` is ignored.
    pub fn allot(&self, expected: f64) -> Allotment {
        match self.control {
            TimeControl::Game(budget) => {
                let answers = self.answers as f64;
                let waits = self.waits.mul_f64(expected / answers.max(1.0));
                let unseen = UNSEEN.mul_f64(answers + expected);
                let held_back = caution(budget, self.stalled, waits) + unseen;
                allot(budget, self.spent() + held_back, expected)
            }
            TimeControl::Move { first, later, reserve } => {
                let limit = if self.answers == 0 { first } else { later };
                let held_back = reserve + self.pause_reserve + self.spent();
                let left = limit.saturating_sub(held_back);
                Allotment { soft: left, hard: left }
            }
        }
    }
}

#[cfg(test)]
pub mod fake;
#[cfg(test)]
mod tests;
