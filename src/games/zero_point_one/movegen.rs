//! Staged move generation. Every stage passes its moves to a callback, so that the caller can count, list or score them
//! without an intermediate list.
//!
//! All pieces are leapers, so there are no pins, no discovered attacks and no interpositions. A wazir that is not
//! attacked can be left en prise only by its own moves; one that is attacked can be saved only by its own moves and by
//! captures of the attacker.

use super::attacks::{attacks, spreads, united};
use super::position::Position;
use super::types::{Bitboard, Colour, Kind, Move};

/// Returns the squares that a side's pieces attack.
pub fn attacked_by(position: &Position, colour: Colour) -> Bitboard {
    let board = position.board();
    united(spreads(|kind| board.pieces(colour, kind)))
}

/// Generates all pseudo-legal moves, i.e. all that the rules allow, including those that leave the wazir en prise.
/// Generates none after a wazir was captured.
pub fn pseudo_legal(position: &Position, mut emit: impl FnMut(Move)) {
    let board = position.board();
    if position.winner().is_some() {
        return;
    }
    let own = board.colour(position.side());
    board_moves(position, Kind::Wazir, !own, &mut emit);
    for kind in Kind::DROPPABLE {
        board_moves(position, kind, !own, &mut emit);
    }
    drops_on(position, |_| board.empty(), &mut emit);
}

/// Generates the pseudo-legal moves that do not leave the wazir en prise.
pub fn safe(position: &Position, mut emit: impl FnMut(Move)) {
    if position.winner().is_some() {
        return;
    }
    let checkers = position.checkers();
    if checkers.any() {
        evasions(position, checkers, emit);
    } else {
        captures(position, &mut emit);
        checks(position, &mut emit);
        quiet_board_moves(position, &mut emit);
        quiet_drops(position, &mut emit);
    }
}

/// Generates the safe moves of a side in check by `checkers`: captures of the attacker, then wazir moves.
#[inline]
pub fn evasions(position: &Position, checkers: Bitboard, mut emit: impl FnMut(Move)) {
    let board = position.board();
    let us = position.side();
    if checkers.count() == 1 {
        if let Some(target) = checkers.first() {
            let capturers = board.attackers(target, us) & !board.kind(Kind::Wazir);
            for from in capturers {
                emit(Move::board(from, target));
            }
        }
    }
    wazir_moves(position, !board.colour(us), emit);
}

/// Generates the safe captures, including those of the enemy wazir, of a side that is not in check.
#[inline]
pub fn captures(position: &Position, mut emit: impl FnMut(Move)) {
    let theirs = position.board().colour(!position.side());
    for kind in Kind::DROPPABLE {
        board_moves(position, kind, theirs, &mut emit);
    }
    wazir_moves(position, theirs, emit);
}

/// Generates the safe non-capturing checks, by board moves and drops, of a side that is not in check.
#[inline]
pub fn checks(position: &Position, mut emit: impl FnMut(Move)) {
    let board = position.board();
    let enemy = match board.wazir(!position.side()) {
        Some(square) => square,
        None => return,
    };
    let empty = board.empty();
    for kind in Kind::DROPPABLE {
        let near = attacks(kind, enemy) & empty;
        if near.any() {
            board_moves(position, kind, near, &mut emit);
        }
    }
    wazir_moves(position, attacks(Kind::Wazir, enemy) & empty, &mut emit);
    drops_on(position, |kind| attacks(kind, enemy) & empty, emit);
}

/// Generates the safe board moves that neither capture nor check, of a side that is not in check.
#[inline]
pub fn quiet_board_moves(position: &Position, mut emit: impl FnMut(Move)) {
    for kind in Kind::DROPPABLE {
        board_moves(position, kind, quiet_targets(position, kind), &mut emit);
    }
    wazir_moves(position, quiet_targets(position, Kind::Wazir), emit);
}

/// Generates the drops that do not check, of a side that is not in check.
#[inline]
pub fn quiet_drops(position: &Position, emit: impl FnMut(Move)) {
    drops_on(position, |kind| quiet_targets(position, kind), emit);
}

/// Returns the empty squares from which a piece of this kind does not attack the enemy wazir.
#[inline(always)]
pub fn quiet_targets(position: &Position, kind: Kind) -> Bitboard {
    let board = position.board();
    match board.wazir(!position.side()) {
        Some(enemy) => board.empty() & !attacks(kind, enemy),
        None => board.empty(),
    }
}

/// Generates the moves of all own pieces of a kind to the target squares.
#[inline(always)]
fn board_moves(position: &Position, kind: Kind, targets: Bitboard, emit: &mut impl FnMut(Move)) {
    for from in position.board().pieces(position.side(), kind) {
        for to in attacks(kind, from) & targets {
            emit(Move::board(from, to));
        }
    }
}

/// Generates the wazir moves of the side to move to those target squares that the enemy does not attack. The current
/// attackers are exact: a wazir that leaves its square opens no line, and a captured piece does not attack its own
/// square.
#[inline(always)]
fn wazir_moves(position: &Position, targets: Bitboard, mut emit: impl FnMut(Move)) {
    let us = position.side();
    let board = position.board();
    if let Some(from) = board.wazir(us) {
        for to in attacks(Kind::Wazir, from) & targets {
            if board.attackers(to, !us).is_empty() {
                emit(Move::board(from, to));
            }
        }
    }
}

/// Generates the drops of each kind in hand to the squares `targets(kind)`.
#[inline(always)]
fn drops_on(position: &Position, targets: impl Fn(Kind) -> Bitboard, mut emit: impl FnMut(Move)) {
    let hand = position.hand(position.side());
    if hand.is_empty() {
        return;
    }
    for kind in Kind::DROPPABLE {
        if hand.count(kind) > 0 {
            for to in targets(kind) {
                emit(Move::drop(kind, to));
            }
        }
    }
}
