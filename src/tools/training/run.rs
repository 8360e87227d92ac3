//! Supervised training: epochs over samples. After each epoch the network, a log line and a checkpoint are written.

use super::checkpoint::{Checkpoint, State};
use super::report::{Charts, ReportOption};
use super::samples::Samples;
use super::store::{Packed, StoreConfig};
use super::{Adam, Schedule, Step};
use crate::engine::network_file::Format;
use crate::engine::rng::{split_mix, Rng};
use crate::tools::support::ctrl_c;
use crate::tools::support::files::{self, outputs::OutputFile, Named};
use crate::tools::support::progress_bar::epoch_bar;
use crate::tools::support::text::{count_of, shown_name};
use crate::tools::support::units::parse_not_negative;
use anyhow::{ensure, Result};
use rand::seq::SliceRandom;
use std::fs::OpenOptions;
use std::io::Write;
use std::time::Instant;

/// Bytes per GiB.
const GIB: f64 = (1u64 << 30) as f64;

/// A network in training.
pub trait Trainee {
    /// A training sample: a position and its target.
    type Sample: Packed;
    /// Makes one optimiser step on a batch and returns the sum of the losses before the step. All random choices depend
    /// only on `seed`. Fails if a thread panicked; the weights are then unusable.
    fn learn(&mut self, batch: &[Self::Sample], adam: Adam, seed: u64) -> Result<f64>;
    /// Returns the sum of the losses. Fails if a thread panicked.
    fn loss(&self, samples: &[Self::Sample]) -> Result<f64>;
    /// Returns the content of the network file. Fails if a weight is infinite or NaN.
    fn to_bytes(&mut self) -> Result<Vec<u8>>;
    /// Returns the state for a checkpoint: all weights and moments, always in the same order.
    fn numbers(&mut self) -> Vec<&mut [f32]>;
}

/// Output options of a training run.
#[derive(clap::Args)]
pub struct Outputs {
    /// Output file of the network
    #[arg(short, long, value_name = "FILE")]
    output: OutputFile,
    /// Save a checkpoint after every epoch, and resume from it if it exists (same options)
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<OutputFile>,
    /// Append one JSON line per epoch to this file
    #[arg(long, value_name = "FILE")]
    log: Option<OutputFile>,
    #[command(flatten)]
    report: ReportOption,
    /// Memory limit for positions in GiB; above it, they are kept in a file beside the network
    #[arg(long, value_name = "GIB", default_value_t = 8.0, value_parser = parse_not_negative::<f64>)]
    memory: f64,
}

impl Outputs {
    /// Returns the memory limit and the folder of the store of training positions.
    pub fn store(&self, seed: u64) -> StoreConfig {
        let folder = files::folder_of(&self.output).to_path_buf();
        StoreConfig { memory: (self.memory * GIB) as usize, folder, seed }
    }

    /// Fails if one of the files can't be written, or if it exists and is a file of another kind (e.g. not a network of
    /// this format). Call it before the training, which may take hours.
    pub fn ensure_writable(&self, network: &Format) -> Result<()> {
        files::ensure_begins(&self.output, network.prefix(), "network of this game")?;
        files::ensure_replaceable(&self.output)?;
        if let Some(path) = &self.checkpoint {
            files::ensure_regular(path)?;
            files::ensure_replaceable(path)?;
        }
        if let Some(path) = &self.log {
            files::ensure_begins(path, LOG_START.as_bytes(), "training log")?;
            files::ensure_writable(path)?;
        }
        self.report.ensure_writable()
    }

    /// Says how to continue a run that was ended.
    fn continuation(&self) -> String {
        match &self.checkpoint {
            Some(path) => format!(": the same command continues from {}", shown_name(path)),
            None => {
                ": the network of the last epoch is kept; --checkpoint FILE lets a run continue"
                    .into()
            }
        }
    }

    fn write_report(&self, summary: &str, charts: &Charts) -> Result<()> {
        let title = format!("Training of {}", self.output.display());
        self.report.write(&title, summary, "epoch", charts)
    }

    /// Removes an epoch from the end of the log: it was killed before its checkpoint and is trained again.
    fn drop_logged_epoch(&self, epoch: u64) -> Result<()> {
        let Some(path) = self.log.as_ref().filter(|path| path.is_file()) else { return Ok(()) };
        let text = files::read_text(path).named("reading", path)?;
        let last_line = text.trim_end().rfind('\n').map_or(0, |end| end + 1);
        let start = format!("{LOG_START}{epoch},");
        // The line may be incomplete.
        if text[last_line..].starts_with(&start) || !text.is_empty() && !text.ends_with('\n') {
            files::replace_atomically(path, &text.as_bytes()[..last_line])?;
        }
        Ok(())
    }
}

/// Training options.
#[derive(Clone)]
pub struct TrainingConfig {
    /// Number of epochs.
    pub epochs: u32,
    /// Batch size, in samples.
    pub batch: usize,
    /// Learning rate after the warm-up.
    pub rate: f32,
    /// Fraction of all steps during which the learning rate rises.
    pub warm_up: f32,
    /// Weight decay (AdamW); it is multiplied by the learning rate.
    pub decay: f32,
    /// Seed of all random choices.
    pub seed: u64,
    /// All options that determine the result, as stored in the checkpoint.
    pub recipe: String,
}

/// Steps per epoch with the batch size for too few positions.
const MIN_STEPS: usize = 16;
/// Start of every line of the log.
const LOG_START: &str = "{\"epoch\":";

/// An epoch in the log.
#[derive(serde::Serialize)]
struct EpochLog {
    epoch: u64,
    training_loss: f64,
    validation_loss: Option<f64>,
    /// Mean loss against the game results instead of the blended targets.
    result_loss: Option<f64>,
    rate: f32,
    positions_per_second: f64,
}

impl EpochLog {
    /// Adds the epoch to the curves of the report.
    fn add_to(&self, charts: &mut Charts) {
        let x = self.epoch as f64;
        let losses = [
            ("training", Some(self.training_loss)),
            ("validation", self.validation_loss),
            ("against results", self.result_loss),
        ];
        for (name, loss) in losses.into_iter().filter_map(|(name, loss)| Some((name, loss?))) {
            charts.add("Loss", name, [x, loss]);
        }
        charts.add("Learning rate at the end of the epoch", "", [x, f64::from(self.rate)]);
    }
}

/// Trains a network and writes it after every epoch, even if the checkpoint has no epochs left.
pub fn run<T: Trainee>(
    trainee: &mut T,
    samples: &Samples<T::Sample>,
    config: &TrainingConfig,
    outputs: &Outputs,
) -> Result<()> {
    let count = samples.training.len();
    ensure!(count > 0, "the files have no usable positions: play more games");
    let config = &TrainingConfig { batch: fitting_batch(config.batch, count), ..config.clone() };
    let TrainingConfig { batch, rate, warm_up, .. } = *config;
    ctrl_c::end_with(outputs.continuation());
    // The number of positions identifies the files, whose names may change.
    let settings = format!("{count} positions, {}", config.recipe);
    let mut checkpoint = outputs.checkpoint.as_deref().map(Checkpoint::open).transpose()?;
    let loaded = checkpoint.as_ref().map(|file| file.load(&settings, trainee.numbers()));
    let loaded = loaded.transpose()?.flatten();
    if let Some(state) = &loaded {
        tell!("resuming after epoch {}", state.done);
        outputs.drop_logged_epoch(state.done + 1)?;
    }
    let is_resumed = loaded.is_some();
    let mut state = loaded.unwrap_or_default();
    if let Some(loss) = mean_loss(trainee, &samples.validation)? {
        tell!("initial validation loss {loss:.6}");
    }
    let steps = (count / batch) as u64 * u64::from(config.epochs);
    let schedule = Schedule { rate, warm_up, steps };
    let epochs = u64::from(config.epochs);
    // All epochs are done: only write the network of the checkpoint.
    if state.done >= epochs {
        return files::replace_atomically(&outputs.output, &trainee.to_bytes()?);
    }
    let mut charts = match state.memo.as_str() {
        "" => Charts::default(),
        memo => serde_json::from_str(memo)?,
    };
    let probe = samples.training.batch::<T::Sample>(0, batch)?;
    let first = trainee.loss(&probe)?;
    while state.done < epochs {
        let log = run_epoch(trainee, samples, config, &schedule, &mut state)?;
        let network = trainee.to_bytes()?;
        report(outputs, &log)?;
        log.add_to(&mut charts);
        state.memo = serde_json::to_string(&charts)?;
        let done = state.done;
        let summary = format!("{done} of {epochs} epochs, {count} positions, batches of {batch}");
        outputs.write_report(&summary, &charts)?;
        files::replace_atomically(&outputs.output, &network)?;
        // Saved last: a checkpoint implies that the network of its epoch was written.
        if let Some(checkpoint) = &mut checkpoint {
            checkpoint.save(&settings, &state, &trainee.numbers())?;
        }
    }
    match is_resumed {
        true => Ok(()),
        false => ensure_learned(first / batch as f64, trainee.loss(&probe)? / batch as f64),
    }
}

/// Returns the batch size for this number of positions: a smaller one if there are too few.
fn fitting_batch(batch: usize, count: usize) -> usize {
    if batch <= count {
        return batch;
    }
    let fitting = (count / MIN_STEPS).max(1);
    tell!("only {}: --batch {fitting} instead of {batch}", count_of(count, "position"));
    fitting
}

/// Fails if the loss on some training positions did not fall.
fn ensure_learned(first: f64, last: f64) -> Result<()> {
    ensure!(
        last < first,
        "the network has not learned: its loss on training positions was {first:.6} and is {last:.6}; use another \
         --rate, --decay or more games"
    );
    Ok(())
}

/// Trains one epoch, with the batches in random order.
fn run_epoch<T: Trainee>(
    trainee: &mut T,
    samples: &Samples<T::Sample>,
    config: &TrainingConfig,
    schedule: &Schedule,
    state: &mut State,
) -> Result<EpochLog> {
    let TrainingConfig { batch, decay, seed, .. } = *config;
    let mut batches: Vec<usize> = (0..samples.training.len() / batch).collect();
    batches.shuffle(&mut Rng::new(seed ^ state.done << 32));
    let bar = epoch_bar(state.done + 1, batches.len() as u64);
    let started = Instant::now();
    let (mut loss, mut rate) = (0.0, 0.0);
    for (index, &number) in batches.iter().enumerate() {
        let samples = samples.training.batch::<T::Sample>(number, batch)?;
        rate = schedule.rate(state.steps);
        state.steps += 1;
        let adam = Adam::new(state.steps, Step { rate, decay });
        loss += trainee.learn(&samples, adam, split_mix(seed ^ state.steps << 8))?;
        bar.inc(1);
        if index % 50 == 0 {
            bar.set_message(format!("loss {:.6}", loss / ((index + 1) * batch) as f64));
        }
    }
    bar.finish_and_clear();
    state.done += 1;
    let seen = (batches.len() * batch) as f64;
    let positions_per_second = seen / started.elapsed().as_secs_f64();
    Ok(EpochLog {
        epoch: state.done,
        training_loss: loss / seen,
        validation_loss: mean_loss(trainee, &samples.validation)?,
        result_loss: mean_loss(trainee, &samples.results)?,
        rate,
        positions_per_second,
    })
}

/// Returns the mean loss; `None` without samples.
fn mean_loss<T: Trainee>(trainee: &T, samples: &[T::Sample]) -> Result<Option<f64>> {
    let loss = trainee.loss(samples)?;
    Ok((!samples.is_empty()).then(|| loss / samples.len() as f64))
}

/// Reports an epoch on stderr and in the log.
fn report(outputs: &Outputs, log: &EpochLog) -> Result<()> {
    let loss =
        |name: &str, loss: Option<f64>| loss.map_or(String::new(), |l| format!(" {name} {l:.6}"));
    tell!(
        "epoch {:>3} training loss {:.6}{}{} rate {:.6} {:.0} positions/s",
        log.epoch,
        log.training_loss,
        loss("validation loss", log.validation_loss),
        loss("against results", log.result_loss),
        log.rate,
        log.positions_per_second
    );
    if let Some(path) = &outputs.log {
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        writeln!(file, "{}", serde_json::to_string(log)?)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_epoch_trained_again_is_logged_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("log");
        let [output, log] = ["net", "log"].map(|name| OutputFile::from(folder.path().join(name)));
        let report = ReportOption::default();
        let outputs = Outputs { output, checkpoint: None, log: Some(log), report, memory: 1.0 };
        outputs.drop_logged_epoch(2).expect("no log is fine");
        let line = |epoch: u32| format!("{LOG_START}{epoch},\"training_loss\":0.1}}\n");
        let (whole, first) = (line(1) + &line(2), line(1));
        for (text, next, left) in [
            (&whole, 3, &whole),
            (&whole, 2, &first),
            (&(first.clone() + "{\"epo"), 2, &first),
            (&first, 1, &String::new()),
            (&String::new(), 1, &String::new()),
        ] {
            std::fs::write(&path, text).expect("written");
            outputs.drop_logged_epoch(next).expect("a log");
            assert_eq!(&std::fs::read_to_string(&path).expect("the log"), left, "{text} {next}");
        }
    }
}
