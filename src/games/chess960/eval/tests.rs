//! The network's incremental sums, its paths of instructions and its file.

use super::super::movegen;
use super::super::position::{CastlingRule, Position};
use super::super::start;
use super::super::types::Colour;
use super::features::{active, bucket, View, INPUTS};
use super::network::{Network, WEIGHT_STEP};
use super::*;
use crate::engine::network::MAX_OUTPUT_WEIGHT;
use crate::engine::network_file::NetworkError;
use crate::engine::rng::Rng;
use crate::engine::score::clamp_eval;
use crate::engine::sys::simd::Path;
use crate::fuzz::{any_bytes, mutated};
use proptest::prelude::*;
use std::sync::Arc;

/// A network of random numbers in the range of trained ones.
fn random_network(seed: u64) -> Network {
    let mut rng = Rng::new(seed);
    let mut number = |max: i32| rng.below(2 * max as usize + 1) as i32 - max;
    let mut network = Network::zero();
    for row in &mut network.rows[..INPUTS] {
        row.0.iter_mut().for_each(|weight| *weight = (WEIGHT_STEP * number(15)) as i8);
    }
    network.bias.0.iter_mut().for_each(|bias| *bias = number(200) as i16);
    for view in network.outputs.iter_mut().flatten() {
        view.0.iter_mut().for_each(|weight| *weight = number(MAX_OUTPUT_WEIGHT) as i16);
    }
    network.output_bias.iter_mut().for_each(|bias| *bias = number(3000));
    network
}

/// The evaluation from its definition.
fn slow(network: &Network, position: &Position) -> i32 {
    let us = position.side();
    let bucket = bucket(position);
    let mut sum = 0;
    for (side, weights) in [us, !us].into_iter().zip(&network.outputs[bucket]) {
        let mut sums = network.bias.0.map(i32::from);
        active(position, View::new(side, position.king(side)), |input| {
            let row = network.rows[input].0;
            sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += i32::from(weight));
        });
        for (sum_of, &weight) in sums.iter().zip(&weights.0) {
            sum += sum_of.clamp(&0, &127).pow(2) * i32::from(weight);
        }
    }
    clamp_eval((sum / 127 + network.output_bias[bucket]) * 400 / (127 * 128))
}

#[test]
fn incremental_evals_equal_their_definition() {
    let mut paths = Vec::new();
    for path in Path::available() {
        let network = random_network(7).on_path(path).expect("available");
        paths.push(Evaluator::by_network(Arc::new(network)));
    }
    let definition = random_network(7);
    let mut rng = Rng::new(2);
    let mut castlings = 0;
    for _ in 0..60 {
        let mut path = vec![start::numbered(rng.below(start::COUNT), CastlingRule::Arena)];
        paths.iter_mut().for_each(Evaluator::reset);
        for _ in 0..160 {
            let position = path[path.len() - 1];
            let moves = movegen::moves(&position);
            if path.len() > 1 && (rng.below(5) == 0 || moves.is_empty()) {
                path.pop();
                paths.iter_mut().for_each(Evaluator::pop);
            } else if !moves.is_empty() {
                let castling = moves.iter().copied().find(|mv| mv.is_castling());
                let mut mv = Some(castling.unwrap_or(moves[rng.below(moves.len())]));
                castlings += usize::from(castling.is_some());
                if position.checkers().is_empty() && rng.below(8) == 0 {
                    mv = None;
                }
                paths.iter_mut().for_each(|evaluator| evaluator.push(&position, mv));
                path.push(mv.map_or_else(|| position.make_null(), |mv| position.make(mv)));
            }
            // Not always, so that some are computed several moves later.
            if rng.below(2) == 0 {
                let position = path[path.len() - 1];
                let expected = slow(&definition, &position);
                for evaluator in &mut paths {
                    assert_eq!(evaluator.evaluate(&position), expected, "{}", position);
                }
            }
        }
    }
    assert!(castlings > 10, "{}", castlings);
}

#[test]
fn mirrored_positions_have_equal_evals() {
    // The same position with sides exchanged, and mirrored.
    let fens = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w - - 0 1",
        "r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R b - - 0 1",
        "r2k3r/1bpqpp1p/1pnp2nb/3NP3/3P2p1/p1Q2N2/PPPBBPPP/R2K3R w - - 0 1",
    ];
    let mut evaluator = Evaluator::by_network(Arc::new(random_network(3)));
    let mut worth = |fen| {
        evaluator.reset();
        let position = Position::from_fen(fen, CastlingRule::Arena).expect(fen);
        evaluator.evaluate(&position)
    };
    assert_eq!(worth(fens[0]), worth(fens[1]));
    assert_eq!(worth(fens[0]), worth(fens[2]));
    let view = |colour, king| View::new(colour, king);
    let square = |text: &str| text.parse::<super::super::types::Square>().expect(text);
    let pawn = super::super::types::Kind::Pawn;
    let left = view(Colour::White, square("c1")).input(Colour::White, pawn, square("b2"));
    let right = view(Colour::White, square("f1")).input(Colour::White, pawn, square("g2"));
    let black = view(Colour::Black, square("c8")).input(Colour::Black, pawn, square("b7"));
    assert_eq!((left, left), (right, black));
}

#[test]
fn files_read_back() {
    let network = random_network(4);
    let bytes = network.to_bytes();
    let again = Network::from_bytes(&bytes).expect("sound");
    assert_eq!(again.to_bytes(), bytes);
    assert!(Network::read_built_in().is_ok());
    let error = |bytes: &[u8]| Network::from_bytes(bytes).err();
    assert_eq!(error(b""), Some(NetworkError::Magic));
    assert_eq!(error(&Network::FORMAT.framed(&[])), None);
    let mut damaged = bytes;
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    assert_eq!(error(&damaged), Some(NetworkError::Checksum));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn any_file_is_a_network_or_refused(bytes in prop_oneof![
        any_bytes(300),
        any_bytes(300).prop_map(|bytes| Network::FORMAT.framed(&bytes)),
        mutated(random_network(5).to_bytes()),
    ]) {
        if let Ok(network) = Network::from_bytes(&bytes) {
            let position = start::numbered(0, CastlingRule::Arena);
            Evaluator::by_network(Arc::new(network)).evaluate(&position);
        }
    }
}
