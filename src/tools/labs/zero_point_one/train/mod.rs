//! `cupbot train`: trains the network on self-play games.

mod model;
mod optimiser;
pub mod samples;

#[cfg(test)]
mod tests;

use crate::games::zero_point_one::eval::network::Network;
use crate::games::zero_point_one::position::Position;
use crate::tools::contracts::alpha_beta::read_network;
use crate::tools::support::units::{integer, parse_decay, parse_rate};
use crate::tools::training::run::{self, Outputs, Trainee, TrainingConfig};
use crate::tools::training::samples::Labels;
use crate::tools::training::{sum_over_parts, training_game, Adam};
use anyhow::Result;
use model::{accumulate, squared_error, Layers, Model};
use samples::Sample;
use std::path::PathBuf;
use std::process::ExitCode;

/// Train the evaluation network of Zero Point One on files of self-play games
#[derive(clap::Args)]
pub struct Args {
    /// Files of self-play games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    outputs: Outputs,
    #[command(flatten)]
    recipe: Recipe,
    /// Number of threads; it affects the last digits of the results
    #[arg(short, long, default_value_t = 2, value_parser = integer::<u64>(1..=64))]
    jobs: u64,
}

/// Options that determine the training, except the games. A checkpoint can be resumed only with the same ones.
#[derive(clap::Args, serde::Serialize)]
struct Recipe {
    /// Number of epochs
    #[arg(long, default_value_t = 8, value_parser = integer::<u32>(1..))]
    epochs: u32,
    /// Batch size, in positions
    #[arg(long, default_value_t = 16_384, value_parser = integer::<u32>(1..))]
    batch: u32,
    /// Learning rate after the warm-up; it decays to a hundredth along half a cosine
    #[arg(long, default_value_t = 0.0012, value_parser = parse_rate)]
    rate: f32,
    /// Decay of each wazir square's weights towards the weights that all squares share (0: none)
    #[arg(long, default_value_t = 5.0, value_parser = parse_decay)]
    decay: f32,
    #[command(flatten)]
    #[serde(flatten)]
    labels: Labels,
    /// Random seed
    #[arg(long, default_value_t = 1, value_parser = integer::<u64>(0..))]
    seed: u64,
    /// Network to start from (default: random weights)
    #[arg(long, value_name = "FILE")]
    start_from: Option<PathBuf>,
}

/// Fraction of all steps during which the learning rate rises.
const WARM_UP: f32 = 0.02;

/// Trains a network and writes it to a file.
pub fn run(args: Args) -> Result<ExitCode> {
    let recipe = &args.recipe;
    args.outputs.ensure_writable(&Network::FORMAT)?;
    let model = match &recipe.start_from {
        Some(path) => Model::from_network(read_network(path)?.as_ref()),
        None => Model::random(recipe.seed),
    };
    let store = args.outputs.store(recipe.seed);
    let (samples, _) = training_game::read::<Position>(&args.files, recipe.labels, store)?;
    let config = TrainingConfig {
        epochs: recipe.epochs,
        batch: recipe.batch as usize,
        rate: recipe.rate,
        warm_up: WARM_UP,
        decay: recipe.decay,
        seed: recipe.seed,
        recipe: serde_json::to_string(recipe)?,
    };
    let mut learner = Learner::new(model, args.jobs as usize);
    run::run(&mut learner, &samples, &config, &args.outputs)?;
    Ok(ExitCode::SUCCESS)
}

/// A model with one set of gradients per thread.
struct Learner {
    model: Model,
    gradients: Vec<Layers>,
}

impl Learner {
    fn new(model: Model, jobs: usize) -> Learner {
        Learner { model, gradients: vec![Layers::zero(); jobs] }
    }
}

impl Trainee for Learner {
    type Sample = Sample;

    fn learn(&mut self, batch: &[Sample], adam: Adam, seed: u64) -> Result<f64> {
        let layers = &self.model.merged;
        let error = sum_over_parts(&mut self.gradients, batch, |gradients, samples| {
            gradients.numbers.fill(0.0);
            accumulate(layers, samples, gradients, seed)
        })?;
        self.model.learn(&mut self.gradients, batch.len(), adam)?;
        Ok(error)
    }

    fn loss(&self, samples: &[Sample]) -> Result<f64> {
        let mut places = vec![(); self.gradients.len()];
        sum_over_parts(&mut places, samples, |(), samples| {
            squared_error(&self.model.merged, samples)
        })
    }

    fn to_bytes(&mut self) -> Result<Vec<u8>> {
        Ok(self.model.to_network()?.to_bytes())
    }

    fn numbers(&mut self) -> Vec<&mut [f32]> {
        self.model.numbers()
    }
}
