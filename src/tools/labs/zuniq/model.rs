//! Floating-point model of the network, and its training.

use crate::engine::rng::Rng;
use crate::games::zuniq::network::features::{Features, BUCKETS, INPUTS};
use crate::games::zuniq::network::{probability, Head, Network, FIRST, SECOND};
use crate::tools::training::{ensure_finite, Adam};
use anyhow::Result;
use rand::RngExt;

/// Standard deviation of the initial weights of the first layer.
const ROW_DEVIATION: f32 = 0.1;
/// Standard deviation of the initial weights of the output layer.
const OUTPUT_DEVIATION: f32 = 0.3;

/// Numbers in the shape of the network: weights, gradients or running means of gradients.
#[derive(Clone)]
pub struct Weights {
    /// Weights of the first layer, by input ([`INPUTS`] rows).
    pub rows: Vec<[f32; FIRST]>,
    /// Biases of the first layer.
    pub bias: [f32; FIRST],
    /// The layers after the first, by bucket ([`BUCKETS`] heads).
    pub heads: Vec<Head>,
}

impl Weights {
    fn zero() -> Weights {
        let heads = vec![Head::ZERO; BUCKETS];
        Weights { rows: vec![[0.0; FIRST]; INPUTS], bias: [0.0; FIRST], heads }
    }

    /// Creates small random weights from a seed.
    pub fn random(seed: u64) -> Weights {
        let mut rng = Rng::new(seed);
        let mut normal = |deviation: f32| {
            let sum: f64 = (0..12).map(|_| rng.random::<f64>()).sum();
            (sum - 6.0) as f32 * deviation
        };
        let mut numbers = Weights::zero();
        numbers.rows.iter_mut().flatten().for_each(|weight| *weight = normal(ROW_DEVIATION));
        let mut head = Head::ZERO;
        let scale = (2.0 / FIRST as f32).sqrt();
        head.second.iter_mut().flatten().for_each(|weight| *weight = normal(scale));
        head.output.iter_mut().for_each(|weight| *weight = normal(OUTPUT_DEVIATION));
        numbers.heads = vec![head; BUCKETS];
        numbers
    }

    /// Creates the weights of a network.
    pub fn of(network: &Network) -> Weights {
        let (rows, bias, heads) = network.weights();
        Weights { rows, bias, heads }
    }

    /// Creates the network with these weights, rounded. Returns an error if a weight is not finite.
    pub fn network(&mut self) -> Result<Network> {
        ensure_finite(self.parts().flat_map(|part| &*part))?;
        Ok(Network::rounded(&self.rows, &self.bias, &self.heads))
    }

    /// Returns all numbers as slices in a fixed order with fixed lengths.
    fn parts(&mut self) -> impl Iterator<Item = &mut [f32]> {
        let first = [self.rows.as_flattened_mut(), &mut self.bias];
        first.into_iter().chain(self.heads.iter_mut().flat_map(|head| {
            let Head { second, second_bias, output, output_bias } = head;
            let output_bias = std::slice::from_mut(output_bias);
            [second.as_flattened_mut(), second_bias, output, output_bias]
        }))
    }

    fn clear(&mut self) {
        self.parts().for_each(|part| part.fill(0.0));
    }
}

/// Forward pass of one position: the sums of the neurons before the activation.
struct Pass {
    first: [f32; FIRST],
    second: [f32; SECOND],
    output: f32,
}

impl Pass {
    fn forward(weights: &Weights, features: &Features) -> Pass {
        let mut first = weights.bias;
        for &feature in features.list() {
            let row = &weights.rows[usize::from(feature)];
            first.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
        }
        let head = &weights.heads[features.bucket()];
        let mut second = head.second_bias;
        for (sum, weights) in first.iter().zip(&head.second).filter(|(sum, _)| **sum > 0.0) {
            second.iter_mut().zip(weights).for_each(|(neuron, weight)| *neuron += sum * weight);
        }
        let terms = second.iter().zip(&head.output);
        let output =
            terms.fold(head.output_bias, |sum, (neuron, weight)| sum + neuron.max(0.0) * weight);
        Pass { first, second, output }
    }

    /// Backpropagation: adds the gradient for one position. `slope` is the derivative of the loss by the output.
    fn backward(&self, weights: &Weights, features: &Features, slope: f32, gradient: &mut Weights) {
        let head = &weights.heads[features.bucket()];
        let into = &mut gradient.heads[features.bucket()];
        into.output_bias += slope;
        let mut by_second = [0.0; SECOND];
        for (index, by_neuron) in by_second.iter_mut().enumerate() {
            into.output[index] += slope * self.second[index].max(0.0);
            if self.second[index] > 0.0 {
                *by_neuron = slope * head.output[index];
                into.second_bias[index] += *by_neuron;
            }
        }
        let mut by_first = [0.0; FIRST];
        for index in (0..FIRST).filter(|&index| self.first[index] > 0.0) {
            let weights = by_second.iter().zip(&head.second[index]);
            by_first[index] = weights.map(|(slope, weight)| slope * weight).sum();
            let gradients = into.second[index].iter_mut().zip(&by_second);
            gradients.for_each(|(gradient, slope)| *gradient += slope * self.first[index]);
        }
        let bias = gradient.bias.iter_mut().zip(&by_first);
        bias.for_each(|(gradient, slope)| *gradient += slope);
        for &feature in features.list() {
            let row = gradient.rows[usize::from(feature)].iter_mut().zip(&by_first);
            row.for_each(|(gradient, slope)| *gradient += slope);
        }
    }
}

/// A training example.
pub struct Example {
    /// Active features and bucket.
    pub features: Features,
    /// Probability that the side to move wins, 0 to 1.
    pub target: f32,
}

/// Returns the cross entropy of an output (log odds) and its target.
pub fn loss(output: f32, target: f32) -> f32 {
    // ln(1 + e^x) without overflow.
    output.max(0.0) + (-output.abs()).exp().ln_1p() - target * output
}

/// A model in training with its optimiser state.
pub struct Model {
    /// The current weights.
    pub weights: Weights,
    gradient: Weights,
    /// The running means of the gradient and of its square; see [`Adam`].
    first: Weights,
    second: Weights,
}

impl Model {
    /// Creates a model with these weights and a new optimiser state.
    pub fn new(weights: Weights) -> Model {
        let zero = Weights::zero;
        Model { weights, gradient: zero(), first: zero(), second: zero() }
    }

    /// Returns the output for these features, as log odds.
    pub fn output(&self, features: &Features) -> f32 {
        Pass::forward(&self.weights, features).output
    }

    /// Makes one training step on a batch and returns the sum of the losses.
    pub fn learn_from(&mut self, examples: &[Example], adam: Adam) -> f64 {
        let total = self.find_gradient(examples);
        self.move_weights(adam);
        total
    }

    /// Returns the trainer state saved in a checkpoint.
    pub fn numbers(&mut self) -> Vec<&mut [f32]> {
        let parts = self.weights.parts().chain(self.first.parts());
        parts.chain(self.second.parts()).collect()
    }

    /// Computes the gradient of the mean loss and returns the sum of the losses.
    fn find_gradient(&mut self, examples: &[Example]) -> f64 {
        self.gradient.clear();
        let mut total = 0.0;
        for Example { features, target } in examples {
            let pass = Pass::forward(&self.weights, features);
            total += f64::from(loss(pass.output, *target));
            let slope = (probability(pass.output) - target) / examples.len() as f32;
            pass.backward(&self.weights, features, slope, &mut self.gradient);
        }
        total
    }

    /// Updates the weights with the optimiser.
    fn move_weights(&mut self, adam: Adam) {
        let means = self.first.parts().zip(self.second.parts());
        let parts = self.weights.parts().zip(self.gradient.parts()).zip(means);
        parts.for_each(|((weights, gradient), (first, second))| {
            adam.update(weights, gradient, first, second);
        });
    }
}

#[cfg(test)]
impl Model {
    /// Returns the gradient of the mean loss.
    pub fn gradient(&mut self, examples: &[Example]) -> Weights {
        self.find_gradient(examples);
        self.gradient.clone()
    }
}

#[cfg(test)]
impl Weights {
    /// Returns all numbers in a fixed order.
    pub fn each_value(mut self) -> Vec<f32> {
        self.parts().flat_map(|part| part.to_vec()).collect()
    }

    /// Adds `change` to the number with this index.
    pub fn change(&mut self, index: usize, change: f32) {
        if let Some(number) = self.parts().flatten().nth(index) {
            *number += change;
        }
    }
}
