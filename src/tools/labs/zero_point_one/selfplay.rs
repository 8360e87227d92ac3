//! `cupbot selfplay`: plays training games.

use super::opening_generator::{random_opening, random_safe_move, OpeningStyle};
use super::opponent;
use super::stored_game::{Ply, TrainingGame};
use crate::engine::rng::Rng;
use crate::engine::score::is_decisive;
use crate::games::zero_point_one::game::{Game, Outcome};
use crate::games::zero_point_one::notation::Setup;
use crate::games::zero_point_one::search::params::Params;
use crate::games::zero_point_one::search::{Limits, Searcher};
use crate::tools::contracts::alpha_beta::evaluator_fingerprint;
use crate::tools::contracts::alpha_beta::AlphaBeta;
use crate::tools::support::units::{integer, parse_share};
use crate::tools::training::selfplay::SelfPlayArgs;
use anyhow::Result;
use rand::RngExt;
use std::path::PathBuf;
use std::process::ExitCode;

/// Play training games of Zero Point One in process and write them to a file
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    games: SelfPlayArgs,
    /// Network file, or `handmade` (default: the built-in network)
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    #[command(flatten)]
    style: Style,
}

/// Options that determine the games, except the evaluation.
#[derive(clap::Args, Clone, Debug, serde::Serialize)]
struct Style {
    /// Soft node limit per move: no new iteration starts beyond it
    #[arg(long, default_value_t = 1500, value_parser = integer::<u64>(1..))]
    nodes: u64,
    /// Hard node limit per move (0: ten times --nodes)
    #[arg(long, default_value_t = 0, value_parser = integer::<u64>(0..))]
    hard_nodes: u64,
    /// Fraction of setups that follow heuristics; the others are random
    #[arg(long, default_value_t = 0.5, value_parser = parse_share::<f64>)]
    good_setups: f64,
    /// Maximum number of random plies after the setups
    #[arg(long, default_value_t = 8, value_parser = integer::<u32>(0..=80))]
    random_plies: u32,
    /// Probability of a random move at each ply after the opening, up to --noise-plies
    #[arg(long, default_value_t = 0.04, value_parser = parse_share::<f64>)]
    noise: f64,
    /// Last ply at which --noise plays random moves
    #[arg(long, default_value_t = 40, value_parser = integer::<usize>(0..))]
    noise_plies: usize,
    /// End a game as a draw when a position occurs this many times (0: never)
    #[arg(long, default_value_t = 0, value_parser = integer::<usize>(0..))]
    draw_repetitions: usize,
    /// Resign at a score of at most minus this, in hundredths of a piece (0: never)
    #[arg(long, default_value_t = 0, value_parser = integer::<i32>(0..))]
    resign: i32,
}

/// Settings stored in the file of games: all options that determine the games, except the seed and number.
#[derive(serde::Serialize)]
struct Settings<'a> {
    evaluation: String,
    #[serde(flatten)]
    style: &'a Style,
}

/// Size of each job's transposition table, in MiB. It is small because it is cleared before every game.
const HASH_MB: usize = 4;

/// Plays the games.
pub fn run(args: Args) -> Result<ExitCode> {
    // Comes first, so that an unreadable network does not leave an empty output file.
    let evaluator = opponent::Game::evaluator(args.net.as_deref())?;
    let settings = Settings { evaluation: evaluator_fingerprint(&evaluator), style: &args.style };
    args.games.play(&settings, || {
        let mut searcher = Searcher::with_evaluator(Params::default(), evaluator.clone(), HASH_MB);
        let style = &args.style;
        move |rng| play_game(&mut searcher, rng, style)
    })
}

/// Plays one game from a random opening.
fn play_game(searcher: &mut Searcher, rng: &mut Rng, style: &Style) -> TrainingGame {
    let random_plies = (0, style.random_plies as usize);
    let opening = OpeningStyle { good_setups: style.good_setups, random_plies };
    let mut game = random_opening(rng, opening);
    let mut scores: Vec<Option<i16>> = vec![None; game.moves().len()];
    let hard = if style.hard_nodes > 0 { style.hard_nodes } else { style.nodes.saturating_mul(10) };
    let limits =
        Limits { soft_nodes: Some(style.nodes), hard_nodes: Some(hard), ..Limits::default() };
    searcher.clear();
    let outcome = loop {
        if let Some(outcome) = game.outcome() {
            break outcome;
        }
        if style.draw_repetitions > 0 && repetitions(&game) >= style.draw_repetitions {
            break Outcome::Drawn;
        }
        if game.ply() < style.noise_plies && rng.random_bool(style.noise) {
            if let Some(mv) = random_safe_move(&game, rng) {
                game.push(mv);
                scores.push(None);
                continue;
            }
        }
        let found = searcher.search(&game, limits);
        let Some(best) = found.best else {
            // No legal move: the rules do not cover this, and it has not occurred in games.
            break Outcome::Drawn;
        };
        if style.resign > 0 && found.score <= -style.resign && !is_decisive(found.score) {
            break Outcome::Won(!game.side());
        }
        game.push(best);
        scores.push(Some(found.score as i16));
    };
    record(&game, &scores, outcome)
}

fn record(game: &Game, scores: &[Option<i16>], outcome: Outcome) -> TrainingGame {
    let setup = |index: usize| -> Setup { game.setups()[index] };
    let plies = game.moves().iter().zip(scores).map(|(&mv, &score)| Ply { mv, score }).collect();
    let winner = match outcome {
        Outcome::Drawn => None,
        Outcome::Won(colour) => Some(colour.index()),
    };
    TrainingGame { start: [setup(0), setup(1)], plies, winner }
}

/// Returns the number of occurrences of the current position, including the current one.
fn repetitions(game: &Game) -> usize {
    let current = game.position().map(|position| position.hash());
    game.positions().iter().filter(|position| Some(position.hash()) == current).count()
}
