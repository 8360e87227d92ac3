//! A handcrafted evaluation: material on the board and in hand, centralisation, and wazir safety. The first network was
//! trained on games played with it.

use crate::engine::score::Score;
use crate::games::zero_point_one::attacks::{attacks, spread};
use crate::games::zero_point_one::movegen;
use crate::games::zero_point_one::position::Position;
use crate::games::zero_point_one::types::{Colour, Kind, Square};

/// Value of a piece on the board by kind, in hundredths of a piece.
const ON_BOARD: [Score; 5] = [190, 100, 105, 95, 0];
/// Value of the first, second, third and each further piece of a kind in hand.
const IN_HAND: [[Score; 4]; 4] =
    [[230, 190, 190, 190], [135, 100, 80, 60], [135, 105, 80, 60], [120, 90, 65, 40]];
/// Bonus per step towards the centre (0 to 6 over both axes), by kind.
const CENTRE: [Score; 5] = [9, 5, 4, 5, -7];
/// Penalty by the number of attacked squares next to the side's wazir.
const ATTACKED_FLIGHTS: [Score; 5] = [0, 15, 45, 80, 110];
/// Bonus by the number of flights of the side's wazir.
const FLIGHTS: [Score; 5] = [-70, -20, 0, 8, 12];
/// Bonus by the number of own pieces within two steps of the side's wazir, up to four.
const GUARDS: [Score; 5] = [-30, -12, 0, 8, 12];
/// Bonus for the side to move.
const TEMPO: Score = 12;

/// Evaluates a position for the side to move, in hundredths of a piece.
pub fn evaluate(position: &Position) -> Score {
    let us = position.side();
    TEMPO + side_score(position, us) - side_score(position, !us)
}

fn side_score(position: &Position, us: Colour) -> Score {
    material(position, us) + wazir_safety(position, us)
}

fn material(position: &Position, us: Colour) -> Score {
    let board = position.board();
    let mut score = 0;
    for kind in Kind::ALL {
        for square in board.pieces(us, kind) {
            score += ON_BOARD[kind.index()] + CENTRE[kind.index()] * centrality(square);
        }
    }
    for kind in Kind::DROPPABLE {
        let values = &IN_HAND[kind.index()];
        for nth in 0..position.hand(us).count(kind) {
            score += values[nth.min(3)];
        }
    }
    score
}

/// Returns the wazir safety: flights, guards and attacked squares next to the side's wazir.
fn wazir_safety(position: &Position, us: Colour) -> Score {
    let board = position.board();
    let wazir = match board.wazir(us) {
        Some(square) => square,
        None => return 0,
    };
    let near = attacks(Kind::Wazir, wazir);
    let attacked = movegen::attacked_by(position, !us);
    let flights = (near & !attacked & !board.colour(us)).count() as usize;
    let zone = spread(Kind::Wazir, near) | near | attacks(Kind::Ferz, wazir);
    let guards = (zone & board.colour(us)).count().saturating_sub(1).min(4) as usize;
    FLIGHTS[flights] + GUARDS[guards] - ATTACKED_FLIGHTS[(near & attacked).count() as usize]
}

/// Returns the centralisation: 0 in a corner, 6 in the centre.
fn centrality(square: Square) -> Score {
    let from_edge = |line: usize| line.min(7 - line) as Score;
    from_edge(square.row()) + from_edge(square.column())
}
