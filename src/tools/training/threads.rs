//! Work shared out to threads.

use anyhow::{anyhow, Result};
use std::thread;

/// Does the work on every part, each on a thread of its own. Returns the results in the order of the
/// parts; an error where a thread panicked.
pub fn on_threads<P: Send, R: Send>(
    parts: impl IntoIterator<Item = P>,
    work: impl Fn(P) -> R + Sync,
) -> Result<Vec<R>> {
    let work = &work;
    thread::scope(|scope| {
        let start = |part| scope.spawn(move || work(part));
        let handles: Vec<_> = parts.into_iter().map(start).collect();
        // All are waited for before the first error ends this.
        let ended: Vec<thread::Result<R>> =
            handles.into_iter().map(|handle| handle.join()).collect();
        let results = ended.into_iter();
        results.map(|result| result.map_err(|_| anyhow!("a training thread panicked"))).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_parts() {
        let squares = on_threads(0..8u64, |part| {
            thread::sleep(std::time::Duration::from_millis(8 - part));
            part * part
        });
        assert_eq!(squares.expect("no thread panics"), [0, 1, 4, 9, 16, 25, 36, 49]);
    }

    #[test]
    fn a_panic_is_an_error() {
        let error = on_threads(0..4, |part| assert!(part == 0, "on purpose"));
        assert_eq!(error.expect_err("three panicked").to_string(), "a training thread panicked");
    }
}
