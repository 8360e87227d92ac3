//! Tests of gradients, training and self-play files.

use super::model::{loss, Example, Model, Weights};
use super::samples::{games, of_line, Sample};
use super::selfplay::{play_game, BlackSearch, Searches};
use crate::engine::rng::Rng;
use crate::fuzz::mutated;
use crate::games::zuniq::geometry::SYMMETRIES;
use crate::games::zuniq::network::features::{Features, BUCKETS, INPUTS};
use crate::games::zuniq::network::Network;
use crate::tools::training::store::assert_packs;
use crate::tools::training::{Adam, Step};
use proptest::collection::vec;
use proptest::prelude::*;
use std::sync::{Arc, LazyLock};

/// Returns the samples of a game played with a network of zeros.
fn some_samples() -> Vec<Sample> {
    let line = some_game(Network::zero(), Searches { simulations: 3, black: None });
    of_line(&line).expect("a valid line")
}

fn some_game(network: Network, searches: Searches) -> String {
    let network = Arc::new(network);
    let mut rng = Rng::new(1);
    let game = (0..9).find_map(|_| play_game(&network, searches, &mut rng)).expect("a game");
    assert_eq!(of_line(&game.line).expect("a valid line").len(), game.positions);
    game.line
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
    let line =
        some_game(network, Searches { simulations: 500, black: Some(BlackSearch::Network(5)) });
    let paths = line.split_whitespace().filter_map(|text| text.split_once(':'));
    let paths: Vec<&str> = paths.map(|(path, _)| path).filter(|path| path.contains('+')).collect();
    let far = paths.iter().filter(|path| path.matches('+').count() > 1);
    assert!(far.count() > 5, "{line}");
    let samples = of_line(&line).expect("a valid line");
    assert!(samples.len() > paths.len() && paths.len() > 40, "{line}");
}

#[test]
fn uct_may_play_black() {
    let network = Network::read_built_in().expect("the built-in network is valid");
    let line = some_game(network, Searches { simulations: 50, black: Some(BlackSearch::Uct(50)) });
    let samples = of_line(&line).expect("a valid line");
    assert!(samples.iter().any(|sample| sample.ply % 2 == 1 && sample.ply < 28), "{line}");
}

#[test]
fn weights_of_a_network_round_trip() {
    let network = Network::read_built_in().expect("the built-in network is valid");
    assert!(Weights::of(&network).network().expect("finite").to_bytes() == network.to_bytes());
}

#[test]
fn malformed_lines_are_rejected() {
    let good = "A1h B2v | 0:50 1:0 2:100 1+C3h:25 0+A2h+C3h:7.5";
    assert_eq!(of_line(good).expect("a valid line").len(), 5);
    for wrong in [
        "A1h B2v",
        "A1h A1h | 1:0",
        "A9h | 0:0",
        "A1h | 2:0",
        "A1h | 1",
        "A1h | x:1",
        "A1h | 1:x",
        "A1h | 1:101",
        "A1h | 1:NaN",
        "A1h | 1+A1h:0",
        "A1h | 1+:0",
    ] {
        assert!(of_line(wrong).is_err(), "{wrong}");
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

/// A game with values in all formats.
static GAME: LazyLock<String> = LazyLock::new(|| {
    let network = Network::read_built_in().expect("the built-in network is valid");
    some_game(network, Searches { simulations: 60, black: None })
});

/// Generates lines of random segments and values.
fn lines() -> impl Strategy<Value = String> {
    let segment = "[A-F][1-6][hv]";
    let place =
        vec(segment, 0..3).prop_map(|moves| moves.iter().map(|mv| format!("+{mv}")).collect());
    let value = (0..40usize, place, -10.0..110.0f32)
        .prop_map(|(ply, place, percent): (usize, String, f32)| format!("{ply}{place}:{percent}"));
    (vec(segment, 0..8), vec(value, 0..4))
        .prop_map(|(moves, values)| format!("{} | {}", moves.join(" "), values.join(" ")))
}

proptest! {
    #[test]
    fn any_line_is_parsed_or_rejected(line in prop_oneof![
        any::<String>(),
        lines(),
        mutated(GAME.clone().into_bytes())
            .prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
    ]) {
        for sample in of_line(&line).into_iter().flatten() {
            prop_assert!((0.0..=1.0).contains(&sample.target));
            for symmetry in 0..SYMMETRIES {
                let features = Features::of(&sample.source.image(symmetry));
                prop_assert!(features.bucket() < BUCKETS);
                prop_assert!(features.list().iter().all(|&input| usize::from(input) < INPUTS));
            }
        }
    }

    #[test]
    fn comments_are_skipped(text in any::<String>()) {
        let games: Vec<(usize, &str)> = games(&text).collect();
        let lines: Vec<&str> = text.lines().collect();
        prop_assert!(games.iter().all(|&(number, line)| lines[number - 1] == line));
        let comments = lines.iter().filter(|line| line.starts_with('#')).count();
        prop_assert_eq!(games.len() + comments, lines.len());
    }
}
