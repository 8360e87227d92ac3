//! Games of self-play by several threads, taken in the order of their places.

use anyhow::Result;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

/// So many finished games may wait to be taken.
const MAX_WAITING: usize = 256;

/// Plays the games of these places, `jobs` at a time, and takes each once all before it are taken, so
/// that a resumed run knows where it was. Every thread makes its own `worker`, which plays the game of a
/// place.
pub fn play_in_order<G: Send, W: FnMut(u64) -> G>(
    places: Range<u64>,
    jobs: u64,
    worker: impl Fn() -> W + Sync,
    mut take: impl FnMut(G) -> Result<()>,
) -> Result<()> {
    let next = AtomicU64::new(places.start);
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::sync_channel(MAX_WAITING);
        for _ in 0..jobs {
            let (sender, next, worker) = (sender.clone(), &next, &worker);
            scope.spawn(move || {
                let mut play = worker();
                loop {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    if place >= places.end || sender.send((place, play(place))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut expected = places.start;
        for (place, game) in receiver {
            waiting.insert(place, game);
            while let Some(game) = waiting.remove(&expected) {
                take(game)?;
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
    fn games_are_taken_in_order_whatever_the_jobs() {
        for jobs in [1, 3] {
            let mut taken = Vec::new();
            let take = |game| {
                taken.push(game);
                Ok(())
            };
            play_in_order(5..400, jobs, || |place| 2 * place, take).expect("taken");
            assert_eq!(taken, (5..400).map(|place| 2 * place).collect::<Vec<u64>>());
        }
    }

    #[test]
    fn an_error_ends_all_threads() {
        let take = |game: u64| {
            ensure!(game < 7, "no room for {game}");
            Ok(())
        };
        let error = play_in_order(0..100_000, 2, || |place| place, take).expect_err("no room");
        assert_eq!(error.to_string(), "no room for 7");
    }
}
