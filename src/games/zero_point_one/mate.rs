//! Static mate-in-one detection. In games with drops many positions have a mate in one; a search that detects it
//! statically need not search such nodes (known from Shogi programs).
//!
//! A flight is a square to which the wazir can move. On a chessboard, flights have the opposite colour of the wazir's
//! square, whereas a checking piece attacks only squares of the wazir's colour. So it guards no flight, and a check is
//! mate if all flights are already guarded and the checking piece can't be captured; checks by leapers can't be
//! blocked. Among the pieces that move with check, only a knight may have guarded a flight from its old square.

use super::attacks::{attacks, spread};
use super::position::Position;
use super::types::{Bitboard, Kind, Move, Square};

/// Returns a move that mates. The side to move must not be in check.
#[inline]
pub fn mate_in_one(position: &Position) -> Option<Move> {
    let (us, board) = (position.side(), position.board());
    let wazir = board.wazir(!us)?;
    let flights = attacks(Kind::Wazir, wazir) & !board.colour(!us);
    let is_guarded = |flight, by: Bitboard| (board.attackers(flight, us) & by).any();
    // Usually stops at the first flight: cheaper than computing a full attack map.
    if !flights.into_iter().all(|flight| is_guarded(flight, board.occupied())) {
        return None;
    }
    let is_safe = |square: &Square| board.attackers(*square, !us).is_empty();
    for kind in Kind::DROPPABLE {
        let near = attacks(kind, wazir) & !board.colour(us);
        if position.hand(us).count(kind) > 0 {
            if let Some(to) = (near & board.empty()).into_iter().find(is_safe) {
                return Some(Move::drop(kind, to));
            }
        }
        let pieces = board.pieces(us, kind);
        for to in (near & spread(kind, pieces)).into_iter().filter(is_safe) {
            // Only knights change the colour of their square, so only a knight may have guarded a flight before.
            let mates = |from: &Square| {
                let others = board.occupied() & !Bitboard::of(*from);
                kind != Kind::Knight || flights.into_iter().all(|flight| is_guarded(flight, others))
            };
            if let Some(from) = (attacks(kind, to) & pieces).into_iter().find(mates) {
                return Some(Move::board(from, to));
            }
        }
    }
    None
}
