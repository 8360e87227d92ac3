//! `cupbot zuniq selfplay`: games with values for training. See [`super::samples`] for the form.

use super::{network, samples, uct};
use crate::engine::rng::{split_mix, Rng};
use crate::games::zuniq::geometry::{random_bit, Each};
use crate::games::zuniq::network::Network;
use crate::games::zuniq::position::{Identity, Position};
use crate::games::zuniq::segment::Segment;
use crate::games::zuniq::solver::{Limits, Solver};
use crate::games::zuniq::tree::{Estimate, Params, Tree};
use crate::tools::files::{self, create_new};
use crate::tools::progress::Progress;
use anyhow::{Context, Result};
use rand::RngExt;
use std::collections::{HashSet, VecDeque};
use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

/// Play games of Zuniq and write them to a file, with the values of their positions
#[derive(clap::Args)]
pub struct Args {
    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Go on with a file that an interrupted run has begun (same options but for --games)
    #[arg(long)]
    resume: bool,
    /// How many games the file shall hold in the end
    #[arg(long, default_value_t = 5000)]
    games: u64,
    /// Simulations a move
    #[arg(long, default_value_t = 60)]
    simulations: u64,
    /// Simulations a move of Black, who searches by itself then: games with an opponent that errs
    #[arg(long, value_name = "SIMULATIONS")]
    black: Option<u64>,
    /// Black is plain Monte Carlo search with so many simulations a move instead
    #[arg(long, value_name = "SIMULATIONS", conflicts_with = "black")]
    black_uct: Option<u64>,
    /// The games are the same for the same seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The network to play by, or `none` to begin without one (default: the built-in network)
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
}

/// A game begins with so many random moves.
const RANDOM_PLIES: Range<usize> = 2..12;
/// The probability of a random move after that.
const NOISE: f64 = 0.08;
/// A game is searched up to this ply; from there on the solver tells its values.
const SOLVED_PLY: usize = 26;
/// Exact values are written up to this ply: later positions are endings.
const LAST_PLY: usize = 33;
/// How many random moves of a solved position are solved too.
const SIDE_MOVES: usize = 5;
/// What may be spent on solving a position; a game that takes longer is given up.
const SOLVER_NODES: u64 = 400_000;
const HASH_MB: usize = 16;
const LEAF_HASH_MB: usize = 2;
/// What the value of a position takes from the rest of the game; from its own search it takes what is
/// left (temporal differences: R. Sutton, 1988).
const LAMBDA: f64 = 0.9;
/// Positions beside the game are written that its searches came to at least so often.
const LEAST_VISITS: u32 = 10;

/// Plays the games.
pub fn run(args: Args) -> Result<ExitCode> {
    let network = network(args.net.as_deref())?;
    let settings = serde_json::to_string(&Settings::of(&args, &network))?;
    let (mut output, first) = open(&args.output, args.resume, &settings)?;
    let mut progress = Progress::new("games", first, args.games);
    let by_network = args.black.map(Opponent::Network);
    let black = by_network.or(args.black_uct.map(Opponent::Uct));
    let effort = Effort { simulations: args.simulations, black };
    for index in first..args.games {
        // Every game by itself, so that a resumed run plays the same ones.
        let mut rng = Rng::new(split_mix(args.seed).wrapping_add(index));
        let line = loop {
            if let Some(line) = play_game(&network, effort, &mut rng) {
                break line;
            }
        };
        // One write a line: a kill leaves whole lines, or one torn line at the end.
        output.write_all(format!("{line}\n").as_bytes()).context("writing games")?;
        progress.advance(String::new);
    }
    progress.finish_with("");
    Ok(ExitCode::SUCCESS)
}

/// All that decides the games but their number, as their file keeps it.
#[derive(serde::Serialize)]
struct Settings {
    seed: u64,
    /// The checksum of the network, whatever its file is called.
    network: String,
    simulations: u64,
    black: Option<u64>,
    black_uct: Option<u64>,
}

impl Settings {
    fn of(args: &Args, network: &Network) -> Settings {
        Settings {
            seed: args.seed,
            network: format!("{:08x}", crc32fast::hash(&network.to_bytes())),
            simulations: args.simulations,
            black: args.black,
            black_uct: args.black_uct,
        }
    }
}

/// Makes the file, or opens the one to go on with. Also returns the number of games that it holds.
fn open(path: &Path, resume: bool, settings: &str) -> Result<(File, u64)> {
    let name = path.display();
    let header = samples::header(settings);
    if !resume || !path.exists() {
        let mut file = create_new(path)?;
        file.write_all(header.as_bytes()).context("writing games")?;
        return Ok((file, 0));
    }
    let opened = OpenOptions::new().read(true).append(true).open(path);
    let mut file = opened.with_context(|| format!("opening {name}"))?;
    let mut text = String::new();
    file.read_to_string(&mut text).with_context(|| format!("reading {name}"))?;
    // A kill may have left nothing or a part of the header.
    if text.len() < header.len() && header.starts_with(&text) {
        file.set_len(0)?;
        file.write_all(header.as_bytes()).context("writing games")?;
        return Ok((file, 0));
    }
    let found = samples::settings(&text);
    if found.is_none() {
        // Whatever else it is, it must not be cut or appended to.
        let line = text.lines().next().unwrap_or_default();
        samples::of_line(line).with_context(|| format!("{name} is no file of games"))?;
    }
    files::ensure_same_settings(path, found, settings)?;
    files::drop_torn_line(&file, &mut text)?;
    let games = samples::games(&text).count() as u64;
    Ok((file, games))
}

/// A game being played.
struct Play {
    position: Position,
    /// The positions before this one.
    before: Vec<Position>,
    moves: Vec<Segment>,
    /// The values of its positions, as text.
    values: String,
}

impl Play {
    fn make(&mut self, bit: u64) {
        self.moves.push(Segment::from_bit(bit));
        self.before.push(self.position.clone());
        self.position = self.position.make_bit(bit);
    }

    fn note(&mut self, place: impl std::fmt::Display, value: f64) {
        // Writing to a string can't fail.
        let _ = write!(self.values, " {place}:{}", (1000.0 * value).round() / 10.0);
    }
}

/// How many simulations a move is worth.
#[derive(Clone, Copy)]
pub struct Effort {
    /// Both sides', or White's alone.
    pub simulations: u64,
    /// Black's, if Black has a search of its own.
    pub black: Option<Opponent>,
}

/// A search of so many simulations a move.
#[derive(Clone, Copy)]
pub enum Opponent {
    /// By the same network, in a tree of its own.
    Network(u64),
    /// By random games.
    Uct(u64),
}

/// Plays a game. `None` if the solver can't tell who wins it.
pub fn play_game(network: &Arc<Network>, effort: Effort, rng: &mut Rng) -> Option<String> {
    let mut play = Play {
        position: Position::START,
        before: Vec::new(),
        moves: Vec::new(),
        values: String::new(),
    };
    let mut tree = Tree::new(Params::default(), network.clone());
    let found = search_moves(&mut play, &mut tree, effort, rng);
    let mut solver = Solver::new(HASH_MB);
    let won = solver.wins(&play.position, limits())?;
    // From the end back to the beginning.
    let mut value = f64::from(u8::from(won));
    for (ply, search) in found.iter().enumerate().rev() {
        let Some(search) = search else { continue };
        value = match search.is_random {
            true => search.value,
            false => LAMBDA * (1.0 - value) + (1.0 - LAMBDA) * search.value,
        };
        play.note(ply, value);
    }
    note_beside(&mut play, &tree);
    solve_moves(&mut play, &mut solver, rng);
    let moves: Vec<String> = play.moves.iter().map(Segment::to_string).collect();
    Some(format!("{} |{}", moves.join(" "), play.values))
}

/// What a search found, and whether another move was played at random.
struct Found {
    value: f64,
    is_random: bool,
}

/// The part of the game that can't be solved. Returns what was found at every ply.
fn search_moves(
    play: &mut Play,
    tree: &mut Tree,
    effort: Effort,
    rng: &mut Rng,
) -> Vec<Option<Found>> {
    let mut weak_tree = Tree::new(Params::default(), tree.network().clone());
    let mut solver = Solver::new(LEAF_HASH_MB);
    let random_plies = rng.random_range(RANDOM_PLIES);
    let mut found = Vec::new();
    while play.position.ply() < SOLVED_PLY && play.position.legal() != 0 {
        let random = random_bit(play.position.legal(), rng);
        if play.position.ply() < random_plies {
            play.make(random);
            found.push(None);
            continue;
        }
        let opponent = effort.black.filter(|_| play.position.ply() % 2 == 1);
        let searched = match opponent {
            None => searched(tree.search(&play.position, &mut solver, None, effort.simulations)),
            Some(Opponent::Network(simulations)) => {
                searched(weak_tree.search(&play.position, &mut solver, None, simulations))
            }
            Some(Opponent::Uct(simulations)) => {
                uct::choose(&play.position, None, Some(simulations)).map(|(best, _)| {
                    (best, f64::from(tree.network().win_probability(&play.position)))
                })
            }
        };
        let Some((best, mut value)) = searched else { break };
        // What the other side's search found is worth more.
        if let Some(known) = opponent.and_then(|_| tree.known(&play.position)) {
            value = known.value;
        }
        let is_random = rng.random_bool(NOISE);
        play.make(if is_random { random } else { best.bit() });
        found.push(Some(Found { value, is_random }));
    }
    found
}

/// The move and its value.
fn searched(estimate: Option<Estimate>) -> Option<(Segment, f64)> {
    estimate.map(|Estimate { best, value, .. }| (best, value))
}

/// What the searches found about positions beside the game (an idea of J. Veness and others, 2009:
/// learning from whole search trees), each with the shortest way to it from the game.
fn note_beside(play: &mut Play, tree: &Tree) {
    let positions = [&play.before[..], std::slice::from_ref(&play.position)].concat();
    let mut met: HashSet<Identity> = positions.iter().map(Position::identity).collect();
    for (ply, position) in positions.iter().enumerate().rev() {
        let mut open = VecDeque::from([(position.clone(), String::new())]);
        while let Some((position, way)) = open.pop_front() {
            for bit in Each(position.legal()) {
                let next = position.make_bit(bit);
                let known = tree.known(&next).filter(|known| known.visits >= LEAST_VISITS);
                let Some(known) = known.filter(|_| met.insert(next.identity())) else { continue };
                let way = format!("{way}+{}", Segment::from_bit(bit));
                play.note(format_args!("{ply}{way}"), known.value);
                open.push_back((next, way));
            }
        }
    }
}

/// The part that can: exact values of the game's positions and of others beside it.
fn solve_moves(play: &mut Play, solver: &mut Solver, rng: &mut Rng) {
    while play.position.legal() != 0 && play.position.ply() <= LAST_PLY {
        let ply = play.position.ply();
        let Some(won) = solver.wins(&play.position, limits()) else { break };
        play.note(ply, f64::from(u8::from(won)));
        let mut next = None;
        for index in 0..SIDE_MOVES {
            let bit = random_bit(play.position.legal(), rng);
            let Some(won) = solver.wins(&play.position.make_bit(bit), limits()) else { continue };
            play.note(format_args!("{ply}+{}", Segment::from_bit(bit)), f64::from(u8::from(won)));
            // A winning move if one was met.
            if index == 0 || !won {
                next = Some(bit);
            }
        }
        let Some(bit) = next else { break };
        play.make(bit);
    }
}

fn limits() -> Limits {
    Limits { nodes: Some(SOLVER_NODES), deadline: None }
}
