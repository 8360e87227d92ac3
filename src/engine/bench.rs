//! The end of every game's benchmark report.

use std::time::Duration;

/// Nodes, time and speed, and last `Bench: N` with the nodes: what tools and people compare.
pub fn summary(nodes: u64, time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let speed = nodes as f64 / seconds.max(1e-9);
    format!(
        "nodes {}\ntime {:.3} s\nspeed {:.0} nodes/s\nBench: {}\n",
        nodes, seconds, speed, nodes
    )
}
