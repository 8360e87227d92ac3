//! The floating-point form of a network with one hidden layer per perspective (see [`crate::engine::network`]): forward
//! and backward passes, initialisation and quantisation.

use super::ensure_finite;
use crate::engine::network::{
    Layout, Network, ACTIVATION_MAX, MAX_BIAS, MAX_OUTPUT_BIAS, MAX_OUTPUT_WEIGHT, OUTPUT_UNIT,
};
use crate::engine::rng::Rng;
use anyhow::Result;
use rand::RngExt;
use std::marker::PhantomData;
use std::ops::Range;

/// Maximum magnitude of output weights.
pub const MAX_OUTPUT: f32 = MAX_OUTPUT_WEIGHT as f32 / OUTPUT_UNIT as f32;
/// A first-layer weight of 1, in units of the quantised network.
pub const ROW_UNIT: f32 = ACTIVATION_MAX as f32;
/// Maximum magnitude of random initial weights.
pub const SPREAD: f32 = 0.12;
/// Mean of the initial biases: most neurons are active.
const FIRST_BIAS: f32 = 0.2;

/// All parameters of a network in one list, or their gradients in the same order: rows, biases, output weights, output
/// biases.
#[derive(Clone)]
pub struct Layers<L, const N: usize> {
    /// The list.
    pub numbers: Vec<f32>,
    layout: PhantomData<L>,
}

impl<L: Layout<N>, const N: usize> Layers<L, N> {
    /// Offset of the biases.
    pub const BIAS: usize = L::INPUTS * N;
    /// Offset of the output weights: by bucket, those of the side to move's perspective first.
    pub const OUTPUTS: usize = Self::BIAS + N;
    /// Offset of the output biases.
    pub const OUTPUT_BIAS: usize = Self::OUTPUTS + L::BUCKETS * 2 * N;
    /// Number of parameters.
    pub const COUNT: usize = Self::OUTPUT_BIAS + L::BUCKETS;

    /// Creates a list of zeros.
    pub fn zero() -> Layers<L, N> {
        Layers { numbers: vec![0.0; Self::COUNT], layout: PhantomData }
    }

    /// Returns the weights of an input.
    #[inline(always)]
    pub fn row(&self, input: usize) -> &[f32; N] {
        self.part(input * N)
    }

    /// Returns `N` numbers.
    #[inline(always)]
    fn part(&self, start: usize) -> &[f32; N] {
        match self.numbers[start..start + N].try_into() {
            Ok(part) => part,
            Err(_) => &[0.0; N],
        }
    }

    #[inline(always)]
    fn add(&mut self, start: usize, vector: &[f32; N]) {
        if let Ok(part) = self.numbers[start..start + N].as_mut().try_into() {
            add(part, vector);
        }
    }

    /// Sets a range to random numbers around a mean.
    pub fn randomise(&mut self, range: Range<usize>, mean: f32, rng: &mut Rng) {
        let part = &mut self.numbers[range];
        part.iter_mut().for_each(|weight| *weight = mean + rng.random_range(-SPREAD..SPREAD));
    }

    /// Sets the biases and output weights to random numbers, the same for all buckets.
    pub fn randomise_after_rows(&mut self, rng: &mut Rng) {
        let first = Self::OUTPUTS..Self::OUTPUTS + 2 * N;
        self.randomise(Self::BIAS..Self::OUTPUTS, FIRST_BIAS, rng);
        self.randomise(first.clone(), 0.0, rng);
        for bucket in 1..L::BUCKETS {
            self.numbers.copy_within(first.clone(), Self::OUTPUTS + bucket * 2 * N);
        }
    }

    /// Converts a network. An output weight of 1 has `output_unit` units of the network.
    pub fn from_network(network: &Network<L, N>, output_unit: f32) -> Layers<L, N> {
        let rows = network.rows[..L::INPUTS].iter().flat_map(|row| row.0);
        let mut numbers: Vec<f32> = rows.map(|weight| f32::from(weight) / ROW_UNIT).collect();
        numbers.extend(network.bias.0.map(|bias| f32::from(bias) / ROW_UNIT));
        let outputs = network.outputs.iter().flatten().flat_map(|view| view.0);
        numbers.extend(outputs.map(|weight| f32::from(weight) / output_unit));
        let biases = network.output_bias.iter();
        numbers.extend(biases.map(|&bias| bias as f32 / (ROW_UNIT * output_unit)));
        Layers { numbers, layout: PhantomData }
    }

    /// Quantises the network; `row_weight` quantises a first-layer weight. Fails if a weight is infinite or NaN.
    pub fn to_network(
        &self,
        output_unit: f32,
        row_weight: impl Fn(f32) -> i8,
    ) -> Result<Network<L, N>> {
        ensure_finite(&self.numbers)?;
        let mut network = Network::zero();
        let rows = network.rows[..L::INPUTS].iter_mut().flat_map(|row| row.0.iter_mut());
        rows.zip(&self.numbers).for_each(|(to, &weight)| *to = row_weight(weight));
        for (to, &value) in network.bias.0.iter_mut().zip(&self.numbers[Self::BIAS..]) {
            *to = rounded(value, ROW_UNIT, MAX_BIAS) as i16;
        }
        let views = network.outputs.iter_mut().flatten().flat_map(|view| view.0.iter_mut());
        for (to, &weight) in views.zip(&self.numbers[Self::OUTPUTS..]) {
            *to = rounded(weight, output_unit, MAX_OUTPUT_WEIGHT) as i16;
        }
        for (to, &bias) in network.output_bias.iter_mut().zip(&self.numbers[Self::OUTPUT_BIAS..]) {
            *to = rounded(bias, ROW_UNIT * output_unit, MAX_OUTPUT_BIAS) as i32;
        }
        Ok(network)
    }

    /// Returns the expected result that the network predicts for these inputs of both perspectives.
    #[inline(always)]
    pub fn predict(&self, inputs: [&[u16]; 2], bucket: usize) -> f32 {
        self.predicted(&self.both_sums(inputs), bucket)
    }

    /// Adds the gradients of the squared error of a sample to `gradients`; returns the squared error.
    #[inline(always)]
    pub fn accumulate(
        &self,
        inputs: [&[u16]; 2],
        bucket: usize,
        target: f32,
        gradients: &mut Layers<L, N>,
    ) -> f32 {
        let sums = self.both_sums(inputs);
        let predicted = self.predicted(&sums, bucket);
        let error = predicted - target;
        let slope = 2.0 * error * predicted * (1.0 - predicted);
        gradients.numbers[Self::OUTPUT_BIAS + bucket] += slope;
        for (view, (sums, inputs)) in sums.iter().zip(inputs).enumerate() {
            let start = Self::OUTPUTS + (bucket * 2 + view) * N;
            let weights = self.part(start);
            let (mut to_output, mut back) = ([0.0; N], [0.0; N]);
            for i in 0..N {
                let active = sums[i].clamp(0.0, 1.0);
                to_output[i] = slope * active * active;
                let open = if sums[i] < 1.0 { active } else { 0.0 };
                back[i] = 2.0 * slope * weights[i] * open;
            }
            gradients.add(start, &to_output);
            gradients.add(Self::BIAS, &back);
            for &input in inputs {
                gradients.add(usize::from(input) * N, &back);
            }
        }
        error * error
    }

    /// Returns the sums of both perspectives. Without closures, which are compiled without the caller's target
    /// features.
    #[inline(always)]
    fn both_sums(&self, [own, other]: [&[u16]; 2]) -> [[f32; N]; 2] {
        [self.sums(own), self.sums(other)]
    }

    #[inline(always)]
    fn sums(&self, inputs: &[u16]) -> [f32; N] {
        let mut sums = *self.part(Self::BIAS);
        for &input in inputs {
            add(&mut sums, self.row(usize::from(input)));
        }
        sums
    }

    #[inline(always)]
    fn predicted(&self, sums: &[[f32; N]; 2], bucket: usize) -> f32 {
        // Sixteen partial sums, so that the compiler can vectorise.
        let mut partial = [0.0f32; 16];
        for (view, sums) in sums.iter().enumerate() {
            let weights = self.part(Self::OUTPUTS + (bucket * 2 + view) * N);
            for start in (0..N).step_by(16) {
                for i in 0..16 {
                    let active = sums[start + i].clamp(0.0, 1.0);
                    partial[i] += active * active * weights[start + i];
                }
            }
        }
        let output = partial.iter().sum::<f32>() + self.numbers[Self::OUTPUT_BIAS + bucket];
        1.0 / (1.0 + (-output).exp())
    }
}

/// Computes `to += row`.
#[inline(always)]
pub fn add<const N: usize>(to: &mut [f32; N], row: &[f32; N]) {
    for i in 0..N {
        to[i] += row[i];
    }
}

/// Quantises a number: rounds it to units and limits its magnitude to `max` units.
pub fn rounded(value: f32, unit: f32, max: i32) -> f32 {
    (value * unit).round().clamp(-max as f32, max as f32)
}

/// Weights with the first and second moments of their gradients, see [`super::Adam`].
pub type Trained<'a> = [&'a mut [f32]; 3];

/// Splits each of the slices into chunks of this length.
pub fn chunks<'a>(slices: Trained<'a>, length: usize) -> impl Iterator<Item = Trained<'a>> {
    let [weights, first, second] = slices.map(|slice| slice.chunks_mut(length));
    weights.zip(first).zip(second).map(|((weights, first), second)| [weights, first, second])
}

/// Splits each of the slices in two.
pub fn split_at<'a>(slices: Trained<'a>, at: usize) -> [Trained<'a>; 2] {
    let [(a, b), (c, d), (e, f)] = slices.map(|slice| slice.split_at_mut(at));
    [[a, c, e], [b, d, f]]
}
