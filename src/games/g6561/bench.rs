//! Benchmark: a fixed amount of work on fixed positions. The node count shows whether the search has changed; the time
//! shows how fast it is.

use super::game::{Game, MAX_PLIES};
use super::network::Network;
use super::partner_model::main_by_units;
use super::search::{Aim, Evaluation, Limits, ReplyModel, Search};
use super::value::MAIN;
use crate::engine::bench::summary;
use crate::engine::network_file::NetworkError;
use crate::engine::rng::Rng;
use std::fmt::Write;
use std::sync::Arc;
use std::time::Instant;

/// Default search depth, in plies.
pub const DEFAULT_DEPTH: i32 = 5;
/// Number of games that supply the positions. They are played by a shallow search with occasional random moves.
const GAMES: u64 = 3;
/// Search depth of the moves of these games, in plies.
const PLAY_DEPTH: usize = 1;
/// Interval of random moves in these games, in plies.
const RANDOM_EVERY: usize = 10;
/// Interval of the positions that are searched, in plies.
const PLIES_BETWEEN_SEARCHES: usize = 97;
/// Model of the partner's replies.
const REPLIES: ReplyModel = ReplyModel { best: 0.5, ..ReplyModel::RANDOM };

/// Searches all positions to `depth` with the hand-made value and, less deep, with the learned value of `network` (the
/// built-in one if `None`), and returns the report. Its last line is `Bench: N`, where N is the number of nodes, the
/// same on every machine. Returns an error if the built-in network can't be read.
pub fn run(depth: i32, network: Option<Arc<Network>>) -> Result<String, NetworkError> {
    let network = match network {
        Some(network) => network,
        None => Arc::new(Network::read_built_in()?),
    };
    let depth = depth.max(1) as usize;
    let mut search = Search::new();
    let mut report = String::new();
    let started = Instant::now();
    for seed in 0..GAMES {
        let mut rng = Rng::new(seed);
        let mut game = Game::new();
        let mut main = MAIN;
        while game.ending().is_none() && game.ply() < MAX_PLIES {
            main = main_by_units(game.position().board, main);
            if game.ply() % PLIES_BETWEEN_SEARCHES == PLIES_BETWEEN_SEARCHES - 1 {
                let (before, begun) = (search.nodes(), Instant::now());
                let limits = Limits { depth: Some(depth), ..Limits::default() };
                let found = search.rank(game.position(), &Aim::new(main, REPLIES), limits).best();
                let evaluation = Evaluation::Learned(network.clone());
                let aim = Aim { main, replies: ReplyModel::RANDOM, evaluation };
                // The learned value is slower.
                let shallow = Limits { depth: Some((depth - 1).max(1)), ..limits };
                let learned = search.rank(game.position(), &aim, shallow).best();
                let texts = [found, learned]
                    .map(|found| found.map_or(String::new(), |found| found.mv.to_string()));
                // Writing to a string can't fail.
                let _ = writeln!(
                    report,
                    "{:>10} nodes {:7.3} s {:>3} {:>3} after ply {}",
                    search.nodes() - before,
                    begun.elapsed().as_secs_f64(),
                    texts[0],
                    texts[1],
                    game.ply()
                );
            }
            let moves = game.position().moves();
            let limits = Limits { depth: Some(PLAY_DEPTH), ..Limits::default() };
            let mv = if game.ply() % RANDOM_EVERY == 0 {
                moves[rng.below(moves.len())]
            } else {
                search
                    .rank(game.position(), &Aim::new(main, REPLIES), limits)
                    .best()
                    .map_or(moves[0], |c| c.mv)
            };
            if game.push(mv).is_err() {
                break;
            }
        }
    }
    Ok(report + &summary(search.nodes(), started.elapsed()))
}
