use super::fake::FakeTime;
use super::*;
use crate::engine::rng::Rng;

/// Time budget of a contest game.
const BUDGET: Duration = Duration::from_secs(30);

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// Maximum number of moves of a player in the simulated games, a little more than in any real game.
const MAX_MOVES: usize = 55;

/// A simulated game: only the times of its moves.
struct Simulation {
    budget: Duration,
    spent: Duration,
    rng: Rng,
}

impl Simulation {
    /// Plays `moves` moves. `think` returns the time of a move from its allotment; a small delay is added, because a
    /// search notices the deadline late, and once a long one. All delays together stay within the reserve, since no
    /// clock can make up for a longer delay in the last move.
    fn play(&mut self, moves: usize, mut think: impl FnMut(&mut Rng, Allotment) -> Duration) {
        let reserve = reserve(self.budget);
        let late = reserve / (2 * MAX_MOVES as u32);
        let very_late = self.rng.below(moves);
        for index in 0..moves {
            let expected = 60.0 * self.rng.unit();
            let allotment = allot(self.budget, self.spent, expected);
            assert!(allotment.soft <= allotment.hard, "{:?}", allotment);
            let thought = think(&mut self.rng, allotment);
            self.spent += thought + late.mul_f64(self.rng.unit());
            if index == very_late {
                self.spent += (reserve / 2).mul_f64(self.rng.unit());
            }
            assert!(self.spent <= self.budget, "{:?} of {:?}", self.spent, self.budget);
        }
    }
}

fn simulate(think: impl Fn(&mut Rng, Allotment) -> Duration) {
    for seed in 0..4000 {
        let mut rng = Rng::new(seed);
        let budget = match seed % 4 {
            0 => BUDGET,
            1 => Duration::from_millis(300),
            2 => Duration::from_millis(1000),
            _ => Duration::from_millis(100 + rng.below(60_000) as u64),
        };
        let moves = 1 + rng.below(MAX_MOVES);
        let spent = budget.mul_f64(0.1 * rng.unit());
        Simulation { budget, spent, rng }.play(moves, &think);
    }
}

#[test]
fn hard_deadlines_never_pass_the_budget() {
    simulate(|_, allotment| allotment.hard);
}

#[test]
fn random_thinking_times_stay_within_the_budget() {
    simulate(|rng, Allotment { soft, hard }| match rng.below(3) {
        0 => soft.mul_f64(rng.unit()),
        1 => soft,
        _ => hard.mul_f64(rng.unit()),
    });
}

#[test]
fn a_long_delay_is_made_up_for_later() {
    for at in 0..40 {
        let budget = BUDGET;
        let mut spent = Duration::ZERO;
        for index in 0..50 {
            spent += allot(budget, spent, 25.0).soft;
            if index == at {
                spent += Duration::from_secs(5);
            }
        }
        assert!(spent <= budget, "a delay of 5 s at move {} leads to {:?}", at, spent);
    }
}

#[test]
fn the_reserve_is_never_allotted() {
    assert_eq!(reserve(BUDGET), Duration::from_millis(500));
    for budget in [1, 10, 100, 300, 1000, 30_000, 3_600_000].map(ms) {
        let reserve = reserve(budget);
        assert!(reserve >= budget / RESERVE_DIVISOR && reserve <= budget / 4, "{:?}", budget);
        for spent in [budget - reserve, budget, 2 * budget] {
            let nothing = Allotment { soft: Duration::ZERO, hard: Duration::ZERO };
            assert_eq!(allot(budget, spent, 10.0), nothing);
        }
        let last = allot(budget, Duration::ZERO, 0.0);
        assert!(last.hard <= budget - reserve);
    }
}

#[test]
fn waits_for_the_processor_raise_the_reserve() {
    let secs = Duration::from_secs;
    assert_eq!(caution(BUDGET, secs(8), Duration::ZERO), secs(1));
    assert_eq!(caution(BUDGET, Duration::ZERO, secs(1000)), BUDGET / 4 - reserve(BUDGET));
    assert_eq!(caution(Duration::ZERO, secs(8), secs(8)), Duration::ZERO);
    // Of 30 ms that have passed, the process has used the processor for 10.
    let time = FakeTime::start();
    let mut clock = Clock::start(TimeControl::Game(BUDGET));
    clock.wait_for_first_line();
    let before = clock.allot(1.0);
    clock.resume();
    time.work(10);
    time.wait(20);
    clock.answered();
    assert_eq!(clock.spent(), ms(30));
    assert_eq!(clock.stalled, ms(20));
    let lost = BUDGET - ms(30) - reserve(BUDGET) - caution(BUDGET, ms(20), Duration::ZERO);
    assert!(clock.allot(1.0).hard < before.hard && clock.allot(1.0).hard <= lost);
}

#[test]
fn delays_that_only_the_judge_sees_are_reserved() {
    const ANSWERS: usize = 500;
    for budget in [400, 1000, 3000, 60_000].map(ms) {
        let mut clock = Clock::start(TimeControl::Game(budget));
        clock.wait_for_first_line();
        for answer in 0..ANSWERS {
            clock.charged += clock.allot((ANSWERS - answer) as f64).soft;
            clock.answers += 1;
        }
        let counted = clock.charged + UNSEEN * ANSWERS as u32;
        assert!(counted <= budget - reserve(budget), "{:?} of {:?}", counted, budget);
        assert!(counted >= budget.mul_f64(0.9), "{:?} of {:?}", counted, budget);
    }
}

#[test]
fn more_expected_moves_mean_less_time_per_move() {
    let none = Duration::ZERO;
    let soft = |expected| allot(BUDGET, none, expected).soft;
    assert!((2..60).all(|moves| soft(f64::from(moves)) > soft(f64::from(moves) + 1.0)));
    let huge = Duration::from_millis(u64::MAX);
    assert!(allot(huge, none, 20.0).hard < huge);
}

#[test]
fn a_paused_clock_stands_still() {
    let time = FakeTime::start();
    let mut clock = Clock::start(TimeControl::Game(BUDGET));
    time.work(2);
    clock.wait_for_line();
    time.sleep(5000);
    assert_eq!(clock.spent(), ms(2));
    clock.resume();
    time.work(3);
    assert_eq!(clock.spent(), ms(5));
    clock.resume();
    assert_eq!(clock.spent(), ms(5), "a second resume loses nothing");
}

#[test]
fn no_time_is_allotted_after_an_overrun() {
    let time = FakeTime::start();
    let mut clock = Clock::start(TimeControl::Game(BUDGET));
    for late in [29_000, 900, 400] {
        time.work(late);
        clock.answered();
        clock.resume();
    }
    assert_eq!(clock.spent(), ms(30_300));
    assert_eq!(clock.allot(1.0), Allotment { soft: Duration::ZERO, hard: Duration::ZERO });
}

#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
#[test]
fn cpu_time_includes_all_threads() {
    let worked = || cpu_time().expect("Linux reports it");
    let before = worked();
    let worker = std::thread::spawn(move || {
        let mut mixed = 0;
        while worked() < before + ms(20) {
            mixed = crate::engine::rng::split_mix(mixed);
        }
    });
    worker.join().expect("it worked");
    assert!(worked() >= before + ms(20));
}

#[test]
fn a_clock_for_one_move_counts_the_earlier_moves() {
    let (budget, spent) = (Duration::from_secs(3000), Duration::from_secs(2000));
    let _time = FakeTime::start();
    let clock = Clock::for_one_move(TimeControl::Game(budget), spent);
    assert_eq!(clock.spent(), spent);
    assert_eq!(clock.allot(10.0), allot(budget, spent + UNSEEN * 11, 10.0));
}

/// 50 ms per move, and 1 s for the first one.
const BY_THE_MOVE: TimeControl = TimeControl::Move {
    first: Duration::from_secs(1),
    later: Duration::from_millis(50),
    reserve: Duration::from_millis(8),
};

#[test]
fn wall_time_is_charged_and_cpu_time_is_not() {
    let time = FakeTime::start();
    let mut clock = Clock::start(BY_THE_MOVE);
    time.advance(3, 7000, 0);
    assert_eq!(clock.spent(), ms(3), "what other threads do is not charged");
    clock.answered();
    assert_eq!(clock.spent(), Duration::ZERO);
    clock.resume();
    time.sleep(3);
    assert_eq!(clock.spent(), ms(3), "waiting is charged");
}

#[test]
fn the_first_move_never_has_less_time() {
    let limits = |budget| {
        let TimeControl::Move { first, later, .. } = BY_THE_MOVE.with_budget(ms(budget)) else {
            panic!("by the move")
        };
        (first, later)
    };
    assert_eq!(limits(100), (ms(1000), ms(100)));
    assert_eq!(limits(3000), (ms(3000), ms(3000)));
}

#[test]
fn the_first_move_may_have_a_longer_time_limit() {
    let _time = FakeTime::start();
    let mut clock = Clock::start(BY_THE_MOVE);
    assert_eq!(clock.allot(30.0).hard, ms(992));
    for _ in 0..3 {
        clock.answered();
        let waiting = clock.allot(30.0);
        assert_eq!(waiting.hard, ms(42));
        assert_eq!(waiting.soft, waiting.hard);
        clock.resume();
    }
}

#[test]
fn a_time_limit_per_move_bounds_the_wall_time() {
    let planned = 50 - 8;
    for late in 0..60 {
        let time = FakeTime::start();
        let mut clock = Clock::start(BY_THE_MOVE);
        clock.answered();
        clock.resume();
        // Start-up work, then a search that waits for the processor all the time: only its wall clock runs.
        time.work(late);
        let deadline = Stopwatch::start().deadline(clock.allot(20.0).hard);
        while !deadline.is_past() {
            time.wait(1);
        }
        // The search ends within the limit, unless the work before it has exceeded the limit.
        assert_eq!(clock.spent(), ms(late.max(planned)));
        assert_eq!(clock.allot(1.0).hard, Duration::ZERO);
    }
}

#[test]
fn pauses_raise_the_reserve_of_a_limit_per_move() {
    assert_eq!(next_pause_reserve(ms(0), ms(1)), ms(0));
    assert_eq!(next_pause_reserve(ms(0), ms(5)), ms(4));
    assert_eq!(next_pause_reserve(ms(4), ms(6)), ms(5));
    assert_eq!(next_pause_reserve(ms(0), ms(500)), MAX_PAUSE_RESERVE);
    let later = (0..40).fold(ms(4), |reserve, _| next_pause_reserve(reserve, ms(0)));
    assert!(later > ms(1) && later < ms(3), "{:?}", later);
    let _time = FakeTime::start();
    let mut clock = Clock::start(BY_THE_MOVE);
    clock.answered();
    let mut hard_after = |pause| {
        clock.note_pause(pause);
        clock.allot(1.0).hard
    };
    assert_eq!(hard_after(ms(5)), ms(42 - 4));
    assert!(hard_after(ms(0)) > ms(42 - 4));
    assert_eq!(hard_after(ms(500)), ms(42 - 20));
}

#[test]
fn a_wait_before_a_line_is_read_is_charged() {
    let time = FakeTime::start();
    let mut clock = Clock::start(BY_THE_MOVE);
    clock.answered();
    time.wait(7);
    clock.resume();
    assert_eq!(clock.allot(1.0).hard, ms(42 - 7));
    // The wait of one move is not charged to the next one.
    clock.answered();
    assert_eq!(clock.allot(1.0).hard, ms(42));
    // In a game on a busy machine the wait is charged twice, since the judge is expected to wait as long for the
    // answer, unless the process was suspended before it waited for the line.
    let cases = [(false, true, 14), (false, false, 7), (true, true, 7), (true, false, 7)];
    for (is_suspended, is_busy, charge) in cases {
        let mut clock = Clock::start(TimeControl::Game(BUDGET));
        clock.stalled = Duration::from_secs(u64::from(is_busy));
        clock.wait_for_first_line();
        clock.resume();
        clock.answered();
        time.sleep(500);
        if !is_suspended {
            // The wait between the answer and the reading of the next line is the opponent's time.
            time.wait(50);
            clock.wait_for_line();
        }
        let before = clock.spent();
        time.wait(7);
        clock.resume();
        assert_eq!(clock.spent() - before, ms(charge), "{} {}", is_suspended, is_busy);
    }
}

#[test]
fn a_wait_while_an_answer_is_written_is_charged_once() {
    let time = FakeTime::start();
    let mut clock = Clock::start(TimeControl::Game(BUDGET));
    clock.answered();
    let before = clock.spent();
    time.wait(9);
    clock.sent();
    assert_eq!(clock.spent() - before, ms(9));
    // The following time belongs to the opponent.
    time.wait(50);
    clock.wait_for_line();
    clock.resume();
    assert_eq!(clock.spent() - before, ms(9));
}
