//! The floating-point network: forward and backward passes, Adam, and quantisation.

use super::samples::Sample;
use crate::engine::network::{
    ACTIVATION_MAX, MAX_BIAS, MAX_OUTPUT_BIAS, MAX_OUTPUT_WEIGHT, OUTPUT_UNIT, SCALE,
};
use crate::engine::rng::Rng;
use crate::games::chess960::eval::features::{BUCKETS, INPUTS};
use crate::games::chess960::eval::network::{Network, HIDDEN, MAX_WEIGHT, WEIGHT_STEP};
use crate::games::chess960::types::Kind;
use crate::tools::training::{ensure_finite, on_threads, Adam};
use anyhow::Result;
use multiversion::multiversion;
use rand::RngExt;

/// Number of floats of one input's weights or one perspective's accumulator.
pub type Vector = [f32; HIDDEN];
const ZERO: Vector = [0.0; HIDDEN];

/// Quantisation step of first-layer weights.
const ROW_STEP: f32 = WEIGHT_STEP as f32 / ACTIVATION_MAX as f32;
/// Maximum magnitude of first-layer weights, so that they fit 8 bits.
const MAX_ROW: f32 = MAX_WEIGHT as f32 / ACTIVATION_MAX as f32;
/// Maximum magnitude of output weights.
const MAX_OUTPUT: f32 = MAX_OUTPUT_WEIGHT as f32 / OUTPUT_UNIT as f32;
/// Maximum magnitude of random initial weights.
const ROW_SPREAD: f32 = 0.12;
const OUTPUT_SPREAD: f32 = 0.12;
/// Mean of the initial biases: most neurons are active.
const FIRST_BIAS: f32 = 0.2;

/// Pieces in the order of their inputs.
const OWN_PAWN: usize = Kind::Pawn as usize;
const OWN_KING: usize = Kind::King as usize;
const ENEMY_PAWN: usize = 6 + OWN_PAWN;

/// Offsets of the parts of [`Layers`]: rows, biases, output weights, output biases.
const BIAS: usize = INPUTS * HIDDEN;
const OUTPUTS: usize = BIAS + HIDDEN;
const OUTPUT_BIAS: usize = OUTPUTS + BUCKETS * 2 * HIDDEN;
/// Number of parameters of a network.
pub const NUMBERS: usize = OUTPUT_BIAS + BUCKETS;

/// All parameters of a network in one list, or their gradients in the same order.
#[derive(Clone)]
pub struct Layers(pub Vec<f32>);

impl Layers {
    /// Creates a list of zeros.
    pub fn zero() -> Layers {
        Layers(vec![0.0; NUMBERS])
    }

    #[inline(always)]
    fn part(&self, start: usize) -> &Vector {
        match self.0[start..start + HIDDEN].try_into() {
            Ok(part) => part,
            Err(_) => &ZERO,
        }
    }

    #[inline(always)]
    fn row(&self, input: u16) -> &Vector {
        self.part(usize::from(input) * HIDDEN)
    }

    #[inline(always)]
    fn output(&self, bucket: usize, view: usize) -> &Vector {
        self.part(OUTPUTS + (bucket * 2 + view) * HIDDEN)
    }

    #[inline(always)]
    fn add(&mut self, start: usize, vector: &Vector) {
        let part = &mut self.0[start..start + HIDDEN];
        for (to, value) in part.iter_mut().zip(vector) {
            *to += value;
        }
    }
}

/// Quantises a first-layer weight to a multiple of the step.
#[inline(always)]
fn rounded(weight: f32) -> f32 {
    ((weight / ROW_STEP).round() * ROW_STEP).clamp(-MAX_ROW, MAX_ROW)
}

/// Sets `to` to these parameters with quantised first-layer weights. Gradients are computed there, but
/// applied to the unquantised weights (quantisation-aware training with the straight-through estimator: Y.
/// Bengio, N. Léonard, A. Courville, 2013).
pub fn round_into(to: &mut Layers, layers: &Layers) {
    to.0.copy_from_slice(&layers.0);
    to.0[..BIAS].iter_mut().for_each(|weight| *weight = rounded(*weight));
}

/// Network units per output weight of 1 in training.
fn output_unit(score_scale: f32) -> f32 {
    OUTPUT_UNIT as f32 * score_scale / SCALE as f32
}

/// A network in training.
#[derive(Clone)]
pub struct Model {
    /// The weights.
    pub layers: Layers,
    /// Running means of the gradients and of their squares.
    pub moments: [Vec<f32>; 2],
    /// Score of an output of 1, in hundredths. If it is the score of an expected result of 73 % in the
    /// games, the network's scores keep the scale of the games' scores.
    pub score_scale: f32,
}

impl Model {
    /// Creates a network with small random weights, where an output of 1 is `score_scale` hundredths.
    pub fn random(seed: u64, score_scale: f32) -> Model {
        let mut rng = Rng::new(seed);
        let mut layers = Layers::zero();
        let mut fill = |range: std::ops::Range<usize>, spread: f32, mean: f32| {
            let part = &mut layers.0[range];
            part.iter_mut().for_each(|weight| *weight = mean + rng.random_range(-spread..spread));
        };
        fill(0..BIAS, ROW_SPREAD, 0.0);
        fill(BIAS..OUTPUTS, ROW_SPREAD, FIRST_BIAS);
        fill(OUTPUTS..OUTPUTS + 2 * HIDDEN, OUTPUT_SPREAD, 0.0);
        // All buckets start with the same weights.
        for bucket in 1..BUCKETS {
            let first = OUTPUTS..OUTPUTS + 2 * HIDDEN;
            layers.0.copy_within(first, OUTPUTS + bucket * 2 * HIDDEN);
        }
        Model::new(layers, score_scale)
    }

    /// Creates a model from a trained network, where an output of 1 is `score_scale` hundredths.
    pub fn from_network(network: &Network, score_scale: f32) -> Model {
        let unit = f32::from(ACTIVATION_MAX);
        let output_unit = output_unit(score_scale);
        let rows = network.rows[..INPUTS].iter().flat_map(|row| row.0);
        let mut numbers: Vec<f32> = rows.map(|weight| f32::from(weight) / unit).collect();
        numbers.extend(network.bias.0.map(|bias| f32::from(bias) / unit));
        for bucket in 0..BUCKETS {
            let views = network.outputs[bucket].iter().flat_map(|view| view.0);
            numbers.extend(views.map(|weight| f32::from(weight) / output_unit));
        }
        let bias = |bucket| network.output_bias[bucket] as f32 / (unit * output_unit);
        numbers.extend((0..BUCKETS).map(bias));
        Model::new(Layers(numbers), score_scale)
    }

    fn new(layers: Layers, score_scale: f32) -> Model {
        let zero = || vec![0.0; NUMBERS];
        Model { layers, moments: [zero(), zero()], score_scale }
    }

    /// Smoothing: moves the weights of a piece on a square by `part` towards the weights in `before` of the
    /// same piece on adjacent squares. Such weights are similar, and many squares are rare for a piece.
    pub fn smooth(&mut self, before: &Layers, part: f32) {
        let rows = self.layers.0[..BIAS].chunks_exact_mut(HIDDEN);
        for (input, row) in rows.enumerate().filter(|&(input, _)| is_possible(input)) {
            for near in around(input) {
                for (weight, near) in row.iter_mut().zip(before.part(near * HIDDEN)) {
                    *weight += part * (near - *weight);
                }
            }
        }
    }

    /// Updates all weights with the gradients of `parts` (their sum divided by `samples`), on as many
    /// threads. Fails if a thread panicked: the weights are unusable then.
    pub fn learn(&mut self, parts: &[Layers], samples: usize, adam: Adam) -> Result<()> {
        let chunk = NUMBERS.div_ceil(parts.len().max(1));
        let [first, second] = &mut self.moments;
        let weights = self.layers.0.chunks_mut(chunk);
        let moments = first.chunks_mut(chunk).zip(second.chunks_mut(chunk));
        let tasks = weights.zip(moments).enumerate();
        on_threads(tasks, |(index, (weights, (first, second)))| {
            learn_part(weights, first, second, parts, index * chunk, 1.0 / samples as f32, adam);
        })?;
        Ok(())
    }

    /// Quantises the network. Fails if a weight is infinite or NaN.
    pub fn to_network(&self) -> Result<Network> {
        let numbers = &self.layers.0;
        ensure_finite(numbers)?;
        let unit = f32::from(ACTIVATION_MAX);
        let output_unit = output_unit(self.score_scale);
        let round =
            |value: f32, unit: f32, max: i32| (value * unit).round().clamp(-max as f32, max as f32);
        let mut network = Network::zero();
        let rows = network.rows[..INPUTS].iter_mut();
        for (to, &weight) in rows.flat_map(|row| row.0.iter_mut()).zip(numbers) {
            *to = (rounded(weight) * unit).round() as i8;
        }
        for (to, &value) in network.bias.0.iter_mut().zip(&numbers[BIAS..]) {
            *to = round(value, unit, MAX_BIAS) as i16;
        }
        let views = network.outputs.iter_mut().flatten().flat_map(|view| view.0.iter_mut());
        for (to, &weight) in views.zip(&numbers[OUTPUTS..]) {
            *to = round(weight, output_unit, MAX_OUTPUT_WEIGHT) as i16;
        }
        for (to, &bias) in network.output_bias.iter_mut().zip(&numbers[OUTPUT_BIAS..]) {
            *to = round(bias, unit * output_unit, MAX_OUTPUT_BIAS) as i32;
        }
        Ok(network)
    }
}

/// Whether a position can have this input. Pawns are never on the first or last rank, and the own king is
/// always on the files a to d.
fn is_possible(input: usize) -> bool {
    let (piece, rank, file) = (input / 64, input / 8 % 8, input % 8);
    match piece {
        OWN_PAWN | ENEMY_PAWN => (1..7).contains(&rank),
        OWN_KING => file < 4,
        _ => true,
    }
}

/// Returns the possible inputs of the same piece on the adjacent squares.
fn around(input: usize) -> impl Iterator<Item = usize> {
    let (rank, file) = (input / 8 % 8, input % 8);
    let near = [
        (file > 0).then(|| input - 1),
        (file < 7).then(|| input + 1),
        (rank > 0).then(|| input - 8),
        (rank < 7).then(|| input + 8),
    ];
    near.into_iter().flatten().filter(|&input| is_possible(input))
}

/// Updates the weights from `start` on.
#[multiversion(targets("x86_64+avx512f+avx512vl+fma", "x86_64+avx2+fma"))]
fn learn_part(
    weights: &mut [f32],
    first: &mut [f32],
    second: &mut [f32],
    parts: &[Layers],
    start: usize,
    factor: f32,
    adam: Adam,
) {
    let mut gradients = vec![0.0; weights.len()];
    for part in parts {
        let part = &part.0[start..start + weights.len()];
        gradients.iter_mut().zip(part).for_each(|(sum, &gradient)| *sum += gradient);
    }
    gradients.iter_mut().for_each(|gradient| *gradient *= factor);
    adam.update(weights, &gradients, first, second);
    for (index, weight) in weights.iter_mut().enumerate() {
        let max = match start + index {
            ..BIAS => MAX_ROW,
            OUTPUTS..OUTPUT_BIAS => MAX_OUTPUT,
            _ => f32::MAX,
        };
        *weight = weight.clamp(-max, max);
    }
}

/// Returns the expected result that the network predicts for a sample.
pub fn predict(layers: &Layers, sample: &Sample) -> f32 {
    let inputs = sample.inputs();
    let [own, other] = inputs.views.each_ref().map(|view| sums(layers, &view[..inputs.count]));
    sigmoid(output(layers, &own, &other, usize::from(sample.bucket)))
}

/// Adds the gradients of the squared error of these samples to `gradients`; returns the sum of squared
/// errors.
#[multiversion(targets("x86_64+avx512f+avx512vl+fma", "x86_64+avx2+fma"))]
pub fn accumulate(layers: &Layers, samples: &[Sample], gradients: &mut Layers) -> f64 {
    samples.iter().map(|sample| f64::from(accumulate_one(layers, sample, gradients))).sum()
}

/// Returns the sum of squared errors.
#[multiversion(targets("x86_64+avx512f+avx512vl+fma", "x86_64+avx2+fma"))]
pub fn squared_error(layers: &Layers, samples: &[Sample]) -> f64 {
    let error = |sample: &Sample| f64::from((predict(layers, sample) - target(sample)).powi(2));
    samples.iter().map(error).sum()
}

#[inline(always)]
fn accumulate_one(layers: &Layers, sample: &Sample, gradients: &mut Layers) -> f32 {
    let bucket = usize::from(sample.bucket);
    let inputs = sample.inputs();
    let views = [&inputs.views[0][..inputs.count], &inputs.views[1][..inputs.count]];
    let all_sums = [sums(layers, views[0]), sums(layers, views[1])];
    let predicted = sigmoid(output(layers, &all_sums[0], &all_sums[1], bucket));
    let error = predicted - target(sample);
    let slope = 2.0 * error * predicted * (1.0 - predicted);
    gradients.0[OUTPUT_BIAS + bucket] += slope;
    for (view, (sums, inputs)) in all_sums.iter().zip(views).enumerate() {
        let weights = layers.output(bucket, view);
        let (mut to_output, mut back) = (ZERO, ZERO);
        for i in 0..HIDDEN {
            let active = sums[i].clamp(0.0, 1.0);
            to_output[i] = slope * active * active;
            let open = if sums[i] < 1.0 { active } else { 0.0 };
            back[i] = 2.0 * slope * weights[i] * open;
        }
        gradients.add(OUTPUTS + (bucket * 2 + view) * HIDDEN, &to_output);
        gradients.add(BIAS, &back);
        inputs.iter().for_each(|&input| gradients.add(usize::from(input) * HIDDEN, &back));
    }
    error * error
}

#[inline(always)]
fn target(sample: &Sample) -> f32 {
    f32::from(sample.target) / 65535.0
}

#[inline(always)]
fn sums(layers: &Layers, inputs: &[u16]) -> Vector {
    let mut sums = *layers.part(BIAS);
    for &input in inputs {
        let row = layers.row(input);
        for i in 0..HIDDEN {
            sums[i] += row[i];
        }
    }
    sums
}

#[inline(always)]
fn output(layers: &Layers, own: &Vector, other: &Vector, bucket: usize) -> f32 {
    // Sixteen partial sums, so that the compiler can vectorise.
    let mut partial = [0.0f32; 16];
    for (view, sums) in [own, other].into_iter().enumerate() {
        let weights = layers.output(bucket, view);
        for start in (0..HIDDEN).step_by(16) {
            for i in 0..16 {
                let active = sums[start + i].clamp(0.0, 1.0);
                partial[i] += active * active * weights[start + i];
            }
        }
    }
    partial.iter().sum::<f32>() + layers.0[OUTPUT_BIAS + bucket]
}

#[inline(always)]
fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::chess960::eval::Evaluator;
    use crate::games::chess960::movegen;
    use crate::games::chess960::position::{CastlingRule, Position};
    use crate::games::chess960::start;
    use std::sync::Arc;

    fn sample(fen: &str, target: f32) -> Sample {
        let position = Position::from_fen(fen, CastlingRule::Arena).expect(fen);
        Sample::new(&position, target)
    }

    #[test]
    fn gradients_are_those_of_small_differences() {
        let mut model = Model::random(5, 400.0);
        let samples = [
            sample("4k3/8/8/3p4/8/8/8/RN2K3 w - - 0 1", 0.9),
            sample("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b - - 0 1", 0.3),
        ];
        let mut gradients = Layers::zero();
        accumulate(&model.layers, &samples, &mut gradients);
        let loss = |layers: &Layers| squared_error(layers, &samples);
        let mut checked = 0;
        for index in (0..NUMBERS).filter(|&index| gradients.0[index].abs() > 2e-3).step_by(97) {
            let weight = model.layers.0[index];
            let step = 2e-3;
            model.layers.0[index] = weight + step;
            let above = loss(&model.layers);
            model.layers.0[index] = weight - step;
            let below = loss(&model.layers);
            model.layers.0[index] = weight;
            let slope = ((above - below) / f64::from(2.0 * step)) as f32;
            let gradient = gradients.0[index];
            assert!((slope - gradient).abs() < 0.05 * gradient.abs() + 1e-3, "{slope} {gradient}");
            checked += 1;
        }
        assert!(checked > 5, "{checked}");
    }

    #[test]
    fn smoothing_brings_the_weights_of_a_piece_together() {
        let mut model = Model::random(8, 400.0);
        let first = model.layers.clone();
        for _ in 0..3000 {
            let before = model.layers.clone();
            model.smooth(&before, 0.1);
        }
        let spread = |layers: &Layers, piece: usize| {
            let inputs = (piece * 64..piece * 64 + 64).filter(|&input| is_possible(input));
            let weights = inputs.map(|input| layers.0[input * HIDDEN]);
            weights.clone().fold(f32::MIN, f32::max) - weights.fold(f32::MAX, f32::min)
        };
        for piece in 0..12 {
            assert!(spread(&first, piece) > 0.1 && spread(&model.layers, piece) < 1e-3, "{piece}");
        }
        // Weights of features that occur in no sample, and all later layers, are unchanged.
        let is_same = |index: usize| model.layers.0[index] == first.0[index];
        let impossible = (0..INPUTS).filter(|&input| !is_possible(input));
        assert!(
            impossible.clone().all(|input| is_same(input * HIDDEN)) && impossible.count() == 64
        );
        assert!((BIAS..NUMBERS).all(is_same));
    }

    #[test]
    fn what_no_position_has_is_impossible() {
        let mut rng = Rng::new(9);
        let mut met = [false; INPUTS];
        for _ in 0..400 {
            let number = rng.below(start::COUNT);
            let mut position = start::numbered(number, CastlingRule::Arena);
            for _ in 0..200 {
                let inputs = Sample::new(&position, 0.5).inputs();
                let views = inputs.views.iter().flat_map(|view| &view[..inputs.count]);
                views.for_each(|&input| met[usize::from(input)] = true);
                let moves = movegen::moves(&position);
                let Some(&mv) = moves.get(rng.below(moves.len().max(1))) else { break };
                position = position.make(mv);
            }
        }
        let as_expected = (0..INPUTS).filter(|&input| met[input] == is_possible(input));
        assert_eq!(as_expected.count(), INPUTS);
    }

    #[test]
    fn networks_come_back_from_integers() {
        for scale in [300.0, 400.0] {
            let network = Model::random(6, scale).to_network().expect("finite");
            let again = Model::from_network(&network, scale).to_network().expect("finite");
            assert_eq!(network.to_bytes(), again.to_bytes());
        }
    }

    #[test]
    fn a_score_stays_what_it_was() {
        // The same output stands for twice the score if the games' score scale is twice as large.
        let position = Position::from_fen("4k3/8/8/3p4/8/8/8/RN2K3 w - - 0 1", CastlingRule::Arena);
        let position = position.expect("a position");
        let worth = |model: &Model| {
            let network = model.to_network().expect("finite");
            Evaluator::by_network(Arc::new(network)).evaluate(&position)
        };
        let (low, high) = (worth(&Model::random(7, 300.0)), worth(&Model::random(7, 600.0)));
        assert!(low.abs() > 10 && (high - 2 * low).abs() <= low.abs() / 10 + 2, "{low} {high}");
        // A network to start from keeps its scores, whatever the games.
        let mut again =
            Model::from_network(&Model::random(7, 300.0).to_network().expect("finite"), 350.0);
        assert_eq!(worth(&again), low);
        again.score_scale *= 2.0;
        assert!((worth(&again) - 2 * low).abs() <= low.abs() / 10 + 2);
    }
}
