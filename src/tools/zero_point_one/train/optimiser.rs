//! The optimiser: Adam (D. Kingma, J. Ba, 2014) with decoupled weight decay.

use super::model::{Layers, Model, Moments, Vector, TAIL, ZERO};
use super::passes::add;
use crate::games::zero_point_one::eval::features::{
    BUCKETS, FIRST_THREAT, INPUTS_PER_WAZIR, WAZIR_SQUARES,
};
use crate::games::zero_point_one::eval::network::{HIDDEN, MOST_OUTPUT_WEIGHT, OUTPUT_UNIT};
use multiversion::multiversion;

/// Merged first-layer weights stay within this, so that they fit 8 bits.
const MOST_WEIGHT: f32 = 1.0;
/// Output weights stay within this.
const MOST_OUTPUT: f32 = MOST_OUTPUT_WEIGHT as f32 / OUTPUT_UNIT as f32;

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
