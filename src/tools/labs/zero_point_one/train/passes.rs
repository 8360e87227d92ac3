//! Forward and backward passes, sample by sample.

use super::model::{Layers, Vector, ZERO};
use super::samples::{Inputs, Sample};
use crate::games::zero_point_one::eval::network::HIDDEN;
use multiversion::multiversion;

/// Computes `to += row`.
#[inline(always)]
pub fn add(to: &mut Vector, row: &Vector) {
    for i in 0..HIDDEN {
        to[i] += row[i];
    }
}

/// Returns the network's prediction of the expected result of a sample.
pub fn predict(layers: &Layers, sample: &Sample, inputs: &mut Inputs) -> f32 {
    inputs.set(sample);
    let [own, other] = &inputs.0;
    let (own, other) = (sums(layers, own), sums(layers, other));
    sigmoid(output(layers, &own, &other, usize::from(sample.bucket)))
}

/// Adds the gradients of the squared error of these samples to `gradients` and returns the sum of the squared
/// errors. `seed` selects the perspectives of wazirs on diagonals.
#[multiversion(targets("x86_64+avx512f+avx512vl+fma", "x86_64+avx2+fma"))]
pub fn accumulate(layers: &Layers, samples: &[Sample], gradients: &mut Layers, seed: u64) -> f64 {
    let mut inputs = Inputs::default();
    let errors = samples.iter().map(|sample| {
        inputs.set_at_random(sample, seed);
        f64::from(accumulate_one(layers, sample, &inputs, gradients))
    });
    errors.sum()
}

/// Returns the sum of the squared errors.
#[multiversion(targets("x86_64+avx512f+avx512vl+fma", "x86_64+avx2+fma"))]
pub fn squared_error(layers: &Layers, samples: &[Sample]) -> f64 {
    let mut inputs = Inputs::default();
    let errors = samples.iter().map(|sample| predict(layers, sample, &mut inputs) - target(sample));
    errors.map(|error| f64::from(error.powi(2))).sum()
}

#[inline(always)]
fn accumulate_one(
    layers: &Layers,
    sample: &Sample,
    inputs: &Inputs,
    gradients: &mut Layers,
) -> f32 {
    let bucket = usize::from(sample.bucket);
    let [own_inputs, other_inputs] = &inputs.0;
    let (own, other) = (sums(layers, own_inputs), sums(layers, other_inputs));
    let predicted = sigmoid(output(layers, &own, &other, bucket));
    let error = predicted - target(sample);
    let slope = 2.0 * error * predicted * (1.0 - predicted);

    gradients.output_bias[bucket] += slope;
    let perspectives = [(&own, own_inputs), (&other, other_inputs)];
    for (perspective, (sums, inputs)) in perspectives.into_iter().enumerate() {
        let weights = &layers.outputs[bucket][perspective];
        let weight_gradients = &mut gradients.outputs[bucket][perspective];
        let mut back = ZERO;
        for i in 0..HIDDEN {
            let active = sums[i].clamp(0.0, 1.0);
            weight_gradients[i] += slope * active * active;
            let open = if sums[i] < 1.0 { active } else { 0.0 };
            back[i] = 2.0 * slope * weights[i] * open;
        }
        add(&mut gradients.bias, &back);
        for &input in inputs {
            add(&mut gradients.rows[usize::from(input)], &back);
        }
    }
    error * error
}

#[inline(always)]
fn target(sample: &Sample) -> f32 {
    f32::from(sample.target) / 65535.0
}

#[inline(always)]
fn sums(layers: &Layers, inputs: &[u16]) -> Vector {
    let mut sums = layers.bias;
    for &input in inputs {
        add(&mut sums, &layers.rows[usize::from(input)]);
    }
    sums
}

#[inline(always)]
fn output(layers: &Layers, own: &Vector, other: &Vector, bucket: usize) -> f32 {
    // Sixteen partial sums, so that the compiler can vectorise.
    let mut partial = [0.0f32; 16];
    for (sums, weights) in [own, other].into_iter().zip(&layers.outputs[bucket]) {
        for start in (0..HIDDEN).step_by(16) {
            for i in 0..16 {
                let active = sums[start + i].clamp(0.0, 1.0);
                partial[i] += active * active * weights[start + i];
            }
        }
    }
    partial.iter().sum::<f32>() + layers.output_bias[bucket]
}

#[inline(always)]
fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}
