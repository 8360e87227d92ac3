use super::*;
use crate::engine::rng::Rng;
use crate::fuzz::mutated;
use crate::games::g6561::board::SQUARES;
use crate::games::g6561::game::{Game, Position};
use proptest::prelude::*;

/// Creates a network with random weights that a file represents exactly. Most of them are zero.
fn random_network(seed: u64) -> Network {
    let mut rng = Rng::new(seed);
    let mut network = Network::zero();
    for weight in network.weights_mut() {
        if rng.below(20) == 0 {
            *weight = (rng.below(400) as f32 - 200.0) / SCALE;
        }
    }
    network
}

/// Returns the first 300 boards of a random game, or fewer if it ends before.
fn boards(seed: u64) -> Vec<Board> {
    let mut rng = Rng::new(seed);
    let mut game = Game::new();
    let mut boards = Vec::new();
    while boards.len() < 300 {
        let moves = game.position().moves();
        if moves.is_empty() {
            break;
        }
        game.push(moves[rng.below(moves.len())]).expect("a legal move");
        boards.push(game.position().board);
    }
    boards
}

fn mirrored(board: Board) -> Board {
    (0..SQUARES).filter_map(|square| board.piece(square).map(|piece| (square, piece))).fold(
        Board::EMPTY,
        |mirrored, (square, piece)| {
            mirrored.with(square / SIDE * SIDE + SIDE - 1 - square % SIDE, piece)
        },
    )
}

#[test]
fn symmetric_boards_have_equal_values() {
    let network = random_network(1);
    for board in boards(2) {
        let value = network.value(board, 3);
        for same in [board.transposed(), mirrored(board), mirrored(board.transposed())] {
            assert!((network.value(same, 3) - value).abs() < 1e-2, "{board}");
        }
    }
}

#[test]
fn phases_have_separate_weights() {
    let network = Network::zero();
    let board = Position::START.board.with(5, Piece { colour: Colour::Red, exponent: 2 });
    let mut seen = Vec::new();
    for main in Colour::ALL {
        for ply in 0..RHYTHM {
            seen.extend([false, true].map(|is_own| phase(main, ply, is_own)));
        }
    }
    seen.sort_unstable();
    assert_eq!(seen, (0..PHASES).collect::<Vec<_>>());
    let tables = seen.into_iter().map(|phase| network.slots(board, phase));
    let slots: Vec<[u32; TUPLES]> = tables.collect();
    for (index, own) in slots.iter().enumerate() {
        let others = slots[index + 1..].iter().flatten();
        assert!(others.into_iter().all(|slot| !own.contains(slot)));
    }
}

#[test]
fn files_round_trip() {
    let network = random_network(7);
    let read = Network::from_bytes(&network.to_bytes()).expect("just serialised");
    assert!(network.weights() == read.weights());
    assert!(Network::from_bytes(&Network::zero().to_bytes()).is_ok());
    assert!(Network::read_built_in().is_ok());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]
    #[test]
    fn damaged_files_are_rejected_or_finite(bytes in mutated(random_network(3).to_bytes())) {
        if let Ok(network) = Network::from_bytes(&bytes) {
            prop_assert!(network.weights().iter().all(|weight| weight.is_finite()));
        }
    }
}

#[test]
fn large_pieces_of_other_colours_look_alike() {
    let board = |exponent: usize| {
        let piece = |colour, exponent| Piece { colour, exponent };
        let large = piece(Colour::Red, exponent as u8);
        Board::EMPTY.with(3, piece(MAIN, 5)).with(9, large).with(10, piece(Colour::Blue, 0))
    };
    let network = Network::zero();
    let slots = |exponent: usize| network.slots(board(exponent), 0);
    for exponent in 0..EXPONENTS {
        let is_distinguished = exponent < OTHER_EXPONENTS;
        assert_eq!(distinguishes_pieces(board(exponent), MAIN), is_distinguished, "{exponent}");
        assert!(
            !distinguishes_pieces(board(exponent), Colour::Red),
            "the large main piece is not of the red colour"
        );
        let is_like_the_last = slots(exponent) == slots(OTHER_EXPONENTS - 1);
        assert_eq!(is_like_the_last, exponent + 1 >= OTHER_EXPONENTS, "{exponent}");
    }
}
