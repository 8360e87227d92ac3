use super::features::{FeatureSource, Features, BUCKETS, INPUTS};
use super::*;
use crate::engine::rng::Rng;
use crate::fuzz::{any_bytes, mutated};
use crate::games::zuniq::geometry::{image_of_segment, random_bit, Each, SYMMETRIES};
use crate::games::zuniq::position::Position;
use crate::games::zuniq::tests::random_position;
use proptest::prelude::*;

/// Creates a network with random weights.
fn random_network(seed: u64) -> Network {
    let mut rng = Rng::new(seed);
    let mut number = |max: f32| (rng.unit() as f32 * 2.0 - 1.0) * max;
    let rows: Vec<[f32; FIRST]> =
        (0..INPUTS).map(|_| [0.0; FIRST].map(|_: f32| number(0.3))).collect();
    let bias = [0.0; FIRST].map(|_: f32| number(1.0));
    let mut heads = vec![Head::ZERO; BUCKETS];
    heads.iter_mut().flat_map(Head::numbers).for_each(|weight| *weight = number(1.0));
    Network::rounded(&rows, &bias, &heads)
}

fn sorted(features: &Features) -> Vec<u16> {
    let mut list = features.list().to_vec();
    list.sort_unstable();
    list
}

#[test]
fn features_are_in_range_and_unique() {
    let mut rng = Rng::new(1);
    for _ in 0..300 {
        let mut position = Position::START;
        loop {
            let features = Features::of(&FeatureSource::of(&position));
            let list = sorted(&features);
            assert!(list.iter().all(|&feature| usize::from(feature) < INPUTS), "{:?}", position);
            assert!(list.windows(2).all(|pair| pair[0] < pair[1]), "{:?}", position);
            assert!(features.bucket() < BUCKETS);
            if position.legal() == 0 {
                break;
            }
            position = position.make_bit(random_bit(position.legal(), &mut rng));
        }
    }
}

#[test]
fn updated_outputs_equal_full_ones() {
    let network = random_network(7);
    let mut rng = Rng::new(8);
    for game in 0..300 {
        let position = random_position(&mut rng, game % 36);
        let source = FeatureSource::of(&position);
        let sums = network.sums(&Features::of(&source));
        for bit in Each(position.legal()) {
            let next = FeatureSource::of(&position.make_bit(bit));
            let updated = network.updated_output(&source, &sums, &next);
            assert_eq!(updated, network.output(&Features::of(&next)), "{:?}", position);
        }
    }
}

#[test]
fn integer_outputs_agree_with_real_weights() {
    let network = random_network(9);
    let mut rng = Rng::new(10);
    for game in 0..200 {
        let features = Features::of(&FeatureSource::of(&random_position(&mut rng, game % 36)));
        let head = &network.heads[features.bucket()];
        let mut second = head.second_bias;
        for (sum, weights) in network.sums(&features).iter().zip(&head.second) {
            let neuron = f32::from((*sum).max(0)) / FIRST_SCALE;
            second.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += neuron * weight);
        }
        let terms = second.iter().zip(&head.output);
        let expected: f32 = terms.map(|(sum, weight)| sum.max(0.0) * weight).sum();
        let output = network.output(&features);
        assert!((output - expected - head.output_bias).abs() < 1e-3, "{} {}", output, expected);
    }
}

#[test]
fn the_source_of_an_image_is_the_image_of_the_source() {
    let mut rng = Rng::new(2);
    for _ in 0..200 {
        let symmetry = rng.below(SYMMETRIES);
        let (mut position, mut image) = (Position::START, Position::START);
        for _ in 0..rng.below(36) {
            if position.legal() == 0 {
                break;
            }
            let bit = random_bit(position.legal(), &mut rng);
            position = position.make_bit(bit);
            image = image.make_bit(1 << image_of_segment(bit.trailing_zeros() as usize, symmetry));
        }
        let of_image = Features::of(&FeatureSource::of(&image));
        let image_of = Features::of(&FeatureSource::of(&position).image(symmetry));
        assert_eq!(sorted(&of_image), sorted(&image_of), "{:?}", position);
        assert_eq!(of_image.bucket(), image_of.bucket());
    }
}

#[test]
fn closing_a_zone_lowers_the_rank_by_that_inside() {
    // A zone of even rank changes which side moves last; the kinds of bridges distinguish this parity.
    let rank = |position: &Position| position.gaps().count_ones() - position.open().count_ones();
    let mut rng = Rng::new(3);
    let mut met = [0; 2];
    for game in 0..400 {
        let position = random_position(&mut rng, 14 + game % 20);
        for bridge in Each(position.bridges() & position.legal()) {
            let zone = position.zone_closed_by(bridge);
            let around = crate::games::zuniq::geometry::around(zone);
            let inside = (position.gaps() & around).count_ones() - zone.count_ones();
            assert_eq!(rank(&position) - rank(&position.make_bit(bridge)), inside);
            met[(inside % 2) as usize] += 1;
        }
    }
    assert!(met[0] > 20 && met[1] > 20, "{:?}", met);
}

#[test]
fn the_built_in_network_can_be_read() {
    assert!(Network::read_built_in().is_ok());
    let output = |position| Network::built_in().output(&Features::of(&FeatureSource::of(position)));
    // The network has learned that moving first is a disadvantage.
    assert!(output(&Position::START) < 0.0);
}

#[test]
fn files_round_trip() {
    let network = random_network(4);
    let bytes = network.to_bytes();
    let read = Network::from_bytes(&bytes).expect("just serialised");
    assert_eq!(read.to_bytes(), bytes);
    let mut rng = Rng::new(5);
    for _ in 0..50 {
        let features = Features::of(&FeatureSource::of(&random_position(&mut rng, 20)));
        assert_eq!(read.output(&features), network.output(&features));
        assert!(network.output(&features).is_finite());
    }
}

#[test]
fn damaged_files_are_rejected() {
    let bytes = Network::zero().to_bytes();
    let damaged = |at: usize| {
        let mut bytes = bytes.clone();
        bytes[at] ^= 1;
        Network::from_bytes(&bytes).err()
    };
    assert_eq!(damaged(0), Some(NetworkError::Magic));
    assert_eq!(damaged(7), Some(NetworkError::Magic));
    let inputs = NetworkError::Shape("inputs", INPUTS ^ 1, INPUTS);
    assert_eq!(damaged(8), Some(inputs));
    assert_eq!(damaged(Format::HEADER), Some(NetworkError::Checksum));
    assert_eq!(damaged(bytes.len() - 1), Some(NetworkError::Checksum));
    for length in 0..bytes.len() {
        assert!(Network::from_bytes(&bytes[..length]).is_err(), "{} bytes", length);
    }
    // After a valid header, any bytes decode to a network or to numbers out of range.
    let mut rng = Rng::new(6);
    for _ in 0..20 {
        let payload: Vec<u8> = (0..2000).map(|_| rng.next() as u8).collect();
        if let Err(error) = Network::from_bytes(&FORMAT.framed(&payload)) {
            assert_eq!(error, NetworkError::Range);
        }
    }
}

/// Maximum magnitude of an output, reached with all neurons and weights at their limits.
const MAX_OUTPUT: f32 = 33.0 * 32_768.0 * SECOND as f32;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn any_file_is_parsed_or_rejected(bytes in prop_oneof![
        any_bytes(300),
        mutated(built_in()[..400].to_vec()),
        mutated(built_in()),
    ]) {
        // One mutation may undo another, which leaves the valid file.
        prop_assert!(Network::from_bytes(&bytes).is_err() || bytes == built_in());
    }

    /// With a valid checksum, only the numbers can be invalid. They are integers within limits, so every output is
    /// finite.
    #[test]
    fn any_numbers_are_a_network_or_out_of_range(payload in prop_oneof![
        3 => any_bytes(3000),
        1 => mutated(FORMAT.payload(&built_in()).expect("the built-in network is valid").to_vec()),
    ]) {
        match Network::from_bytes(&FORMAT.framed(&payload)) {
            Ok(network) => check_outputs(&network),
            Err(error) => prop_assert_eq!(error, NetworkError::Range),
        }
    }

    #[test]
    fn numbers_at_their_limits_give_finite_outputs(seed in any::<u64>()) {
        let mut rng = Rng::new(seed);
        let max = (MAX_WEIGHT - 1) as f32 / OTHER_SCALE;
        let mut number = || if rng.below(2) == 0 { max } else { -max };
        let rows: Vec<[f32; FIRST]> =
            (0..INPUTS).map(|_| [0.0; FIRST].map(|_: f32| number())).collect();
        let bias = [0.0; FIRST].map(|_: f32| number());
        let mut heads = vec![Head::ZERO; BUCKETS];
        heads.iter_mut().flat_map(Head::numbers).for_each(|weight| *weight = number());
        let network = Network::rounded(&rows, &bias, &heads);
        check_outputs(&network);
    }
}

/// Returns the file of the built-in network.
fn built_in() -> Vec<u8> {
    unpack(BUILT_IN).expect("the embedded data is valid").into_owned()
}

fn check_outputs(network: &Network) {
    let mut rng = Rng::new(11);
    for game in 0..40 {
        let position = random_position(&mut rng, game);
        let output = network.output(&Features::of(&FeatureSource::of(&position)));
        assert!(output.abs() <= MAX_OUTPUT, "{} in {:?}", output, position);
        assert!((0.0..=1.0).contains(&network.win_probability(&position)), "{:?}", position);
    }
}
