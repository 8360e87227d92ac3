//! `cupbot train`: the network from self-play games.

mod checkpoint;
mod model;
mod optimiser;
mod passes;
mod samples;

#[cfg(test)]
mod tests;

use super::evaluation;
use crate::engine::rng::Rng;
use crate::games::zero_point_one::eval::network::Network;
use crate::tools::support::files::{self, outputs::OutputFile};
use crate::tools::support::progress_bar::epoch_bar;
use crate::tools::support::units::{parse_not_negative, parse_positive, parse_share};
use crate::tools::training::{on_threads, Schedule, Step};
use anyhow::{ensure, Result};
use model::{Layers, Model};
use passes::{accumulate, squared_error};
use rand::seq::SliceRandom;
use samples::{Labels, Sample, Samples};
use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

/// Train the evaluation network of Zero Point One on files of self-play games
#[derive(clap::Args)]
pub struct Args {
    /// The games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Where the network goes
    #[arg(short, long, value_name = "FILE")]
    output: OutputFile,
    #[command(flatten)]
    recipe: Recipe,
    /// Threads; results depend on their number in the last digits
    #[arg(short, long, default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=64))]
    jobs: u64,
    /// Save the state here after every epoch, and go on from it if it exists (same options)
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<OutputFile>,
    /// Append a line of JSON for every epoch
    #[arg(long, value_name = "FILE")]
    log: Option<OutputFile>,
}

/// How to train: all that decides it but the games, so that a checkpoint fits one recipe.
#[derive(clap::Args, serde::Serialize)]
struct Recipe {
    /// How often every position is seen
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..))]
    epochs: u32,
    /// Positions a step
    #[arg(long, default_value_t = 16_384, value_parser = clap::value_parser!(u32).range(1..))]
    batch: u32,
    /// The learning rate after the warm-up; it falls to a hundredth by half a cosine
    #[arg(long, default_value_t = 0.0012, value_parser = parse_positive::<f32>)]
    rate: f32,
    /// How strongly the weights that belong to one square of the wazir are pulled towards the mean
    /// of all squares (0: not at all)
    #[arg(long, default_value_t = 5.0, value_parser = parse_not_negative::<f32>)]
    decay: f32,
    /// The weight of the rest of the game (later scores and the result) in a position's target; the
    /// rest of the target is the position's own score
    #[arg(long, default_value_t = 0.9, value_parser = parse_share::<f32>)]
    lambda: f32,
    /// The score in hundredths that stands for an expected result of 73 % (default: fitted to every
    /// file and phase of the game)
    #[arg(long, value_parser = parse_positive::<f32>)]
    score_scale: Option<f32>,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Begin with this network of our own instead of random weights
    #[arg(long, value_name = "FILE")]
    start_from: Option<PathBuf>,
}

/// The part of all steps in which the learning rate rises.
const WARM_UP: f32 = 0.02;

#[derive(serde::Serialize)]
struct EpochLog {
    epoch: u32,
    training_loss: f64,
    validation_loss: f64,
    /// The mean squared error against the results alone: comparable whatever the targets.
    result_loss: f64,
    rate: f32,
    positions_per_second: f64,
}

/// Trains a network and writes it.
pub fn run(args: Args) -> Result<ExitCode> {
    let recipe = &args.recipe;
    files::ensure_replaceable(&args.output)?;
    args.checkpoint.iter().try_for_each(|path| files::ensure_replaceable(path))?;
    args.log.iter().try_for_each(|path| files::ensure_writable(path))?;
    let mut model = match &recipe.start_from {
        Some(path) => Model::from_network(evaluation::network(path)?.as_ref()),
        None => Model::random(recipe.seed),
    };
    rayon::ThreadPoolBuilder::new().num_threads(args.jobs as usize).build_global().ok();
    let labels = Labels { lambda: recipe.lambda, score_scale: recipe.score_scale };
    let samples = Samples::read(&args.files, labels, recipe.seed)?;
    let count = samples.training.len();
    eprintln!(
        "{} games, {count} positions to learn from, {} to validate",
        samples.games,
        samples.validation.len()
    );
    let batch = recipe.batch as usize;
    ensure!(
        count >= batch,
        "the files have {count} usable positions, too few for one batch: --batch is {batch}"
    );
    // The positions stand for the files, which may be called something else by now.
    let settings = format!("{count} positions, {}", serde_json::to_string(recipe)?);
    let mut first_epoch = 0;
    if let Some(path) = args.checkpoint.as_ref().filter(|path| path.exists()) {
        first_epoch = checkpoint::load(path, &mut model, &settings)?;
        eprintln!("going on behind epoch {first_epoch}");
    }
    let loss = validation_loss(&model.merged, &samples.validation, args.jobs as usize)?;
    eprintln!("validation loss at the start {loss:.6}");
    let steps = (count / batch) as u64 * u64::from(recipe.epochs);
    let schedule = Schedule { rate: recipe.rate, warm_up: WARM_UP, steps };
    let mut gradients = vec![Layers::zero(); args.jobs as usize];
    for epoch in first_epoch..recipe.epochs {
        let log = run_epoch(&mut model, &samples, &mut gradients, &args, &schedule, epoch)?;
        let network = model.to_network()?;
        report(&args, &log)?;
        write_network(&args, &network)?;
        // After the network: what goes on from here must not miss it.
        if let Some(path) = &args.checkpoint {
            checkpoint::save(path, &model, epoch + 1, &settings)?;
        }
    }
    if first_epoch >= recipe.epochs {
        write_network(&args, &model.to_network()?)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Sees every position once, in batches of a random order.
fn run_epoch(
    model: &mut Model,
    samples: &Samples,
    gradients: &mut [Layers],
    args: &Args,
    schedule: &Schedule,
    epoch: u32,
) -> Result<EpochLog> {
    let recipe = &args.recipe;
    let batch = recipe.batch as usize;
    let mut batches: Vec<&[Sample]> = samples.training.chunks_exact(batch).collect();
    batches.shuffle(&mut Rng::new(recipe.seed ^ u64::from(epoch) << 32));
    let bar = epoch_bar(epoch + 1, batches.len() as u64);
    let started = Instant::now();
    let (mut loss, mut rate) = (0.0, 0.0);
    for (index, samples) in batches.iter().enumerate() {
        loss += batch_gradients(&model.merged, samples, gradients, recipe.seed ^ model.steps << 8)?;
        rate = schedule.rate(model.steps);
        model.learn(gradients, samples.len(), Step { rate, decay: recipe.decay })?;
        bar.inc(1);
        if index % 50 == 0 {
            bar.set_message(format!("loss {:.6}", loss / ((index + 1) * batch) as f64));
        }
    }
    bar.finish_and_clear();
    let seen = batches.len() * batch;
    Ok(EpochLog {
        epoch: epoch + 1,
        training_loss: loss / seen as f64,
        validation_loss: validation_loss(&model.merged, &samples.validation, args.jobs as usize)?,
        result_loss: validation_loss(&model.merged, &samples.results, args.jobs as usize)?,
        rate,
        positions_per_second: seen as f64 / started.elapsed().as_secs_f64(),
    })
}

/// Gradients of a batch, a part on each thread; returns the sum of the errors.
fn batch_gradients(
    layers: &Layers,
    samples: &[Sample],
    gradients: &mut [Layers],
    seed: u64,
) -> Result<f64> {
    let part = samples.len().div_ceil(gradients.len());
    let errors =
        on_threads(gradients.iter_mut().zip(samples.chunks(part)), |(gradients, samples)| {
            gradients.clear();
            accumulate(layers, samples, gradients, seed)
        })?;
    Ok(errors.iter().sum())
}

/// The mean squared error.
fn validation_loss(layers: &Layers, samples: &[Sample], jobs: usize) -> Result<f64> {
    let part = samples.len().div_ceil(jobs).max(1);
    let errors = on_threads(samples.chunks(part), |samples| squared_error(layers, samples))?;
    Ok(errors.iter().sum::<f64>() / samples.len().max(1) as f64)
}

fn report(args: &Args, log: &EpochLog) -> Result<()> {
    eprintln!(
        "epoch {:>3} training loss {:.6} validation loss {:.6} (results {:.6}) rate {:.6} {:.0} \
         positions/s",
        log.epoch,
        log.training_loss,
        log.validation_loss,
        log.result_loss,
        log.rate,
        log.positions_per_second
    );
    if let Some(path) = &args.log {
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        writeln!(file, "{}", serde_json::to_string(log)?)?;
    }
    Ok(())
}

fn write_network(args: &Args, network: &Network) -> Result<()> {
    files::replace_atomically(&args.output, &network.to_bytes())
}
