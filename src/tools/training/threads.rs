//! Data parallelism: work on parts of the data, one thread per part.

use anyhow::{anyhow, Context, Result};
use std::io;
use std::thread;

/// Calls `work` for every part on a separate thread and returns the results in the order of the parts. Fails if a
/// thread panicked.
pub fn on_threads<P: Send, R: Send>(
    parts: impl IntoIterator<Item = P>,
    work: impl Fn(P) -> R + Sync,
) -> Result<Vec<R>> {
    let work = &work;
    thread::scope(|scope| {
        let start = |part| {
            // One type for all kinds of work, so that the code that starts a thread is compiled once.
            let work: Box<dyn FnOnce() -> R + Send> = Box::new(move || work(part));
            thread::Builder::new().spawn_scoped(scope, work)
        };
        let handles: io::Result<Vec<_>> = parts.into_iter().map(start).collect();
        let handles = handles.context("starting a thread; use fewer --jobs")?;
        // Joins all threads before it returns the first error.
        let ended: Vec<thread::Result<R>> =
            handles.into_iter().map(|handle| handle.join()).collect();
        let results = ended.into_iter();
        results.map(|result| result.map_err(|_| anyhow!("a training thread panicked"))).collect()
    })
}

/// Splits the samples into equal parts, one per buffer, and calls `work` for each on a separate thread. Returns the sum
/// of the results. Fails if a thread panicked.
pub fn sum_over_parts<S: Sync, P: Send>(
    buffers: &mut [P],
    samples: &[S],
    work: impl Fn(&mut P, &[S]) -> f64 + Sync,
) -> Result<f64> {
    let part = samples.len().div_ceil(buffers.len().max(1)).max(1);
    let parts = buffers.iter_mut().zip(samples.chunks(part));
    Ok(on_threads(parts, |(buffer, samples)| work(buffer, samples))?.iter().sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn results_come_in_the_order_of_the_parts() {
        // The last part finishes first.
        let ended = AtomicU64::new(0);
        let squares = on_threads(0..8u64, |part| {
            while ended.load(Ordering::SeqCst) < 7 - part {
                thread::yield_now();
            }
            ended.fetch_add(1, Ordering::SeqCst);
            part * part
        });
        assert_eq!(squares.expect("no thread panics"), [0, 1, 4, 9, 16, 25, 36, 49]);
    }

    #[test]
    fn every_sample_is_in_one_part() {
        for count in [0, 1, 7, 8] {
            let samples: Vec<f64> = (0..count).map(f64::from).collect();
            let mut buffers = [0; 3];
            let sum = sum_over_parts(&mut buffers, &samples, |buffer, samples| {
                *buffer = samples.len();
                samples.iter().sum()
            });
            assert_eq!(sum.expect("no thread panics"), samples.iter().sum::<f64>());
            assert_eq!(buffers.iter().sum::<usize>(), samples.len());
        }
    }

    #[test]
    fn a_panic_is_an_error() {
        let error = on_threads(0..4, |part| assert!(part == 0, "on purpose"));
        assert_eq!(error.expect_err("three panicked").to_string(), "a training thread panicked");
    }
}
