//! The floating-point network: forward and backward passes, Adam, and quantisation.

use super::samples::Sample;
use crate::engine::network::{OUTPUT_UNIT, SCALE};
use crate::engine::rng::Rng;
use crate::games::chess960::eval::network::{Layout, Network, HIDDEN, MAX_WEIGHT, WEIGHT_STEP};
use crate::games::chess960::types::Kind;
use crate::tools::training::layers::{self, chunks, Trained, MAX_OUTPUT, ROW_UNIT};
use crate::tools::training::{on_threads, Adam};
use anyhow::Result;
use multiversion::multiversion;

/// All parameters of a network, or their gradients.
pub type Layers = layers::Layers<Layout, HIDDEN>;

/// Quantisation step of first-layer weights.
const ROW_STEP: f32 = WEIGHT_STEP as f32 / ROW_UNIT;
/// Maximum magnitude of first-layer weights, so that they fit 8 bits.
const MAX_ROW: f32 = MAX_WEIGHT as f32 / ROW_UNIT;

/// Pieces in the order of their inputs.
const OWN_PAWN: usize = Kind::Pawn as usize;
const OWN_KING: usize = Kind::King as usize;
const ENEMY_PAWN: usize = 6 + OWN_PAWN;

/// Quantises a first-layer weight to a multiple of the step.
#[inline(always)]
fn rounded(weight: f32) -> f32 {
    ((weight / ROW_STEP).round() * ROW_STEP).clamp(-MAX_ROW, MAX_ROW)
}

/// Sets `to` to these parameters with quantised first-layer weights. Gradients are computed there, but applied to the
/// unquantised weights (quantisation-aware training with the straight-through estimator: Y. Bengio, N. Léonard, A.
/// Courville, 2013).
pub fn round_into(to: &mut Layers, layers: &Layers) {
    to.numbers.copy_from_slice(&layers.numbers);
    to.numbers[..Layers::BIAS].iter_mut().for_each(|weight| *weight = rounded(*weight));
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
    /// Score of an output of 1, in hundredths. If it is the score of an expected result of 73 % in the games, the
    /// network's scores keep the scale of the games' scores.
    pub score_scale: f32,
}

impl Model {
    /// Creates a network with small random weights, where an output of 1 is `score_scale` hundredths.
    pub fn random(seed: u64, score_scale: f32) -> Model {
        let mut rng = Rng::new(seed);
        let mut layers = Layers::zero();
        layers.randomise(0..Layers::BIAS, 0.0, &mut rng);
        layers.randomise_after_rows(&mut rng);
        Model::new(layers, score_scale)
    }

    /// Creates a model from a trained network, where an output of 1 is `score_scale` hundredths.
    pub fn from_network(network: &Network, score_scale: f32) -> Model {
        Model::new(Layers::from_network(network, output_unit(score_scale)), score_scale)
    }

    fn new(layers: Layers, score_scale: f32) -> Model {
        let zero = || vec![0.0; Layers::COUNT];
        Model { layers, moments: [zero(), zero()], score_scale }
    }

    /// Smoothing: moves the weights of a piece on a square by `part` towards the weights in `before` of the same piece
    /// on adjacent squares. Such weights are similar, and many squares are rare for a piece.
    pub fn smooth(&mut self, before: &Layers, part: f32) {
        let rows = self.layers.numbers[..Layers::BIAS].chunks_exact_mut(HIDDEN);
        for (input, row) in rows.enumerate().filter(|&(input, _)| is_possible(input)) {
            for near in around(input) {
                for (weight, near) in row.iter_mut().zip(before.row(near)) {
                    *weight += part * (near - *weight);
                }
            }
        }
    }

    /// Updates all weights with the gradients of `parts` (their sum divided by `samples`), on as many threads. Fails if
    /// a thread panicked: the weights are unusable then.
    pub fn learn(&mut self, parts: &[Layers], samples: usize, adam: Adam) -> Result<()> {
        let chunk = Layers::COUNT.div_ceil(parts.len().max(1));
        let [first, second] = &mut self.moments;
        let tasks = chunks([&mut self.layers.numbers, first, second], chunk).enumerate();
        on_threads(tasks, |(index, trained)| {
            learn_part(trained, parts, index * chunk, 1.0 / samples as f32, adam);
        })?;
        Ok(())
    }

    /// Quantises the network. Fails if a weight is infinite or NaN.
    pub fn to_network(&self) -> Result<Network> {
        let row_weight = |weight| (rounded(weight) * ROW_UNIT).round() as i8;
        self.layers.to_network(output_unit(self.score_scale), row_weight)
    }
}

/// Whether a position can have this input. Pawns are never on the first or last rank, and the perspective's own king is
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
fn learn_part(trained: Trained, parts: &[Layers], start: usize, factor: f32, adam: Adam) {
    let [weights, first, second] = trained;
    let mut gradients = vec![0.0; weights.len()];
    for part in parts {
        let part = &part.numbers[start..start + weights.len()];
        gradients.iter_mut().zip(part).for_each(|(sum, &gradient)| *sum += gradient);
    }
    gradients.iter_mut().for_each(|gradient| *gradient *= factor);
    adam.update(weights, &gradients, first, second);
    for (index, weight) in weights.iter_mut().enumerate() {
        let max = match start + index {
            index if index < Layers::BIAS => MAX_ROW,
            index if (Layers::OUTPUTS..Layers::OUTPUT_BIAS).contains(&index) => MAX_OUTPUT,
            _ => f32::MAX,
        };
        *weight = weight.clamp(-max, max);
    }
}

/// Adds the gradients of the squared error of these samples to `gradients`; returns the sum of squared errors.
#[multiversion(targets("x86_64+avx512f+avx512vl+fma", "x86_64+avx2+fma"))]
pub fn accumulate(layers: &Layers, samples: &[Sample], gradients: &mut Layers) -> f64 {
    let errors = samples.iter().map(|sample| {
        let (inputs, bucket) = (sample.inputs(), usize::from(sample.bucket));
        f64::from(layers.accumulate(inputs.lists(), bucket, sample.expected(), gradients))
    });
    errors.sum()
}

/// Returns the sum of squared errors.
#[multiversion(targets("x86_64+avx512f+avx512vl+fma", "x86_64+avx2+fma"))]
pub fn squared_error(layers: &Layers, samples: &[Sample]) -> f64 {
    let errors = samples.iter().map(|sample| {
        let predicted = layers.predict(sample.inputs().lists(), usize::from(sample.bucket));
        f64::from((predicted - sample.expected()).powi(2))
    });
    errors.sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::chess960::eval::features::INPUTS;
    use crate::games::chess960::eval::Evaluator;
    use crate::games::chess960::movegen;
    use crate::games::chess960::position::{CastlingRule, Position};
    use crate::games::chess960::start;
    use std::sync::Arc;

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
            let weights = inputs.map(|input| layers.row(input)[0]);
            weights.clone().fold(f32::MIN, f32::max) - weights.fold(f32::MAX, f32::min)
        };
        for piece in 0..12 {
            assert!(spread(&first, piece) > 0.1 && spread(&model.layers, piece) < 1e-3, "{piece}");
        }
        // Weights of features that occur in no sample, and all later layers, are unchanged.
        let is_same = |index: usize| model.layers.numbers[index] == first.numbers[index];
        let impossible = (0..INPUTS).filter(|&input| !is_possible(input));
        assert!(
            impossible.clone().all(|input| is_same(input * HIDDEN)) && impossible.count() == 64
        );
        assert!((Layers::BIAS..Layers::COUNT).all(is_same));
    }

    #[test]
    fn possible_inputs_are_those_of_random_games() {
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
    fn quantised_networks_round_trip() {
        for scale in [300.0, 400.0] {
            let network = Model::random(6, scale).to_network().expect("finite");
            let again = Model::from_network(&network, scale).to_network().expect("finite");
            assert_eq!(network.to_bytes(), again.to_bytes());
        }
    }

    #[test]
    fn scores_scale_with_the_score_scale() {
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
