//! Updates the model's weights with the gradients of a batch.

use super::model::{Layers, Model, SHARED};
use crate::games::zero_point_one::eval::features::{FIRST_THREAT, INPUTS_PER_WAZIR, WAZIR_SQUARES};
use crate::games::zero_point_one::eval::network::HIDDEN;
use crate::tools::training::layers::{add, chunks, split_at, Trained, MAX_OUTPUT};
use crate::tools::training::{on_threads, Adam};
use anyhow::Result;
use multiversion::multiversion;

/// Maximum magnitude of merged first-layer weights, so that they fit in 8 bits.
const MAX_WEIGHT: f32 = 1.0;
/// The weights of an input.
type Vector = [f32; HIDDEN];

impl Model {
    /// Updates all weights with the gradient (the sum of `parts`, divided by `samples`) on `parts.len()` threads, plus
    /// one for the threats. Decay applies only to the weights by wazir square, towards the shared ones. It is an error
    /// if a thread panics; the weights are then invalid.
    pub fn learn(&mut self, parts: &mut [Layers], samples: usize, adam: Adam) -> Result<()> {
        let factor = 1.0 / samples as f32;
        let threads = parts.len();
        let Some((total, others)) = parts.split_first_mut() else { return Ok(()) };
        let [[first, second], [shared_first, shared_second]] = &mut self.moments;
        let merged: Trained = [&mut self.merged.numbers, first, second];
        let [rows, tail] = split_at(merged, Layers::BIAS);
        learn_tail(tail, total, others, factor, adam.without_decay());
        let [rows, threats] = split_at(rows, FIRST_THREAT * HIDDEN);
        // Each thread updates the same inputs of all wazir squares, because these share weights.
        let chunk = INPUTS_PER_WAZIR.div_ceil(threads);
        let shared = chunks([&mut self.shared, shared_first, shared_second], chunk * HIDDEN);
        let mut jobs: Vec<RowJob> =
            shared.map(|shared| RowJob { own: Vec::new(), shared }).collect();
        for square in chunks(rows, SHARED) {
            let parts = chunks(square, chunk * HIDDEN);
            jobs.iter_mut().zip(parts).for_each(|(job, part)| job.own.push(part));
        }
        let gradients = Gradients { total, others, factor };
        let mut tasks: Vec<Box<dyn FnOnce() + Send>> = Vec::new();
        tasks.push(Box::new(move || learn_threats(threats, gradients, adam)));
        for (index, job) in jobs.iter_mut().enumerate() {
            tasks.push(Box::new(move || learn_rows(job, index * chunk, gradients, adam)));
        }
        on_threads(tasks, |task| task())?;
        Ok(())
    }
}

/// Updates all weights except the rows, on one thread.
fn learn_tail(tail: Trained, total: &mut Layers, others: &[Layers], factor: f32, adam: Adam) {
    let gradients = &mut total.numbers[Layers::BIAS..];
    for other in others {
        let other = &other.numbers[Layers::BIAS..];
        gradients.iter_mut().zip(other).for_each(|(sum, &value)| *sum += value);
    }
    gradients.iter_mut().for_each(|gradient| *gradient *= factor);
    let [weights, first, second] = tail;
    adam.update(weights, gradients, first, second);
    let outputs = Layers::OUTPUTS - Layers::BIAS..Layers::OUTPUT_BIAS - Layers::BIAS;
    let outputs = weights[outputs].iter_mut();
    outputs.for_each(|weight| *weight = weight.clamp(-MAX_OUTPUT, MAX_OUTPUT));
}

/// Gradients of a batch, in one part per thread.
#[derive(Clone, Copy)]
struct Gradients<'a> {
    total: &'a Layers,
    others: &'a [Layers],
    /// Factor of the sum of the parts.
    factor: f32,
}

impl Gradients<'_> {
    /// Returns the sum of a row's gradients, not yet scaled.
    #[inline(always)]
    fn sum(&self, row: usize) -> Vector {
        let mut sum = *self.total.row(row);
        for other in self.others {
            add(&mut sum, other.row(row));
        }
        sum
    }

    /// Returns the sum scaled by the factor.
    #[inline(always)]
    fn scaled(&self, sum: &Vector) -> Vector {
        sum.map(|gradient| gradient * self.factor)
    }
}

/// The rows that one thread updates.
struct RowJob<'a> {
    /// Rows by wazir square.
    own: Vec<Trained<'a>>,
    /// Shared rows.
    shared: Trained<'a>,
}

/// Updates the rows of the threats.
#[multiversion(targets("x86_64+avx512f+avx512vl+fma", "x86_64+avx2+fma"))]
fn learn_threats(threats: Trained, gradients: Gradients, adam: Adam) {
    let adam = adam.without_decay();
    for (threat, [row, first, second]) in chunks(threats, HIDDEN).enumerate() {
        let gradient = gradients.scaled(&gradients.sum(FIRST_THREAT + threat));
        adam.update(row, &gradient, first, second);
        row.iter_mut().for_each(|weight| *weight = weight.clamp(-MAX_WEIGHT, MAX_WEIGHT));
    }
}

/// Updates the rows of one thread. `start` is the first input of its part within a wazir square.
#[multiversion(targets("x86_64+avx512f+avx512vl+fma", "x86_64+avx2+fma"))]
fn learn_rows(job: &mut RowJob, start: usize, gradients: Gradients, adam: Adam) {
    for index in 0..job.shared[0].len() / HIDDEN {
        let span = index * HIDDEN..(index + 1) * HIDDEN;
        let mut sum = [0.0; HIDDEN];
        let mut sums = [[0.0; HIDDEN]; WAZIR_SQUARES];
        for (square, row) in sums.iter_mut().enumerate() {
            *row = gradients.sum(square * INPUTS_PER_WAZIR + start + index);
            add(&mut sum, row);
        }
        let [shared, first, second] = job.shared.each_mut().map(|slice| &mut slice[span.clone()]);
        let mut old_shared = [0.0; HIDDEN];
        old_shared.copy_from_slice(shared);
        adam.without_decay().update(shared, &gradients.scaled(&sum), first, second);
        for (sum, own) in sums.iter().zip(job.own.iter_mut()) {
            let [row, first, second] = own.each_mut().map(|slice| &mut slice[span.clone()]);
            row.iter_mut().zip(&old_shared).for_each(|(weight, shared)| *weight -= shared);
            adam.update(row, &gradients.scaled(sum), first, second);
            for (weight, shared) in row.iter_mut().zip(&*shared) {
                *weight = (*weight + shared).clamp(-MAX_WEIGHT, MAX_WEIGHT);
            }
        }
    }
}
