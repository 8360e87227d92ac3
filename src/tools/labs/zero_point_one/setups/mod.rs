//! `cupbot setups`: searches for setups to play, by the engine against itself.
//!
//! Two pools improve in turn: Red's setups by their worst result against Blue's pool, Blue's
//! answers by their best result against some setup of Red's pool. Newcomers are mutations of
//! members and good setups of the ordinary kind. Or Blue's answers to given setups are looked for.

mod answers;
mod evaluator;

use super::opponent;
use crate::engine::rng::Rng;
use crate::engine::score::Score;
use crate::games::zero_point_one::eval::Evaluator;
use crate::games::zero_point_one::notation::Setup;
use crate::games::zero_point_one::search::params::Params;
use crate::games::zero_point_one::search::Searcher;
use crate::games::zero_point_one::setup;
use crate::games::zero_point_one::types::Colour;
use crate::tools::contracts::alpha_beta::AlphaBeta;
use crate::tools::support::files::outputs::OutputFile;
use crate::tools::support::files::{ensure_replaceable, replace_atomically};
use crate::tools::support::progress_bar::Progress;
use crate::tools::support::units::parse_time;
use anyhow::Result;
use clap::builder::RangedU64ValueParser;
use evaluator::SetupEvaluator;
use rand::RngExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Search for strong setups of Zero Point One: Red's to begin with and Blue's answers
#[derive(clap::Args)]
pub struct Args {
    /// The file to write: a line for each setup, Red's first, then Blue's, the best of each first.
    /// After a setup stands its score for its side; after an answer, its mean gain over the
    /// answers before it (for the first one, over a score of 400 for Red)
    #[arg(short, long, value_name = "FILE")]
    output: OutputFile,
    /// Rounds of newcomers
    #[arg(long, default_value_t = 40)]
    rounds: u32,
    /// Newcomers for each side in a round
    #[arg(long, default_value_t = 12)]
    newcomers: usize,
    /// Members of each pool
    #[arg(long, default_value_t = 24, value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    pool: usize,
    /// Nodes for each pair of setups
    #[arg(long, default_value_t = 3000)]
    nodes: u64,
    /// Take Red's setups from this file (the first words of its lines) and look for Blue's best
    /// answers to them, without rounds
    #[arg(long, value_name = "FILE", conflicts_with_all = ["rounds", "newcomers", "seed"])]
    answer: Option<PathBuf>,
    /// How long to look for the best answer to each
    #[arg(long, value_name = "TIME", default_value = "4s", value_parser = parse_time, requires = "answer")]
    time: Duration,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The network to evaluate by (default: the built-in evaluation)
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
}

/// The transposition table for an answer, in MiB.
const ANSWER_HASH_MB: usize = 64;
/// The share of newcomers that are good setups of the ordinary kind; the others are mutations.
const FRESH: f64 = 0.25;
/// A mutation exchanges up to so many pairs of pieces.
const MAX_SWAPS: usize = 3;

/// Runs the rounds and writes both pools.
pub fn run(args: Args) -> Result<ExitCode> {
    ensure_replaceable(&args.output)?;
    let evaluator = opponent::Game::evaluator(args.net.as_deref())?;
    let mut setup_evaluator = SetupEvaluator::new(evaluator.clone(), args.nodes);
    let pools = match &args.answer {
        Some(path) => answered(&mut setup_evaluator, evaluator, path, &args)?,
        None => improved(&mut setup_evaluator, &args),
    };
    let mut text = String::new();
    for (colour, pool) in Colour::ALL.into_iter().zip(pools) {
        for (setup, score) in pool.into_iter().take(args.pool) {
            text += &format!("{} {score:+}\n", setup.text(colour));
        }
    }
    replace_atomically(&args.output, text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// Both pools with their scores: Red's from a file, the best first, and the answers that gain most.
fn answered(
    setup_evaluator: &mut SetupEvaluator,
    evaluator: Evaluator,
    path: &Path,
    args: &Args,
) -> Result<[Vec<(Setup, Score)>; 2]> {
    let reds = answers::read(path, Colour::Red)?;
    let mut searcher = Searcher::with_evaluator(Params::default(), evaluator, ANSWER_HASH_MB);
    let blues = answers::candidates(&mut searcher, &reds, args.time);
    let red_pool = setup_evaluator.ranked(Colour::Red, &[reds.clone(), blues.clone()]);
    Ok([red_pool, answers::chosen(setup_evaluator, &reds, blues, args.pool)])
}

/// Both pools with their scores, improved in rounds.
fn improved(setup_evaluator: &mut SetupEvaluator, args: &Args) -> [Vec<(Setup, Score)>; 2] {
    let mut rng = Rng::new(args.seed);
    let mut pools: [Vec<Setup>; 2] = Colour::ALL.map(|colour| {
        (0..args.pool).map(|_| setup::for_side(&setup::good(&mut rng), colour)).collect()
    });
    let mut progress = Progress::new("rounds", 0, u64::from(args.rounds));
    let mut best_texts = [String::new(), String::new()];
    for _ in 0..args.rounds {
        for colour in Colour::ALL {
            let own = &mut pools[colour.index()];
            own.extend(newcomers(own, colour, args.newcomers, &mut rng));
            let ranked = setup_evaluator.ranked(colour, &pools);
            let (best, score) = ranked[0];
            best_texts[colour.index()] =
                format!("{} {} {score:+}", colour.name(), best.text(colour));
            pools[colour.index()] =
                ranked.into_iter().take(args.pool).map(|(setup, _)| setup).collect();
        }
        progress.advance(|| format!("best {}", best_texts.join(", ")));
    }
    progress.finish_with("");
    Colour::ALL.map(|colour| setup_evaluator.ranked(colour, &pools))
}

fn newcomers(pool: &[Setup], colour: Colour, count: usize, rng: &mut Rng) -> Vec<Setup> {
    (0..count)
        .map(|_| {
            if rng.random_bool(FRESH) {
                return setup::for_side(&setup::good(rng), colour);
            }
            // The better half of the pool has the children.
            let parent = pool[rng.random_range(..pool.len().div_ceil(2))];
            setup::mutated(&parent, MAX_SWAPS, rng)
        })
        .collect()
}
