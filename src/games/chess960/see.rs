//! Static exchange evaluation (SEE): the result of a series of captures on one square.

use super::attacks;
use super::position::Position;
use super::types::{Bitboard, Kind, Move};
use crate::engine::score::Score;

/// Piece values for exchanges, in hundredths of a pawn.
pub const VALUE: [Score; 6] = [100, 320, 340, 520, 980, 10_000];

/// Whether the exchange started by the move wins at least `threshold`. Both sides capture with their least valuable
/// piece and stop when that is better (swap algorithm with a bound). Pins are ignored.
pub fn see_at_least(position: &Position, mv: Move, threshold: Score) -> bool {
    if mv.is_castling() {
        return threshold <= 0;
    }
    let value = |kind: Kind| VALUE[kind.index()];
    let (from, to) = (mv.from(), mv.to());
    let mut landed = position.moved(mv);
    let mut balance = position.captured(mv).map_or(0, value) - threshold;
    if let Some(kind) = mv.promotion() {
        balance += value(kind) - value(Kind::Pawn);
        landed = kind;
    }
    if balance < 0 {
        return false;
    }
    balance -= value(landed);
    if balance >= 0 {
        return true;
    }
    let mut occupied = (position.occupied() ^ from.bit()) | to.bit();
    if mv.is_en_passant() {
        occupied ^= super::types::Square::new(to.file(), from.rank()).bit();
    }
    let queens = position.kind(Kind::Queen);
    let diagonal = position.kind(Kind::Bishop) | queens;
    let straight = position.kind(Kind::Rook) | queens;
    let mut attackers = position.attackers(to, occupied) & occupied;
    let mut side = !position.side();
    loop {
        let own = attackers & position.colour(side);
        let least = Kind::ALL.iter().copied().find(|&kind| (own & position.kind(kind)).any());
        let kind = match least {
            Some(kind) => kind,
            None => break,
        };
        if kind == Kind::King && (attackers & position.colour(!side)).any() {
            break;
        }
        occupied ^= Bitboard((own & position.kind(kind)).lowest().bit().0);
        // Sliders whose line the capturing piece has opened are added.
        if matches!(kind, Kind::Pawn | Kind::Bishop | Kind::Queen) {
            attackers |= attacks::bishop(to, occupied) & diagonal;
        }
        if matches!(kind, Kind::Rook | Kind::Queen) {
            attackers |= attacks::rook(to, occupied) & straight;
        }
        attackers &= occupied;
        side = !side;
        balance = -balance - 1 - value(kind);
        if balance >= 0 {
            break;
        }
    }
    // The side that would have to capture next has lost the exchange.
    side != position.side()
}
