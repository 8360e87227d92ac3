//! Tests of the network: accumulators, features, SIMD paths and files.

use super::super::attacks::attacks;
use super::super::movegen;
use super::super::notation::Setup;
use super::super::position::{Position, MAX_PLIES};
use super::super::setup;
use super::super::types::{Colour, Kind, Move, Origin, Piece, Square};
use super::accumulator::Accumulators;
use super::features::{active, has_two_perspectives, phase, Perspective, BUCKETS, INPUTS, PHASES};
use super::network::{Network, HIDDEN};
use super::threats::*;
use super::*;
use crate::engine::evaluator::Accumulators as _;
use crate::engine::network_file::NetworkError;
use crate::engine::rng::Rng;
use crate::engine::sys::rows::Aligned;
use crate::engine::sys::simd::Path;
use crate::fuzz::{any_bytes, mutated};
use proptest::prelude::*;
use std::sync::{Arc, LazyLock};

/// Creates a network of random weights in the range of trained ones.
fn random_network(seed: u64) -> Network {
    let mut rng = Rng::new(seed);
    let mut number = |max: i32| rng.below(2 * max as usize + 1) as i32 - max;
    let mut network = Network::zero();
    let rows = network.rows[..INPUTS].iter_mut();
    rows.flat_map(|row| row.0.iter_mut()).for_each(|w| *w = number(127) as i8);
    network.bias.0.iter_mut().for_each(|b| *b = number(200) as i16);
    let weights = network.outputs.iter_mut().flatten().flat_map(|half| half.0.iter_mut());
    weights.for_each(|w| *w = number(127) as i16);
    network.output_bias.iter_mut().for_each(|bias| *bias = number(5000));
    network
}

fn random_start(rng: &mut Rng) -> Position {
    let setup = |rng: &mut Rng| -> Setup { setup::random(rng) };
    Position::from_setups(&setup(rng), &setup(rng))
}

fn random_move(position: &Position, rng: &mut Rng) -> Option<Move> {
    let mut moves = Vec::new();
    movegen::safe(position, |mv| moves.push(mv));
    if moves.is_empty() {
        return None;
    }
    Some(moves[rng.below(moves.len())])
}

/// Computes the accumulator from scratch.
fn sums_from_scratch(network: &Network, position: &Position, side: Colour) -> Vec<i16> {
    let mut sums = network.bias.0.to_vec();
    if let Some(wazir) = position.board().wazir(side) {
        active(position, &[Perspective::new(side, wazir)], |_, input| {
            for (sum, &weight) in sums.iter_mut().zip(&network.rows[input].0) {
                *sum += i16::from(weight);
            }
        });
    }
    sums
}

/// Makes and takes back random moves and null moves, with occasional evaluations. The accumulators always equal those
/// computed from scratch.
#[test]
fn incremental_updates_equal_full_computation() {
    let network = random_network(1);
    let mut accumulators = Accumulators::new(&network);
    let mut rng = Rng::new(5);
    for _ in 0..60 {
        accumulators.stack().reset();
        let mut path = vec![random_start(&mut rng)];
        for _ in 0..120 {
            let position = path[path.len() - 1];
            if rng.below(4) == 0 && path.len() > 1 {
                path.pop();
                accumulators.stack().pop();
            } else if rng.below(12) == 0 && position.checkers().is_empty() {
                accumulators.stack().push(|| None);
                path.push(position.make_null());
            } else if let Some(mv) = random_move(&position, &mut rng) {
                if position.make(mv).winner().is_some() || position.ply() > 100 {
                    break;
                }
                accumulators.stack().push(|| Accumulators::change(&position, Some(mv)));
                path.push(position.make(mv));
            } else {
                break;
            }
            if rng.below(2) == 0 {
                let position = &path[path.len() - 1];
                let own = position.side();
                let sums = accumulators.full(&network, position, own);
                for (side, sums) in [own, !own].into_iter().zip(sums) {
                    assert_eq!(sums.0.to_vec(), sums_from_scratch(&network, position, side));
                }
            }
        }
    }
}

/// A position and its image under a symmetry have the same accumulator.
#[test]
fn accumulators_are_invariant_under_symmetries() {
    let mut rng = Rng::new(9);
    let network = random_network(2);
    for _ in 0..200 {
        let mut position = random_start(&mut rng);
        for _ in 0..rng.below(60) {
            match random_move(&position, &mut rng) {
                Some(mv) if position.make(mv).winner().is_none() => position = position.make(mv),
                _ => break,
            }
        }
        let side = position.side();
        let wazir = match position.board().wazir(side) {
            Some(square) => square,
            None => continue,
        };
        // On a diagonal two perspectives are possible, and a mirrored board may have the other one.
        if has_two_perspectives(wazir) {
            continue;
        }
        let expected = sums_from_scratch(&network, &position, side);
        for mirror in 0..3 {
            let mirrored = mirrored(&position, mirror);
            assert_eq!(sums_from_scratch(&network, &mirrored, side), expected);
        }
    }
}

/// Mirrors a position by rows, by columns or along the diagonal.
fn mirrored(position: &Position, mirror: usize) -> Position {
    use super::super::position::Board;
    use super::super::types::Square;
    let mut board = Board::EMPTY;
    for square in position.board().occupied() {
        let (row, column) = (square.row(), square.column());
        let image = match mirror {
            0 => Square::new(7 - row, column),
            1 => Square::new(row, 7 - column),
            _ => Square::new(column, row),
        };
        if let Some(piece) = position.board().piece_on(square) {
            board.toggle(piece, image);
        }
    }
    let hands = [position.hand(Colour::Red), position.hand(Colour::Blue)];
    Position::new(board, hands, position.ply()).expect("the same pieces")
}

#[test]
fn all_simd_paths_agree() {
    let networks: Vec<Network> =
        Path::available().into_iter().filter_map(|path| random_network(3).on_path(path)).collect();
    assert!(!networks.is_empty());
    let mut rng = Rng::new(11);
    for _ in 0..300 {
        let mut sums = || {
            let mut sums = Aligned([0; HIDDEN]);
            sums.0.iter_mut().for_each(|sum| *sum = rng.below(4000) as i16 - 2000);
            sums
        };
        let (own, other) = (sums(), sums());
        let (a, b) = (rng.below(INPUTS), rng.below(INPUTS));
        let (c, d) = (rng.below(INPUTS), rng.below(INPUTS));
        let mut many = || -> Vec<u16> {
            (0..rng.below(MAX_THREATS + 1)).map(|_| rng.below(INPUTS) as u16).collect()
        };
        let (added, removed) = (many(), many());
        let results: Vec<(i32, Vec<i16>)> = networks
            .iter()
            .map(|network| {
                let kernels = network.kernels;
                let mut changed = own;
                let (one, two) =
                    ([&network.rows[a], &network.rows[b]], [&network.rows[c], &network.rows[d]]);
                let from = changed;
                kernels.update(&mut changed, &from, one, two);
                let from = changed;
                kernels.update(&mut changed, &from, [two[0]], [one[1]]);
                kernels.change(&mut changed, two[1], true);
                kernels.change(&mut changed, one[0], false);
                let from = changed;
                kernels.update_all(&mut changed, &from, &network.rows, &added, &removed);
                (network.output(&changed, &other, a % BUCKETS), changed.0.to_vec())
            })
            .collect();
        assert!(results.iter().all(|result| *result == results[0]));
    }
}

#[test]
fn files_round_trip_and_damage_is_detected() {
    let network = random_network(4);
    let bytes = network.to_bytes();
    let read = Network::from_bytes(&bytes).expect("just written");
    assert_eq!(read.to_bytes(), bytes);
    let error = |bytes: &[u8]| Network::from_bytes(bytes).err();
    assert_eq!(error(&bytes[..10]), Some(NetworkError::Magic));
    let mut damaged = bytes.clone();
    damaged[1000] ^= 1;
    assert_eq!(error(&damaged), Some(NetworkError::Checksum));
    assert_eq!(error(&bytes[..bytes.len() - 1]), Some(NetworkError::Checksum));
    let mut other_shape = bytes.clone();
    other_shape[10] ^= 1;
    assert!(matches!(error(&other_shape), Some(NetworkError::Shape("neurons", ..))));
    let mut other_version = bytes;
    other_version[7] += 1;
    assert_eq!(error(&other_version), Some(NetworkError::Magic));
}

/// If the built-in network were damaged, the player would fall back to a zero network.
#[test]
fn the_built_in_network_is_valid() {
    let network = Network::read_built_in().expect("a valid file");
    let start = "AAAADDNW/AAAADDFF/8/8/8/8/affdadda/nwaadaaa - 2";
    let position: Position = start.parse().expect("a position");
    let sums = sums_from_scratch(&network, &position, Colour::Red);
    assert_ne!(sums, network.bias.0.to_vec());
}

#[test]
fn phases_end_with_the_game() {
    let begins: Vec<usize> = (1..=MAX_PLIES).filter(|&ply| phase(ply) != phase(ply - 1)).collect();
    assert_eq!(begins, [34, 44, 54, 64, 74, 84, 94]);
    assert_eq!((phase(0), phase(MAX_PLIES)), (0, PHASES - 1));
}

/// Finds all threats against a side by definition, square by square.
fn threats_by_definition(position: &Position, side: Colour) -> Vec<(usize, Square)> {
    let board = position.board();
    let wazir = match board.wazir(side) {
        Some(square) => square,
        None => return Vec::new(),
    };
    let attacked = |square, by| board.attackers(square, by).any();
    let all = || (0..64).map(Square::from_index);
    let flees =
        |to| board.piece_on(to).map_or(true, |piece| piece.colour != side) && !attacked(to, !side);
    let flights: Vec<Square> =
        all().filter(|&to| attacks(Kind::Wazir, wazir).has(to) && flees(to)).collect();
    let mut found = Vec::new();
    for square in all() {
        let piece = board.piece_on(square).filter(|p| p.colour == side && p.kind != Kind::Wazir);
        if let (Some(piece), true) = (piece, attacked(square, !side)) {
            let defended = attacked(square, side);
            found.push((
                if defended { ATTACKED_DEFENDED } else { ATTACKED } + piece.kind.index(),
                square,
            ));
        }
        if attacks(Kind::Wazir, wazir).has(square) && attacked(square, !side) {
            found.push((GUARDED_NEIGHBOUR, square));
        }
        if flights.contains(&square) {
            found.push((FLIGHT, square));
        }
        for kind in Kind::DROPPABLE.into_iter().filter(|&kind| attacks(kind, square).has(wazir)) {
            let next = attacks(kind, square);
            let drops = position.hand(!side).count(kind) > 0;
            let on_it = board.piece_on(square);
            let moves = on_it.map_or(true, |piece| piece.colour == side)
                && (board.attackers(square, !side) & board.pieces(!side, kind)).any();
            let left = flights.iter().filter(|&&to| !next.has(to)).count();
            let held = attacked(square, side);
            let hit = |piece: Option<Piece>| piece.map_or(false, |piece| piece.colour == side);
            let forks = all().any(|to| {
                next.has(to) && to != wazir && hit(board.piece_on(to)) && !attacked(to, side)
            });
            let (drops, check) = (drops && on_it.is_none(), !held);
            let classes = [
                (DROP_CHECK + kind.index(), drops && check),
                (CHECK + kind.index(), moves && check),
                (MATE, (drops || moves) && check && left == 0),
                (ONE_FLIGHT, (drops || moves) && check && left == 1),
                (FORK, (drops || moves) && check && left > 0 && forks),
                (DEFENDED_MATE, (drops || moves) && held && left == 0),
            ];
            found.extend(classes.iter().filter(|class| class.1).map(|class| (class.0, square)));
        }
    }
    found
}

/// Calls `check` for the positions of random games.
fn with_random_positions(seed: u64, check: &mut dyn FnMut(&Position)) {
    let mut rng = Rng::new(seed);
    for _ in 0..300 {
        let mut position = random_start(&mut rng);
        for _ in 0..90 {
            match random_move(&position, &mut rng) {
                Some(mv) if position.make(mv).winner().is_none() => position = position.make(mv),
                _ => break,
            }
            check(&position);
        }
    }
}

fn threats_of(position: &Position) -> Threats {
    let mut threats = Threats::none();
    threats.find(position);
    threats
}

fn against(threats: &Threats, side: Colour) -> &[Threat] {
    let (list, count) = threats.against(side);
    &list[..count]
}

#[test]
fn threats_match_their_definitions() {
    let mut met = [0; CLASSES];
    with_random_positions(13, &mut |position| {
        let mut found = [Vec::new(), Vec::new()];
        let threats = threats_of(position);
        assert!(threats.count() < MAX_THREATS, "{} in {}", threats.count(), position);
        for side in Colour::ALL {
            for threat in against(&threats, side) {
                let square = Square::from_index(threat.square());
                found[side.index()].push((threat.class(), square));
            }
            let mut expected = threats_by_definition(position, side);
            expected.sort_unstable_by_key(|&(class, square)| (class, square.index()));
            let found = &mut found[side.index()];
            found.sort_unstable_by_key(|&(class, square)| (class, square.index()));
            assert_eq!(*found, expected, "{} in {}", side.name(), position);
            found.iter().for_each(|&(class, _)| met[class] += 1);
        }
    });
    assert!(met.iter().all(|&count| count > 0), "{:?}", met);
}

/// A checking drop on an undefended square is mate if and only if it was found as a threat of mate.
#[test]
fn threats_of_mate_by_drops_are_correct() {
    let mut count = 0;
    with_random_positions(14, &mut |position| {
        let side = position.side();
        let threats = threats_of(position);
        let mates = against(&threats, !side).iter().filter(|threat| threat.class() == MATE);
        let seen: Vec<Square> = mates.map(|threat| Square::from_index(threat.square())).collect();
        let (mut by_drop, mut by_move) = (Vec::new(), Vec::new());
        movegen::safe(position, |mv| match mv.origin() {
            Origin::Hand(_) => by_drop.push(mv),
            Origin::Board(_) => by_move.push(mv.to()),
        });
        let is_mate = |mv: Move| {
            let mut escapes = 0;
            movegen::safe(&position.make(mv), |_| escapes += 1);
            escapes == 0 && position.gives_check(mv)
        };
        let defended = |square| position.board().attackers(square, !side).any();
        for &mv in by_drop.iter().filter(|mv| is_mate(**mv) && !defended(mv.to())) {
            assert!(seen.contains(&mv.to()), "{} in {}", mv.text(side), position);
            count += 1;
        }
        for square in seen.iter().filter(|square| !by_move.contains(square)) {
            let mut here = by_drop.iter().filter(|mv| mv.to() == *square).peekable();
            assert!(here.peek().is_none() || here.any(|&mv| is_mate(mv)), "{}", position);
        }
    });
    assert!(count > 20, "only {} mates", count);
}

/// The file of the built-in network and its payload.
static FILE: LazyLock<(Vec<u8>, Vec<u8>)> = LazyLock::new(|| {
    let network = Network::read_built_in().expect("a valid file");
    let bytes = network.to_bytes();
    let payload = Network::FORMAT.payload(&bytes).expect("just written").to_vec();
    (bytes, payload)
});

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn any_file_is_read_or_rejected(bytes in prop_oneof![
        any_bytes(300),
        mutated(FILE.0[..400].to_vec()),
        mutated(FILE.0.clone()),
    ]) {
        // Mutations may cancel each other, which leaves the file unchanged.
        prop_assert!(Network::from_bytes(&bytes).is_err() || bytes == FILE.0);
    }

    /// Arbitrary payloads with a correct checksum are rejected, or give a network that can evaluate.
    #[test]
    fn any_payload_is_read_or_rejected(payload in prop_oneof![
        3 => any_bytes(2000),
        1 => mutated(FILE.1.clone()),
    ]) {
        if let Ok(network) = Network::from_bytes(&Network::FORMAT.framed(&payload)) {
            let start = "AAAADDNW/AAAADDFF/8/8/8/8/affdadda/nwaadaaa - 2";
            let position: Position = start.parse().expect("a position");
            Evaluator::by_network(Arc::new(network)).evaluate(&position);
        }
    }
}
