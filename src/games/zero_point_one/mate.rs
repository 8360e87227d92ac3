//! Mate in one, found without a search. In games with drops many positions hold one; a search that
//! sees it at once looks at nothing else there (known from programs of Shogi).
//!
//! The squares beside a wazir have the other colour of a chessboard than its own, and a piece that
//! attacks a square attacks squares of that colour only. So a checking piece guards no flight. A
//! check is mate if all flights are guarded already and the checking piece can't be captured;
//! between leapers nothing can be put. Of the pieces that move only a knight may have guarded a
//! flight before.

use super::attacks::{attacks, spread};
use super::position::Position;
use super::types::{Bitboard, Kind, Move, Square};

/// A move after which the opponent can't save the wazir, for a side to move that is not in check.
#[inline]
pub fn mate_in_one(position: &Position) -> Option<Move> {
    let (us, board) = (position.side(), position.board());
    let wazir = board.wazir(!us)?;
    let flights = attacks(Kind::Wazir, wazir) & !board.colour(!us);
    let is_guarded = |flight, by: Bitboard| (board.attackers(flight, us) & by).any();
    // Ends most often at the first flight: cheaper than a map of all that is attacked.
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
            // A knight alone changes the colour of its square: it may have guarded a flight.
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
