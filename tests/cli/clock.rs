//! Whole games of the binary against itself on short budgets while the machine is busy. As by the
//! judge, the processor time of each player counts.

#![cfg(target_os = "linux")]

use crate::common::zuniq::Board;
use crate::common::{Bot, Game};
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// Games and their budgets in milliseconds.
const GAMES: [(usize, u64); 2] = [(2, 1000), (4, 300)];

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

/// Plays a game of Zuniq to the end and looks at the processor time after every answer.
fn play_zuniq(budget: Duration) {
    let mut bots = [(); 2].map(|()| Bot::start(&["play", "zuniq"]));
    bots.iter_mut().for_each(|bot| bot.send(&format!("Time {}", budget.as_millis())));
    let mut board = Board::default();
    let (mut side, mut line) = (0, "Start".to_string());
    while !board.is_over() {
        line = bots[side].ask(&line);
        assert!(board.play(&line), "{line}");
        let used = bots[side].cpu_time();
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
                        let used = bot.cpu_time();
                        assert!(used <= budget, "{used:?} of {budget:?}: {:?}", game.moves);
                    }
                });
                game.quit();
                play_zuniq(budget);
            }
        }
    });
}
