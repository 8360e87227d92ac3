//! Plays numbered games on several threads and delivers them in order.

use anyhow::{Context, Result};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

/// Capacity of the channel of finished games; workers block when it is full.
const MAX_WAITING: usize = 256;

/// Plays the games `numbers` on `jobs` threads and passes them to `take` in order, so that a run can be resumed after
/// the last one. Each thread calls `worker` once; the returned closure plays the game with a given number.
pub fn play_in_order<G: Send, W: FnMut(u64) -> G>(
    numbers: Range<u64>,
    jobs: u64,
    worker: impl Fn() -> W + Sync,
    mut take: impl FnMut(G) -> Result<()>,
) -> Result<()> {
    let next = AtomicU64::new(numbers.start);
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::sync_channel(MAX_WAITING);
        for _ in 0..jobs {
            let (sender, next, worker) = (sender.clone(), &next, &worker);
            let work = move || {
                let mut play = worker();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= numbers.end || sender.send((number, play(number))).is_err() {
                        break;
                    }
                }
            };
            let started = thread::Builder::new().spawn_scoped(scope, work);
            started.context("starting a thread; use fewer --jobs")?;
        }
        drop(sender);
        let mut waiting: Vec<(u64, G)> = Vec::new();
        let mut expected = numbers.start;
        for game in receiver {
            waiting.push(game);
            while let Some(at) = waiting.iter().position(|(number, _)| *number == expected) {
                take(waiting.swap_remove(at).1)?;
                expected += 1;
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::ensure;

    #[test]
    fn games_come_in_order_for_any_number_of_jobs() {
        for jobs in [1, 3] {
            let mut taken = Vec::new();
            let take = |game| {
                taken.push(game);
                Ok(())
            };
            play_in_order(5..400, jobs, || |number| 2 * number, take).expect("no error");
            assert_eq!(taken, (5..400).map(|number| 2 * number).collect::<Vec<u64>>());
        }
    }

    #[test]
    fn an_error_stops_all_threads() {
        let take = |game: u64| {
            ensure!(game < 7, "no room for {game}");
            Ok(())
        };
        let error = play_in_order(0..100_000, 2, || |number| number, take).expect_err("no room");
        assert_eq!(error.to_string(), "no room for 7");
    }
}
