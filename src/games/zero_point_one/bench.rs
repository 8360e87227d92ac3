//! The benchmark: searches fixed positions to a fixed depth. The node count shows whether the behaviour of the search
//! has changed, the time how fast it is.

use super::eval::Evaluator;
use super::game::Game;
use super::position::Position;
use super::search::params::Params;
use super::search::{Limits, Searcher};
use crate::engine::bench::report;
use crate::engine::network_file::NetworkError;

/// Benchmark positions, one per line.
const POSITIONS: &str = include_str!("bench_positions.txt");
/// Default search depth, in plies.
pub const DEFAULT_DEPTH: i32 = 10;
const HASH_MB: usize = 16;

/// Returns the positions with their text. A test ensures that all lines are valid.
fn positions() -> impl Iterator<Item = (&'static str, Position)> {
    POSITIONS.lines().filter_map(|line| line.parse().ok().map(|position| (line, position)))
}

/// Searches all positions to this depth, each with an empty transposition table, with `evaluator` or the built-in
/// network. Returns the report. Its last line is `Bench: N` with the number of nodes, which is the same on every
/// machine. It is an error if the built-in network can't be read, since the node count depends on it.
pub fn run(depth: i32, evaluator: Option<Evaluator>) -> Result<String, NetworkError> {
    let evaluator = Evaluator::or_built_in(evaluator)?;
    Ok(report(positions(), |(line, position)| {
        let mut searcher = Searcher::with_evaluator(Params::default(), evaluator.clone(), HASH_MB);
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let found = searcher.search(&Game::from_position(position), limits);
        let best = found.best.map_or(String::new(), |mv| mv.text(position.side()).to_string());
        (found.nodes, format!("{:>5} {}", best, line))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_positions_are_valid_and_distinct() {
        let mut texts: Vec<String> =
            positions().map(|(_, position)| position.to_string()).collect();
        assert_eq!(texts, POSITIONS.lines().collect::<Vec<_>>());
        texts.sort();
        texts.dedup();
        assert_eq!(texts.len(), 30);
        assert!(positions().all(|(_, position)| !position.is_over()));
    }

    #[test]
    fn the_node_count_is_reproducible() {
        // Excludes the times.
        let nodes = || -> Vec<String> {
            let report = run(3, None).expect("the built-in network");
            let words = report.lines().filter_map(|line| line.split_whitespace().next());
            words.chain(report.lines().last()).map(String::from).collect()
        };
        let first = nodes();
        assert_eq!(first, nodes());
        assert!(first[..30].iter().all(|nodes| nodes != "0"), "{:?}", first);
        let last = first.last().and_then(|line| line.strip_prefix("Bench: "));
        let total: u64 = last.and_then(|total| total.parse().ok()).expect("Bench: N");
        let sum: u64 = first[..30].iter().filter_map(|nodes| nodes.parse::<u64>().ok()).sum();
        assert_eq!(sum, total);
    }
}
