//! Updates the model's weights with the gradients of a batch.

use super::model::{Layers, Model, Moments, Vector, ZERO};
use super::passes::add;
use crate::engine::network::{MAX_OUTPUT_WEIGHT, OUTPUT_UNIT};
use crate::games::zero_point_one::eval::features::{FIRST_THREAT, INPUTS_PER_WAZIR, WAZIR_SQUARES};
use crate::games::zero_point_one::eval::network::HIDDEN;
use crate::tools::training::{on_threads, Adam};
use anyhow::Result;
use multiversion::multiversion;

/// Maximum magnitude of merged first-layer weights, so that they fit in 8 bits.
const MAX_WEIGHT: f32 = 1.0;
/// Maximum magnitude of output weights.
const MAX_OUTPUT: f32 = MAX_OUTPUT_WEIGHT as f32 / OUTPUT_UNIT as f32;

impl Model {
    /// Updates all weights with the gradient (the sum of `parts`, divided by `samples`) on `parts.len()`
    /// threads, plus one for the threats. Decay applies only to the weights by wazir square, towards the
    /// shared ones. It is an error if a thread panics; the weights are then invalid.
    pub fn learn(&mut self, parts: &mut [Layers], samples: usize, adam: Adam) -> Result<()> {
        let factor = 1.0 / samples as f32;
        let threads = parts.len();
        let Some((total, others)) = parts.split_first_mut() else { return Ok(()) };
        self.learn_tail(total, others, factor, adam.without_decay());
        let [own, shared, _, threats] = &mut self.moments;
        let (rows, threat_rows) = self.merged.rows.split_at_mut(FIRST_THREAT);
        // Each thread updates the same inputs of all wazir squares, because these share weights.
        let chunk = INPUTS_PER_WAZIR.div_ceil(threads);
        let mut jobs = RowJobs::split(rows, &mut self.shared, own, shared, chunk);
        let gradients = Gradients { total, others, factor };
        let mut tasks: Vec<Box<dyn FnOnce() + Send>> = Vec::new();
        tasks.push(Box::new(move || learn_threats(threat_rows, threats, gradients, adam)));
        for (index, job) in jobs.iter_mut().enumerate() {
            tasks.push(Box::new(move || learn_rows(job, index * chunk, gradients, adam)));
        }
        on_threads(tasks, |task| task())?;
        Ok(())
    }

    /// Updates all weights except the rows, on one thread.
    fn learn_tail(&mut self, total: &mut Layers, others: &[Layers], factor: f32, adam: Adam) {
        for other in others {
            total.tail_mut().zip(other.tail()).for_each(|(sum, &value)| *sum += value);
        }
        total.tail_mut().for_each(|gradient| *gradient *= factor);
        let Moments { first, second } = &mut self.moments[2];
        let (mut first, mut second) = (&mut first[..], &mut second[..]);
        for (weights, gradients) in self.merged.tail_parts_mut().into_iter().zip(total.tail_parts())
        {
            let (own_first, own_second);
            (own_first, first) = first.split_at_mut(weights.len());
            (own_second, second) = second.split_at_mut(weights.len());
            adam.update(weights, gradients, own_first, own_second);
        }
        let outputs = self.merged.outputs.iter_mut().flatten().flatten();
        outputs.for_each(|weight| *weight = weight.clamp(-MAX_OUTPUT, MAX_OUTPUT));
    }
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
        let mut sum = self.total.rows[row];
        for other in self.others {
            add(&mut sum, &other.rows[row]);
        }
        sum
    }

    /// Returns the sum scaled by the factor.
    #[inline(always)]
    fn scaled(&self, sum: &Vector) -> Vector {
        sum.map(|gradient| gradient * self.factor)
    }
}

/// Rows that one thread updates, with their moments.
struct RowJobs<'a> {
    /// Rows by wazir square: weights, first and second moments.
    own: Vec<(&'a mut [Vector], &'a mut [f32], &'a mut [f32])>,
    /// Shared rows: weights, first and second moments.
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

/// Updates the rows of the threats.
#[multiversion(targets("x86_64+avx512f+avx512vl+fma", "x86_64+avx2+fma"))]
fn learn_threats(rows: &mut [Vector], moments: &mut Moments, gradients: Gradients, adam: Adam) {
    let adam = adam.without_decay();
    let moments = moments.first.chunks_mut(HIDDEN).zip(moments.second.chunks_mut(HIDDEN));
    for (threat, (row, (first, second))) in rows.iter_mut().zip(moments).enumerate() {
        let gradient = gradients.scaled(&gradients.sum(FIRST_THREAT + threat));
        adam.update(row, &gradient, first, second);
        row.iter_mut().for_each(|weight| *weight = weight.clamp(-MAX_WEIGHT, MAX_WEIGHT));
    }
}

/// Updates the rows of one thread. `start` is the first input of its part within a wazir square.
#[multiversion(targets("x86_64+avx512f+avx512vl+fma", "x86_64+avx2+fma"))]
fn learn_rows(job: &mut RowJobs, start: usize, gradients: Gradients, adam: Adam) {
    let (shared_rows, shared_first, shared_second) = &mut job.shared;
    for (index, shared) in shared_rows.iter_mut().enumerate() {
        let span = index * HIDDEN..(index + 1) * HIDDEN;
        let mut sum = ZERO;
        let mut sums = [ZERO; WAZIR_SQUARES];
        for (square, row) in sums.iter_mut().enumerate() {
            *row = gradients.sum(square * INPUTS_PER_WAZIR + start + index);
            add(&mut sum, row);
        }
        let old_shared = *shared;
        let (first, second) = (&mut shared_first[span.clone()], &mut shared_second[span.clone()]);
        adam.without_decay().update(shared, &gradients.scaled(&sum), first, second);
        for (sum, (rows, first, second)) in sums.iter().zip(job.own.iter_mut()) {
            let (first, second) = (&mut first[span.clone()], &mut second[span.clone()]);
            let row = &mut rows[index];
            for i in 0..HIDDEN {
                row[i] -= old_shared[i];
            }
            adam.update(row, &gradients.scaled(sum), first, second);
            for i in 0..HIDDEN {
                row[i] = (row[i] + shared[i]).clamp(-MAX_WEIGHT, MAX_WEIGHT);
            }
        }
    }
}
