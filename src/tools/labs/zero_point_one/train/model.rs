//! The network in floating point: initialisation, conversion from a quantised network, and quantisation.
//!
//! The first layer is factorised in training: the weights of an input are the sum of separate weights and of weights
//! that all wazir squares share for this piece and square. Threats do not depend on the wazir square and are not
//! factorised. The forward and backward passes use only `merged`, which holds the sums.

use super::samples::{Inputs, Sample};
use crate::engine::network::OUTPUT_UNIT;
use crate::engine::rng::Rng;
use crate::games::zero_point_one::eval::features::{FIRST_THREAT, INPUTS_PER_WAZIR, WAZIR_SQUARES};
use crate::games::zero_point_one::eval::network::{Layout, Network, HIDDEN, MAX_WEIGHT};
use crate::tools::training::ensure_finite;
use crate::tools::training::layers::{self, rounded, ROW_UNIT, SPREAD};
use anyhow::Result;
use multiversion::multiversion;
use rand::RngExt;

/// Weights of all layers, or their gradients.
pub type Layers = layers::Layers<Layout, HIDDEN>;

/// An output weight of 1, in units of the quantised network.
const OUTPUT: f32 = OUTPUT_UNIT as f32;
/// Number of weights that all wazir squares share.
pub const SHARED: usize = INPUTS_PER_WAZIR * HIDDEN;

/// A network in training.
#[derive(Clone)]
pub struct Model {
    /// Weights used by the forward and backward passes.
    pub merged: Layers,
    /// Weights that all wazir squares share: [`INPUTS_PER_WAZIR`] rows.
    pub shared: Vec<f32>,
    /// First and second moments of the gradients of `merged` and of `shared`, see [`crate::tools::training::Adam`].
    /// Those of rows by wazir square are for the difference from the shared row.
    pub moments: [[Vec<f32>; 2]; 2],
}

impl Model {
    /// Creates a network of small random weights.
    pub fn random(seed: u64) -> Model {
        let mut rng = Rng::new(seed);
        let shared: Vec<f32> = (0..SHARED).map(|_| rng.random_range(-SPREAD..SPREAD)).collect();
        let mut merged = Layers::zero();
        let by_wazir = merged.numbers[..FIRST_THREAT * HIDDEN].chunks_exact_mut(SHARED);
        by_wazir.for_each(|rows| rows.copy_from_slice(&shared));
        merged.randomise_after_rows(&mut rng);
        Model::new(merged, shared)
    }

    /// Converts a trained network to floats. The mean over the wazir squares becomes the shared part.
    pub fn from_network(network: &Network) -> Model {
        let merged = Layers::from_network(network, OUTPUT);
        let mut shared = vec![0.0; SHARED];
        for rows in merged.numbers[..FIRST_THREAT * HIDDEN].chunks_exact(SHARED) {
            shared.iter_mut().zip(rows).for_each(|(mean, w)| *mean += w / WAZIR_SQUARES as f32);
        }
        Model::new(merged, shared)
    }

    /// Creates a model with these weights before the first step.
    fn new(merged: Layers, shared: Vec<f32>) -> Model {
        let moments = [Layers::COUNT, SHARED].map(|count| [vec![0.0; count], vec![0.0; count]]);
        Model { merged, shared, moments }
    }

    /// Returns the complete trainer state, for a checkpoint.
    pub fn numbers(&mut self) -> Vec<&mut [f32]> {
        let weights = [&mut self.merged.numbers, &mut self.shared].into_iter();
        weights.chain(self.moments.iter_mut().flatten()).map(Vec::as_mut_slice).collect()
    }

    /// Quantises the network. It is an error if a weight is infinite or NaN.
    pub fn to_network(&self) -> Result<Network> {
        ensure_finite(&self.shared)?;
        self.merged.to_network(OUTPUT, |weight| rounded(weight, ROW_UNIT, MAX_WEIGHT) as i8)
    }
}

/// Returns the network's prediction of the expected result of a sample.
#[inline(always)]
pub fn predict(layers: &Layers, sample: &Sample, inputs: &mut Inputs) -> f32 {
    inputs.set(sample);
    layers.predict(inputs.lists(), usize::from(sample.bucket))
}

/// Adds the gradients of the squared error of these samples to `gradients` and returns the sum of the squared errors.
/// `seed` selects the perspectives of wazirs on diagonals.
#[multiversion(targets("x86_64+avx512f+avx512vl+fma", "x86_64+avx2+fma"))]
pub fn accumulate(layers: &Layers, samples: &[Sample], gradients: &mut Layers, seed: u64) -> f64 {
    let mut inputs = Inputs::default();
    let errors = samples.iter().map(|sample| {
        inputs.set_at_random(sample, seed);
        let bucket = usize::from(sample.bucket);
        f64::from(layers.accumulate(inputs.lists(), bucket, sample.expected(), gradients))
    });
    errors.sum()
}

/// Returns the sum of the squared errors.
#[multiversion(targets("x86_64+avx512f+avx512vl+fma", "x86_64+avx2+fma"))]
pub fn squared_error(layers: &Layers, samples: &[Sample]) -> f64 {
    let mut inputs = Inputs::default();
    let errors =
        samples.iter().map(|sample| predict(layers, sample, &mut inputs) - sample.expected());
    errors.map(|error| f64::from(error.powi(2))).sum()
}
