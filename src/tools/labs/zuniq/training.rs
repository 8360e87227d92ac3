//! `cupbot zuniq train`: trains the network on files of games.

use super::evaluation::{network, NONE};
use super::model::{loss, Example, Model, Weights};
use super::samples::{PlayedGame, Sample};
use crate::engine::rng::Rng;
use crate::games::zuniq::geometry::SYMMETRIES;
use crate::games::zuniq::network::features::Features;
use crate::games::zuniq::network::FORMAT;
use crate::tools::support::units::{integer, parse_decay, parse_rate};
use crate::tools::training::game_file::{self, Stored};
use crate::tools::training::run::{self, Outputs, Trainee, TrainingConfig};
use crate::tools::training::samples::{Collector, Samples, Target};
use crate::tools::training::Adam;
use anyhow::{ensure, Result};
use rand::RngExt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Train the network of Zuniq on files of self-play games
#[derive(clap::Args)]
pub struct Args {
    /// Files of self-play games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// More files, of which only positions from ply 24 are used (their values are almost exact)
    #[arg(long, value_name = "FILE", num_args = 1..)]
    late: Vec<PathBuf>,
    #[command(flatten)]
    outputs: Outputs,
    #[command(flatten)]
    recipe: Recipe,
}

/// Options that determine the training, except the games. A checkpoint can be resumed only with the same ones.
#[derive(clap::Args, serde::Serialize)]
struct Recipe {
    /// Number of epochs; each position gets a new random symmetry in every epoch
    #[arg(long, default_value_t = 10, value_parser = integer::<u32>(1..))]
    epochs: u32,
    /// Batch size, in positions
    #[arg(long, default_value_t = 256, value_parser = integer::<u32>(1..))]
    batch: u32,
    /// Initial learning rate; it decays to a hundredth along half a cosine
    #[arg(long, default_value_t = 0.002, value_parser = parse_rate)]
    rate: f32,
    /// Weight decay (AdamW), relative to the learning rate
    #[arg(long, default_value_t = 0.01, value_parser = parse_decay)]
    decay: f32,
    /// Random seed
    #[arg(long, default_value_t = 1, value_parser = integer::<u64>(0..))]
    seed: u64,
    /// Network to start from (default: random weights)
    #[arg(long, value_name = "FILE")]
    start_from: Option<PathBuf>,
}

/// First ply of late positions.
const LATE_PLY: usize = 24;
/// Number of plies per row of the report on held-out positions.
const PLIES_PER_GROUP: usize = 4;

/// Trains a network and writes it to a file.
pub fn run(args: Args) -> Result<ExitCode> {
    let recipe = &args.recipe;
    let mut model = Model::new(first_weights(recipe)?);
    args.outputs.ensure_writable(&FORMAT)?;
    let samples = read(&args)?;
    let config = TrainingConfig {
        epochs: recipe.epochs,
        batch: recipe.batch as usize,
        rate: recipe.rate,
        warm_up: 0.0,
        decay: recipe.decay,
        seed: recipe.seed,
        recipe: serde_json::to_string(recipe)?,
    };
    run::run(&mut model, &samples, &config, &args.outputs)?;
    // Printed last, so that a closed stdout can't prevent writing the network.
    print_by_ply(&model, &samples.validation)?;
    Ok(ExitCode::SUCCESS)
}

impl Trainee for Model {
    type Sample = Sample;

    fn learn(&mut self, batch: &[Sample], adam: Adam, seed: u64) -> Result<f64> {
        Ok(self.learn_from(&examples(batch, &mut Rng::new(seed)), adam))
    }

    fn loss(&self, samples: &[Sample]) -> Result<f64> {
        Ok(total_loss(self, samples))
    }

    fn to_bytes(&mut self) -> Result<Vec<u8>> {
        Ok(self.weights.network()?.to_bytes())
    }

    fn numbers(&mut self) -> Vec<&mut [f32]> {
        Model::numbers(self)
    }
}

/// Returns the initial weights.
fn first_weights(recipe: &Recipe) -> Result<Weights> {
    let Some(path) = &recipe.start_from else { return Ok(Weights::random(recipe.seed)) };
    ensure!(path != Path::new(NONE), "--start-from: expected a network file, not {NONE}");
    Ok(Weights::of(&*network(Some(path))?))
}

/// Reads the games of all files.
fn read(args: &Args) -> Result<Samples<Sample>> {
    let files = args.files.iter().map(|path| (path, 0));
    let files = files.chain(args.late.iter().map(|path| (path, LATE_PLY)));
    Samples::of(files, args.outputs.store(args.recipe.seed), |collector, (path, min_ply)| {
        add_file(collector, path, min_ply)
    })
}

/// Adds the positions of a file from ply `min_ply`. Damaged blocks are reported on stderr and skipped.
fn add_file(collector: &mut Collector<Sample>, path: &Path, min_ply: usize) -> Result<()> {
    for stored in game_file::games::<PlayedGame>(path)? {
        let Stored { game, bytes } = stored?;
        let mut samples = game.samples()?;
        samples.retain(|sample| sample.ply >= min_ply);
        // The values of a file are already blends.
        collector.add_game((bytes, min_ply), |target| match target {
            Target::Blend => samples.clone(),
            Target::Result => Vec::new(),
        })?;
    }
    Ok(())
}

/// Converts samples to examples, each with a random symmetry.
fn examples(samples: &[Sample], rng: &mut Rng) -> Vec<Example> {
    let example = |sample: &Sample| Example {
        features: Features::of(&sample.source.image(rng.random_range(..SYMMETRIES))),
        target: sample.target,
    };
    samples.iter().map(example).collect()
}

fn total_loss(model: &Model, samples: &[Sample]) -> f64 {
    let of = |sample: &Sample| loss(model.output(&Features::of(&sample.source)), sample.target);
    samples.iter().map(|sample| f64::from(of(sample))).sum()
}

/// Prints the accuracy of the network by ply.
fn print_by_ply(model: &Model, held_out: &[Sample]) -> io::Result<()> {
    let last = held_out.iter().map(|sample| sample.ply).max().unwrap_or(0);
    for first in (0..=last).step_by(PLIES_PER_GROUP) {
        let plies = first..first + PLIES_PER_GROUP;
        let group: Vec<Sample> =
            held_out.iter().filter(|sample| plies.contains(&sample.ply)).cloned().collect();
        let is_right = |sample: &&Sample| {
            (model.output(&Features::of(&sample.source)) > 0.0) == (sample.target > 0.5)
        };
        let right = group.iter().filter(is_right).count();
        say!(
            "plies {first:>2} to {:>2}: {:>6} positions, loss {:.4}, \
             winner predicted correctly: {:.1} %",
            plies.end - 1,
            group.len(),
            total_loss(model, &group) / group.len().max(1) as f64,
            100.0 * right as f64 / group.len().max(1) as f64
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Args as _, FromArgMatches};

    fn parsed(words: &str) -> Args {
        let command = Args::augment_args(clap::Command::new("train"));
        let matches = command.try_get_matches_from(words.split(' ')).expect("valid arguments");
        Args::from_arg_matches(&matches).expect("valid arguments")
    }

    #[test]
    fn late_accepts_several_files() {
        let files = |names: &[&str]| names.iter().map(PathBuf::from).collect::<Vec<_>>();
        let args = parsed("train games-4 games-5 --late games-1 games-2 games-3 -o net --epochs 7");
        assert_eq!(args.files, files(&["games-4", "games-5"]));
        assert_eq!(args.late, files(&["games-1", "games-2", "games-3"]));
        assert_eq!(args.recipe.epochs, 7);
        let args = parsed("train games-4 -o net --late games-1 --late games-2");
        assert_eq!(args.files, files(&["games-4"]));
        assert_eq!(args.late, files(&["games-1", "games-2"]));
        assert!(parsed("train games-4 -o net").late.is_empty());
    }
}
