//! `cupbot zuniq selfplay`: plays games with values for training.

use super::evaluation::network;
use super::monte_carlo::{self, Policy};
use super::samples::{PlayedGame, Value};
use crate::engine::budget::Budget;
use crate::engine::rng::Rng;
use crate::games::zuniq::geometry::{random_bit, Each};
use crate::games::zuniq::network::Network;
use crate::games::zuniq::position::{Identity, Position};
use crate::games::zuniq::segment::Segment;
use crate::games::zuniq::solver::Solver;
use crate::games::zuniq::tree::{Params, SearchResult, Tree};
use crate::tools::support::units::integer;
use crate::tools::training::selfplay::SelfPlayArgs;
use anyhow::Result;
use rand::RngExt;
use std::collections::{HashSet, VecDeque};
use std::ops::Range;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

/// Play training games of Zuniq and write them to a file with the values of their positions
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    games: SelfPlayArgs,
    /// Simulations per move
    #[arg(long, default_value_t = 60, value_parser = integer::<u64>(0..))]
    simulations: u64,
    /// Simulations per move of Black, with a separate search tree (for games against a weaker opponent)
    #[arg(long, value_name = "SIMULATIONS", value_parser = integer::<u64>(0..))]
    black: Option<u64>,
    /// Simulations per move of Black with plain Monte Carlo tree search (UCT)
    #[arg(long, value_name = "SIMULATIONS", conflicts_with = "black", value_parser = integer::<u64>(0..))]
    black_uct: Option<u64>,
    /// Network file, or `none` for a network of zeros (default: the built-in network)
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
}

/// Number of random moves at the start of a game.
const RANDOM_PLIES: Range<usize> = 2..12;
/// Probability of a random move after the random start.
const NOISE: f64 = 0.08;
/// First ply at which positions are solved instead of searched.
const SOLVED_PLY: usize = 26;
/// Last ply with exact values in the file; later positions are endings.
const LAST_PLY: usize = 33;
/// Number of random moves from each solved position after which the position is solved too.
const SIDE_MOVES: usize = 5;
/// Maximum number of solver nodes per position. Games that need more are discarded.
const SOLVER_NODES: u64 = 400_000;
/// Size of the solver's table for solved positions, in MiB.
const HASH_MB: usize = 16;
/// Size of the solver's table for leaves of a search, in MiB.
const LEAF_HASH_MB: usize = 2;
/// Weight of the later positions of the game in the value of a position; the remainder is the weight of the position's
/// search (TD(λ): Sutton, 1988).
const LAMBDA: f64 = 0.9;
/// Minimum visits of positions outside the game that are written to the file.
const MIN_VISITS: u32 = 10;

/// Plays games and writes them to a file.
pub fn run(args: Args) -> Result<ExitCode> {
    let network = network(args.net.as_deref())?;
    let Args { simulations, black, black_uct, .. } = args;
    let checksum = format!("{:08x}", crc32fast::hash(&network.to_bytes()));
    let settings = Settings { network: checksum, simulations, black, black_uct };
    let black = black.map(BlackSearch::Network).or(black_uct.map(BlackSearch::Uct));
    let searches = Searches { simulations, black };
    args.games.play(&settings, || {
        |rng| loop {
            if let Some(game) = play_game(&network, searches, rng) {
                break game;
            }
        }
    })
}

/// Settings stored in the file of games: all options that determine the games, except the seed and number.
#[derive(serde::Serialize)]
struct Settings {
    /// Checksum of the network, independent of the file name.
    network: String,
    simulations: u64,
    black: Option<u64>,
    black_uct: Option<u64>,
}

/// A game being played.
struct SelfPlayGame {
    position: Position,
    /// The earlier positions.
    before: Vec<Position>,
    moves: Vec<Segment>,
    values: Vec<Value>,
}

impl SelfPlayGame {
    fn make(&mut self, bit: u64) {
        self.moves.push(Segment::from_bit(bit));
        self.before.push(self.position.clone());
        self.position = self.position.make_bit(bit);
    }

    /// Adds the value of the position after `ply` moves of the game and these further moves.
    fn add_value(&mut self, ply: usize, path: &[Segment], value: f64) {
        let permille = (1000.0 * value).round() as u16;
        self.values.push(Value { ply, path: path.to_vec(), permille });
    }
}

/// Searches of both sides.
#[derive(Clone, Copy)]
pub struct Searches {
    /// Simulations per move of both sides, or only of White.
    pub simulations: u64,
    /// The search of Black, if different.
    pub black: Option<BlackSearch>,
}

/// A search of Black with its simulations per move.
#[derive(Clone, Copy)]
pub enum BlackSearch {
    /// The same network in a separate tree.
    Network(u64),
    /// Plain Monte Carlo tree search (UCT).
    Uct(u64),
}

/// Plays a game. Returns `None` if the solver can't prove the winner.
pub fn play_game(network: &Arc<Network>, searches: Searches, rng: &mut Rng) -> Option<PlayedGame> {
    let mut game = SelfPlayGame {
        position: Position::START,
        before: Vec::new(),
        moves: Vec::new(),
        values: Vec::new(),
    };
    let mut tree = Tree::new(Params::default(), network.clone());
    let plies = search_moves(&mut game, &mut tree, searches, rng);
    let mut solver = Solver::new(HASH_MB);
    let won = solver.wins(&game.position, budget())?;
    let winner = (game.position.ply() + usize::from(!won)) % 2;
    // TD(λ) backwards.
    let mut value = f64::from(u8::from(won));
    for (ply, search) in plies.iter().enumerate().rev() {
        let Some(search) = search else { continue };
        value = match search.is_random {
            true => search.value,
            false => LAMBDA * (1.0 - value) + (1.0 - LAMBDA) * search.value,
        };
        game.add_value(ply, &[], value);
    }
    add_side_positions(&mut game, &tree);
    solve_moves(&mut game, &mut solver, rng);
    let SelfPlayGame { moves, values, .. } = game;
    Some(PlayedGame { moves, winner, values })
}

/// The value of a search, and whether a random move was played instead of the best one.
struct SearchedPly {
    value: f64,
    is_random: bool,
}

/// Plays the searched part of the game. Returns the value at every ply, or `None` for random moves at the start.
fn search_moves(
    game: &mut SelfPlayGame,
    tree: &mut Tree,
    searches: Searches,
    rng: &mut Rng,
) -> Vec<Option<SearchedPly>> {
    let mut weak_tree = Tree::new(Params::default(), tree.network().clone());
    let mut solver = Solver::new(LEAF_HASH_MB);
    let random_plies = rng.random_range(RANDOM_PLIES);
    let mut plies = Vec::new();
    while game.position.ply() < SOLVED_PLY && game.position.legal() != 0 {
        let random = random_bit(game.position.legal(), rng);
        if game.position.ply() < random_plies {
            game.make(random);
            plies.push(None);
            continue;
        }
        let opponent = searches.black.filter(|_| game.position.ply() % 2 == 1);
        let searched = match opponent {
            None => {
                best_and_value(tree.search(&game.position, &mut solver, None, searches.simulations))
            }
            Some(BlackSearch::Network(simulations)) => {
                best_and_value(weak_tree.search(&game.position, &mut solver, None, simulations))
            }
            Some(BlackSearch::Uct(simulations)) => {
                let simulations = Some(simulations);
                let limits = monte_carlo::Limits { deadline: None, simulations };
                monte_carlo::choose(Policy::Uct, &game.position, limits).map(|choice| {
                    (choice.segment, f64::from(tree.network().win_probability(&game.position)))
                })
            }
        };
        let Some((best, mut value)) = searched else { break };
        // The search of the stronger side is more accurate.
        if let Some(stats) = opponent.and_then(|_| tree.stats(&game.position)) {
            value = stats.value;
        }
        let is_random = rng.random_bool(NOISE);
        game.make(if is_random { random } else { best.bit() });
        plies.push(Some(SearchedPly { value, is_random }));
    }
    plies
}

/// Returns the best move of a search and its value.
fn best_and_value(result: Option<SearchResult>) -> Option<(Segment, f64)> {
    result.map(|SearchResult { best, value, .. }| (best, value))
}

/// Adds the values of searched positions outside the game (learning from whole search trees: Veness and others, 2009),
/// each with the shortest path from the game.
fn add_side_positions(game: &mut SelfPlayGame, tree: &Tree) {
    let positions = [&game.before[..], std::slice::from_ref(&game.position)].concat();
    let mut met: HashSet<Identity> = positions.iter().map(Position::identity).collect();
    for (ply, position) in positions.iter().enumerate().rev() {
        let mut open = VecDeque::from([(position.clone(), Vec::new())]);
        while let Some((position, path)) = open.pop_front() {
            for bit in Each(position.legal()) {
                let next = position.make_bit(bit);
                let stats = tree.stats(&next).filter(|stats| stats.visits >= MIN_VISITS);
                let Some(stats) = stats.filter(|_| met.insert(next.identity())) else { continue };
                let path = [&path[..], &[Segment::from_bit(bit)]].concat();
                game.add_value(ply, &path, stats.value);
                open.push_back((next, path));
            }
        }
    }
}

/// Plays the solved part of the game and adds exact values of its positions and of other positions one move away.
fn solve_moves(game: &mut SelfPlayGame, solver: &mut Solver, rng: &mut Rng) {
    while game.position.legal() != 0 && game.position.ply() <= LAST_PLY {
        let ply = game.position.ply();
        let Some(won) = solver.wins(&game.position, budget()) else { break };
        game.add_value(ply, &[], f64::from(u8::from(won)));
        let mut next = None;
        for index in 0..SIDE_MOVES {
            let bit = random_bit(game.position.legal(), rng);
            let Some(won) = solver.wins(&game.position.make_bit(bit), budget()) else { continue };
            game.add_value(ply, &[Segment::from_bit(bit)], f64::from(u8::from(won)));
            // Prefers a winning move.
            if index == 0 || !won {
                next = Some(bit);
            }
        }
        let Some(bit) = next else { break };
        game.make(bit);
    }
}

fn budget() -> Budget {
    Budget::new(Some(SOLVER_NODES), None)
}
