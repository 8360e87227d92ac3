//! The benchmark report that is common to all games.

use std::time::{Duration, Instant};

/// Searches the positions and returns the report: one line per position, with the nodes and the text that `search`
/// returns, then the summary.
pub fn report<P>(
    positions: impl Iterator<Item = P>,
    mut search: impl FnMut(P) -> (u64, String),
) -> String {
    let mut report = String::new();
    let mut total = 0;
    let started = Instant::now();
    for position in positions {
        let begun = Instant::now();
        let (nodes, words) = search(position);
        total += nodes;
        let seconds = begun.elapsed().as_secs_f64();
        report += &format!("{:>10} nodes {:7.3} s {}\n", nodes, seconds, words);
    }
    report + &summary(total, started.elapsed())
}

/// Returns nodes, time and speed, and a last line `Bench: N` with the node count, which identifies the search
/// behaviour.
pub fn summary(nodes: u64, time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let speed = nodes as f64 / seconds.max(1e-9);
    format!(
        "nodes {}\ntime {:.3} s\nspeed {:.0} nodes/s\nBench: {}\n",
        nodes, seconds, speed, nodes
    )
}
