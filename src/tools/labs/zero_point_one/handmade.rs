//! An evaluation made by hand: material on the board and in hand, placement, and the squares around
//! the wazirs. It teaches the first network its first games.

use crate::engine::score::Score;
use crate::games::zero_point_one::attacks::{attacks, spread};
use crate::games::zero_point_one::movegen;
use crate::games::zero_point_one::position::Position;
use crate::games::zero_point_one::types::{Colour, Kind, Square};

/// A piece on the board, by kind, in hundredths.
const ON_BOARD: [Score; 5] = [190, 100, 105, 95, 0];
/// The first, second, third and each further piece of a kind in hand.
const IN_HAND: [[Score; 4]; 4] =
    [[230, 190, 190, 190], [135, 100, 80, 60], [135, 105, 80, 60], [120, 90, 65, 40]];
/// For every step nearer to the centre (0 to 6 over both axes), by kind.
const CENTRE: [Score; 5] = [9, 5, 4, 5, -7];
/// For an attacker of a square next to the enemy wazir, by the number of attacked squares there.
const ATTACKED_FLIGHTS: [Score; 5] = [0, 15, 45, 80, 110];
/// For every square that the own wazir can flee to.
const FLIGHTS: [Score; 5] = [-70, -20, 0, 8, 12];
/// For every own piece near the own wazir (distance two or less), up to four.
const GUARDS: [Score; 5] = [-30, -12, 0, 8, 12];
/// For the right to move.
const TEMPO: Score = 12;

/// The worth of a position for the side to move, in hundredths.
pub fn evaluate(position: &Position) -> Score {
    let us = position.side();
    TEMPO + side_worth(position, us) - side_worth(position, !us)
}

fn side_worth(position: &Position, us: Colour) -> Score {
    material(position, us) + wazir_safety(position, us)
}

fn material(position: &Position, us: Colour) -> Score {
    let board = position.board();
    let mut worth = 0;
    for kind in Kind::ALL {
        for square in board.pieces(us, kind) {
            worth += ON_BOARD[kind.index()] + CENTRE[kind.index()] * centrality(square);
        }
    }
    for kind in Kind::DROPPABLE {
        let values = &IN_HAND[kind.index()];
        for nth in 0..position.hand(us).count(kind) {
            worth += values[nth.min(3)];
        }
    }
    worth
}

/// The safety of the own wazir: where it can go, what guards it, what the enemy attacks around it.
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

/// 0 in a corner, 6 in the centre.
fn centrality(square: Square) -> Score {
    let from_edge = |line: usize| line.min(7 - line) as Score;
    from_edge(square.row()) + from_edge(square.column())
}
