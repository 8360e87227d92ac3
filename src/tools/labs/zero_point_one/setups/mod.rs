//! `cupbot setups`: searches for strong setups.
//!
//! Two pools are improved in turn by an evolutionary search: Red's setups are ranked by their worst score against
//! Blue's pool, Blue's answers by their best gain against any setup of Red's pool. Newcomers are mutations of members,
//! or random setups that follow heuristics. With `--answer` the command instead finds Blue's answers to given setups.

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
use crate::tools::support::ctrl_c;
use crate::tools::support::files::outputs::OutputFile;
use crate::tools::support::files::{ensure_replaceable, replace_atomically};
use crate::tools::support::progress_bar::Progress;
use crate::tools::support::text::shown_name;
use crate::tools::support::units::{integer, parse_time};
use anyhow::Result;
use evaluator::SetupEvaluator;
use rand::RngExt;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Search for strong setups of Zero Point One: Red's setups and Blue's answers
#[derive(clap::Args)]
pub struct Args {
    /// Output file, one setup per line with its score: Red's, then Blue's, the best first
    ///
    /// The score is for the setup's side, in hundredths of a piece. With --answer, the score of an answer is its mean
    /// gain over the answers before it (for the first one, over a score of 400 for Red).
    #[arg(short, long, value_name = "FILE")]
    output: OutputFile,
    /// Number of rounds
    #[arg(long, default_value_t = 40, value_parser = integer::<u32>(0..))]
    rounds: u32,
    /// Newcomers per side and round
    #[arg(long, default_value_t = 12, value_parser = integer::<usize>(0..))]
    newcomers: usize,
    /// Size of each pool
    #[arg(long, default_value_t = 24, value_parser = integer::<usize>(1..))]
    pool: usize,
    /// Nodes per pair of setups
    #[arg(long, default_value_t = 3000, value_parser = integer::<u64>(0..))]
    nodes: u64,
    /// Find Blue's best answers to Red's setups in this file (first word of each line), without rounds
    #[arg(long, value_name = "FILE", conflicts_with_all = ["rounds", "newcomers", "seed"])]
    answer: Option<PathBuf>,
    /// Time to search for the best answer to each setup
    #[arg(long, value_name = "TIME", default_value = "4s", value_parser = parse_time, requires = "answer")]
    time: Duration,
    /// Random seed
    #[arg(long, default_value_t = 1, value_parser = integer::<u64>(0..))]
    seed: u64,
    /// Network file (default: the built-in network)
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
}

/// Size of the transposition table for answers, in MiB.
const ANSWER_HASH_MB: usize = 64;
/// Fraction of newcomers that are random setups; the others are mutations.
const RANDOM_NEWCOMERS: f64 = 0.25;
/// Maximum number of pairs of pieces that a mutation swaps.
const MAX_SWAPS: usize = 3;

/// Runs the search and writes both pools.
pub fn run(args: Args) -> Result<ExitCode> {
    ensure_replaceable(&args.output)?;
    let name = shown_name(&args.output);
    ctrl_c::end_with(match &args.answer {
        Some(_) => format!(": {name} is unchanged; the same command starts again"),
        None => format!(": the setups of the last finished round are in {name}"),
    });
    let evaluator = opponent::Game::evaluator(args.net.as_deref())?;
    let mut setup_evaluator = SetupEvaluator::new(evaluator.clone(), args.nodes);
    match &args.answer {
        Some(path) => {
            write(&args, pools_of_answers(&mut setup_evaluator, evaluator, path, &args)?)?;
        }
        None => search_by_rounds(&mut setup_evaluator, &args)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes both pools with their scores.
fn write(args: &Args, pools: [Vec<(Setup, Score)>; 2]) -> Result<()> {
    let mut text = String::new();
    for (colour, pool) in Colour::ALL.into_iter().zip(pools) {
        for (setup, score) in pool.into_iter().take(args.pool) {
            text += &format!("{} {score:+}\n", setup.text(colour));
        }
    }
    replace_atomically(&args.output, text.as_bytes())
}

/// Returns both pools with their scores: Red's setups from a file, the best first, and the answers that gain most.
fn pools_of_answers(
    setup_evaluator: &mut SetupEvaluator,
    evaluator: Evaluator,
    path: &Path,
    args: &Args,
) -> Result<[Vec<(Setup, Score)>; 2]> {
    let reds = answers::read(path, Colour::Red)?;
    let mut searcher = Searcher::with_evaluator(Params::default(), evaluator, ANSWER_HASH_MB);
    let blues = answers::candidates(&mut searcher, &reds, args.time);
    let red_pool = setup_evaluator.ranked(Colour::Red, &[reds.clone(), blues.clone()]);
    Ok([red_pool, answers::select(setup_evaluator, &reds, blues, args.pool)])
}

/// Runs the rounds and writes both pools before the first and after each of them.
fn search_by_rounds(setup_evaluator: &mut SetupEvaluator, args: &Args) -> Result<()> {
    let mut rng = Rng::new(args.seed);
    let mut pools: [Vec<Setup>; 2] = Colour::ALL.map(|colour| {
        (0..args.pool).map(|_| setup::for_side(&setup::random_good(&mut rng), colour)).collect()
    });
    let mut progress = Progress::new("rounds", 0, u64::from(args.rounds));
    let mut best_texts = [String::new(), String::new()];
    write(args, Colour::ALL.map(|colour| setup_evaluator.ranked(colour, &pools)))?;
    for _ in 0..args.rounds {
        for colour in Colour::ALL {
            let own = &mut pools[colour.index()];
            // A setup gains nothing over a copy of itself.
            let mut seen: HashSet<Setup> = own.iter().copied().collect();
            let newcomers = newcomers(own, colour, args.newcomers, &mut rng);
            own.extend(newcomers.into_iter().filter(|&setup| seen.insert(setup)));
            let ranked = setup_evaluator.ranked(colour, &pools);
            let (best, score) = ranked[0];
            best_texts[colour.index()] =
                format!("{} {} {score:+}", colour.name(), best.text(colour));
            pools[colour.index()] =
                ranked.into_iter().take(args.pool).map(|(setup, _)| setup).collect();
        }
        write(args, Colour::ALL.map(|colour| setup_evaluator.ranked(colour, &pools)))?;
        progress.advance(|| format!("best {}", best_texts.join(", ")));
    }
    progress.finish_with("");
    Ok(())
}

fn newcomers(pool: &[Setup], colour: Colour, count: usize, rng: &mut Rng) -> Vec<Setup> {
    (0..count)
        .map(|_| {
            if rng.random_bool(RANDOM_NEWCOMERS) {
                return setup::for_side(&setup::random_good(rng), colour);
            }
            // Parents are from the better half of the pool.
            let parent = pool[rng.random_range(..pool.len().div_ceil(2))];
            setup::mutated(&parent, MAX_SWAPS, rng)
        })
        .collect()
}
