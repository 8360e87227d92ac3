//! `cupbot chess960 train`: the network from self-play games.

mod model;
mod samples;

use super::evaluation;
use crate::engine::rng::Rng;
use crate::tools::support::files::{self, outputs::OutputFile};
use crate::tools::support::progress_bar::epoch_bar;
use crate::tools::support::units::{parse_not_negative, parse_positive, parse_share};
use crate::tools::training::{on_threads, Schedule, Step};
use anyhow::{ensure, Context, Result};
use model::{accumulate, round_into, squared_errors, Layers, Model, NUMBERS};
use rand::seq::SliceRandom;
use samples::{Labels, Sample, Samples};
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// Train the evaluation network of Chess960 on files of self-play games
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
    /// Save the state here after every epoch
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<OutputFile>,
    /// Go on from the checkpoint, if it exists (same options and positions)
    #[arg(long, requires = "checkpoint")]
    resume: bool,
    /// Append a line of JSON for every epoch
    #[arg(long, value_name = "FILE")]
    log: Option<OutputFile>,
}

/// How to train: all that decides it but the games, so that a checkpoint fits one recipe.
#[derive(clap::Args, serde::Serialize)]
struct Recipe {
    /// How often every position is seen
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    epochs: u32,
    /// Positions a step
    #[arg(long, default_value_t = 8192, value_parser = clap::value_parser!(u32).range(1..))]
    batch: u32,
    /// The learning rate after the warm-up; it falls to a hundredth by half a cosine
    #[arg(long, default_value_t = 0.002, value_parser = parse_positive::<f32>)]
    rate: f32,
    /// Weight decay (AdamW), over the learning rate: against overfitting
    #[arg(long, default_value_t = 0.0, value_parser = parse_not_negative::<f32>)]
    decay: f32,
    /// The weight of the game's result in a position's target; the rest is by scores
    #[arg(long, default_value_t = 0.3, value_parser = parse_share::<f32>)]
    result_weight: f32,
    /// The weight of the next position's target; the rest is the position's own score (TD(lambda); 0: that score
    /// alone)
    #[arg(long, default_value_t = 0.0, value_parser = parse_share::<f32>)]
    lambda: f32,
    /// The score in hundredths that stands for an expected result of 73 % (default: fitted to every file)
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
    let Recipe { result_weight, lambda, score_scale, .. } = *recipe;
    let labels = Labels { result_weight, lambda, score_scale };
    let samples = Samples::read(&args.files, labels, recipe.seed)?;
    let (count, batch) = (samples.training.len(), recipe.batch as usize);
    let validated = samples.validation.len();
    eprintln!("{} games, {count} positions to learn from, {validated} to validate", samples.games);
    ensure!(
        count >= batch,
        "the files have {count} usable positions, too few for one batch: --batch is {batch}"
    );
    let settings = format!("{count} positions, {}", serde_json::to_string(recipe)?);
    let mut first_epoch = 0;
    if let Some(path) = args.checkpoint.as_ref().filter(|path| args.resume && path.exists()) {
        first_epoch = load(path, &mut model, &settings)?;
        eprintln!("going on behind epoch {first_epoch}");
    }
    let steps = (count / batch) as u64 * u64::from(recipe.epochs);
    let schedule = Schedule { rate: recipe.rate, warm_up: WARM_UP, steps };
    let mut gradients = vec![Layers::zero(); args.jobs as usize];
    for epoch in first_epoch..recipe.epochs {
        let log = run_epoch(&mut model, &samples, &mut gradients, &args, &schedule, epoch)?;
        report(&args, &log)?;
        files::replace_atomically(&args.output, &model.to_network()?.to_bytes())?;
        // After the network: what goes on from here must not miss it.
        if let Some(path) = &args.checkpoint {
            save(path, &model, epoch + 1, &settings)?;
        }
    }
    if first_epoch >= recipe.epochs {
        files::replace_atomically(&args.output, &model.to_network()?.to_bytes())?;
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
    let mut rounded = Layers::zero();
    for (index, samples) in batches.iter().enumerate() {
        round_into(&mut rounded, &model.layers);
        loss += batch_gradients(&rounded, samples, gradients)?;
        rate = schedule.rate(model.steps);
        model.learn(gradients, samples.len(), Step { rate, decay: recipe.decay })?;
        bar.inc(1);
        if index % 50 == 0 {
            bar.set_message(format!("loss {:.6}", loss / ((index + 1) * batch) as f64));
        }
    }
    bar.finish_and_clear();
    let seen = batches.len() * batch;
    round_into(&mut rounded, &model.layers);
    let [validation_loss, result_loss] =
        validation_losses(&rounded, &samples.validation, args.jobs as usize)?;
    Ok(EpochLog {
        epoch: epoch + 1,
        training_loss: loss / seen as f64,
        validation_loss,
        result_loss,
        rate,
        positions_per_second: seen as f64 / started.elapsed().as_secs_f64(),
    })
}

/// Gradients of a batch, a part on each thread; returns the sum of the errors.
fn batch_gradients(layers: &Layers, samples: &[Sample], gradients: &mut [Layers]) -> Result<f64> {
    let part = samples.len().div_ceil(gradients.len());
    let tasks = gradients.iter_mut().zip(samples.chunks(part));
    let errors = on_threads(tasks, |(gradients, samples)| {
        gradients.0.fill(0.0);
        accumulate(layers, samples, gradients)
    })?;
    Ok(errors.iter().sum())
}

/// The mean squared errors against targets and results.
fn validation_losses(layers: &Layers, samples: &[Sample], jobs: usize) -> Result<[f64; 2]> {
    let part = samples.len().div_ceil(jobs).max(1);
    let errors = on_threads(samples.chunks(part), |samples| squared_errors(layers, samples))?;
    let sum = |index: usize| errors.iter().map(|sums| sums[index]).sum::<f64>();
    Ok([0, 1].map(|index| sum(index) / samples.len().max(1) as f64))
}

fn report(args: &Args, log: &EpochLog) -> Result<()> {
    let EpochLog { epoch, training_loss, validation_loss, result_loss, .. } = log;
    eprintln!(
        "epoch {epoch:>3} training loss {training_loss:.6} validation loss {validation_loss:.6} \
         (results {result_loss:.6}) rate {:.6} {:.0} positions/s",
        log.rate, log.positions_per_second
    );
    if let Some(path) = &args.log {
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        writeln!(file, "{}", serde_json::to_string(log)?)?;
    }
    Ok(())
}

/// The first bytes of a checkpoint: a name and the version of the format. A checksum of the rest follows, then
/// epochs, steps, the length of the settings, the settings, weights and moments.
const MAGIC: [u8; 8] = *b"cup960t\x01";
const HEADER: usize = 12;

/// Writes the state after `epochs` epochs; the file is replaced at once or not at all.
fn save(path: &Path, model: &Model, epochs: u32, settings: &str) -> Result<()> {
    let mut rest = epochs.to_le_bytes().to_vec();
    rest.extend_from_slice(&model.steps.to_le_bytes());
    rest.extend_from_slice(&(settings.len() as u32).to_le_bytes());
    rest.extend_from_slice(settings.as_bytes());
    for numbers in [&model.layers.0, &model.moments[0], &model.moments[1]] {
        numbers.iter().for_each(|number| rest.extend_from_slice(&number.to_le_bytes()));
    }
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(&crc32fast::hash(&rest).to_le_bytes());
    bytes.append(&mut rest);
    files::replace_atomically(path, &bytes)
}

/// Reads the state of a training with these settings; returns the epochs done.
fn load(path: &Path, model: &mut Model, settings: &str) -> Result<u32> {
    let name = path.display();
    let bytes = files::read(path).with_context(|| format!("reading {name}"))?;
    from_bytes(&bytes, model, settings).with_context(|| format!("reading {name}"))
}

fn from_bytes(bytes: &[u8], model: &mut Model, settings: &str) -> Result<u32> {
    let rest = bytes.strip_prefix(&MAGIC).and_then(|bytes| bytes.split_at_checked(4));
    let (checksum, mut rest) = rest.context("no training checkpoint of this version")?;
    let is_whole = crc32fast::hash(rest).to_le_bytes() == checksum;
    ensure!(is_whole && bytes.len() > HEADER, "the checkpoint is damaged: wrong checksum");
    let epochs = u32::from_le_bytes(taken(&mut rest)?);
    let steps = u64::from_le_bytes(taken(&mut rest)?);
    let length = u32::from_le_bytes(taken(&mut rest)?) as usize;
    let (found, numbers) = rest.split_at_checked(length).context("the checkpoint is too short")?;
    let found = String::from_utf8_lossy(found);
    ensure!(found == settings, "the checkpoint is of a training with other options: {found}");
    ensure!(numbers.len() == 3 * 4 * NUMBERS, "the checkpoint is of a network of another shape");
    let mut numbers = numbers.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
    model.steps = steps;
    let [first, second] = &mut model.moments;
    for list in [&mut model.layers.0, first, second] {
        list.iter_mut().zip(&mut numbers).for_each(|(to, number)| *to = number);
    }
    Ok(epochs)
}

fn taken<const N: usize>(bytes: &mut &[u8]) -> Result<[u8; N]> {
    let (taken, rest) = bytes.split_first_chunk::<N>().context("the checkpoint is too short")?;
    *bytes = rest;
    Ok(*taken)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checkpoints_read_back_and_damage_is_noticed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("checkpoint");
        let mut model = Model::random(3);
        model.steps = 77;
        model.moments[1][5] = 0.5;
        save(&path, &model, 4, "settings").expect("written");
        let mut other = Model::random(4);
        assert_eq!(load(&path, &mut other, "settings").expect("readable"), 4);
        assert_eq!((&other.layers.0, other.steps), (&model.layers.0, 77));
        assert_eq!(other.moments, model.moments);
        assert!(load(&path, &mut other, "other settings").is_err());
        let bytes = std::fs::read(&path).expect("bytes");
        for length in [0, 5, 13, 20, bytes.len() - 1] {
            assert!(from_bytes(&bytes[..length], &mut other, "settings").is_err());
        }
        let mut damaged = bytes.clone();
        damaged[bytes.len() / 2] ^= 1;
        assert!(from_bytes(&damaged, &mut other, "settings").is_err());
    }
}
