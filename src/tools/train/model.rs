//! The network in floating point: forward, backward, Adam, export to integers.
//!
//! The first layer is factorised while training: the weights of an input are the sum of its own and
//! of those that the same piece and square share over all wazir squares. Threats are the same for all
//! wazir squares and are not factorised. `merged` holds the sums, and
//! is all that the forward and backward passes see.

use super::samples::Sample;
use crate::engine::kernels::{OutputRow, Row, Sums, ACTIVATION_MAX, HIDDEN};
use crate::engine::rng::Rng;
use crate::games::zero_point_one::eval::features::{
    BUCKETS, FIRST_THREAT, INPUTS, INPUTS_PER_WAZIR, THREATS, WAZIR_SQUARES,
};
use crate::games::zero_point_one::eval::network::{Network, MOST_OUTPUT_WEIGHT, OUTPUT_UNIT};
use multiversion::multiversion;

/// Floats of one input's weights or of one view's sums.
pub type Vector = [f32; HIDDEN];
const ZERO: Vector = [0.0; HIDDEN];

/// Merged first-layer weights stay within this, so that they fit 8 bits.
const MOST_WEIGHT: f32 = 1.0;
/// Output weights stay within this.
const MOST_OUTPUT: f32 = MOST_OUTPUT_WEIGHT as f32 / OUTPUT_UNIT as f32;

/// What the passes read, and in the same shape the gradients.
#[derive(Clone)]
pub struct Layers {
    /// The weights of each of [`INPUTS`] inputs.
    pub rows: Vec<Vector>,
    /// The sums without inputs.
    pub bias: Vector,
    /// For each of [`BUCKETS`] buckets: the weights of the own and of the other view.
    pub outputs: Vec<[Vector; 2]>,
    /// For each bucket.
    pub output_bias: [f32; BUCKETS],
}

impl Layers {
    /// All zero.
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

    /// The small parts, without the rows, as one list of numbers.
    pub fn tail(&self) -> impl Iterator<Item = &f32> {
        let outputs = self.outputs.iter().flatten().flatten();
        self.bias.iter().chain(outputs).chain(&self.output_bias)
    }

    /// As [`Layers::tail`], to change.
    pub fn tail_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        let outputs = self.outputs.iter_mut().flatten().flatten();
        self.bias.iter_mut().chain(outputs).chain(&mut self.output_bias)
    }
}

/// The number of [`Layers::tail`]'s numbers.
pub const TAIL: usize = HIDDEN + BUCKETS * 2 * HIDDEN + BUCKETS;

/// Weights and the moments of their gradients (D. Kingma, J. Ba, 2014).
#[derive(Clone)]
pub struct Moments {
    /// The running mean of the gradient.
    pub first: Vec<f32>,
    /// The running mean of its square.
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
    /// What the passes see.
    pub merged: Layers,
    /// The part of the weights that all wazir squares share: [`INPUTS_PER_WAZIR`] rows.
    pub shared: Vec<Vector>,
    /// Moments of the rows by wazir square, of the shared rows, of the rest and of the threats.
    pub moments: [Moments; 4],
    /// Optimiser steps done.
    pub steps: u64,
}

/// What an optimiser step needs to be told.
#[derive(Clone, Copy)]
pub struct Step {
    /// The learning rate.
    pub rate: f32,
    /// Decoupled weight decay (I. Loshchilov, F. Hutter, 2017) of the weights that are not shared:
    /// the part by which they shrink towards the shared ones, over the learning rate.
    pub decay: f32,
}

/// One optimiser step's constants.
#[derive(Clone, Copy)]
struct Adam {
    rate: f32,
    /// What is left of a weight that is not shared.
    kept: f32,
    first_correction: f32,
    second_correction: f32,
}

const FIRST_DECAY: f32 = 0.9;
const SECOND_DECAY: f32 = 0.999;
const EPSILON: f32 = 1e-8;

impl Adam {
    /// How far a weight moves against its gradient.
    #[inline(always)]
    fn step(&self, gradient: f32, first: &mut f32, second: &mut f32) -> f32 {
        *first = FIRST_DECAY * *first + (1.0 - FIRST_DECAY) * gradient;
        *second = SECOND_DECAY * *second + (1.0 - SECOND_DECAY) * gradient * gradient;
        let mean = *first * self.first_correction;
        self.rate * mean / ((*second * self.second_correction).sqrt() + EPSILON)
    }
}

impl Model {
    /// A network of small random weights.
    pub fn random(seed: u64) -> Model {
        const ROW_SPREAD: f64 = 0.12;
        const OUTPUT_SPREAD: f64 = 0.12;
        let mut rng = Rng::new(seed);
        let mut number = |spread: f64| ((2.0 * rng.unit() - 1.0) * spread) as f32;
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

    /// The numbers of a network trained before, to go on from. What its wazir squares have in common
    /// becomes the shared part.
    pub fn from_network(network: &Network) -> Model {
        let unit = f32::from(ACTIVATION_MAX);
        let mut merged = Layers::zero();
        let mut shared = vec![ZERO; INPUTS_PER_WAZIR];
        for (input, to) in merged.rows.iter_mut().enumerate() {
            for (to, &weight) in to.iter_mut().zip(&network.row(input).0) {
                *to = f32::from(weight) / unit;
            }
        }
        for (input, row) in merged.rows[..FIRST_THREAT].iter().enumerate() {
            let mean = &mut shared[input % INPUTS_PER_WAZIR];
            mean.iter_mut().zip(row).for_each(|(mean, &w)| *mean += w / WAZIR_SQUARES as f32);
        }
        for (to, &bias) in merged.bias.iter_mut().zip(&network.bias().0) {
            *to = f32::from(bias) / unit;
        }
        let output_unit = OUTPUT_UNIT as f32;
        for bucket in 0..BUCKETS {
            let (weights, bias) = network.output_layer(bucket);
            let to = merged.outputs[bucket].iter_mut().flatten();
            to.zip(&weights.0).for_each(|(to, &weight)| *to = f32::from(weight) / output_unit);
            merged.output_bias[bucket] = bias as f32 / (unit * output_unit);
        }
        Model::new(merged, shared)
    }

    /// These weights, before the first step.
    fn new(merged: Layers, shared: Vec<Vector>) -> Model {
        let shared_count = INPUTS_PER_WAZIR * HIDDEN;
        let moments =
            [FIRST_THREAT * HIDDEN, shared_count, TAIL, THREATS * HIDDEN].map(Moments::new);
        Model { merged, shared, moments, steps: 0 }
    }

    /// Moves all weights against the gradients of `parts` (their sum, divided by `samples`), with
    /// `parts.len()` threads, and one more for the threats.
    pub fn learn(&mut self, parts: &mut [Layers], samples: usize, step: Step) {
        self.steps += 1;
        let steps = self.steps.min(1 << 20) as i32;
        let adam = Adam {
            rate: step.rate,
            kept: 1.0 - step.rate * step.decay,
            first_correction: 1.0 / (1.0 - FIRST_DECAY.powi(steps)),
            second_correction: 1.0 / (1.0 - SECOND_DECAY.powi(steps)),
        };
        let factor = 1.0 / samples as f32;
        let threads = parts.len();
        let (total, others) = match parts.split_first_mut() {
            Some(split) => split,
            None => return,
        };
        self.learn_tail(total, others, factor, adam);
        let [own, shared, _, threats] = &mut self.moments;
        let (rows, threat_rows) = self.merged.rows.split_at_mut(FIRST_THREAT);
        // Every thread takes the same inputs of all wazir squares, since they share weights.
        let chunk = INPUTS_PER_WAZIR.div_ceil(threads);
        let mut jobs = RowJobs::split(rows, &mut self.shared, own, shared, chunk);
        let (total, others) = (&*total, &*others);
        std::thread::scope(|scope| {
            scope.spawn(move || learn_threats(threat_rows, threats, total, others, factor, adam));
            for (index, job) in jobs.iter_mut().enumerate() {
                scope.spawn(move || learn_rows(job, index * chunk, total, others, factor, adam));
            }
        });
    }

    /// The small parts, on one thread.
    fn learn_tail(&mut self, total: &mut Layers, others: &[Layers], factor: f32, adam: Adam) {
        for other in others {
            total.tail_mut().zip(other.tail()).for_each(|(sum, &value)| *sum += value);
        }
        let moments = &mut self.moments[2];
        let moments = moments.first.iter_mut().zip(&mut moments.second);
        let weights = self.merged.tail_mut().zip(total.tail()).zip(moments);
        for (index, ((weight, &gradient), (first, second))) in weights.enumerate() {
            *weight -= adam.step(gradient * factor, first, second);
            let output_weight = (HIDDEN..TAIL - BUCKETS).contains(&index);
            if output_weight {
                *weight = weight.clamp(-MOST_OUTPUT, MOST_OUTPUT);
            }
        }
    }

    /// The network in integers.
    pub fn to_network(&self) -> Network {
        let unit = f32::from(ACTIVATION_MAX);
        let round = |value: f32, unit: f32, most: f32| (value * unit).round().clamp(-most, most);
        let mut rows = vec![Row([0; HIDDEN]); INPUTS];
        for (row, weights) in rows.iter_mut().zip(&self.merged.rows) {
            for (to, &weight) in row.0.iter_mut().zip(weights) {
                *to = round(weight, unit, 127.0) as i8;
            }
        }
        let mut bias = Sums([0; HIDDEN]);
        for (to, &value) in bias.0.iter_mut().zip(&self.merged.bias) {
            *to = round(value, unit, 8191.0) as i16;
        }
        let output_unit = OUTPUT_UNIT as f32;
        let mut outputs = vec![OutputRow([0; 2 * HIDDEN]); BUCKETS];
        for (row, weights) in outputs.iter_mut().zip(&self.merged.outputs) {
            for (to, &weight) in row.0.iter_mut().zip(weights.iter().flatten()) {
                *to = round(weight, output_unit, MOST_OUTPUT_WEIGHT as f32) as i16;
            }
        }
        let most = (1 << 20) as f32;
        let output_bias =
            self.merged.output_bias.iter().map(|&b| round(b, unit * output_unit, most) as i32);
        Network::new(rows, bias, outputs, output_bias.collect())
    }
}

/// One thread's part of all row tables.
struct RowJobs<'a> {
    /// For each wazir square: the rows, and their moments.
    own: Vec<(&'a mut [Vector], &'a mut [f32], &'a mut [f32])>,
    shared: (&'a mut [Vector], &'a mut [f32], &'a mut [f32]),
}

impl<'a> RowJobs<'a> {
    fn split(
        rows: &'a mut [Vector],
        shared: &'a mut [Vector],
        own_moments: &'a mut Moments,
        shared_moments: &'a mut Moments,
        chunk: usize,
    ) -> Vec<RowJobs<'a>> {
        let floats = chunk * HIDDEN;
        let mut jobs: Vec<RowJobs<'a>> = shared
            .chunks_mut(chunk)
            .zip(shared_moments.first.chunks_mut(floats))
            .zip(shared_moments.second.chunks_mut(floats))
            .map(|((rows, first), second)| RowJobs {
                own: Vec::new(),
                shared: (rows, first, second),
            })
            .collect();
        let block = INPUTS_PER_WAZIR * HIDDEN;
        let blocks = rows
            .chunks_mut(INPUTS_PER_WAZIR)
            .zip(own_moments.first.chunks_mut(block))
            .zip(own_moments.second.chunks_mut(block));
        for ((rows, first), second) in blocks {
            let parts = rows.chunks_mut(chunk).zip(first.chunks_mut(floats));
            let parts = parts.zip(second.chunks_mut(floats));
            for (job, ((rows, first), second)) in jobs.iter_mut().zip(parts) {
                job.own.push((rows, first, second));
            }
        }
        jobs
    }
}

/// Updates the rows of threats.
#[multiversion(targets("x86_64+avx512f+avx512vl+fma", "x86_64+avx2+fma"))]
fn learn_threats(
    rows: &mut [Vector],
    moments: &mut Moments,
    total: &Layers,
    others: &[Layers],
    factor: f32,
    adam: Adam,
) {
    let moments = moments.first.chunks_mut(HIDDEN).zip(moments.second.chunks_mut(HIDDEN));
    for (threat, (row, (first, second))) in rows.iter_mut().zip(moments).enumerate() {
        let mut gradient = total.rows[FIRST_THREAT + threat];
        for other in others {
            add(&mut gradient, &other.rows[FIRST_THREAT + threat]);
        }
        for i in 0..HIDDEN {
            let step = adam.step(gradient[i] * factor, &mut first[i], &mut second[i]);
            row[i] = (row[i] - step).clamp(-MOST_WEIGHT, MOST_WEIGHT);
        }
    }
}

/// Updates the rows of one thread; `start` is the first input of its part within a wazir square.
#[multiversion(targets("x86_64+avx512f+avx512vl+fma", "x86_64+avx2+fma"))]
fn learn_rows(
    job: &mut RowJobs,
    start: usize,
    total: &Layers,
    others: &[Layers],
    factor: f32,
    adam: Adam,
) {
    let (shared_rows, shared_first, shared_second) = &mut job.shared;
    for index in 0..shared_rows.len() {
        let span = index * HIDDEN..(index + 1) * HIDDEN;
        let mut sum = ZERO;
        let mut gradients = [ZERO; WAZIR_SQUARES];
        for (square, gradient) in gradients.iter_mut().enumerate() {
            let input = square * INPUTS_PER_WAZIR + start + index;
            *gradient = total.rows[input];
            for other in others {
                add(gradient, &other.rows[input]);
            }
            add(&mut sum, gradient);
        }
        let old_shared = shared_rows[index];
        let (first, second) = (&mut shared_first[span.clone()], &mut shared_second[span.clone()]);
        for i in 0..HIDDEN {
            shared_rows[index][i] -= adam.step(sum[i] * factor, &mut first[i], &mut second[i]);
        }
        for (gradient, (rows, first, second)) in gradients.iter().zip(job.own.iter_mut()) {
            let (first, second) = (&mut first[span.clone()], &mut second[span.clone()]);
            for i in 0..HIDDEN {
                let own = (rows[index][i] - old_shared[i]) * adam.kept
                    - adam.step(gradient[i] * factor, &mut first[i], &mut second[i]);
                rows[index][i] = (own + shared_rows[index][i]).clamp(-MOST_WEIGHT, MOST_WEIGHT);
            }
        }
    }
}

#[inline(always)]
fn add(to: &mut Vector, row: &Vector) {
    for i in 0..HIDDEN {
        to[i] += row[i];
    }
}

/// The expected result that the network gives a sample.
pub fn predict(layers: &Layers, sample: &Sample) -> f32 {
    let (own, other) = sample.views();
    let (own, other) = (sums(layers, own), sums(layers, other));
    sigmoid(output(layers, &own, &other, usize::from(sample.bucket)))
}

/// Adds the gradients of the squared error of these samples to `gradients`; returns the sum of the
/// errors.
#[multiversion(targets("x86_64+avx512f+avx512vl+fma", "x86_64+avx2+fma"))]
pub fn accumulate(layers: &Layers, samples: &[Sample], gradients: &mut Layers) -> f64 {
    let mut loss = 0.0;
    for sample in samples {
        loss += f64::from(accumulate_one(layers, sample, gradients));
    }
    loss
}

/// The sum of the squared errors.
#[multiversion(targets("x86_64+avx512f+avx512vl+fma", "x86_64+avx2+fma"))]
pub fn squared_error(layers: &Layers, samples: &[Sample]) -> f64 {
    samples.iter().map(|sample| f64::from((predict(layers, sample) - target(sample)).powi(2))).sum()
}

#[inline(always)]
fn accumulate_one(layers: &Layers, sample: &Sample, gradients: &mut Layers) -> f32 {
    let bucket = usize::from(sample.bucket);
    let (own_inputs, other_inputs) = sample.views();
    let (own, other) = (sums(layers, own_inputs), sums(layers, other_inputs));
    let predicted = sigmoid(output(layers, &own, &other, bucket));
    let error = predicted - target(sample);
    let slope = 2.0 * error * predicted * (1.0 - predicted);

    gradients.output_bias[bucket] += slope;
    let views = [(&own, own_inputs), (&other, other_inputs)];
    for (view, (sums, inputs)) in views.into_iter().enumerate() {
        let weights = &layers.outputs[bucket][view];
        let weight_gradients = &mut gradients.outputs[bucket][view];
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
    // Sixteen partial sums, so that the compiler can use vectors.
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
