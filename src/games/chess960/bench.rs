//! Benchmark: the node count shows whether the search has changed, the time shows its speed.

use super::eval::Evaluator;
use super::game::Game;
use super::movegen;
use super::position::{CastlingRule, Position};
use super::search::params::Params;
use super::search::{Limits, Searcher};
use crate::engine::bench::report;
use crate::engine::network_file::NetworkError;

/// The positions, one per line.
const POSITIONS: &str = include_str!("bench_positions.txt");
/// Default depth, in plies.
pub const DEFAULT_DEPTH: i32 = 12;
const HASH_MB: usize = 16;

/// Returns the positions with their texts; a test checks that all are valid.
fn positions() -> impl Iterator<Item = (&'static str, Position)> {
    let read = |line| Position::from_fen(line, CastlingRule::Arena).ok();
    POSITIONS.lines().filter_map(move |line| read(line).map(|position| (line, position)))
}

/// Searches all positions to this depth, each with an empty transposition table, with `evaluator` or the built-in
/// network. Returns the report. Its last line is `Bench: N` with the number of nodes, which is the same on every
/// machine. It is an error if the built-in network can't be read, since the node count depends on it.
pub fn run(depth: i32, evaluator: Option<Evaluator>) -> Result<String, NetworkError> {
    let evaluator = Evaluator::or_built_in(evaluator)?;
    Ok(report(positions(), |(line, position)| {
        let mut searcher = Searcher::new(Params::default(), evaluator.clone(), HASH_MB);
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let moves = movegen::moves(&position);
        let found = searcher.search(&Game::new(position), &moves, limits);
        let best = found.best.map_or(String::new(), |mv| mv.to_string());
        (found.nodes, format!("{:>5} {}", best, line))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_positions_can_be_read_and_differ() {
        let mut texts: Vec<String> =
            positions().map(|(_, position)| position.to_string()).collect();
        assert_eq!(texts, POSITIONS.lines().collect::<Vec<_>>());
        texts.sort();
        texts.dedup();
        assert_eq!(texts.len(), 16);
    }
}
