//! Tests of gradients, training and self-play files.

use super::model::{loss, Example, Model, Weights};
use super::samples::{PlayedGame, Sample};
use super::selfplay::{play_game, BlackSearch, Searches};
use crate::engine::rng::Rng;
use crate::fuzz::mutated;
use crate::games::zuniq::geometry::SYMMETRIES;
use crate::games::zuniq::network::features::{Features, BUCKETS, INPUTS};
use crate::games::zuniq::network::Network;
use crate::tools::training::game_file::Record;
use crate::tools::training::store::assert_packs;
use crate::tools::training::{Adam, Step};
use proptest::collection::vec;
use proptest::prelude::*;
use std::sync::{Arc, LazyLock};

/// Returns the samples of a game played with a network of zeros.
fn some_samples() -> Vec<Sample> {
    let game = some_game(Network::zero(), Searches { simulations: 3, black: None });
    game.samples().expect("a valid game")
}

fn some_game(network: Network, searches: Searches) -> PlayedGame {
    let network = Arc::new(network);
    let mut rng = Rng::new(1);
    (0..9).find_map(|_| play_game(&network, searches, &mut rng)).expect("a game")
}

fn encoded(game: &PlayedGame) -> Vec<u8> {
    let mut bytes = Vec::new();
    game.write(&mut bytes);
    bytes
}

fn examples(samples: &[Sample]) -> Vec<Example> {
    let of =
        |sample: &Sample| Example { features: Features::of(&sample.source), target: sample.target };
    samples.iter().map(of).collect()
}

#[test]
fn games_have_values_in_every_phase() {
    let samples = some_samples();
    assert!(samples.len() > 30, "{} samples", samples.len());
    assert!(samples.iter().all(|sample| (0.0..=1.0).contains(&sample.target)));
    samples.iter().for_each(assert_packs);
    for plies in [10..20, 20..28, 28..32] {
        assert!(samples.iter().any(|sample| plies.contains(&sample.ply)), "{plies:?}");
    }
}

#[test]
fn positions_outside_a_game_are_written() {
    let network = Network::read_built_in().expect("the built-in network is valid");
    let game =
        some_game(network, Searches { simulations: 500, black: Some(BlackSearch::Network(5)) });
    let beside = |moves| game.values.iter().filter(|value| value.path.len() >= moves).count();
    assert!(beside(2) > 5 && beside(1) > 40 && game.values.len() > beside(1), "{game:?}");
    assert_eq!(game.samples().expect("a valid game").len(), game.values.len());
}

#[test]
fn uct_may_play_black() {
    let network = Network::read_built_in().expect("the built-in network is valid");
    let game = some_game(network, Searches { simulations: 50, black: Some(BlackSearch::Uct(50)) });
    assert!(game.values.iter().any(|value| value.ply % 2 == 1 && value.ply < 28), "{game:?}");
}

#[test]
fn weights_of_a_network_round_trip() {
    let network = Network::read_built_in().expect("the built-in network is valid");
    assert!(Weights::of(&network).network().expect("finite").to_bytes() == network.to_bytes());
}

#[test]
fn games_read_back_and_malformed_ones_are_rejected() {
    let good = encoded(&GAME);
    assert_eq!(&PlayedGame::read(&mut &good[..]).expect("a valid game"), &*GAME);
    // Two moves; White wins; one value after one move of the game and another move.
    let small = [2, 0, 30, 0, 1, 1, 1, 59, 250, 0];
    let samples = PlayedGame::read(&mut &small[..]).and_then(|game| game.samples());
    let samples = samples.expect("a valid game");
    assert_eq!((samples.len(), samples[0].ply, samples[0].target), (1, 2, 0.25));
    for (at, byte, reason) in [
        (0, 9, "no segment"),
        (1, 60, "no segment"),
        (2, 0, "not a legal move"),
        (3, 2, "unknown winner"),
        (4, 2, "truncated"),
        (5, 3, "after the end"),
        (7, 0, "not a legal move"),
        (9, 4, "above 1000"),
    ] {
        let mut wrong = small;
        wrong[at] = byte;
        let error = PlayedGame::read(&mut &wrong[..]).expect_err(reason);
        assert!(error.to_string().contains(reason), "{error}, not {reason}");
    }
}

/// Compares the gradient with central differences of the loss.
#[test]
fn the_gradient_agrees_with_finite_differences() {
    const STEP: f32 = 2e-3;
    let examples = examples(&some_samples());
    let mut model = Model::new(Weights::random(2));
    let total = |model: &Model| -> f64 {
        let of = |example: &Example| loss(model.output(&example.features), example.target);
        examples.iter().map(|example| f64::from(of(example))).sum()
    };
    let gradient = model.gradient(&examples).each_value();
    let count = gradient.len();
    let mut checked = 0;
    // A sample of weights of all layers with a large gradient.
    for index in (0..count).filter(|index| gradient[*index].abs() > 0.02).step_by(31) {
        let mut at = |change: f32| {
            model.weights.change(index, change);
            let loss = total(&model);
            model.weights.change(index, -change);
            loss
        };
        let numeric = (at(STEP) - at(-STEP)) / f64::from(2.0 * STEP) / examples.len() as f64;
        let analytic = f64::from(gradient[index]);
        // The tolerance covers kinks of the activation function.
        assert!(
            (numeric - analytic).abs() < 0.1 * analytic.abs() + 0.01,
            "{index}: {numeric} {analytic}"
        );
        checked += 1;
    }
    assert!(checked > 5, "{checked} weights");
}

#[test]
fn a_model_learns_and_its_network_agrees_with_it() {
    let examples = examples(&some_samples());
    let mut model = Model::new(Weights::random(3));
    let step = Step { rate: 0.005, decay: 0.0 };
    let learn = |number| model.learn_from(&examples, Adam::new(number, step));
    let mut losses = (1..=60).map(learn).collect::<Vec<f64>>();
    let last = losses.pop().unwrap_or(f64::INFINITY);
    assert!(last < 0.5 * losses[0], "{} to {last}", losses[0]);
    let network = model.weights.network().expect("finite weights");
    for Example { features, .. } in &examples {
        let (rounded, exact) = (network.output(features), model.output(features));
        assert!((rounded - exact).abs() < 0.1 + 0.05 * exact.abs(), "{rounded} {exact}");
    }
}

/// A game with values of all kinds.
static GAME: LazyLock<PlayedGame> = LazyLock::new(|| {
    let network = Network::read_built_in().expect("the built-in network is valid");
    some_game(network, Searches { simulations: 60, black: None })
});

proptest! {
    #[test]
    fn any_game_is_read_or_rejected(bytes in prop_oneof![
        vec(0..70u8, 0..90),
        mutated(encoded(&GAME)),
    ]) {
        let game = PlayedGame::read(&mut &bytes[..]);
        for sample in game.iter().flat_map(|game| game.samples().expect("a valid game")) {
            prop_assert!((0.0..=1.0).contains(&sample.target));
            for symmetry in 0..SYMMETRIES {
                let features = Features::of(&sample.source.image(symmetry));
                prop_assert!(features.bucket() < BUCKETS);
                prop_assert!(features.list().iter().all(|&input| usize::from(input) < INPUTS));
            }
        }
    }
}
