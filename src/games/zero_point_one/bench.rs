//! A fixed amount of work on fixed positions: its node count shows whether the search has changed,
//! its time how fast it is.

use super::game::Game;
use super::position::Position;
use super::search::params::Params;
use super::search::{Limits, Searcher};
use std::fmt::Write;
use std::time::Instant;

/// The positions, one a line.
const POSITIONS: &str = include_str!("bench_positions.txt");
/// How deep each is searched unless told.
pub const DEFAULT_DEPTH: i32 = 7;
const HASH_MB: usize = 16;

/// Searches all positions to this depth, each with a cold table. Returns the report, whose last line
/// is `Bench: N` with the number of nodes: the same on every machine.
pub fn run(depth: i32) -> String {
    let mut report = String::new();
    let mut total = 0;
    let started = Instant::now();
    for line in POSITIONS.lines() {
        let position: Position = match line.parse() {
            Ok(position) => position,
            // A test reads the list.
            Err(_) => continue,
        };
        let mut searcher = Searcher::new(Params::default(), HASH_MB);
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let begun = Instant::now();
        let found = searcher.search(&Game::from_position(position), limits);
        total += found.nodes;
        let best = found.best.map_or(String::new(), |mv| mv.text(position.side()).to_string());
        let seconds = begun.elapsed().as_secs_f64();
        // Writing to a string can't fail.
        let _ =
            writeln!(report, "{:>10} nodes {:7.3} s {:>5} {}", found.nodes, seconds, best, line);
    }
    let seconds = started.elapsed().as_secs_f64();
    let _ = writeln!(report, "nodes {}", total);
    let _ = writeln!(report, "time {:.3} s", seconds);
    let _ = writeln!(report, "speed {:.0} nodes/s", total as f64 / seconds.max(1e-9));
    let _ = writeln!(report, "Bench: {}", total);
    report
}
