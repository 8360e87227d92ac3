//! The network in floating point: initialisation, conversion from a quantised network, and quantisation.
//!
//! The first layer is factorised in training: the weights of an input are the sum of its own weights
//! and of those that the same piece and square share over all wazir squares. Threats do not depend on the
//! wazir square and are not factorised. The forward and backward passes use only `merged`, which holds the
//! sums.

use crate::engine::network::{
    ACTIVATION_MAX, MAX_BIAS, MAX_OUTPUT_BIAS, MAX_OUTPUT_WEIGHT, OUTPUT_UNIT,
};
use crate::engine::rng::Rng;
use crate::games::zero_point_one::eval::features::{
    BUCKETS, FIRST_THREAT, INPUTS, INPUTS_PER_WAZIR, THREATS, WAZIR_SQUARES,
};
use crate::games::zero_point_one::eval::network::{Network, HIDDEN, MAX_WEIGHT};
use crate::tools::training::ensure_finite;
use anyhow::Result;
use rand::RngExt;

/// Weights of an input, or the accumulator of a perspective.
pub type Vector = [f32; HIDDEN];
/// The zero vector.
pub const ZERO: Vector = [0.0; HIDDEN];

/// Weights of all layers, or their gradients.
#[derive(Clone)]
pub struct Layers {
    /// Weights of each of the [`INPUTS`] inputs.
    pub rows: Vec<Vector>,
    /// Biases of the first layer.
    pub bias: Vector,
    /// Output weights of each of the [`BUCKETS`] buckets, for the side to move's and the opponent's
    /// perspective.
    pub outputs: Vec<[Vector; 2]>,
    /// Output bias of each bucket.
    pub output_bias: [f32; BUCKETS],
}

impl Layers {
    /// Creates layers of zeros.
    pub fn zero() -> Layers {
        Layers {
            rows: vec![ZERO; INPUTS],
            bias: ZERO,
            outputs: vec![[ZERO; 2]; BUCKETS],
            output_bias: [0.0; BUCKETS],
        }
    }

    /// Sets all to zero.
    pub fn clear(&mut self) {
        self.rows.fill(ZERO);
        self.bias = ZERO;
        self.outputs.fill([ZERO; 2]);
        self.output_bias = [0.0; BUCKETS];
    }

    /// Returns all weights except the rows.
    pub fn tail_parts(&self) -> [&[f32]; 3] {
        [&self.bias, self.outputs.as_flattened().as_flattened(), &self.output_bias]
    }

    /// Returns all weights except the rows, for writing.
    pub fn tail_parts_mut(&mut self) -> [&mut [f32]; 3] {
        let outputs = self.outputs.as_flattened_mut().as_flattened_mut();
        [&mut self.bias, outputs, &mut self.output_bias]
    }

    /// Iterates over all weights except the rows.
    pub fn tail(&self) -> impl Iterator<Item = &f32> {
        self.tail_parts().into_iter().flatten()
    }

    /// Iterates over all weights except the rows, for writing.
    pub fn tail_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        self.tail_parts_mut().into_iter().flatten()
    }
}

/// Number of weights of [`Layers::tail`].
pub const TAIL: usize = HIDDEN + BUCKETS * 2 * HIDDEN + BUCKETS;

/// Moments of the gradients of some weights, see [`crate::tools::training::Adam`].
#[derive(Clone)]
pub struct Moments {
    /// Moving average of the gradient.
    pub first: Vec<f32>,
    /// Moving average of the squared gradient.
    pub second: Vec<f32>,
}

impl Moments {
    fn new(count: usize) -> Moments {
        Moments { first: vec![0.0; count], second: vec![0.0; count] }
    }
}

/// A network in training.
#[derive(Clone)]
pub struct Model {
    /// Weights used by the forward and backward passes.
    pub merged: Layers,
    /// Weights that all wazir squares share: [`INPUTS_PER_WAZIR`] rows.
    pub shared: Vec<Vector>,
    /// Moments of the rows by wazir square, of the shared rows, of the tail and of the threats.
    pub moments: [Moments; 4],
}

impl Model {
    /// Creates a network of small random weights.
    pub fn random(seed: u64) -> Model {
        const ROW_SPREAD: f32 = 0.12;
        const OUTPUT_SPREAD: f32 = 0.12;
        let mut rng = Rng::new(seed);
        let mut number = |spread: f32| rng.random_range(-spread..spread);
        let mut shared = vec![ZERO; INPUTS_PER_WAZIR];
        shared.iter_mut().flatten().for_each(|weight| *weight = number(ROW_SPREAD));
        let mut merged = Layers::zero();
        for (input, row) in merged.rows[..FIRST_THREAT].iter_mut().enumerate() {
            *row = shared[input % INPUTS_PER_WAZIR];
        }
        merged.bias.iter_mut().for_each(|bias| *bias = 0.2 + number(ROW_SPREAD));
        let outputs: Vec<f32> = (0..2 * HIDDEN).map(|_| number(OUTPUT_SPREAD)).collect();
        for row in &mut merged.outputs {
            row.iter_mut().flatten().zip(&outputs).for_each(|(weight, &value)| *weight = value);
        }
        Model::new(merged, shared)
    }

    /// Converts a trained network to floats. The mean over the wazir squares becomes the shared part.
    pub fn from_network(network: &Network) -> Model {
        let unit = f32::from(ACTIVATION_MAX);
        let mut merged = Layers::zero();
        let mut shared = vec![ZERO; INPUTS_PER_WAZIR];
        for (input, to) in merged.rows.iter_mut().enumerate() {
            for (to, &weight) in to.iter_mut().zip(&network.rows[input].0) {
                *to = f32::from(weight) / unit;
            }
        }
        for (input, row) in merged.rows[..FIRST_THREAT].iter().enumerate() {
            let mean = &mut shared[input % INPUTS_PER_WAZIR];
            mean.iter_mut().zip(row).for_each(|(mean, &w)| *mean += w / WAZIR_SQUARES as f32);
        }
        for (to, &bias) in merged.bias.iter_mut().zip(&network.bias.0) {
            *to = f32::from(bias) / unit;
        }
        let output_unit = OUTPUT_UNIT as f32;
        for bucket in 0..BUCKETS {
            let to = merged.outputs[bucket].iter_mut().flatten();
            let weights = network.outputs[bucket].iter().flat_map(|half| &half.0);
            to.zip(weights).for_each(|(to, &weight)| *to = f32::from(weight) / output_unit);
            merged.output_bias[bucket] = network.output_bias[bucket] as f32 / (unit * output_unit);
        }
        Model::new(merged, shared)
    }

    /// Creates a model with these weights before the first step.
    fn new(merged: Layers, shared: Vec<Vector>) -> Model {
        let shared_count = INPUTS_PER_WAZIR * HIDDEN;
        let moments =
            [FIRST_THREAT * HIDDEN, shared_count, TAIL, THREATS * HIDDEN].map(Moments::new);
        Model { merged, shared, moments }
    }

    /// Returns the complete trainer state, for a checkpoint.
    pub fn numbers(&mut self) -> Vec<&mut [f32]> {
        let Layers { rows, bias, outputs, output_bias } = &mut self.merged;
        let outputs = outputs.as_flattened_mut().as_flattened_mut();
        let mut numbers = vec![rows.as_flattened_mut(), bias, outputs, output_bias];
        numbers.push(self.shared.as_flattened_mut());
        numbers.extend(
            self.moments
                .iter_mut()
                .flat_map(|Moments { first, second }| [first, second])
                .map(Vec::as_mut_slice),
        );
        numbers
    }

    /// Quantises the network. It is an error if a weight is infinite or NaN.
    pub fn to_network(&self) -> Result<Network> {
        let rows = self.merged.rows.as_flattened().iter().chain(self.shared.as_flattened());
        ensure_finite(rows.chain(self.merged.tail()))?;
        let unit = f32::from(ACTIVATION_MAX);
        let round =
            |value: f32, unit: f32, max: i32| (value * unit).round().clamp(-max as f32, max as f32);
        let mut network = Network::zero();
        for (row, weights) in network.rows.iter_mut().zip(&self.merged.rows) {
            for (to, &weight) in row.0.iter_mut().zip(weights) {
                *to = round(weight, unit, MAX_WEIGHT) as i8;
            }
        }
        for (to, &value) in network.bias.0.iter_mut().zip(&self.merged.bias) {
            *to = round(value, unit, MAX_BIAS) as i16;
        }
        let output_unit = OUTPUT_UNIT as f32;
        for (row, weights) in network.outputs.iter_mut().zip(&self.merged.outputs) {
            let row = row.iter_mut().flat_map(|half| half.0.iter_mut());
            for (to, &weight) in row.zip(weights.iter().flatten()) {
                *to = round(weight, output_unit, MAX_OUTPUT_WEIGHT) as i16;
            }
        }
        for (to, &bias) in network.output_bias.iter_mut().zip(&self.merged.output_bias) {
            *to = round(bias, unit * output_unit, MAX_OUTPUT_BIAS) as i32;
        }
        Ok(network)
    }
}
