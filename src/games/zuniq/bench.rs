//! Benchmark: a fixed amount of work on fixed positions. The node count shows whether the solver or the search has
//! changed; the time shows how fast they are.

use super::game::Game;
use super::network::Network;
use super::solver::{Solver, Verdict};
use super::tree::{Params, Tree};
use crate::engine::bench::report;
use crate::engine::budget::Budget;
use crate::engine::network_file::NetworkError;
use std::sync::Arc;

/// The positions, one per line, as the moves that lead to them.
const POSITIONS: &str = include_str!("bench_positions.txt");
const HASH_MB: usize = 64;
/// Default depth, in thousands of simulations per position.
pub const DEFAULT_DEPTH: i32 = 5;
const SIMULATIONS_PER_DEPTH: u64 = 1000;
/// Positions from this ply on are also solved.
const SOLVE_FROM_PLY: usize = 28;

/// Searches all positions to `depth` with `network` (the built-in one if `None`) and its instruction set, solves the
/// late ones with an empty table, and returns the report. Its last line is `Bench: N`, where N is the number of solver
/// nodes plus the number of moves that the searches evaluated; N is the same on every machine. Returns an error if the
/// built-in network can't be read.
pub fn run(depth: i32, network: Option<Arc<Network>>) -> Result<String, NetworkError> {
    let network = match network {
        Some(network) => network,
        None => Arc::new(Network::read_built_in()?),
    };
    let limit = depth.max(1) as u64 * SIMULATIONS_PER_DEPTH;
    Ok(report(POSITIONS.lines(), |line| {
        let mut game = Game::new();
        // Can't fail: a test checks that all positions can be played.
        let _ = line.split_whitespace().try_for_each(|text| game.play(text));
        let mut solver = Solver::new(HASH_MB).with_instructions(network.instructions());
        let mut tree = Tree::new(Params::default(), Arc::clone(&network));
        let result = tree.search(game.position(), &mut solver, None, limit);
        let simulations = result.map_or(0, |result| result.simulations);
        let is_late = game.ply() >= SOLVE_FROM_PLY;
        let solved = is_late.then(|| solver.solve(game.position(), Budget::unlimited())).flatten();
        let verdict = match solved {
            Some(Verdict::Won(segment)) => format!("won by {}", segment),
            Some(Verdict::Lost) => "lost".to_string(),
            None => String::new(),
        };
        let nodes = solver.nodes() + tree.size() as u64;
        (nodes, format!("{:>5} simulations {:>10} at ply {}", simulations, verdict, game.ply()))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::sys::simd::Path;

    /// Runs whole searches, in which a difference in a single evaluation would eventually change the tree.
    #[test]
    fn node_counts_are_equal_on_every_simd_path() {
        let count = |path| {
            let network =
                Network::read_built_in().expect("the built-in network is valid").on_path(path)?;
            let report = run(1, Some(Arc::new(network))).expect("a network is given");
            report.lines().last().map(String::from)
        };
        let counts: Vec<String> = Path::available().into_iter().filter_map(count).collect();
        assert_eq!(counts.len(), Path::available().len());
        assert!(counts.iter().all(|found| *found == counts[0]), "{:?}", counts);
    }

    #[test]
    fn every_position_can_be_played() {
        for line in POSITIONS.lines() {
            let mut game = Game::new();
            for text in line.split_whitespace() {
                assert_eq!(game.play(text), Ok(()), "{} in {}", text, line);
            }
            assert_eq!(game.winner(), None, "{}", line);
        }
    }
}
