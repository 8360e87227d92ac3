//! `cupbot chess960 train`: trains the network on self-play games.

mod model;
pub mod samples;

use crate::games::chess960::eval::network::Network;
use crate::games::chess960::position::Position;
use crate::tools::contracts::alpha_beta::read_network;
use crate::tools::support::units::{integer, parse_decay, parse_rate, parse_scale};
use crate::tools::training::run::{self, Outputs, Trainee, TrainingConfig};
use crate::tools::training::samples::Labels;
use crate::tools::training::{sum_over_parts, training_game, Adam};
use anyhow::{Context, Result};
use model::{accumulate, round_into, squared_error, Layers, Model};
use samples::Sample;
use std::path::PathBuf;
use std::process::ExitCode;

/// Train the evaluation network of Chess960 on files of self-play games
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
    #[arg(long, default_value_t = 10, value_parser = integer::<u32>(1..))]
    epochs: u32,
    /// Batch size, in positions
    #[arg(long, default_value_t = 8192, value_parser = integer::<u32>(1..))]
    batch: u32,
    /// Learning rate after the warm-up; it decays to a hundredth along half a cosine
    #[arg(long, default_value_t = 0.002, value_parser = parse_rate)]
    rate: f32,
    /// Weight decay (AdamW), relative to the learning rate
    #[arg(long, default_value_t = 0.0, value_parser = parse_decay)]
    decay: f32,
    /// Smoothing of a piece's weights over adjacent squares, relative to the learning rate
    #[arg(long, default_value_t = 0.0, value_parser = parse_decay)]
    smoothing: f32,
    #[command(flatten)]
    #[serde(flatten)]
    labels: Labels,
    /// Factor of the network's scores, to fit the margins of the search
    #[arg(long, default_value_t = 1.0, value_parser = parse_scale)]
    score_factor: f32,
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
    let start = recipe.start_from.as_ref().map(|path| read_network(path)).transpose()?;
    let store = args.outputs.store(recipe.seed);
    let (samples, scale) = training_game::read::<Position>(&args.files, recipe.labels, store)?;
    let scale = scale.context("the files have no games")?;
    let mut model = match start {
        Some(network) => Model::from_network(&network, scale),
        None => Model::random(recipe.seed, scale),
    };
    // Only for the written network: the network to start from has the scores of the games.
    model.score_scale *= recipe.score_factor;
    let config = TrainingConfig {
        epochs: recipe.epochs,
        batch: recipe.batch as usize,
        rate: recipe.rate,
        warm_up: WARM_UP,
        decay: recipe.decay,
        seed: recipe.seed,
        recipe: serde_json::to_string(recipe)?,
    };
    let mut learner = Learner::new(model, recipe.smoothing, args.jobs as usize);
    run::run(&mut learner, &samples, &config, &args.outputs)?;
    Ok(ExitCode::SUCCESS)
}

/// A quantised copy of the weights, and one set of gradients per thread.
struct Learner {
    model: Model,
    rounded: Layers,
    gradients: Vec<Layers>,
    smoothing: f32,
}

impl Learner {
    fn new(model: Model, smoothing: f32, jobs: usize) -> Learner {
        let gradients = vec![Layers::zero(); jobs];
        Learner { model, rounded: Layers::zero(), gradients, smoothing }
    }
}

impl Trainee for Learner {
    type Sample = Sample;

    fn learn(&mut self, batch: &[Sample], adam: Adam, _seed: u64) -> Result<f64> {
        round_into(&mut self.rounded, &self.model.layers);
        let layers = &self.rounded;
        let error = sum_over_parts(&mut self.gradients, batch, |gradients, samples| {
            gradients.numbers.fill(0.0);
            accumulate(layers, samples, gradients)
        })?;
        if self.smoothing > 0.0 {
            self.model.smooth(&self.rounded, adam.rate() * self.smoothing);
        }
        self.model.learn(&self.gradients, batch.len(), adam)?;
        Ok(error)
    }

    fn loss(&self, samples: &[Sample]) -> Result<f64> {
        let mut layers = Layers::zero();
        round_into(&mut layers, &self.model.layers);
        let mut places = vec![(); self.gradients.len()];
        sum_over_parts(&mut places, samples, |(), samples| squared_error(&layers, samples))
    }

    fn to_bytes(&mut self) -> Result<Vec<u8>> {
        Ok(self.model.to_network()?.to_bytes())
    }

    fn numbers(&mut self) -> Vec<&mut [f32]> {
        let [first, second] = &mut self.model.moments;
        vec![&mut self.model.layers.numbers, first, second]
    }
}
