//! Whole games of the binary against itself on short budgets while the machine is busy. As by the
//! judge, the wall time of each player counts, and a suspension costs nothing.

#![cfg(target_os = "linux")]

use crate::common::zuniq::Board;
use crate::common::{folder, Bot, Game};
use std::fs;
use std::hint::black_box;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Games and their budgets in milliseconds.
const GAMES: [(usize, u64); 2] = [(1, 5000), (2, 2500)];

/// Keeps two threads busy while `work` runs.
fn beside_two_busy_loops(work: impl FnOnce()) {
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let mut count = 0u64;
                while !done.load(Ordering::Relaxed) {
                    count = black_box(count.wrapping_add(1));
                }
            });
        }
        // Also when the work panics, or the scope would wait for ever.
        struct Finish<'a>(&'a AtomicBool);
        impl Drop for Finish<'_> {
            fn drop(&mut self) {
                self.0.store(true, Ordering::Relaxed);
            }
        }
        let _finish = Finish(&done);
        work();
    });
}

/// Plays a game of Zuniq to the end and looks at the wall time after every answer.
fn play_zuniq(budget: Duration) {
    let mut bots = [(); 2].map(|()| Bot::start(&["play", "zuniq"]));
    bots.iter_mut().for_each(|bot| bot.send(&format!("Time {}", budget.as_millis())));
    let mut board = Board::default();
    let (mut side, mut line) = (0, "Start".to_string());
    while !board.is_over() {
        line = bots[side].ask(&line);
        assert!(board.play(&line), "{line}");
        let used = bots[side].wall_time();
        assert!(used <= budget, "{used:?} of {budget:?} in Zuniq");
        side = 1 - side;
    }
    bots[side].send(&line);
    for bot in bots {
        bot.quit();
    }
}

#[test]
fn no_budget_is_passed_on_a_busy_machine() {
    beside_two_busy_loops(|| {
        for (games, budget_ms) in GAMES {
            for _ in 0..games {
                let budget = Duration::from_millis(budget_ms);
                let mut game = Game::start([&[], &[]], &[&format!("Time {budget_ms}")]);
                game.play(|game| {
                    for bot in &game.bots {
                        let used = bot.wall_time();
                        assert!(used <= budget, "{used:?} of {budget:?}: {:?}", game.moves);
                    }
                });
                game.quit();
                play_zuniq(budget);
            }
        }
    });
}

/// Answers of a suspended player are compared with its books.
const SUSPENDED_ANSWERS: usize = 8;
/// How long the judge of the test suspends a player.
const SUSPENSION: Duration = Duration::from_millis(500);

fn signal(bot: &Bot, name: &str) {
    let status = Command::new("kill").args([name, &bot.id().to_string()]).status();
    assert!(status.expect("kill runs").success());
}

/// Plays with a player that is suspended out of turn, against another one. Returns how long its answers took
/// at least and at most, and its books.
fn play_suspended(
    game: &str,
    lines: &[&str],
    opponent: &[&str],
    time: &str,
) -> ([Duration; 2], Vec<Duration>) {
    let folder = folder("clock", &format!("suspended-{game}"));
    let path = folder.join("books.txt");
    let books = path.to_str().expect("text");
    let mut bot = Bot::start(&["play", game, "--time", time, "--books", books]);
    let mut mover = Bot::start(opponent);
    let (mut line, mut waited) = (lines[0].to_string(), [Duration::ZERO; 2]);
    if lines.len() > 1 {
        mover.send(lines[1]);
    }
    for _ in 0..SUSPENDED_ANSWERS {
        let started = Instant::now();
        bot.send(&line);
        signal(&bot, "-CONT");
        // Starting `kill` takes its time on a busy machine.
        let continued = Instant::now();
        let (there, answer) = bot.hear_when().expect("an answer");
        waited[0] += there.saturating_duration_since(continued);
        waited[1] += started.elapsed();
        signal(&bot, "-STOP");
        thread::sleep(SUSPENSION);
        line = mover.ask(&answer);
    }
    signal(&bot, "-CONT");
    bot.quit();
    let text = fs::read_to_string(&path).expect("the books");
    let charge = |line: &str| Duration::from_secs_f64(line.parse::<f64>().expect("ms") / 1e3);
    (waited, text.lines().map(charge).collect())
}

#[test]
fn a_suspended_player_charges_only_its_own_time() {
    let cases: [(&str, &[&str], &[&str]); 3] = [
        ("zero-point-one", &["Start"], &["play", "--nodes", "5000"]),
        ("zuniq", &["Start"], &["random-mover", "zuniq", "--seed", "1"]),
        // With its copy it would play from memory.
        ("6561", &["A", "B"], &["random-mover", "6561", "--seed", "1"]),
    ];
    for (game, lines, opponent) in cases {
        let mut seen = Vec::new();
        // The threads of the test wake up late as well, on a busy machine much later: one of three games must be
        // charged right. The tolerance is half a suspension, so that charging a single one is an error.
        let is_right = (0..3).any(|_| {
            let (waited, books) = play_suspended(game, lines, opponent, "5s");
            assert_eq!(books.len(), SUSPENDED_ANSWERS, "{game}");
            let [least, most] = waited;
            let booked: Duration = books.iter().sum();
            seen.push((booked, waited));
            booked <= most + SUSPENSION / 2 && booked + SUSPENSION / 2 >= least
        });
        assert!(is_right, "{game}: {seen:?}");
    }
}
