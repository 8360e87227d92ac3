//! Tests of the trainer: gradients, learning and quantisation.

use super::model::{accumulate, predict, squared_error, Layers, Model};
use super::samples::{sample, Inputs, Sample};
use super::*;
use crate::engine::rng::Rng;
use crate::games::zero_point_one::eval::features::{
    has_two_perspectives, BUCKETS, FIRST_THREAT, INPUTS,
};
use crate::games::zero_point_one::eval::network::HIDDEN;
use crate::games::zero_point_one::eval::Evaluator;
use crate::games::zero_point_one::movegen;
use crate::games::zero_point_one::position::Position;
use crate::games::zero_point_one::setup;
use crate::games::zero_point_one::types::Colour;
use crate::tools::labs::zero_point_one::stored_game::tests::any_bytes;
use crate::tools::labs::zero_point_one::stored_game::TrainingGame;
use crate::tools::training::game_file::Record;
use crate::tools::training::store::assert_packs;
use crate::tools::training::Step;
use proptest::prelude::{prop_assert, proptest};
use rand::seq::IndexedRandom;
use rand::RngExt;
use std::sync::Arc;

/// Creates positions of random games.
fn positions(count: usize, seed: u64) -> Vec<Position> {
    let mut rng = Rng::new(seed);
    let mut positions = Vec::new();
    while positions.len() < count {
        let (red, blue) = (setup::random(&mut rng), setup::random(&mut rng));
        let mut position = Position::from_setups(&red, &blue);
        for _ in 0..rng.random_range(0..90) {
            let mut moves = Vec::new();
            movegen::safe(&position, |mv| moves.push(mv));
            let Some(&mv) = moves.choose(&mut rng) else { break };
            position = position.make(mv);
            if position.is_over() {
                break;
            }
        }
        if !position.is_over() {
            positions.push(position);
        }
    }
    positions
}

fn some_samples(count: usize) -> Vec<Sample> {
    let mut rng = Rng::new(77);
    let target = |rng: &mut Rng| rng.random();
    positions(count, 3).iter().filter_map(|p| sample(p, target(&mut rng))).collect()
}

fn is_off_diagonals(sample: &Sample, side: Colour) -> bool {
    sample.position.board().wazir(side).is_some_and(|wazir| !has_two_perspectives(wazir))
}

/// Returns the input of this range that is active in the most perspectives.
fn most_common(samples: &[Sample], range: std::ops::Range<usize>) -> usize {
    let mut counts = vec![0; INPUTS];
    let mut inputs = Inputs::default();
    for sample in samples {
        inputs.set(sample);
        inputs.0.iter().flatten().for_each(|&input| counts[usize::from(input)] += 1);
    }
    range.max_by_key(|&input| counts[input]).unwrap_or(0)
}

/// Gradients agree with central differences of the loss, for weights of every kind.
#[test]
fn gradients_agree_with_finite_differences() {
    // Small because the activation has a kink, but large enough for the 24 bits of a float.
    const STEP: f32 = 5e-4;
    let mut samples = some_samples(60);
    // With a wazir on a diagonal, training chooses one of two perspectives at random.
    samples.retain(|sample| Colour::ALL.iter().all(|&side| is_off_diagonals(sample, side)));
    let model = Model::random(5);
    let mut layers = model.merged.clone();
    let mut gradients = Layers::zero();
    accumulate(&layers, &samples, &mut gradients, 0);
    let row = most_common(&samples, 0..FIRST_THREAT);
    let threat = most_common(&samples, FIRST_THREAT..INPUTS);
    let bucket = usize::from(samples[0].bucket);
    let outputs = Layers::OUTPUTS + bucket * 2 * HIDDEN;
    let one = Layers::OUTPUT_BIAS + bucket;
    let vectors = [row * HIDDEN, threat * HIDDEN, Layers::BIAS, outputs, outputs + HIDDEN];
    let ranges = vectors.map(|start| (start, 20)).into_iter().chain([(one, 1)]);
    let mut compared = Vec::new();
    for (start, count) in ranges {
        let mut large = 0;
        for index in start..start + count {
            let expected = gradients.numbers[index];
            let mut error = |change: f32| {
                let original = layers.numbers[index];
                layers.numbers[index] = original + change;
                let error = squared_error(&layers, &samples);
                layers.numbers[index] = original;
                error
            };
            let measured = ((error(STEP) - error(-STEP)) / f64::from(2.0 * STEP)) as f32;
            let tolerance = 0.04 * expected.abs() + 6e-3;
            assert!((measured - expected).abs() < tolerance, "{measured} {expected}");
            large += usize::from(expected.abs() > 1e-2);
        }
        compared.push(large);
    }
    let enough = compared.iter().sum::<usize>() > 40 && compared[0].min(compared[1]) > 5;
    assert!(enough, "number of gradients large enough to compare: {compared:?}");
}

/// Creates an optimiser step with these constants.
fn adam(number: u64, rate: f32, decay: f32) -> Adam {
    Adam::new(number, Step { rate, decay })
}

/// A network memorises a small set of samples.
#[test]
fn learning_lowers_the_loss() {
    let samples = some_samples(256);
    let mut learner = Learner::new(Model::random(6), 2);
    let before = learner.loss(&samples).expect("no panic");
    for number in 1..=60 {
        learner.learn(&samples, adam(number, 0.01, 0.0), 0).expect("no panic");
    }
    let after = learner.loss(&samples).expect("no panic");
    assert!(after < 0.2 * before, "{before} {after}");
}

/// The number of threads does not change the result, although all wazir squares have shared weights.
#[test]
fn the_result_is_independent_of_threads() {
    let samples = some_samples(128);
    let learned = |threads: usize| {
        let mut learner = Learner::new(Model::random(7), threads);
        for number in 1..=3 {
            learner.learn(&samples, adam(number, 0.001, 1.0), 0).expect("no panic");
        }
        learner.model.merged
    };
    let (one, three) = (learned(1), learned(3));
    let rows = one.numbers.iter().zip(&three.numbers);
    let difference = rows.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(difference < 1e-3, "{difference}");
}

#[test]
fn a_panic_in_a_thread_is_an_error() {
    let mut samples = some_samples(64);
    samples[5].bucket = u8::MAX;
    let mut learner = Learner::new(Model::random(8), 2);
    assert!(learner.loss(&samples).is_err());
    assert!(learner.loss(&samples[6..]).is_ok());
    assert!(learner.learn(&samples, adam(1, 0.01, 0.0), 0).is_err());
}

/// A checkpoint holds the complete state of the training.
#[test]
fn a_checkpoint_restores_the_state() {
    let samples = some_samples(64);
    let mut learner = Learner::new(Model::random(8), 1);
    learner.learn(&samples, adam(1, 0.001, 1.0), 0).expect("no panic");
    let mut restored = Learner::new(Model::random(9), 1);
    for (to, from) in restored.numbers().into_iter().zip(learner.numbers()) {
        to.copy_from_slice(from);
    }
    for learner in [&mut learner, &mut restored] {
        learner.learn(&samples, adam(2, 0.001, 1.0), 0).expect("no panic");
    }
    assert!(learner.to_bytes().expect("finite") == restored.to_bytes().expect("finite"));
}

/// Quantisation changes evaluations by at most six hundredths of a piece on average, and forty at worst, over 20,000
/// positions with weights in the range of trained ones.
#[test]
fn quantisation_errors_are_small() {
    let model = Model::random(10);
    let mut evaluator =
        Evaluator::by_network(Arc::new(model.to_network().expect("finite weights")));
    let positions = positions(20_000, 12);
    let (mut total, mut worst) = (0.0, 0.0f32);
    for position in &positions {
        let Some(sample) = sample(position, 0.5) else { continue };
        let expected = predict(&model.merged, &sample, &mut Inputs::default());
        let float = (expected / (1.0 - expected)).ln() * 400.0;
        evaluator.reset();
        let difference = (evaluator.evaluate(position) as f32 - float).abs();
        total += difference;
        worst = worst.max(difference);
    }
    let mean = total / positions.len() as f32;
    assert!(mean < 6.0 && worst < 40.0, "mean {mean} worst {worst}");
}

/// Over many seeds, training uses both perspectives of a wazir on a diagonal equally often, and always the same
/// perspective of any other wazir.
#[test]
fn training_uses_both_perspectives_on_diagonals() {
    let (mut same, mut seen) = (0, 0);
    let (mut usual, mut shown) = (Inputs::default(), Inputs::default());
    for sample in &some_samples(200) {
        usual.set(sample);
        for seed in 0..20 {
            shown.set_at_random(sample, seed);
            let side = sample.position.side();
            for (perspective, side) in [side, !side].into_iter().enumerate() {
                let is_usual = usual.0[perspective] == shown.0[perspective];
                if is_off_diagonals(sample, side) {
                    assert!(is_usual);
                } else {
                    same += usize::from(is_usual);
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 1000 && (0.45..0.55).contains(&(same as f64 / seen as f64)), "{same} of {seen}");
}

#[test]
fn samples_round_trip() {
    some_samples(500).iter().for_each(assert_packs);
}

#[test]
fn weights_that_are_not_finite_are_an_error() {
    let spoil: [fn(&mut Model); 4] = [
        |model| model.merged.numbers[647] = f32::NAN,
        |model| model.merged.numbers[Layers::BIAS + 3] = f32::INFINITY,
        |model| model.merged.numbers[Layers::OUTPUT_BIAS] = f32::NAN,
        |model| model.shared[128] = f32::NEG_INFINITY,
    ];
    for spoil in spoil {
        let mut model = Model::random(11);
        spoil(&mut model);
        let error = model.to_network().err().expect("no network");
        assert!(error.to_string().contains("infinite or NaN"), "{error}");
    }
}

/// A network converted to floats and back has the same integers.
#[test]
fn an_exported_network_is_read_back_unchanged() {
    let network = Model::random(9).to_network().expect("finite weights");
    let again = Model::from_network(&network).to_network().expect("finite weights");
    assert!(network.to_bytes() == again.to_bytes());
    assert!(Model::from_network(&network).merged.numbers != Model::random(9).merged.numbers);
}

proptest! {
    /// All games that can be read give usable samples.
    #[test]
    fn any_game_gives_valid_samples(bytes in any_bytes()) {
        if let Ok(game) = TrainingGame::read(&mut &bytes[..]) {
            let mut inputs = Inputs::default();
            for sample in game.samples(&vec![Some(0.5); game.plies.len()]) {
                inputs.set_at_random(&sample, 1);
                prop_assert!(inputs.0.iter().flatten().all(|&input| usize::from(input) < INPUTS));
                prop_assert!(usize::from(sample.bucket) < BUCKETS);
            }
        }
    }
}
