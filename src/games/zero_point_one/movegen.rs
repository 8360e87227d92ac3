//! Move generation in stages. Every stage hands its moves to a callback, so that the caller can
//! count, list or score them without an intermediate list.
//!
//! All pieces are leapers: there are no pins, no discovered attacks and nothing to interpose. While
//! the own wazir is not attacked, only its own moves can put it en prise; while it is attacked,
//! only its moves and captures of the attacker can save it.

use super::attacks::{attacks, spreads, united};
use super::position::Position;
use super::types::{Bitboard, Colour, Kind, Move};

/// The squares that a side's pieces attack.
pub fn attacked_by(position: &Position, colour: Colour) -> Bitboard {
    let board = position.board();
    united(spreads(|kind| board.pieces(colour, kind)))
}

/// All pseudo-legal moves: what the rules allow, the own wazir en prise or not. None once a wazir
/// is captured.
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

/// The pseudo-legal moves that do not leave the own wazir en prise.
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

/// While in check by `checkers`: the safe moves, captures of the attacker first, then the wazir's.
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

/// While not in check: the safe captures (of the enemy wazir too).
#[inline]
pub fn captures(position: &Position, mut emit: impl FnMut(Move)) {
    let theirs = position.board().colour(!position.side());
    for kind in Kind::DROPPABLE {
        board_moves(position, kind, theirs, &mut emit);
    }
    wazir_moves(position, theirs, emit);
}

/// While not in check: the safe moves that attack the enemy wazir without capturing, from the board
/// and from the hand.
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

/// While not in check: the safe board moves that neither capture nor check.
#[inline]
pub fn quiet_board_moves(position: &Position, mut emit: impl FnMut(Move)) {
    for kind in Kind::DROPPABLE {
        board_moves(position, kind, quiet_targets(position, kind), &mut emit);
    }
    wazir_moves(position, quiet_targets(position, Kind::Wazir), emit);
}

/// While not in check: the drops that do not check.
#[inline]
pub fn quiet_drops(position: &Position, emit: impl FnMut(Move)) {
    drops_on(position, |kind| quiet_targets(position, kind), emit);
}

/// The empty squares from which a piece of this kind does not attack the enemy wazir.
#[inline(always)]
pub fn quiet_targets(position: &Position, kind: Kind) -> Bitboard {
    let board = position.board();
    match board.wazir(!position.side()) {
        Some(enemy) => board.empty() & !attacks(kind, enemy),
        None => board.empty(),
    }
}

/// The moves of all own pieces of a kind to the targets.
#[inline(always)]
fn board_moves(position: &Position, kind: Kind, targets: Bitboard, emit: &mut impl FnMut(Move)) {
    for from in position.board().pieces(position.side(), kind) {
        for to in attacks(kind, from) & targets {
            emit(Move::board(from, to));
        }
    }
}

/// The moves of the own wazir to those of the targets that the enemy does not attack. The wazir's
/// leaving its square opens no line, so the attack map of the standing position is exact, but for a
/// captured piece's, which does not attack its own square.
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

/// The drops of each kind in hand on the squares that `targets` allows it.
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
